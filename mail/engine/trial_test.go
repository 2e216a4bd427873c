package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// A test mail reads as the prospect's would, but it is for a member: marked,
// untracked, and without a link that unsubscribes the prospect.
func TestTrialIsSentAsToItsProspect(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now(), 0)
	d := draft(outreach.Step{Subject: new("Hello {{ first_name }}"),
		BodyHTML: new(`<p>Dear {{ first_name }} of {{ custom_fields.city }}, <a href="https://x.test/">look</a></p>`)})
	signature := d.Mailbox.SignatureHTML
	d.Mailbox = w.sender("me@acme.test")
	d.Mailbox.SignatureHTML = signature
	d.TrackingHost, d.Campaign.TrackClicks, d.Campaign.TrackOpens = new("go.acme.test"), true, true
	before := rows[string](w, `SELECT x::text FROM mailboxes x`)
	sent, err := engine.Trial{Composer: composer(t), Network: loopback}.Send(t.Context(), d, "colleague@acme.test")
	must(t, err)
	if sent.SMTPResponse == "" || sent.DurationMs < 0 {
		t.Errorf("%+v", sent)
	}
	sent.SMTPResponse, sent.DurationMs = "", 0
	want := outreach.TestSent{Recipient: "colleague@acme.test", Subject: "[Test] Hello Ada", Outcome: "accepted", Command: "."}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got := w.mail.Received()
	if len(got) != 1 || got[0].To != "colleague@acme.test" {
		t.Fatalf("received: %+v", got)
	}
	raw, err := got[0].Raw()
	must(t, err)
	header, parts := bodies(t, raw)
	for name, value := range map[string]string{"To": "<colleague@acme.test>", "Subject": "[Test] Hello Ada",
		"List-Unsubscribe": "", "List-Unsubscribe-Post": "", "In-Reply-To": ""} {
		if header.Get(name) != value {
			t.Errorf("%s: %q, want %q", name, header.Get(name), value)
		}
	}
	if html := parts["text/html"]; !strings.Contains(html, `Dear Ada of Ulm, <a href="https://x.test/">`) ||
		!strings.Contains(html, "Me, ") || strings.Contains(html, "/t/") {
		t.Errorf("the message is\n%s", html)
	}
	if after := rows[string](w, `SELECT x::text FROM mailboxes x`); !slices.Equal(before, after) {
		t.Errorf("the mailbox changed: %s, before: %s", after, before)
	}
	for _, table := range []string{"messages", "events", "deliveries", "prospects"} {
		if n := rows[int](w, `SELECT count(*)::int FROM `+table); n[0] != 0 {
			t.Errorf("%d %s", n[0], table)
		}
	}
}

// sender is a mailbox with what it takes to log in.
func (w *world) sender(email string) outreach.Mailbox {
	w.t.Helper()
	m, err := w.MailboxWithPasswords(w.ctx, w.ws, w.mailbox(email, nil).ID)
	must(w.t, err)
	return m
}

// A follow-up goes on with the subject of its thread, without pretending that a
// message came before.
func TestTrialOfAFollowUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now(), 0)
	d := draft(outreach.Step{BodyText: new("Any news?")})
	d.Mailbox, d.ThreadSubject = w.sender("me@acme.test"), "Hello Ada"
	sent, err := engine.Trial{Composer: composer(t), Network: loopback}.Send(t.Context(), d, "colleague@acme.test")
	must(t, err)
	raw, err := w.mail.Received()[0].Raw()
	must(t, err)
	header, _ := bodies(t, raw)
	if diff := cmp.Diff([]string{"[Test] Re: Hello Ada", "[Test] Re: Hello Ada", "", ""},
		[]string{sent.Subject, header.Get("Subject"), header.Get("In-Reply-To"), header.Get("References")}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the server says comes back word for word, and where it was said.
func TestTrialTellsWhatTheServerSaid(t *testing.T) {
	t.Parallel()
	trial := engine.Trial{Composer: composer(t), Network: loopback}
	for name, c := range map[string]struct {
		play     script
		network  mail.Network
		outcome  outreach.TestOutcome
		command  string
		response string
	}{
		"taken":        {fine, loopback, "accepted", ".", "250 ok"},
		"refused":      {at("RCPT", "550 5.1.1 nobody here"), loopback, "refused", "RCPT", "550 5.1.1 nobody here"},
		"deferred":     {at(".", "451 4.7.1 later"), loopback, "deferred", ".", "451 4.7.1 later"},
		"lost":         {at(".", ""), loopback, "unknown", ".", "no answer after the message: connection closed by the server"},
		"an inner one": {fine, mail.Network{}, "not_sent", "connect", "host name not found, or its address is not allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := draft(outreach.Step{Subject: new("Hi"), BodyText: new("text")})
			d.Mailbox.SMTP = startSMTP(t, c.play).MailServer
			trial.Network = c.network
			sent, err := trial.Send(t.Context(), d, "me@acme.test")
			must(t, err)
			sent.DurationMs = 0
			want := outreach.TestSent{Recipient: "me@acme.test", Subject: "[Test] Hi", Outcome: c.outcome, Command: c.command,
				SMTPResponse: c.response}
			if diff := cmp.Diff(want, sent); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTrialRefusesWhatCannotBeComposed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step outreach.Step
		want string
	}{
		"no value": {outreach.Step{Subject: new("Hi"), BodyText: new("{{ phone }}")},
			"validation_failed: Cannot send the test mail: step 1 needs a value for phone."},
		"no subject": {outreach.Step{BodyText: new("text")}, "validation_failed: Cannot send the test mail: step 1 has no " +
			"subject and no thread to go on."},
		"no text": {outreach.Step{Subject: new("Hi"), BodyText: new(" ")},
			"validation_failed: Cannot send the test mail: step 1 has no text for this prospect."},
	} {
		server := startSMTP(t, fine)
		d := draft(c.step)
		d.Mailbox.SMTP = server.MailServer
		_, err := engine.Trial{Composer: composer(t), Network: loopback}.Send(t.Context(), d, "me@acme.test")
		if err == nil || err.Error() != c.want || outreach.CodeOf(err) != outreach.CodeValidation {
			t.Errorf("%s: %v", name, err)
		}
		if taken := server.received(); len(taken) != 0 {
			t.Errorf("%s: sent to %v", name, taken)
		}
	}
}
