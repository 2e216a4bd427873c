package outreach_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// A Friday at noon in UTC.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// always is a campaign that may send at any time.
func always(id byte) *outreach.Campaign {
	c := outreach.NewCampaign()
	c.ID = uuid.UUID{15: id}
	c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays, "00:00", "23:59"
	return &c
}

func sender() outreach.Sender {
	m := outreach.NewMailbox()
	m.ID, m.Email, m.DailyLimit, m.MinGapSeconds = uuid.UUID{1}, "me@acme.test", 10, 60
	return outreach.Sender{Mailbox: m}
}

func TestScheduleOrder(t *testing.T) {
	t.Parallel()
	a, b := always(1), always(2)
	s := sender()
	queues := []outreach.Queue{
		{Campaign: a, Due: noon.Add(-9 * time.Hour)},
		{Campaign: b, Due: noon.Add(-time.Hour)},
		{Campaign: b, Followup: true, Mailbox: s.Mailbox.ID, Timezone: "Asia/Tokyo", Due: noon.Add(-time.Minute)},
		{Campaign: a, Followup: true, Mailbox: s.Mailbox.ID, Due: noon.Add(-2 * time.Minute)},
		{Campaign: a, Followup: true, Mailbox: uuid.UUID{9}, Due: noon.Add(-99 * time.Hour)}, // another mailbox's
		{Campaign: b, Followup: true, Mailbox: s.Mailbox.ID, Due: noon.Add(-3 * time.Minute)},
	}
	served := map[outreach.Line]time.Time{ // b waits longer, in each kind
		{Campaign: a.ID, Followup: true}: noon.Add(-time.Minute), {Campaign: b.ID, Followup: true}: noon.Add(-time.Hour),
		{Campaign: a.ID}: noon.Add(-time.Hour), {Campaign: b.ID}: noon.Add(-2 * time.Hour),
	}
	var got []time.Duration
	for _, slot := range s.Schedule(noon, queues, served) {
		if slot.Waits != outreach.WaitsForNothing {
			t.Errorf("%v waits for %s", slot.Queue.Due, slot.Waits)
		}
		got = append(got, noon.Sub(slot.Queue.Due))
	}
	want := []time.Duration{3 * time.Minute, time.Minute, 2 * time.Minute, time.Hour, 9 * time.Hour}
	if len(got) != len(want) {
		t.Fatalf("served %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("place %d: due %v ago, want %v", i, got[i], want[i])
		}
	}
}

