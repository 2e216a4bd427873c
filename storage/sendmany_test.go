package storage_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Mailboxes that claim at once get a person each, of those who may be written
// to, and keep them for the next step; a call when no person is left gets
// nothing. Commits 2 and 3 that come at once settle each message for itself.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Now().UTC().Truncate(24 * time.Hour).Add(8 * time.Hour)) // mailboxes count by the UTC day
	s.subscribe(outreach.OnSent)
	var boxes []outreach.Mailbox
	var ids []uuid.UUID
	for i := range 4 {
		box := s.mailbox(fmt.Sprintf("me%d@acme.test", i))
		boxes, ids = append(boxes, box), append(ids, box.ID)
	}
	c := s.draft("C", boxes[0], steps(0, 60)...)
	got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.MailboxIDs = ids }))(t)
	got(s.ActivateCampaign(s.ctx, s.ws, c.ID))(t)
	for i := range 4 {
		s.enroll(c, s.prospect(fmt.Sprintf("p%d@x.test", i)))
	}
	gone := s.prospect("gone@x.test")
	e := s.enroll(c, gone)
	s.exec(`UPDATE enrollments SET next_send_at = next_send_at - interval '1 hour' WHERE id = $1`, e.ID)
	s.exec(`UPDATE prospects SET unsubscribed_at = now() WHERE id = $1`, gone.ID)

	first := s.together(boxes, 4)
	if status := s.enrollment(e).Status; status != outreach.EnrollmentUnsubscribed {
		t.Errorf("the prospect with an obstacle is %s, want unsubscribed", status)
	}
	s.settleAtOnce(first)
	s.together(boxes, 0)
	s.clock.Advance(2 * time.Hour)
	second := s.together(boxes, 4)
	for box, out := range second {
		if out.Recipient != first[box].Recipient {
			t.Errorf("%s got step 1 from %s and step 2 from another", first[box].Recipient, box)
		}
	}
	s.settleAtOnce(second)
	same(t, "messages, events and deliveries", s.counts(), []int{8, 8, 8})
	same(t, "finished", rows[int](s, `SELECT count(*)::int FROM enrollments WHERE status = 'finished'`), []int{4})
	sent := 0
	for _, box := range got(s.ListMailboxes(s.ctx, s.ws))(t) {
		sent += box.SentToday
	}
	same(t, "counted by mailboxes", sent, 8)
}

// together claims for all boxes in one transaction and wants n messages, by the
// address of their mailbox.
func (s *stage) together(boxes []outreach.Mailbox, n int) map[string]*outreach.Outgoing {
	s.t.Helper()
	outs := got(s.ClaimSends(s.ctx, boxes, "me", plainCompose))(s.t)
	found, people := map[string]*outreach.Outgoing{}, map[string]bool{}
	for i, out := range outs {
		if out != nil {
			found[boxes[i].Email], people[out.Recipient] = out, true
		}
	}
	if len(found) != n || len(people) != n {
		s.t.Fatalf("%d messages to %d people, want %d", len(found), len(people), n)
	}
	return found
}

func (s *stage) settleAtOnce(outs map[string]*outreach.Outgoing) {
	s.t.Helper()
	var all sync.WaitGroup
	for _, out := range outs {
		all.Go(func() {
			if err := s.CommitMessage(s.ctx, out.Ref(), "me"); err != nil {
				s.t.Error(err)
			}
			if err := s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}); err != nil {
				s.t.Error(err)
			}
		})
	}
	all.Wait()
}

func (s *stage) counts() []int {
	s.t.Helper()
	return rows[int](s, `
SELECT count(*)::int FROM messages WHERE status = 'sent' UNION ALL SELECT count(*)::int FROM events WHERE type = 'sent'
		UNION ALL SELECT count(*)::int FROM deliveries`)
}
