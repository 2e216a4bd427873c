package engine_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// A prospect who is held for one value and then for another gets the step once
// both are there; a colleague, once the step asks for neither.
func TestHeldForValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	box := w.mailbox("me@acme.test", nil)
	steps := func(text string) []outreach.Step { return []outreach.Step{{Subject: new("Hello"), BodyText: &text}} }
	first := w.campaign(func(c *outreach.Campaign) {
		c.Steps = steps("{{ first_name }}, {{ job_title }} in {{ custom_fields.city }}?")
	}, box)
	second := w.campaign(func(c *outreach.Campaign) { c.Steps = steps("{{ first_name }} of {{ company_name }}") }, box)
	ann, bob := w.enroll(first, "ann@away.test", nil), w.enroll(second, "bob@away.test", nil)
	held := func() map[string]*string {
		w.engine.SendOnce(w.ctx)
		return map[string]*string{"ann": w.enrollment(ann).HoldReason, "bob": w.enrollment(bob).HoldReason}
	}
	check := func(what string, want map[string]*string) {
		t.Helper()
		if diff := cmp.Diff(want, held()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("at first",
		map[string]*string{"ann": new("step 1 needs a value for job_title"), "bob": new("step 1 needs a value for company_name")})

	_, err := w.UpdateProspect(w.ctx, w.ws, ann.Prospect.ID, func(p *outreach.Prospect) { p.JobTitle = new("CEO") })
	must(t, err)
	check("with one of two",
		map[string]*string{"ann": new("step 1 needs a value for custom_fields.city"), "bob": new("step 1 needs a value for company_name")})

	_, err = w.BulkProspects(w.ctx, w.ws, []outreach.BulkElement{{Change: func(p *outreach.Prospect) {
		p.Email = "ann@away.test"
		p.MergeCustomFields(map[string]any{"city": "Turin"})
	}}}, outreach.BulkMode{Update: true})
	must(t, err)
	stored, err := w.Campaign(w.ctx, w.ws, second.ID)
	must(t, err)
	_, err = w.UpdateCampaign(w.ctx, w.ws, second.ID, func(c *outreach.Campaign) {
		c.Steps = stored.Steps
		c.Steps[0].BodyText = new(`{{ first_name }} of {{ company_name | default: "your company" }}`)
	})
	must(t, err)
	check("with both, and without asking", map[string]*string{"ann": nil, "bob": nil})
	if diff := cmp.Diff(map[string]int{"ann@away.test": 1, "bob@away.test": 1}, w.mailsByAddress()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
}

// A follow-up whose former step never arrived begins the conversation itself, under
// the subject that it was to go on with.
func TestFollowUpOfABouncedStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	var asked atomic.Int32
	server := startSMTP(t, func(c, n int, is, line string) string {
		if is == "RCPT" && asked.Add(1) == 1 {
			return "552 5.2.2 mailbox full"
		}
		return fine(c, n, is, line)
	})
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello {{ first_name }}"), BodyText: new("One")}, {BodyText: new("Two")},
			{BodyText: new("Three")}}
	}, w.mailbox("me@acme.test", func(m *outreach.Mailbox) { m.SMTP = server.MailServer }))
	e := w.enroll(c, "ann@away.test", nil)
	for range 3 {
		w.engine.SendOnce(w.ctx)
	}
	if diff := cmp.Diff(outreach.EnrollmentFinished, w.enrollment(e).Status); diff != "" {
		t.Errorf("enrollment (-want +got):\n%s", diff)
	}
	got := rows[string](w, `SELECT step || ' ' || status || ': ' || subject FROM messages ORDER BY step`)
	if diff := cmp.Diff([]string{"1 bounced: Hello Ada", "2 sent: Hello Ada", "3 sent: Re: Hello Ada"}, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}