func TestScheduleWaits(t *testing.T) {
	t.Parallel()
	weekdays := always(1)
	weekdays.SendDays, weekdays.SendFrom, weekdays.SendUntil = outreach.Weekdays[:5], "09:00", "17:00"
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	with := func(starts, ends string, skip ...string) *outreach.Campaign {
		c := dated("UTC", starts, ends, skip...)
		return &c
	}
	for name, c := range map[string]struct {
		change func(*outreach.Sender, *outreach.Queue)
		at     time.Time
		waits  outreach.Obstruction
		reason string
	}{
		"nothing in the way": {func(*outreach.Sender, *outreach.Queue) {}, noon, outreach.WaitsForNothing, ""},
		"a paused mailbox": {
			func(s *outreach.Sender, _ *outreach.Queue) { s.Mailbox.Status = outreach.MailboxPaused }, time.Time{},
			outreach.WaitsForMailbox, "me@acme.test: paused."},
		"a limit of nothing": {func(s *outreach.Sender, _ *outreach.Queue) { s.Mailbox.DailyLimit = 0 }, time.Time{},
			outreach.WaitsForLimit, "The daily limit of me@acme.test is 0."},
		"the limit of 24 hours": {
			func(s *outreach.Sender, _ *outreach.Queue) { s.Sent, s.FreeAt = 10, noon.Add(time.Hour) }, noon.Add(time.Hour),
			outreach.WaitsForLimit, "me@acme.test has reached its limit of 10 in 24 hours; next at Fri 20 Nov 13:00 UTC."},
		"the gap": {func(s *outreach.Sender, _ *outreach.Queue) { s.GapUntil = noon.Add(time.Minute) },
			noon.Add(time.Minute), outreach.WaitsForGap, "me@acme.test waits 60 s between two messages; next at Fri 20 Nov 12:01 UTC."},
		"places kept": {
			func(s *outreach.Sender, _ *outreach.Queue) { s.Sent, s.Owed, s.NewAt = 4, 6, noon.Add(time.Hour) },
			noon.Add(time.Hour), outreach.WaitsForFollowup,
			"me@acme.test reserves its remaining places for follow-ups; next at Fri 20 Nov 13:00 UTC."},
		"places kept, more than there are": {
			func(s *outreach.Sender, _ *outreach.Queue) { s.Sent, s.Owed = 4, 12 }, monday,
			outreach.WaitsForFollowup, "me@acme.test reserves its remaining places for follow-ups; next at Mon 23 Nov 09:00 UTC."},
		"the limit of 24 hours and places kept": {
			func(s *outreach.Sender, _ *outreach.Queue) {
				s.Sent, s.FreeAt, s.Owed, s.NewAt = 10, noon.Add(time.Hour), 2, noon.Add(3*time.Hour)
			}, noon.Add(3 * time.Hour), outreach.WaitsForFollowup, "me@acme.test has reached its limit of 10 in 24 hours and " +
				"keeps the next places for follow-ups; next at Fri 20 Nov 15:00 UTC."},
		"the limit of 1 and the message in flight": {
			func(s *outreach.Sender, _ *outreach.Queue) {
				s.Mailbox.DailyLimit, s.Sent, s.InFlight, s.FreeAt = 1, 1, noon.Add(time.Minute), noon.Add(time.Minute)
			}, noon.Add(time.Minute), outreach.WaitsForAnswer, ""},
		"one place more than kept": {func(s *outreach.Sender, _ *outreach.Queue) { s.Sent, s.Owed = 4, 5 }, noon, outreach.WaitsForNothing, ""},
		"a follow-up takes a place": {func(s *outreach.Sender, q *outreach.Queue) {
			s.Sent, s.Owed, q.Followup = 4, 6,
				true
		}, noon, outreach.WaitsForNothing, ""},
		"due later": {func(_ *outreach.Sender, q *outreach.Queue) { q.Due = noon.Add(time.Hour) },
			noon.Add(time.Hour), outreach.WaitsForDue, "No prospect is due before Fri 20 Nov 13:00 UTC."},
		"due on a Saturday": {func(_ *outreach.Sender, q *outreach.Queue) { q.Due = noon.AddDate(0, 0, 1) }, monday,
			outreach.WaitsForWindow, "Outside the sending window; next at Mon 23 Nov 09:00 UTC."},
		"night where they are": {func(_ *outreach.Sender, q *outreach.Queue) { q.Timezone = "America/Los_Angeles" },
			noon.Add(5 * time.Hour), outreach.WaitsForWindow, "Outside the sending window; next at Fri 20 Nov 17:00 UTC."},
		"no new prospects today": {func(_ *outreach.Sender, q *outreach.Queue) { q.NewFull = true }, monday,
			outreach.WaitsForNew, "The limit of new prospects for today is reached; next at Mon 23 Nov 09:00 UTC."},
		"a date to skip": {func(_ *outreach.Sender, q *outreach.Queue) { q.Campaign = with("", "", "2026-11-20") }, monday,
			outreach.WaitsForDate, "2026-11-20 is a date to skip; next at Mon 23 Nov 09:00 UTC."},
		"the gap ends on such a date": {func(s *outreach.Sender, q *outreach.Queue) {
			q.Campaign, s.GapUntil = with("", "", "2026-11-23"), monday.Add(time.Hour)
		}, monday.AddDate(0, 0, 1), outreach.WaitsForDate, "2026-11-23 is a date to skip; next at Tue 24 Nov 09:00 UTC."},
		"not started": {func(_ *outreach.Sender, q *outreach.Queue) { q.Campaign = with("2026-11-23", "") }, monday,
			outreach.WaitsForStart, "The campaign starts on 2026-11-23; next at Mon 23 Nov 09:00 UTC."},
		"ended": {func(_ *outreach.Sender, q *outreach.Queue) { q.Campaign = with("", "2026-11-19") }, time.Time{},
			outreach.WaitsForEnd, "The campaign ended on 2026-11-19; change its end date to continue."},
		"ended before somebody is due": {func(_ *outreach.Sender, q *outreach.Queue) {
			q.Campaign, q.Due = with("", "2026-11-23"), monday.AddDate(0, 0, 1)
		}, time.Time{}, outreach.WaitsForEnd, "No prospect can be written to before the campaign ends on 2026-11-23."},
		"ended before a place is free": {func(s *outreach.Sender, q *outreach.Queue) {
			q.Campaign, s.Sent, s.FreeAt = with("", "2026-11-20"), 10, noon.Add(8*time.Hour)
		}, time.Time{}, outreach.WaitsForEnd, "No prospect can be written to before the campaign ends on 2026-11-20."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, q := sender(), outreach.Queue{Campaign: weekdays, Due: noon.Add(-time.Hour)}
			c.change(&s, &q)
			slot := s.Schedule(noon, []outreach.Queue{q}, nil)[0]
			if !slot.At.Equal(c.at) || slot.Waits != c.waits || slot.Reason(noon) != c.reason {
				t.Errorf("opens at %v, waits for %q: %q\nwant %v, %q: %q", slot.At, slot.Waits, slot.Reason(noon), c.at, c.waits, c.reason)
			}
		})
	}
}

