package engine_test

import (
	"bytes"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// A campaign of two steps meets every sort of prospect, over real SMTP and IMAP.
func TestCampaignMeetsPersonas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now().UTC().Truncate(time.Second), 5*time.Millisecond)
	box := w.mailbox("me@acme.test", nil)
	_, err := w.CreateSubscription(w.ctx, outreach.Subscription{
		WorkspaceID: w.ws, URL: "https://hooks.test/in", Events: outreach.SubscriptionEvents, Enabled: true,
	}, "whsec_test")
	must(t, err)
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{
			{Subject: new("Hello {{ first_name }}"), BodyHTML: new(`<p>Hi {{ first_name }}, <a href="https://acme.test/x">look</a>.</p>`)},
			{DelayMinutes: 60, BodyText: new("Did you see my mail, {{ first_name }}?")},
		}
	}, box)
	people := map[string]outreach.Enrolled{}
	for _, name := range []string{"reply", "no", "ooo", "bounce", "dsn", "silent"} {
		people[name] = w.enroll(c, name+"@away.test", nil)
	}
	histories := func() map[string][]string {
		all := map[string][]string{}
		for name, e := range people {
			all[name] = w.history(e.Prospect.ID)
		}
		return all
	}
	held := func() outreach.EnrollmentStatus { return w.enrollment(people["ooo"]).Status }

	w.engine.SendOnce(w.ctx)
	eventually(w, "events of the first step", map[string][]string{
		"reply": {"sent 1", "replied"}, "no": {"sent 1", "replied"}, "ooo": {"sent 1"},
		"bounce": {"bounced 1"}, "dsn": {"sent 1", "bounced 1"}, "silent": {"sent 1"},
	}, func() map[string][]string { w.engine.ReceiveOnce(w.ctx); return histories() })
	eventually(w, "absence", outreach.EnrollmentHeld, func() outreach.EnrollmentStatus { w.engine.ReceiveOnce(w.ctx); return held() })

	w.clock.Advance(61 * time.Minute)
	w.engine.SendOnce(w.ctx)
	w.engine.ReceiveOnce(w.ctx)
	if diff := cmp.Diff([]string{"sent 1", "sent 2"}, histories()["silent"]); diff != "" {
		t.Fatalf("second step (-want +got):\n%s", diff)
	}
	if n := w.mails("ooo@away.test"); n != 1 {
		t.Fatalf("a person who is away got %d mails, want 1", n)
	}

	w.clock.Advance(8 * 24 * time.Hour) // all absences are over, and the queue is empty
	for range 3 {
		w.engine.SendOnce(w.ctx)
		w.engine.ReceiveOnce(w.ctx)
	}
	checkPersonas(w, people)
	checkThread(w, "silent@away.test", box)
	final, err := w.Campaign(w.ctx, w.ws, c.ID)
	must(t, err)
	if final.Status != outreach.CampaignCompleted {
		t.Errorf("campaign is %s, want completed", final.Status)
	}
}

// fate is what became of one prospect.
type fate struct {
	Enrollment outreach.EnrollmentStatus
	Prospect   outreach.ProspectStatus
	Mails      int
}

func checkPersonas(w *world, people map[string]outreach.Enrolled) {
	w.t.Helper()
	got := map[string]fate{}
	for name, e := range people {
		p, err := w.Prospect(w.ctx, w.ws, e.Prospect.ID)
		must(w.t, err)
		got[name] = fate{w.enrollment(e).Status, p.Status, w.mails(p.Email)}
	}
	want := map[string]fate{
		"reply":  {outreach.EnrollmentReplied, outreach.ProspectReplied, 1},
		"no":     {outreach.EnrollmentReplied, outreach.ProspectReplied, 1},
		"ooo":    {outreach.EnrollmentFinished, outreach.ProspectFinished, 2},
		"bounce": {outreach.EnrollmentBounced, outreach.ProspectBounced, 0},
		"dsn":    {outreach.EnrollmentBounced, outreach.ProspectBounced, 1},
		"silent": {outreach.EnrollmentFinished, outreach.ProspectFinished, 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("fates (-want +got):\n%s", diff)
	}
	deliveries := rows[string](w, `SELECT subscription_event || ' ' || count(*) FROM deliveries GROUP BY subscription_event ORDER BY 1`)
	if diff := cmp.Diff([]string{"bounced 2", "positive_reply 1", "replied 2", "sent 7"}, deliveries); diff != "" {
		w.t.Errorf("webhooks (-want +got):\n%s", diff)
	}
	suppressed := rows[string](w, `SELECT email || ' ' || reason FROM suppressions ORDER BY 1`)
	if diff := cmp.Diff([]string{"bounce@away.test bounced", "dsn@away.test bounced"}, suppressed); diff != "" {
		w.t.Errorf("suppressions (-want +got):\n%s", diff)
	}
	interests := rows[string](w, `SELECT sender || ' ' || interest FROM replies WHERE NOT automatic ORDER BY 1`)
	if diff := cmp.Diff([]string{"no@away.test negative", "reply@away.test positive"}, interests); diff != "" {
		w.t.Errorf("interests (-want +got):\n%s", diff)
	}
}

// checkThread looks at the mails as their recipient sees them.
func checkThread(w *world, email string, box outreach.Mailbox) {
	w.t.Helper()
	var seen []*mail.Message
	for _, r := range w.mail.Received() {
		if r.To != email {
			continue
		}
		raw, err := r.Raw()
		must(w.t, err)
		m, err := mail.ReadMessage(bytes.NewReader(raw))
		must(w.t, err)
		seen = append(seen, m)
	}
	if len(seen) != 2 {
		w.t.Fatalf("%s got %d mails, want 2", email, len(seen))
	}
	first := seen[0].Header.Get("Message-Id")
	header := map[string]string{}
	for _, name := range []string{"Subject", "In-Reply-To", "References", "List-Unsubscribe-Post"} {
		header[name] = seen[1].Header.Get(name)
	}
	want := map[string]string{"Subject": "Re: Hello Ada", "In-Reply-To": first, "References": first, "List-Unsubscribe-Post": ""}
	if diff := cmp.Diff(want, header); diff != "" {
		w.t.Errorf("second mail (-want +got):\n%s", diff)
	}
	if !strings.Contains(seen[0].Header.Get("List-Unsubscribe"), "<http://127.0.0.1/u/") || !strings.Contains(first, "@acme.test>") {
		w.t.Errorf("first mail has the header %v", seen[0].Header)
	}
}
