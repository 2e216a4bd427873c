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
			in.ReturnDate = new(s.clock.Now().AddDate(0, 0, 5))
			s.ingest(box, in)
		},
		"bounce": func(s *stage, box outreach.Mailbox, p outreach.Prospect, sent *outreach.Outgoing) {
			in := s.received(box, outreach.ReceivedBounce, "mailer-daemon@x.test", sent)
			in.Bounces = []outreach.Bounce{{Address: p.Email, Fault: outreach.FaultRecipient, Error: "550"}}
			s.ingest(box, in)
		},
		"suppression": func(s *stage, _ outreach.Mailbox, p outreach.Prospect, _ *outreach.Outgoing) {
			_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: &p.Email, Reason: outreach.SuppressedManually})
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
			s.clock.Advance(time.Second)
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
	s.clock.Advance(time.Hour)
	same(t, "recipient", s.send(box).Recipient, "p2@y.test")
}

// Follow-ups that cannot leave within 24 hours keep no place: a campaign that has ended, or that sends
// on other days, does not stop the first steps of others.
func TestFollowUpsThatCannotLeaveKeepNoPlace(t *testing.T) {
	t.Parallel()
	date := func(s *stage, days int) string { return s.clock.Now().AddDate(0, 0, days).Format(time.DateOnly) }
	for name, close := range map[string]func(s *stage, c *outreach.Campaign){
		"its end":   func(s *stage, c *outreach.Campaign) { c.EndsOn = new(date(s, -1)) },
		"its start": func(s *stage, c *outreach.Campaign) { c.StartsOn = new(date(s, 3)) },
		"skip dates": func(s *stage, c *outreach.Campaign) {
			for day := -1; day < 10; day++ {
				c.SkipDates = append(c.SkipDates, date(s, day))
			}
		},
		"its days": func(s *stage, c *outreach.Campaign) {
			c.SendDays = []outreach.Weekday{outreach.WeekdayOf(s.clock.Now().AddDate(0, 0, 4))}
		},
		"no step is left": func(_ *stage, c *outreach.Campaign) { c.Steps = c.Steps[:1] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			box := s.mailbox("me@acme.test")
			box.DailyLimit = 2
			box = got(s.UpdateMailbox(s.ctx, box))(t)
			closing := s.campaign("A", box, steps(0, 60)...)
			s.enroll(closing, s.prospect("p1@x.test"))
			s.send(box)
			s.enroll(s.campaign("B", box, steps(0)...), s.prospect("p2@y.test"))
			if s.claim(box) != nil {
				t.Fatal("a first step takes the place of a follow-up")
			}
			got(s.UpdateCampaign(s.ctx, s.ws, closing.ID, func(c *outreach.Campaign) { close(s, c) }))(t)
			same(t, "mailboxes that look", len(got(s.Senders(s.ctx))(t)), 1)
			same(t, "recipient", s.send(box).Recipient, "p2@y.test")
		})
	}
}

// When the campaign of a follow-up closes for more than 24 hours, its place is free at once.
func TestClosingCampaignFreesThePlace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)) // a Friday
	box := s.mailbox("me@acme.test")
	box.DailyLimit = 2
	box = got(s.UpdateMailbox(s.ctx, box))(t)
	week := s.draft("A", box, steps(0, 60)...)
	got(s.UpdateCampaign(s.ctx, s.ws, week.ID, func(c *outreach.Campaign) {
		c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays[:5], "09:00", "12:29"
	}))(t)
	s.enroll(got(s.ActivateCampaign(s.ctx, s.ws, week.ID))(t), s.prospect("p1@x.test"))
	s.send(box)
	s.enroll(s.campaign("B", box, steps(0)...), s.prospect("p2@y.test"))
	got(s.Senders(s.ctx))(t)
	if s.claim(box) != nil {
		t.Fatal("a first step takes the place of a follow-up")
	}
	same(t, "next look", got(s.NextSender(s.ctx))(t).UTC(), time.Date(2026, 11, 20, 12, 30, 0, 0, time.UTC))
	s.clock.Set(time.Date(2026, 11, 20, 12, 30, 0, 0, time.UTC))
	same(t, "recipient", s.send(box).Recipient, "p2@y.test")
}