// What a campaign says is why those who are due wait. When the next message leaves may be decided by
// other people.
func TestCause(t *testing.T) {
	t.Parallel()
	open := func(id byte) *outreach.Campaign { return always(id) }
	office := always(1)
	office.SendDays, office.SendFrom, office.SendUntil = outreach.Weekdays[:5], "14:00", "17:00"
	full := func(s *outreach.Sender) { s.Sent, s.FreeAt = 10, noon.Add(5*time.Hour) }
	for name, c := range map[string]struct {
		change func(*outreach.Sender)
		queues []outreach.Queue
		want   string
	}{
		"nobody is due": {full, []outreach.Queue{{Campaign: open(1), Due: noon.Add(6 * time.Hour)}},
			"No prospect is due before Fri 20 Nov 18:00 UTC."},
		"who is due waits for a window, who is due later does not": {func(*outreach.Sender) {},
			[]outreach.Queue{{Campaign: open(1), Due: noon.Add(time.Hour)}, {Campaign: office, Due: noon}},
			"Outside the sending window; next at Fri 20 Nov 13:00 UTC."},
		"who is due waits for places that follow-ups keep": {
			func(s *outreach.Sender) { s.Sent, s.Owed, s.NewAt = 9, 1, noon.Add(20*time.Hour) },
			[]outreach.Queue{{Campaign: open(1), Followup: true, Mailbox: uuid.UUID{1}, Due: noon.Add(3 * time.Hour)},
				{Campaign: open(1), Due: noon}},
			"me@acme.test reserves its remaining places for follow-ups; next at Fri 20 Nov 15:00 UTC."},
		"both wait for the limit": {full,
			[]outreach.Queue{{Campaign: open(1), Due: noon}, {Campaign: open(1), Followup: true, Mailbox: uuid.UUID{1}, Due: noon}},
			"me@acme.test has reached its limit of 10 in 24 hours; next at Fri 20 Nov 17:00 UTC."},
		"the limit of a company": {func(*outreach.Sender) {},
			[]outreach.Queue{{Campaign: open(1), Due: noon.Add(2 * time.Hour)}, {Campaign: open(1), Company: true, Due: noon.Add(12 * time.Hour)}},
			"The limit of new prospects of one company for today is reached; next at Fri 20 Nov 14:00 UTC."},
		"the mailbox is paused": {func(s *outreach.Sender) { s.Mailbox.Status = outreach.MailboxPaused },
			[]outreach.Queue{{Campaign: open(1), Due: noon}, {Campaign: open(1), Due: noon.Add(time.Hour)}}, "me@acme.test: paused."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sender()
			c.change(&s)
			if got := outreach.Cause(s.Schedule(noon, c.queues, nil), noon).Reason(noon); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
	if outreach.Cause(nil, noon) != nil {
		t.Error("there is a cause without slots")
	}
}

func TestObstacleOrder(t *testing.T) {
	t.Parallel()
	all := outreach.Standing{Unsubscribed: true, Bounced: true, Replied: true, Company: true, Domain: outreach.SuppressedManually}
	steps := []struct {
		want   outreach.Obstacle
		remove func()
	}{
		{outreach.ObstacleSuppressed, func() { all.Domain = "" }},
		{outreach.ObstacleUnsubscribed, func() { all.Unsubscribed = false }},
		{outreach.ObstacleBounced, func() { all.Bounced = false }},
		{outreach.ObstacleReplied, func() { all.Replied = false }},
		{outreach.ObstacleCompany, func() { all.Company = false }},
		{outreach.ObstacleNone, func() {}},
	}
	for _, step := range steps {
		if got := all.Obstacle(true, true); got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
		step.remove()
	}
}

func TestRegistrableDomain(t *testing.T) {
	t.Parallel()
	for domain, want := range map[string]string{"acme.com": "acme.com", "uk.acme.com": "acme.com",
		"acme.co.uk": "acme.co.uk", "mail.acme.co.uk": "acme.co.uk", "localhost": "localhost"} {
		if got := outreach.RegistrableDomain(domain); got != want {
			t.Errorf("%s: got %s, want %s", domain, got, want)
		}
	}
	for _, domain := range []string{"yahoo.com.au", "yahoo.com.br", "live.co.uk", "hotmail.es", "outlook.es",
		"protonmail.ch", "posteo.de", "telus.net", "xtra.co.nz", "docomo.ne.jp", "yahoo.ca"} {
		if !outreach.IsFreeMail(domain) {
			t.Errorf("%s is not known as a free mail provider", domain)
		}
	}
}
