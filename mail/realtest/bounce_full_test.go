//go:build full

package realtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"outreach"
)

// Postfix refuses one recipient itself and writes reports about three others: one who does not
// exist where it relays to, one whose mailbox stays full (after a notice of delay, which is not a
// bounce), one whose server refuses us as spam. Each report counts once, however often it comes.
func TestBounces(t *testing.T) { //nolint:paralleltest // each runs servers of its own, one set at a time
	w := newWorld(t, startServers(t, startSink(t), me))
	box := w.mailbox(me, w.Submission)
	c := w.campaign(box, firstStep, secondStep)
	people := map[string]outreach.Enrolled{}
	for _, email := range []string{"nobody@prospects.example", "gone@remote.example", "full@remote.example",
		"spam@remote.example", "fine@remote.example"} {
		people[email] = w.enroll(c, email)
	}
	want := map[string]fate{
		"nobody@prospects.example": {outreach.EnrollmentBounced, outreach.ProspectBounced, true, []string{"bounced 1"}},
		"gone@remote.example":      {outreach.EnrollmentBounced, outreach.ProspectBounced, true, []string{"sent 1", "bounced 1"}},
		"full@remote.example":      {outreach.EnrollmentActive, outreach.ProspectInSequence, false, []string{"sent 1", "bounced 1"}},
		"spam@remote.example":      {outreach.EnrollmentHeld, outreach.ProspectInSequence, false, []string{"sent 1", "bounced 1"}},
		"fine@remote.example":      {outreach.EnrollmentActive, outreach.ProspectInSequence, false, []string{"sent 1"}},
	}
	fates := func() map[string]fate {
		all := map[string]fate{}
		for email, e := range people {
			all[email] = w.fate(e)
		}
		return all
	}
	runs(w, "fates", want, fates)
	w.quiet()
	reports := w.messages(me, "")
	delayed := 0
	for _, raw := range reports {
		if strings.Contains(raw, "Action: delayed") {
			delayed++
		}
	}
	if len(reports) != 4 || delayed != 1 {
		t.Errorf("Postfix wrote %d reports, %d of a delay; want 4 and 1", len(reports), delayed)
	}
	w.doveadm("copy", "-u", me, "INBOX", "mailbox", "INBOX", "ALL") // a host that repeats itself
	eventually(w, "all messages", 2*len(reports), func() int { return len(w.messages(me, "")) })
	last := rows[int64](w, `SELECT last_uid FROM mailbox_folders WHERE folder = 'inbox'`)[0]
	runs(w, "position behind the repeated reports", last+int64(len(reports)), func() int64 {
		return rows[int64](w, `SELECT last_uid FROM mailbox_folders WHERE folder = 'inbox'`)[0]
	})
	if diff := cmp.Diff(want, fates(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("after the same reports again (-want +got):\n%s", diff)
	}
	webhooks := rows[string](w, `SELECT subscription_event || ' ' || count(*) FROM deliveries GROUP BY subscription_event ORDER BY 1`)
	if diff := cmp.Diff([]string{"bounced 4", "sent 4"}, webhooks); diff != "" {
		t.Errorf("webhooks (-want +got):\n%s", diff)
	}
}
