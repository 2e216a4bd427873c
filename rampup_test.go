package outreach_test

import (
	"testing"
	"time"

	"outreach"
)

func TestLimitOfARampUp(t *testing.T) {
	t.Parallel()
	today := outreach.UTCDay(noon)
	yesterday, lastYear := today.AddDate(0, 0, -1), today.AddDate(-1, 0, 0)
	for name, c := range map[string]struct {
		ramp           *outreach.RampUp
		days           int
		sentOn         *time.Time
		today, tomorow int
	}{
		"none":                         {nil, 0, nil, 50, 50},
		"none, after some days":        {nil, 9, &today, 50, 50},
		"before the first":             {&outreach.RampUp{Start: 10, Increase: 5}, 0, nil, 10, 10},
		"on the first":                 {&outreach.RampUp{Start: 10, Increase: 5}, 1, &today, 10, 15},
		"the day after the first":      {&outreach.RampUp{Start: 10, Increase: 5}, 1, &yesterday, 15, 15},
		"a year after the first":       {&outreach.RampUp{Start: 10, Increase: 5}, 1, &lastYear, 15, 15},
		"on the third":                 {&outreach.RampUp{Start: 10, Increase: 5}, 3, &today, 20, 25},
		"at the limit":                 {&outreach.RampUp{Start: 10, Increase: 5}, 9, &today, 50, 50},
		"beyond it":                    {&outreach.RampUp{Start: 10, Increase: 5}, 1_000_000, &today, 50, 50},
		"it starts above the limit":    {&outreach.RampUp{Start: 80, Increase: 5}, 0, nil, 50, 50},
		"one day short of its highest": {&outreach.RampUp{Start: 10, Increase: 39}, 1, &today, 10, 49},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := outreach.NewMailbox()
			m.RampUp, m.SendingDays, m.SentOn = c.ramp, c.days, c.sentOn
			for at, want := range map[time.Time]int{noon: c.today, today: c.today, outreach.NextUTCDay(noon): c.tomorow} {
				if got := m.LimitOn(at); got != want {
					t.Errorf("at %s the limit is %d, want %d", at, got, want)
				}
			}
		})
	}
}
