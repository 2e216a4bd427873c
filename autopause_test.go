package outreach_test

import (
	"testing"
	"time"

	"outreach"
)

// A warning comes from half of a bound on, and before the fiftieth message if the bounces are too
// many for it.
func TestAutoPauseWarns(t *testing.T) {
	t.Parallel()
	const bounces = " messages of the last 7 days came back from their recipients. At "
	const early = bounces + "8, or at 5 % of 50 and more, the mailbox is paused. Check the addresses."
	for health, want := range map[outreach.SenderHealth]string{
		{Attempted: 2, Bounced: 2}:       "",
		{Attempted: 40, Bounced: 2}:      "",
		{Attempted: 3, Bounced: 3}:       "3 of 3" + early,
		{Attempted: 49, Bounced: 7}:      "7 of 49" + early,
		{Attempted: 49, Bounced: 8}:      "",
		{Attempted: 50, Bounced: 1}:      "",
		{Attempted: 50, Bounced: 2}:      "2 of 50" + bounces + "3 the mailbox is paused. Check the addresses.",
		{Attempted: 50, Bounced: 3}:      "",
		{Attempted: 400, Bounced: 9}:     "",
		{Attempted: 400, Bounced: 10}:    "10 of 400" + bounces + "20 the mailbox is paused. Check the addresses.",
		{Attempted: 10, Complained: 1}:   "1 of 10 messages of the last 7 days were reported as spam. At 2 the mailbox is paused.",
		{Attempted: 900, Complained: 1}:  "",
		{Attempted: 1000, Complained: 2}: "2 of 1000 messages of the last 7 days were reported as spam. At 3 the mailbox is paused.",
		{Attempted: 10, Complained: 2}:   "",
	} {
		if got := health.Warning(); got != want {
			t.Errorf("%+v: %q, want %q", health, got, want)
		}
	}
}

func TestAutoPause(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		health outreach.SenderHealth
		want   string
	}{
		"nothing":           {outreach.SenderHealth{}, ""},
		"nothing came back": {outreach.SenderHealth{Attempted: 1000}, ""},
		"seven at first":    {outreach.SenderHealth{Attempted: 7, Bounced: 7}, ""},
		"eight at first": {outreach.SenderHealth{Attempted: 8, Bounced: 8},
			"8 of the first 8 messages of the last 7 days came back from their recipients; check the addresses, then resume the mailbox"},
		"eight before the fiftieth": {outreach.SenderHealth{Attempted: 49, Bounced: 8},
			"8 of the first 49 messages of the last 7 days came back from their recipients; check the addresses, then resume the mailbox"},
		"two of fifty": {outreach.SenderHealth{Attempted: 50, Bounced: 2}, ""},
		"three of fifty": {outreach.SenderHealth{Attempted: 50, Bounced: 3},
			"3 of 50 messages of the last 7 days came back from their recipients (6.0 %, the bound is 5 %); check the " +
				"addresses, then resume the mailbox"},
		"five of a hundred": {outreach.SenderHealth{Attempted: 100, Bounced: 5},
			"5 of 100 messages of the last 7 days came back from their recipients (5.0 %, the bound is 5 %); check the " +
				"addresses, then resume the mailbox"},
		"five of a hundred and one": {outreach.SenderHealth{Attempted: 101, Bounced: 5}, ""},
		"eight of many":             {outreach.SenderHealth{Attempted: 161, Bounced: 8}, ""},
		"one complaint":             {outreach.SenderHealth{Attempted: 1, Complained: 1}, ""},
		"two complaints": {outreach.SenderHealth{Attempted: 600, Complained: 2},
			"2 of 600 messages of the last 7 days were reported as spam (0.3 %, the bound is 0.3 %); write to fewer people " +
				"who do not expect it, then resume the mailbox"},
		"two complaints of very many": {outreach.SenderHealth{Attempted: 667, Complained: 2}, ""},
		"complaints weigh more": {outreach.SenderHealth{Attempted: 60, Bounced: 6, Complained: 2},
			"2 of 60 messages of the last 7 days were reported as spam (3.3 %, the bound is 0.3 %); write to fewer people " +
				"who do not expect it, then resume the mailbox"},
		"two complaints about nothing": {outreach.SenderHealth{Complained: 2},
			"2 of 0 messages of the last 7 days were reported as spam (200.0 %, the bound is 0.3 %); write to fewer people " +
				"who do not expect it, then resume the mailbox"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.health.Pauses(); got != c.want {
				t.Errorf("paused for %q\nwant %q", got, c.want)
			}
			if more := c.health; c.want == "" && more.Attempted >= 50 {
				if more.Attempted += 1_000_000; more.Pauses() != "" {
					t.Error("paused with more attempts")
				}
			}
		})
	}
}

// What is counted no further never decides.
func TestEnoughAttemptsDecide(t *testing.T) {
	t.Parallel()
	for bounced := range 40 {
		for complained := range 10 {
			h := outreach.SenderHealth{Bounced: bounced, Complained: complained}
			h.Attempted = h.EnoughAttempts()
			if why := h.Pauses(); why != "" {
				t.Errorf("%+v: %s", h, why)
			}
		}
	}
}

func TestHealthSince(t *testing.T) {
	t.Parallel()
	week, before, after := noon.AddDate(0, 0, -7), noon.AddDate(0, 0, -8), noon.Add(-time.Hour)
	for _, c := range []struct {
		resumed *time.Time
		want    time.Time
	}{{nil, week}, {&before, week}, {&after, after}} {
		if got := outreach.HealthSince(noon, c.resumed); !got.Equal(c.want) {
			t.Errorf("since %s, want %s", got, c.want)
		}
	}
}
