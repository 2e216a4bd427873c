//go:build full

package realtest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// The connection to Postfix breaks at every command, on the way there and on the way back, the
// final dot included; then all is well again. No recipient gets the step twice. Only what breaks
// after the dot was sent leaves a message unknown: it is settled when Postfix has filed the message
// in the Sent folder, and stays unknown if Postfix never got the dot.
func TestCutEverywhere(t *testing.T) { //nolint:paralleltest // each runs servers of its own, one set at a time
	type end struct {
		Doubt    bool   // unknown after the cut
		Status   string // in the end
		Messages int
	}
	proven, again, doubtful := end{true, "sent", 1}, end{false, "sent", 1}, end{true, "unknown", 0}
	cases := []struct {
		at   cut
		want end
	}{{cut{"connect", false}, again}, {cut{".", false}, doubtful}, {cut{".", true}, proven}}
	for _, command := range []string{"EHLO", "AUTH", "MAIL", "RCPT", "DATA"} {
		for _, answered := range []bool{false, true} {
			cases = append(cases, struct {
				at   cut
				want end
			}{cut{command, answered}, again})
		}
	}
	cases = append(cases, struct {
		at   cut
		want end
	}{cut{"body", false}, doubtful}) // so short a body leaves in one piece with its dot

	mailboxes := []string{me}
	for i := range cases {
		mailboxes = append(mailboxes, prospect(i))
	}
	w := newWorld(t, startServers(t, freePort(t), mailboxes...))
	cutter, port := startCutter(t, w.Submission)
	c := w.campaign(w.mailbox(me, port), firstStep)
	status := func(i int) string {
		return rows[string](w, `SELECT coalesce(string_agg(status, ','), '') FROM messages WHERE recipient = $1`, prospect(i))[0]
	}
	for i, test := range cases {
		cutter.arm(test.at)
		w.enroll(c, prospect(i))
		doubt := false
		runs(w, fmt.Sprintf("%+v", test.at), test.want.Status, func() string {
			if !cutter.hasCut() {
				return "not cut yet"
			}
			now := status(i)
			doubt = doubt || now == "unknown"
			// What is to be tried again, and a mailbox that failed, need not wait.
			w.exec(`UPDATE messages SET lease_until = clock_timestamp() WHERE status = 'claimed' AND holder IS NULL`)
			w.exec(`UPDATE mailboxes SET look_at = '-infinity'`)
			return now
		})
		if doubt && !test.want.Doubt {
			t.Errorf("%+v leaves doubt", test.at)
		}
	}
	w.quiet()
	runs(w, "states at rest", "connected", func() string { return rows[string](w, `SELECT status FROM mailboxes`)[0] })
	w.quiet()
	for i, test := range cases {
		got := end{test.want.Doubt, status(i), len(w.messages(prospect(i), ""))}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", test.at, diff)
		}
	}
	if got := w.fateOfDoubt(prospect(1)); got != 0 {
		t.Errorf("a message in doubt raised %d events", got)
	}
}

func prospect(i int) string { return fmt.Sprintf("p%d@prospects.example", i) }

// fateOfDoubt counts the events of a person by address.
func (w *world) fateOfDoubt(email string) int {
	w.t.Helper()
	return rows[int](w, `
SELECT count(*)::int FROM events e JOIN prospects p ON p.id = e.prospect_id
WHERE p.email = $1 AND e.type = $2`, email, outreach.EventSent)[0]
}
