package storage_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"outreach"
	"outreach/storage"
	"outreach/storage/sending"
	"outreach/storage/stores"
	"outreach/webhook"
)

// limited is an active campaign with company_daily_limit.
func (s *stage) limited(limit int, change func(*outreach.Campaign), boxes ...outreach.Mailbox) outreach.Campaign {
	s.t.Helper()
	c := s.campaign("C", boxes[0], steps(0, 1)...)
	return got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) {
		c.CompanyDailyLimit, c.MailboxIDs = &limit, nil
		for _, box := range boxes {
			c.MailboxIDs = append(c.MailboxIDs, box.ID)
		}
		if change != nil {
			change(c)
		}
	}))(s.t)
}

// enrollAll enrolls new prospects, each a second after the one before.
func (s *stage) enrollAll(c outreach.Campaign, emails ...string) (all []outreach.Enrollment) {
	s.t.Helper()
	for _, email := range emails {
		all = append(all, s.enroll(c, s.prospect(email)))
		s.clock.Advance(time.Second)
	}
	return all
}

// Colleagues beyond the limit wait for the next day of the campaign's calendar. Follow-ups,
// other companies and people of free mail providers do not wait.
func TestCompanyDailyLimit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	box := s.mailbox("me@acme.test")
	c := s.limited(1, func(c *outreach.Campaign) { c.Timezone = "Asia/Tokyo" }, box)
	all := s.enrollAll(c, "a@one.example", "b@one.example", "c@one.example", "d@two.example", "e@gmail.com", "f@gmail.com")
	same(t, "today", s.claimAll(box), []string{"a@one.example", "d@two.example", "e@gmail.com", "f@gmail.com"})
	tomorrow := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC) // midnight in Tokyo
	same(t, "planned", s.enrollment(all[1]).NextSendAt, &tomorrow)
	s.clock.Advance(time.Minute)
	same(t, "follow-ups", s.claimAll(box), []string{"a@one.example", "d@two.example", "e@gmail.com", "f@gmail.com"})
	same(t, "reason", got(s.Campaign(s.ctx, s.ws, c.ID))(t).NotSendingReason,
		new("The limit of new prospects of one company for today is reached; next at Fri 20 Nov 15:00 UTC."))
	s.clock.Set(tomorrow)
	same(t, "the next day", s.claimAll(box), []string{"b@one.example"})
	s.clock.Set(tomorrow.AddDate(0, 0, 1))
	same(t, "the day after", s.claimAll(box), []string{"b@one.example", "c@one.example"})
}

// A changed limit counts at once, and so does one that is set while a campaign sends.
func TestCompanyDailyLimitChanges(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	box := s.mailbox("me@acme.test")
	c := s.limited(9, func(c *outreach.Campaign) { c.CompanyDailyLimit, c.Steps = nil, c.Steps[:1] }, box)
	s.enrollAll(c, "a@one.example", "b@one.example", "c@one.example", "d@one.example")
	s.send(box)
	set := func(limit *int) {
		got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.CompanyDailyLimit = limit }))(t)
	}
	set(new(1))
	same(t, "what was sent before counts", s.claimAll(box), nil)
	set(new(2))
	same(t, "raised", s.claimAll(box), []string{"b@one.example"})
	set(nil)
	same(t, "lifted", s.claimAll(box), []string{"c@one.example", "d@one.example"})
}

// A message that is withdrawn before it leaves frees its place.
func TestCompanyDailyLimitWithdrawn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.limited(1, nil, box)
	all := s.enrollAll(c, "a@one.example", "b@one.example")
	out := s.claim(box)
	got(s.StopEnrollment(s.ctx, s.ws, all[0].ID))(t)
	if err := s.CommitMessage(s.ctx, out.Ref(), "me"); !errors.Is(err, sending.ErrWithdrawn) {
		t.Fatalf("commit: %v, want withdrawn", err)
	}
	same(t, "instead", s.claimAll(box), []string{"b@one.example"})
}

// Four processes that claim at the same time keep the limit, also of a colleague who is
// enrolled meanwhile.
func TestCompanyDailyLimitOverProcesses(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	var boxes []outreach.Mailbox
	for i := range 4 {
		boxes = append(boxes, s.mailbox(fmt.Sprintf("m%d@acme.test", i)))
	}
	c := s.limited(3, func(c *outreach.Campaign) { c.Steps = c.Steps[:1] }, boxes...)
	for i := range 12 {
		s.enrollAll(c, fmt.Sprintf("p%d@one.example", i), fmt.Sprintf("p%d@two.example", i))
	}
	var mu sync.Mutex
	var to []string
	var all sync.WaitGroup
	for _, box := range boxes {
		all.Go(func() {
			process, err := stores.Open(s.ctx, storage.Config{URL: s.url, Keyring: s.ring, BaseURL: "http://127.0.0.1",
				Now: s.clock.Now, MaxConns: 4}, webhook.Encode)
			if err != nil {
				t.Error(err)
				return
			}
			defer process.Close()
			other := *s
			other.Stores = process
			for range 20 { // a claim that finds the others' locks gives nothing
				got := other.claimAll(box)
				mu.Lock()
				to = append(to, got...)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	to = append(to, s.claimAll(boxes[0])...)
	for _, company := range []string{"one", "two"} {
		mine := slices.DeleteFunc(slices.Clone(to), func(email string) bool { return !strings.HasSuffix(email, company+".example") })
		if len(mine) != 3 {
			t.Errorf("%s got %d first steps in a day, want 3: %v", company, len(mine), mine)
		}
	}
}
