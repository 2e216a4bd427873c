package outreach_test

import (
	"testing"
	"time"

	"outreach"
)

// The rule of a company's temperature, by hours since each signal; -1 is none.
func TestTemperatureRule(t *testing.T) {
	t.Parallel()
	const none = -1
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ago := func(hours int) *time.Time {
		if hours == none {
			return nil
		}
		at := now.Add(-time.Duration(hours) * time.Hour)
		return &at
	}
	for name, c := range map[string]struct {
		positive, neutral, reply, click, read, reread, cooled int
		want                                                  outreach.Temperature
	}{
		"nothing":                        {none, none, none, none, none, none, none, "cold"},
		"positive":                       {5, none, 5, none, none, none, none, "hot"},
		"positive, then cooled":          {5, none, 5, none, none, none, 4, "cold"},
		"cooled, then positive":          {5, none, 5, none, none, none, 6, "hot"},
		"cooled in the same instant":     {5, none, 5, none, none, none, 5, "hot"},
		"reread":                         {none, none, none, none, 5, 5, none, "hot"},
		"reread, then cooled":            {none, none, none, none, 5, 5, 1, "cold"},
		"neutral and click":              {none, 5, 5, 6, none, none, none, "hot"},
		"neutral and read":               {none, 5, 5, none, 6, none, none, "hot"},
		"neutral, cooled, click":         {none, 5, 5, 3, none, none, 4, "warm"},
		"click, cooled, neutral":         {none, 3, 3, 5, none, none, 4, "warm"},
		"neutral alone":                  {none, 5, 5, none, none, none, none, "warm"},
		"a reply that nobody has judged": {none, none, 5, none, none, none, none, "warm"},
		"click":                          {none, none, none, 5, none, none, none, "warm"},
		"read":                           {none, none, none, none, 5, none, none, "warm"},
		"click, then cooled":             {none, none, none, 5, none, none, 4, "cold"},
		"cooled alone":                   {none, none, none, none, none, none, 4, "cold"},
		"everything":                     {1, 1, 1, 1, 1, 1, 2, "hot"},
	} {
		signals := outreach.Signals{Positive: ago(c.positive), Neutral: ago(c.neutral), Reply: ago(c.reply),
			Click: ago(c.click), OfferRead: ago(c.read), OfferReread: ago(c.reread), Cooled: ago(c.cooled)}
		got, why := signals.Temperature()
		if got != c.want || why == "" {
			t.Errorf("%s: %s (%s), want %s", name, got, why, c.want)
		}
	}
}
