package storage_test

import (
	"testing"
	"time"

	"outreach"
)

// queued is a stage whose first person is paused, and whose second was just sent to: claims remember
// that the queue begins there.
func queued(t *testing.T) (s *stage, box outreach.Mailbox, first outreach.Enrollment) {
	t.Helper()
	s = newStage(t)
	box = s.mailbox("me@acme.test")
	c := s.campaign("A", box, steps(0)...)
	first = s.enroll(c, s.prospect("p1@x.test"))
	s.clock.Advance(time.Second)
	s.enroll(c, s.prospect("p2@x.test"))
	got(s.PauseEnrollment(s.ctx, s.ws, first.ID))(t)
	got(s.Senders(s.ctx))(t)
	s.clock.Advance(time.Second)
	same(t, "sent to", s.send(box).Recipient, "p2@x.test")
	return s, box, first
}

// A person who comes back to the beginning of a queue is next, whether the wake that tells so was
// taken or not.
func TestWhoComesBackIsNext(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(s *stage){
		"wake waits":    func(*stage) {},
		"wake is taken": func(s *stage) { got(s.Senders(s.ctx))(s.t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, box, first := queued(t)
			c := got(s.Campaign(s.ctx, s.ws, first.CampaignID))(t)
			s.enroll(c, s.prospect("p3@x.test"))
			got(s.Senders(s.ctx))(t)
			s.send(box)
			got(s.ResumeEnrollment(s.ctx, s.ws, first.ID, false))(t)
			s.enroll(c, s.prospect("p4@x.test"))
			take(s)
			same(t, "next", s.send(box).Recipient, "p1@x.test")
		})
	}
}

// A wake that is taken while a claim runs, after the claim looked at what is remembered and before it
// reads the rules: who comes back is next all the same.
func TestWakeInTheMiddleOfAClaim(t *testing.T) {
	t.Parallel()
	s, box, first := queued(t)
	c := got(s.Campaign(s.ctx, s.ws, first.CampaignID))(t)
	for _, email := range []string{"p3@x.test", "p4@x.test"} {
		s.clock.Advance(time.Second)
		s.enroll(c, s.prospect(email))
	}
	got(s.Senders(s.ctx))(t)
	same(t, "sent to", s.send(box).Recipient, "p3@x.test")
	stop := got(s.sql.Begin(s.ctx))(t)
	got(stop.Exec(s.ctx, `LOCK TABLE tracking_domains`))(t) // the rules are read with it
	claimed := make(chan func(*testing.T) *outreach.Outgoing)
	go func() { claimed <- got(s.ClaimSend(s.ctx, box, "me", plainCompose)) }()
	s.untilOneWaits()
	got(s.ResumeEnrollment(s.ctx, s.ws, first.ID, false))(t)
	got(s.Senders(s.ctx))(t)
	must(t, stop.Rollback(s.ctx))
	same(t, "next", (<-claimed)(t).Recipient, "p1@x.test")
}

// If another process takes the wake, a claim that finds nothing at the remembered place looks at the
// whole queue before its mailbox sleeps.
func TestNobodyIsLeftBeforeTheHead(t *testing.T) {
	t.Parallel()
	s, box, first := queued(t)
	other := *s
	other.open()
	got(s.ResumeEnrollment(s.ctx, s.ws, first.ID, false))(t)
	got(other.Senders(s.ctx))(t)
	same(t, "next", s.send(box).Recipient, "p1@x.test")
}
