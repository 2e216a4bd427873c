package storage_test

import (
	"fmt"
	"testing"
	"time"

	"outreach"
)

// situation is a state of an installation, with what its campaign C says about it and
// when its next message really leaves: nil when none does within 25 days.
type situation struct {
	name  string
	set   func(s *situated)
	says  string // empty while the campaign sends
	sends *time.Time
}

// situated is a stage on Monday, 16 November 2026, 10:00 UTC, with what situations use.
type situated struct {
	*drawn
	c outreach.Campaign
}

var monday = time.Date(2026, 11, 16, 10, 0, 0, 0, time.UTC)

func at(days, hours, minutes int) *time.Time {
	return new(monday.AddDate(0, 0, days).Add(time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute))
}

// box adds a mailbox.
func (s *situated) box(name string, limit, gap int) outreach.Mailbox {
	s.t.Helper()
	m := s.mailbox(name + "@acme.test")
	m.DailyLimit, m.MinGapSeconds = limit, gap
	m = got(s.UpdateMailbox(s.ctx, m))(s.t)
	s.boxes = append(s.boxes, m)
	return m
}

// over makes the campaign, which sends from all mailboxes that were added.
func (s *situated) over(change func(*outreach.Campaign), delays ...int) {
	s.t.Helper()
	c := s.draft("C", s.boxes[0], steps(delays...)...)
	s.c = s.activated(c.ID, func(c *outreach.Campaign) {
		c.MailboxIDs = nil
		for _, m := range s.boxes {
			c.MailboxIDs = append(c.MailboxIDs, m.ID)
		}
		if change != nil {
			change(c)
		}
	})
}

func (s *situated) people(n int) (all []outreach.Enrollment) {
	s.t.Helper()
	for range n {
		p := s.prospect(fmt.Sprintf("p%d@x.test", ask[int](s.stage, `SELECT count(*)::int FROM prospects`)))
		all = append(all, s.enroll(s.c, p))
	}
	return all
}

func office(c *outreach.Campaign) {
	c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays[:5], "09:00", "17:00"
}

// addFree adds a free mailbox to the campaign.
func (s *situated) addFree() {
	m := s.box("m2", 50, 0)
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = append(c.MailboxIDs, m.ID) }))(s.t)
}

func (s *situated) pause(m outreach.Mailbox) { got(s.PauseMailbox(s.ctx, s.ws, m.ID))(s.t) }

const (
	hour  = 60 // minutes
	daily = 24 * hour
)

