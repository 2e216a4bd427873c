package storage_test

import (
	"testing"
	"time"

	"outreach"
)

// A place that is kept for a follow-up is free as soon as the follow-up will not be
// sent: the mailbox looks at once for another person.
func TestFreedPlaceIsTakenAtOnce(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(s *stage, box outreach.Mailbox, p outreach.Prospect, sent *outreach.Outgoing){
		"reply": func(s *stage, box outreach.Mailbox, p outreach.Prospect, sent *outreach.Outgoing) {
			s.replyTo(box, p.Email, sent, nil)
		},
		"absence": func(s *stage, box outreach.Mailbox, p outreach.Prospect, sent *outreach.Outgoing) {
			in := s.received(box, outreach.ReceivedAutomatic, p.Email, sent)
			in.ReturnDate = ptr(s.clock.now().AddDate(0, 0, 5))
			s.ingest(box, in)
		},
		"bounce": func(s *stage, box outreach.Mailbox, p outreach.Prospect, sent *outreach.Outgoing) {
			in := s.received(box, outreach.ReceivedBounce, "mailer-daemon@x.test", sent)
			in.Bounces = []outreach.Bounce{{Address: p.Email, Fault: outreach.FaultRecipient, Error: "550"}}
			s.ingest(box, in)
		},
		"suppression": func(s *stage, _ outreach.Mailbox, p outreach.Prospect, _ *outreach.Outgoing) {
			_, _, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: &p.Email, Reason: outreach.SuppressedManually})
			must(s.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			box := s.mailbox("me@acme.test")
			box.DailyLimit = 2
			box = got(s.UpdateMailbox(s.ctx, box))(t)
			first := s.prospect("p1@x.test")
			s.enroll(s.campaign("A", box, steps(0, 60)...), first)
			sent := s.send(box)
			s.enroll(s.campaign("B", box, steps(0)...), s.prospect("p2@y.test"))
			got(s.Senders(s.ctx))(t)
			if s.claim(box) != nil {
				t.Fatal("a first step takes the place of a follow-up")
			}
			s.clock.pass(time.Second)
			same(t, "mailboxes that look", len(got(s.Senders(s.ctx))(t)), 0)
			leave(s, box, first, sent)
			same(t, "mailboxes that look", len(got(s.Senders(s.ctx))(t)), 1)
			s.send(box)
		})
	}
}

// A follow-up that the contact gap moves beyond the next day frees its place in the claim that moves
// it: a first step takes it at once.
func TestPostponedFollowUpFreesItsPlace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box, other := s.mailbox("me@acme.test"), s.mailbox("you@acme.test")
	box.DailyLimit = 2
	box = got(s.UpdateMailbox(s.ctx, box))(t)
	first := s.prospect("p1@x.test")
	s.enroll(s.campaign("A", box, steps(0, 60)...), first)
	s.send(box)
	s.enroll(s.campaign("B", other, steps(0)...), first)
	s.send(other)
	got(s.UpdateMe(s.ctx, s.ws, func(me *outreach.Me) { me.ContactGapHours = 48 }))(t)
	s.enroll(s.campaign("C", box, steps(0)...), s.prospect("p2@y.test"))
	s.clock.pass(time.Hour)
	same(t, "recipient", s.send(box).Recipient, "p2@y.test")
}
