package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"outreach"
)

// demoMailbox is a separate account, so that dev.json's mailbox stays unused.
const demoMailbox = "sandbox+demo@sandbox.test"

// fillDemo creates the demo workspace as a customer would: over the REST API. It runs once; after
// a crash the next start creates the rest, because every call has the same Idempotency-Key.
func (s *devStack) fillDemo(ctx context.Context) error {
	d := &demo{ctx: ctx, base: string(s.config.BaseURL) + "/api/v1", token: s.state.Token}
	if err := d.untilReady(string(s.config.BaseURL) + "/readyz"); err != nil {
		return err
	}
	if err := s.subscribeDemo(ctx); err != nil {
		return fmt.Errorf("create demo workspace: %w", err)
	}
	d.fill(mailboxOf(s.mail.Mailbox(), "Sam Demo"))
	if d.err != nil {
		return fmt.Errorf("create demo workspace: %w", d.err)
	}
	s.state.Demo = true
	return s.saveState()
}

// subscribeDemo creates a subscription for the receiver, with the secret of dev.json; the API
// would generate a secret.
func (s *devStack) subscribeDemo(ctx context.Context) error {
	known, err := s.store.SecretsByURL(ctx, s.receiver.URL())
	if err != nil || len(known) > 0 {
		return err
	}
	_, err = s.store.CreateSubscription(ctx, outreach.Subscription{WorkspaceID: s.state.WorkspaceID, URL: s.receiver.URL(),
		Events: outreach.SubscriptionEvents, Enabled: true}, s.state.ReceiverSecret)
	return err
}

// demo makes calls until one fails and then skips the rest.
type demo struct {
	ctx   context.Context
	base  string
	token string
	calls int
	err   error
}

type object = map[string]any

func (d *demo) fill(box mailboxBody) {
	box.Email, box.SMTP.Username, box.IMAP.Username = demoMailbox, demoMailbox, demoMailbox
	mailbox := d.post("/mailboxes", box)
	campaign := d.post("/campaigns", object{
		"name": "Autumn introduction", "send_days": outreach.Weekdays, "send_from": "00:00", "send_until": "23:59",
		"track_opens": true, "mailbox_ids": []any{mailbox["id"]}, "steps": demoSteps,
	})
	d.post("/campaigns", object{"name": "Winter check-in (draft)", "mailbox_ids": []any{mailbox["id"]}, "steps": demoSteps[:1]})
	d.post(fmt.Sprintf("/campaigns/%v/activate", campaign["id"]), object{})
	for i, person := range demoPeople {
		enrolled := d.post("/enrollments", object{"campaign_id": campaign["id"], "prospect": person.prospect()})
		if prospect, ok := enrolled["prospect"].(object); ok && i%4 == 0 {
			d.post("/offers", object{"title": "Proposal for " + person.company, "prospect_id": prospect["id"],
				"body_html": "<h2>What we propose</h2><p>A short pilot of four weeks, with one team and a fixed price.</p>"})
		}
	}
	d.post("/suppressions", object{"domain": "competitor.example", "note": "Never write to them"})
}

var demoSteps = []object{
	{
		"subject": `{{ company_name | default: "Your team" }} and the next quarter`,
		"body_html": `<p>Hello {{ first_name | default: "there" }},</p><p>we help teams like yours answer customers ` +
			`faster. <a href="https://example.com/case-study">This page</a> shows how {{ custom_fields.industry | default: ` +
			`"others" }} companies did it.</p><p>Would a short call next week suit you?</p>`,
	},
	{
		"delay_minutes": 2,
		"body_html": `<p>Hello {{ first_name | default: "there" }},</p><p>just in case my last note went under: <a ` +
			`href="https://example.com/five-minutes">five minutes</a> are enough to see whether it fits.</p>`,
	},
}

// demoPerson is one prospect; the local part selects the persona of the sandbox.
type demoPerson struct{ local, first, last, company, domain, job, industry string }

func (p demoPerson) prospect() object {
	return object{"email": p.local + "@" + p.domain, "first_name": p.first, "last_name": p.last, "company_name": p.company,
		"job_title": p.job, "timezone": "Europe/Berlin", "custom_fields": object{"industry": p.industry}}
}

var demoPeople = []demoPerson{
	{"reply.anna", "Anna", "Keller", "Northwind Logistics", "northwind.example", "Head of Operations", "logistics"},
	{"click.ben", "Ben", "Okafor", "Northwind Logistics", "northwind.example", "Team Lead", "logistics"},
	{"no.carla", "Carla", "Rossi", "Fabrikam", "fabrikam.example", "Procurement", "manufacturing"},
	{"unsub.dan", "Dan", "Meyer", "Fabrikam", "fabrikam.example", "Plant Manager", "manufacturing"},
	{"ooo.eva", "Eva", "Lindqvist", "Contoso Health", "contoso-health.example", "Director", "health care"},
	{"bounce.finn", "Finn", "Walsh", "Contoso Health", "contoso-health.example", "Clinic Manager", "health care"},
	{"dsn.gita", "Gita", "Patel", "Tailspin Travel", "tailspin.example", "Founder", "travel"},
	{"hugo.martin", "Hugo", "Martin", "Tailspin Travel", "tailspin.example", "Marketing", "travel"},
	{"reply.ines", "Inès", "Laurent", "Adatum Énergie", "adatum.example", "Directrice commerciale", "energy"},
	{"click.jonas", "Jonas", "Berg", "Adatum Énergie", "adatum.example", "Analyst", "energy"},
	{"kira.novak", "Kira", "Novak", "Litware", "litware.example", "COO", "software"},
	{"liam.byrne", "Liam", "Byrne", "Litware", "litware.example", "Support Lead", "software"},
	{"reply.maya", "Maya", "Silva", "Proseware", "proseware.example", "CEO", "publishing"},
	{"noah.weiss", "Noah", "Weiss", "Proseware", "proseware.example", "Editor", "publishing"},
	{"click.olga", "Olga", "Sokolova", "Wingtip Toys", "wingtip.example", "Buyer", "retail"},
	{"pablo.ruiz", "Pablo", "Ruiz", "Wingtip Toys", "wingtip.example", "Store Manager", "retail"},
}

// post makes one call and returns its answer. It does nothing after a call has failed. A resource
// that exists already is not an error.
func (d *demo) post(path string, body any) object {
	d.calls++
	if d.err != nil {
		return object{}
	}
	text, err := json.Marshal(body)
	if err != nil {
		d.err = err
		return object{}
	}
	request, err := http.NewRequestWithContext(d.ctx, http.MethodPost, d.base+path, bytes.NewReader(text))
	if err != nil {
		d.err = err
		return object{}
	}
	request.Header.Set("Authorization", "Bearer "+d.token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", fmt.Sprintf("demo-%d", d.calls))
	return d.answer(request)
}

func (d *demo) answer(request *http.Request) (out object) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		d.err = err
		return object{}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s answered %s: %s", request.Method, request.URL.Path, response.Status, text)
	}
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	d.err = err
	return out
}

// untilReady waits until the service answers.
func (d *demo) untilReady(url string) error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		request, err := http.NewRequestWithContext(d.ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-d.ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