var situations = []situation{
	{"the mailbox of the only follow-up is paused, another is free", func(s *situated) {
		m1 := s.box("m1", 50, 0)
		s.over(nil, 0, hour)
		s.people(1)
		s.send(m1)
		s.pause(m1)
		s.addFree()
		s.clock.Advance(2 * time.Hour)
	}, "m1@acme.test: paused.", nil},
	{"the mailbox of the only follow-up is full, another is free", func(s *situated) {
		m1 := s.box("m1", 1, 0)
		s.over(nil, 0, hour)
		s.people(1)
		s.send(m1)
		s.addFree()
		s.clock.Advance(2 * time.Hour)
	}, "m1@acme.test has reached its limit of 1 in 24 hours; next at Tue 17 Nov 10:00 UTC.", at(1, 0, 0)},
	{"the prospect lives in another zone", func(s *situated) {
		s.box("m1", 50, 0)
		s.over(office, 0)
		p := got(s.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "p@x.test", Timezone: new("America/New_York")}))(s.t)
		s.enroll(s.c, p)
	}, "Outside the sending window; next at Mon 16 Nov 14:00 UTC.", at(0, 4, 0)},
	{"the limit of new prospects is reached and no new person waits", func(s *situated) {
		m1 := s.box("m1", 50, 0)
		s.over(func(c *outreach.Campaign) { c.DailyNewLimit = new(1) }, 0, 2*daily)
		s.people(1)
		s.send(m1)
	}, "No prospect is due before Wed 18 Nov 10:00 UTC.", at(2, 0, 0)},
	{"a follow-up falls due on a Saturday", func(s *situated) {
		m1 := s.box("m1", 50, 0)
		s.over(office, 0, 5*daily)
		s.people(1)
		s.send(m1)
	}, "Outside the sending window; next at Mon 23 Nov 09:00 UTC.", at(6, 23, 0)},
	{"the limit is used and no person is due for ten days", func(s *situated) {
		m1 := s.box("m1", 1, 0)
		s.over(nil, 0, 10*daily)
		s.people(1)
		s.send(m1)
	}, "No prospect is due before Thu 26 Nov 10:00 UTC.", at(10, 0, 0)},
	{"the limit is 0", func(s *situated) {
		s.box("m1", 0, 0)
		s.over(nil, 0)
		s.people(1)
	}, "The daily limit of m1@acme.test is 0.", nil},
	{"one mailbox is paused and one is full", func(s *situated) {
		m1, m2 := s.box("m1", 1, 0), s.box("m2", 50, 0)
		s.over(nil, 0)
		s.people(2)
		s.send(m1)
		s.pause(m2)
	}, "m1@acme.test has reached its limit of 1 in 24 hours; next at Tue 17 Nov 10:00 UTC.", at(1, 0, 0)},
	{"one mailbox is full and one has a gap", func(s *situated) {
		m1, m2 := s.box("m1", 1, 0), s.box("m2", 50, 6*3600)
		s.over(nil, 0)
		s.people(3)
		s.send(m1)
		s.send(m2)
		s.exec(`UPDATE mailboxes SET gap_factor = 1`)
	}, "m2@acme.test waits 21600 s between two messages; next at Mon 16 Nov 16:00 UTC.", at(0, 6, 0)},
	{"a gap of six hours", func(s *situated) {
		m1 := s.box("m1", 50, 6*3600)
		s.over(nil, 0)
		s.people(2)
		s.send(m1)
		s.exec(`UPDATE mailboxes SET gap_factor = 1`)
	}, "m1@acme.test waits 21600 s between two messages; next at Mon 16 Nov 16:00 UTC.", at(0, 6, 0)},
	{"the mailbox of who is due is full, the follow-up of another mailbox is due later", func(s *situated) {
		m1, m2 := s.box("m1", 1, 0), s.box("m2", 50, 0)
		s.over(nil, 0, hour)
		s.people(1)
		s.send(m1)
		s.clock.Advance(30 * time.Minute)
		s.people(1)
		s.send(m2)
		s.clock.Advance(35 * time.Minute)
	}, "m1@acme.test has reached its limit of 1 in 24 hours; next at Mon 16 Nov 11:30 UTC.", at(0, 1, 30)},
	{"a new person is due, and the last place is kept for a follow-up", func(s *situated) {
		m1 := s.box("m1", 2, 0)
		s.over(nil, 0, 20*hour)
		s.people(2)
		s.send(m1)
	}, "m1@acme.test reserves its remaining places for follow-ups; next at Tue 17 Nov 06:00 UTC.", at(0, 20, 0)},
	{"a new person is due, the limit is used, and the next place is kept for a follow-up", func(s *situated) {
		m1 := s.box("m1", 1, 0)
		s.over(nil, 0, 20*hour)
		s.people(2)
		s.send(m1)
		s.clock.Advance(time.Hour)
	}, "m1@acme.test has reached its limit of 1 in 24 hours and keeps the next places for follow-ups; " +
		"next at Tue 17 Nov 10:00 UTC.", at(1, 0, 0)},
	{"another campaign wrote to the only person a short time ago", func(s *situated) {
		m1, other := s.box("m1", 50, 0), s.mailbox("other@acme.test")
		s.contactGap(20)
		s.over(nil, 0)
		s.boxes = append(s.boxes, other) // of another campaign
		e := s.people(1)[0]
		s.enroll(s.campaign("Other", other, steps(0)...), got(s.Prospect(s.ctx, s.ws, e.ProspectID))(s.t))
		s.send(other)
		if s.claim(m1) != nil {
			s.t.Fatal("a step goes within the gap")
		}
	}, "Another campaign wrote to the prospects who are due a short time ago; next at Tue 17 Nov 06:00 UTC.", at(0, 20, 0)},
	{"a message was put off and its mailbox paused", func(s *situated) {
		m1 := s.box("m1", 50, 0)
		s.over(nil, 0)
		s.people(1)
		s.sendWith(m1, outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 later"})
		s.pause(m1)
	}, "No mailbox can send: m1@acme.test: paused.", nil},
	{"the step of the only person who waits was removed", func(s *situated) {
		s.shortened(1)
	}, "1 person waits for a step that was removed and no other prospect is due.", nil},
	{"the steps of two people were removed, and one is due later", func(s *situated) {
		s.shortened(2)
		s.clock.Advance(time.Hour)
		c := got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps[0].DelayMinutes = 5 * daily }))(s.t)
		s.enroll(c, s.prospect("later@x.test"))
	}, "No prospect is due before Sat 21 Nov 11:00 UTC.", at(5, 1, 0)},
	{"five are held and one is due in 20 days", func(s *situated) {
		s.box("m1", 50, 0)
		s.over(nil, 20*daily)
		for _, e := range s.people(6)[:5] {
			s.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'content', hold_reason = 'no name' WHERE id = $1`, e.ID)
		}
	}, "No prospect is due before Sun 6 Dec 10:00 UTC.", at(20, 0, 0)},
}

// shortened sends the first of two steps to some people and removes the second.
func (s *situated) shortened(people int) {
	s.t.Helper()
	m1 := s.box("m1", 50, 0)
	s.over(nil, 0, 2*daily)
	for range people {
		s.people(1)
		s.send(m1)
	}
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps = c.Steps[:1] }))(s.t)
}

// A mailbox with a gap sends the follow-ups of another campaign, or for campaigns that waited longer, first:
// the campaign says so, with the time at which these are sent if nothing else changes.
func TestAnotherCampaignSendsFirst(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		people int // of the other campaign, whose follow-ups are due
		says   string
	}{
		"many follow-ups": {15, "m1@acme.test sends for other campaigns first, with 60 s between two messages; next at Mon 16 Nov 12:15 UTC."},
		"one follow-up":   {1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &situated{drawn: &drawn{stage: newStage(t)}}
			s.clock.Set(monday)
			m1 := s.box("m1", 50, 0)
			s.over(nil, 0, hour)
			for range k.people {
				s.people(1)
				s.send(m1)
			}
			m1.MinGapSeconds = 60
			got(s.UpdateMailbox(s.ctx, m1))(t)
			s.exec(`UPDATE mailboxes SET gap_factor = 1`)
			s.clock.Set(monday.Add(2 * time.Hour))
			s.send(m1)
			s.exec(`UPDATE mailboxes SET gap_factor = 1`)
			s.over(nil, 0)
			s.people(1)
			c := got(s.Campaign(s.ctx, s.ws, s.c.ID))(t)
			says := ""
			if c.NotSendingReason != nil {
				says = *c.NotSendingReason
			}
			same(t, "what the campaign says", says, k.says)
			sent := s.run(s.clock.Now().AddDate(0, 0, 1), k.people)
			same(t, "messages before", len(sent), k.people)
			same(t, "the last is the first of the campaign", sent[len(sent)-1].campaign, s.c.ID)
			if promised, ok := saidTime(t, says, s.clock.Now()); ok && sent[len(sent)-1].at.Before(promised) {
				t.Fatalf("said %q and sent at %v", says, sent[len(sent)-1].at)
			}
		})
	}
}

// In each situation in which a campaign once said what was not so, it says why it sends
// nothing, and its next message leaves when it says.
func TestSituations(t *testing.T) {
	t.Parallel()
	for _, one := range situations {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			s := &situated{drawn: &drawn{stage: newStage(t)}}
			s.clock.Set(monday)
			one.set(s)
			c := got(s.Campaign(s.ctx, s.ws, s.c.ID))(t)
			says := ""
			if c.NotSendingReason != nil {
				says = *c.NotSendingReason
			}
			same(t, "what the campaign says", says, one.says)
			var sends *time.Time
			if all := s.run(s.clock.Now().AddDate(0, 0, 25), 1); len(all) > 0 {
				sends = new(all[0].at.Truncate(time.Minute))
			}
			same(t, "when the next message leaves", sends, one.sends)
		})
	}
}
