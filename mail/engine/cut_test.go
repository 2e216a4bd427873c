package engine_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// The server closes the first connection at each command, once. No person gets the step twice, and
// only after a lost answer to the final dot the message is unknown.
func TestCutAtEachCommand(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"connect", "EHLO", "MAIL", "RCPT", "DATA", "."} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			cut := func(c, _ int, is string) bool { return c == 1 && is == command }
			if command == "EHLO" { // a client that is cut here tries HELO on the same connection
				cut = func(c, _ int, is string) bool { return c == 1 && (is == "EHLO" || is == "HELO") }
			}
			server := startSMTP(t, func(c, n int, is, line string) string {
				if cut(c, n, is) {
					return ""
				}
				return fine(c, n, is, line)
			})
			w.cutCampaign(server.MailServer)
			w.engine.SendOnce(w.ctx)
			w.engine.ReceiveOnce(w.ctx) // finds that a mailbox in error is well again
			w.exec(`UPDATE messages SET lease_until = clock_timestamp() - interval '1 second' WHERE status = 'claimed'`)
			w.exec(`UPDATE mailboxes SET look_at = '-infinity'`)
			for range 2 {
				w.engine.SendOnce(w.ctx)
			}
			want := map[string]string{"a@away.test": "sent", "b@away.test": "sent"}
			if command == "." {
				want["a@away.test"] = "unknown"
			}
			if diff := cmp.Diff(want, w.statuses()); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			got := map[string]int{}
			for _, to := range server.received() {
				got[to]++
			}
			if diff := cmp.Diff(map[string]int{"a@away.test": 1, "b@away.test": 1}, got); diff != "" {
				t.Errorf("mails (-want +got):\n%s", diff)
			}
		})
	}
}

// cutCampaign sends one step to two people over a server without login; the
// mailbox is read at the sandbox.
func (w *world) cutCampaign(smtp outreach.MailServer) {
	w.t.Helper()
	box := w.mailbox("me@acme.test", func(m *outreach.Mailbox) { m.SMTP = smtp })
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello"), BodyText: new("Hello")}}
	}, box)
	w.enrollInTurn(c, "a@away.test", "b@away.test")
}
