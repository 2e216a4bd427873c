package demo

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

// Mailbox is the address of the mailbox that Fill creates.
const Mailbox = "sandbox+demo@sandbox.test"

// Fill creates a campaign and its people as a customer would: over the REST API at the address base. It
// waits until the service is ready. mailbox is the body that creates the mailbox. After a crash another
// call creates the rest, because every request has the same Idempotency-Key.
func Fill(ctx context.Context, base, token string, mailbox any) error {
	c := &customer{ctx: ctx, base: base, token: token}
	if err := c.untilReady(); err != nil {
		return err
	}
	c.fill(mailbox)
	return c.err
}

// customer makes calls until one fails and then skips the rest.
type customer struct {
	ctx   context.Context
	base  string
	token string
	calls int
	err   error
}

// client is for one service on this machine.
var client = &http.Client{Timeout: time.Minute}

type object = map[string]any

func (c *customer) fill(body any) {
	mailbox := c.post("/mailboxes", body)
	campaign := c.post("/campaigns", object{
		"name": "Autumn introduction", "send_days": outreach.Weekdays, "send_from": "00:00", "send_until": "23:59",
		"track_opens": true, "mailbox_ids": []any{mailbox["id"]}, "steps": steps,
	})
	c.post("/campaigns", object{"name": "Winter check-in (draft)", "mailbox_ids": []any{mailbox["id"]}, "steps": steps[:1]})
	c.post(fmt.Sprintf("/campaigns/%v/activate", campaign["id"]), object{})
	for i, p := range people {
		enrolled := c.post("/enrollments", object{"campaign_id": campaign["id"], "prospect": p.prospect()})
		if prospect, ok := enrolled["prospect"].(object); ok && i%4 == 0 {
			c.post("/offers", object{"title": "Proposal for " + p.company, "prospect_id": prospect["id"],
				"body_html": "<h2>What we propose</h2><p>A short pilot of four weeks, with one team and a fixed price.</p>"})
		}
	}
	c.post("/suppressions", object{"domain": "competitor.example", "note": "Never write to them"})
}

var steps = []object{
	{
		"subject": `{{ company_name | default: "Your team" }} and the next quarter`,
		"body_html": `<p>Hello {{ first_name | default: "there" }},</p><p>we help teams like yours answer customers ` +
			`faster. <a href="https://example.com/case-study">This page</a> shows how {{ custom_fields.industry | default: ` +
			`"other" }} companies did it.</p><p>Would a short call next week suit you?</p>`,
	},
	{
		"delay_minutes": 2,
		"body_html": `<p>Hello {{ first_name | default: "there" }},</p><p>just in case my last note went under: <a ` +
			`href="https://example.com/five-minutes">five minutes</a> are enough to see whether it fits.</p>`,
	},
}

// person is one prospect; the local part selects the persona of the sandbox.
type person struct{ local, first, last, company, domain, job, industry string }

func (p person) prospect() object {
	return object{"email": p.local + "@" + p.domain, "first_name": p.first, "last_name": p.last, "company_name": p.company,
		"job_title": p.job, "timezone": "Europe/Berlin", "custom_fields": object{"industry": p.industry}}
}

var people = []person{
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
func (c *customer) post(path string, body any) object {
	c.calls++
	if c.err != nil {
		return object{}
	}
	text, err := json.Marshal(body)
	if err != nil {
		c.err = err
		return object{}
	}
	request, err := http.NewRequestWithContext(c.ctx, http.MethodPost, c.base+"/api/v1"+path, bytes.NewReader(text))
	if err != nil {
		c.err = err
		return object{}
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", fmt.Sprintf("demo-%d", c.calls))
	return c.answer(request)
}

func (c *customer) answer(request *http.Request) (out object) {
	response, err := client.Do(request)
	if err != nil {
		c.err = err
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
	c.err = err
	return out
}

// untilReady waits until the service answers.
func (c *customer) untilReady() error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		request, err := http.NewRequestWithContext(c.ctx, http.MethodGet, c.base+"/readyz", nil)
		if err != nil {
			return err
		}
		response, err := client.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-c.ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
