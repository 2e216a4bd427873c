package storage_test

import (
	"testing"
	"time"

	"outreach"
)

// friday is a Friday at noon.
var friday = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestDatesAreStored(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.draft("C", s.mailbox("me@acme.test"), steps(0)...)
	same(t, "at first", []any{c.SkipDates, c.StartsOn, c.EndsOn}, []any{[]string{}, (*string)(nil), (*string)(nil)})
	c = got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) {
		c.SkipDates, c.StartsOn, c.EndsOn = []string{"2026-12-26", "2026-12-25", "2026-12-26"}, new("0001-01-01"), new("9999-12-31")
	}))(t)
	same(t, "in order, each once", c.SkipDates, []string{"2026-12-25", "2026-12-26"})
	same(t, "from and until", []*string{c.StartsOn, c.EndsOn}, []*string{new("0001-01-01"), new("9999-12-31")})
}

// Nothing leaves on a date that is barred: nothing is claimed, next_send_at is the
// first opening, and the reason names the date. Everybody goes on in their order.
func TestDatesKeepTheCampaign(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	house.clock.Set(friday)
	for name, c := range map[string]struct {
		change func(*outreach.Campaign)
		next   *time.Time
		reason string
	}{
		"skipped": {func(c *outreach.Campaign) { c.SkipDates = []string{"2026-11-20", "2026-11-21"} }, new(friday.Add(36 * time.Hour)),
			"2026-11-20 is a date to skip; next at Sun 22 Nov 00:00 UTC."},
		"not started": {func(c *outreach.Campaign) { c.StartsOn = new("2026-12-01") }, new(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)),
			"The campaign starts on 2026-12-01; next at Tue 1 Dec 00:00 UTC."},
		"ended": {func(c *outreach.Campaign) { c.EndsOn = new("2026-11-19") }, nil,
			"The campaign ended on 2026-11-19; change its end date to continue."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			k := s.campaign("C", box, steps(0, 60)...)
			first := s.enroll(k, s.prospect("a@x.test"))
			s.enroll(k, s.prospect("b@x.test"))
			got(s.UpdateCampaign(s.ctx, s.ws, k.ID, c.change))(t)
			same(t, "claimed", len(s.claimAll(box)), 0)
			same(t, "next", s.enrollment(first).NextSendAt, c.next)
			same(t, "why", got(s.Campaign(s.ctx, s.ws, k.ID))(t).NotSendingReason, &c.reason)
			got(s.UpdateCampaign(s.ctx, s.ws, k.ID, func(c *outreach.Campaign) { c.SkipDates, c.StartsOn, c.EndsOn = nil, nil, nil }))(t)
			same(t, "without the date", s.claimAll(box), []string{"a@x.test", "b@x.test"})
		})
	}
}

// A message that is claimed before midnight does not leave on the date that begins
// then, and one that a dead process left is taken back. Its step waits.
func TestDatesAreAskedAgainAtCommit(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	house.clock.Set(friday)
	for name, c := range map[string]struct {
		change func(*outreach.Campaign)
		zone   *string
		going  bool
	}{
		"a date to skip":                {func(c *outreach.Campaign) { c.SkipDates = []string{"2026-11-20"} }, nil, false},
		"the end":                       {func(c *outreach.Campaign) { c.EndsOn = new("2026-11-19") }, nil, false},
		"another date":                  {func(c *outreach.Campaign) { c.SkipDates = []string{"2026-11-21"} }, nil, true},
		"tomorrow, where the person is": {func(c *outreach.Campaign) { c.SkipDates = []string{"2026-11-21"} }, new("Pacific/Auckland"), false},
		"today, where the person is not": {func(c *outreach.Campaign) { c.Timezone, c.SkipDates = "UTC", []string{"2026-11-20"} },
			new("Pacific/Auckland"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 60)
			got(s.UpdateProspect(s.ctx, s.ws, s.p.ID, func(p *outreach.Prospect) { p.Timezone = c.zone }))(t)
			out := s.claim(s.box)
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, c.change))(t)
			if c.going {
				must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
				return
			}
			s.withdrawn(out)
			e := s.enrollment(s.e)
			same(t, "keeps its step", []any{e.Status, e.NextStep}, []any{outreach.EnrollmentActive, new(1)})
			same(t, "not claimed again", s.claim(s.box), nil)
		})
	}
	t.Run("left by a dead process", func(t *testing.T) {
		t.Parallel()
		s := house.room(t).late(0)
		s.claim(s.box)
		s.leasesEnd()
		got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.SkipDates = []string{"2026-11-20"} }))(t)
		same(t, "not taken over", s.claim(s.box), nil)
		got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.SkipDates = nil }))(t)
		same(t, "sent afterwards", s.send(s.box).Recipient, "ann@x.test")
	})
}
