package outreach_test

import (
	"fmt"
	"testing"
	"time"

	"outreach"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.UTC()
}

func window(days []outreach.Weekday, from, until, zone string) outreach.Campaign {
	c := outreach.NewCampaign()
	c.SendDays, c.SendFrom, c.SendUntil, c.Timezone = days, from, until, zone
	return c
}

var everyDay = outreach.Weekdays

func TestNextOpening(t *testing.T) {
	t.Parallel()
	week := outreach.Weekdays[:5]
	for name, c := range map[string]struct {
		days        []outreach.Weekday
		from, until string
		zone        string
		prospect    string // the prospect's zone
		now, want   string
	}{
		"inside":                   {week, "09:00", "17:00", "UTC", "", "2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z"},
		"its first minute":         {week, "09:00", "17:00", "UTC", "", "2026-11-20T09:00:00Z", "2026-11-20T09:00:00Z"},
		"its last minute":          {week, "09:00", "17:00", "UTC", "", "2026-11-20T17:00:59Z", "2026-11-20T17:00:59Z"},
		"before it":                {week, "09:00", "17:00", "UTC", "", "2026-11-20T08:59:59Z", "2026-11-20T09:00:00Z"},
		"after it, over a weekend": {week, "09:00", "17:00", "UTC", "", "2026-11-20T17:01:00Z", "2026-11-23T09:00:00Z"},
		"one day a week": {[]outreach.Weekday{"fri"}, "09:00", "17:00", "UTC", "", "2026-11-20T18:00:00Z",
			"2026-11-27T09:00:00Z"},
		"the whole day":                   {everyDay, "00:00", "23:59", "UTC", "", "2026-11-20T23:59:59Z", "2026-11-20T23:59:59Z"},
		"the prospect's zone":             {week, "09:00", "17:00", "UTC", "America/New_York", "2026-11-20T12:00:00Z", "2026-11-20T14:00:00Z"},
		"the prospect's day":              {week, "09:00", "17:00", "UTC", "Pacific/Auckland", "2026-11-20T12:00:00Z", "2026-11-22T20:00:00Z"},
		"an unknown zone of theirs":       {week, "09:00", "17:00", "UTC", "Nowhere/Else", "2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z"},
		"Berlin, summer begins":           {everyDay, "09:00", "17:00", "Europe/Berlin", "", "2026-03-28T20:00:00Z", "2026-03-29T07:00:00Z"},
		"Berlin, summer ends":             {everyDay, "09:00", "17:00", "Europe/Berlin", "", "2026-10-24T20:00:00Z", "2026-10-25T08:00:00Z"},
		"New York, summer begins":         {everyDay, "09:00", "17:00", "America/New_York", "", "2026-03-08T03:00:00Z", "2026-03-08T13:00:00Z"},
		"New York, summer ends":           {everyDay, "09:00", "17:00", "America/New_York", "", "2026-11-01T03:00:00Z", "2026-11-01T14:00:00Z"},
		"an opening that the clocks skip": {everyDay, "02:30", "17:00", "America/New_York", "", "2026-03-08T05:00:00Z", "2026-03-08T07:00:00Z"},
		"a window that the clocks skip":   {everyDay, "02:00", "02:45", "America/New_York", "", "2026-03-08T05:00:00Z", "2026-03-09T06:00:00Z"},
		"midnight that the clocks skip":   {everyDay, "00:00", "23:59", "America/Santiago", "", "2026-09-06T04:00:00Z", "2026-09-06T04:00:00Z"},
		"opening at a skipped midnight": {[]outreach.Weekday{"sun"}, "00:00", "23:59", "America/Santiago", "",
			"2026-09-05T20:00:00Z", "2026-09-06T04:00:00Z"},
		"an hour that comes twice": {everyDay, "02:30", "03:00", "Europe/Berlin", "", "2026-10-24T20:00:00Z", "2026-10-25T00:30:00Z"},
		"its second time":          {everyDay, "02:30", "03:00", "Europe/Berlin", "", "2026-10-25T01:35:00Z", "2026-10-25T01:35:00Z"},
		"Apia skipped a Friday": {[]outreach.Weekday{"fri"}, "09:00", "17:00", "Pacific/Apia", "",
			"2011-12-30T06:00:00Z", "2012-01-05T19:00:00Z"},
		"Apia, the day after the skipped": {everyDay, "09:00", "17:00", "Pacific/Apia", "", "2011-12-30T06:00:00Z", "2011-12-30T19:00:00Z"},
		"half an hour of zone":            {week, "09:00", "17:00", "Asia/Kolkata", "", "2026-11-20T00:00:00Z", "2026-11-20T03:30:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			campaign := window(c.days, c.from, c.until, c.zone)
			if got := campaign.NextOpening(at(t, c.now), c.prospect); !got.Equal(at(t, c.want)) {
				t.Errorf("opens %s, want %s", got.UTC().Format(time.RFC3339), c.want)
			}
		})
	}
}

func TestOpensWithinDay(t *testing.T) {
	t.Parallel()
	week := outreach.Weekdays[:5]
	ends := "2026-11-20"
	for name, c := range map[string]struct {
		change    func(*outreach.Campaign)
		now       string
		opens     bool
		wantUntil string // "" for none
	}{
		"inside, and tomorrow again":      {nil, "2026-11-19T12:00:00Z", true, ""},
		"inside, before a weekend":        {nil, "2026-11-20T12:00:00Z", true, "2026-11-20T17:01:00Z"},
		"the evening before the last day": {nil, "2026-11-19T20:00:00Z", true, "2026-11-20T17:01:00Z"},
		"when the weekend begins":         {nil, "2026-11-20T17:01:00Z", false, ""},
		"a day before it opens":           {nil, "2026-11-22T09:00:00Z", true, ""},
		"more than a day before it opens": {nil, "2026-11-22T08:59:59Z", false, ""},
		"on its last day": {func(c *outreach.Campaign) { c.EndsOn = &ends }, "2026-11-20T12:00:00Z", true,
			"2026-11-20T17:01:00Z"},
		"after its end": {func(c *outreach.Campaign) { c.EndsOn = &ends }, "2026-11-24T12:00:00Z", false, ""},
		"skip dates that cover what is left": {func(c *outreach.Campaign) { c.SkipDates = []string{"2026-11-18", "2026-11-19"} },
			"2026-11-18T12:00:00Z", false, ""},
		"the prospect's clock": {func(c *outreach.Campaign) { c.Timezone = "Pacific/Auckland" }, "2026-11-20T03:00:00Z", true,
			"2026-11-20T04:01:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			campaign := window(week, "09:00", "17:00", "UTC")
			if c.change != nil {
				c.change(&campaign)
			}
			opens, until := campaign.OpensWithinDay(at(t, c.now), "")
			if opens != c.opens {
				t.Errorf("it opens: %t, want %t", opens, c.opens)
			}
			if want := c.wantUntil; want == "" && !until.IsZero() || want != "" && !until.Equal(at(t, want)) {
				t.Errorf("until %s, want %q", until, want)
			}
		})
	}
}

// From any instant of two years and in zones of every habit: the opening is never
// in the past, is open itself, and nothing in between is.
func TestNextOpeningIsOpenAndNearest(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Africa/Cairo", "Asia/Beirut",
		"Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/Asuncion"}
	for _, zone := range zones {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			for _, c := range []outreach.Campaign{window(everyDay, "00:00", "23:59", zone),
				window(outreach.Weekdays[:5], "00:30", "01:30", zone), window([]outreach.Weekday{"sun"}, "02:10", "02:50", zone)} {
				for now := at(t, "2025-12-25T00:00:07Z"); now.Year() < 2028; now = now.Add(7*time.Hour + 13*time.Minute) {
					opening := c.NextOpening(now, "")
					if opening.Before(now) || opening.Sub(now) > 15*24*time.Hour {
						t.Fatalf("%s-%s from %s opens %s", c.SendFrom, c.SendUntil, now, opening)
					}
					if again := c.NextOpening(opening, ""); !again.Equal(opening) {
						t.Fatalf("%s-%s from %s opens %s, which is not open: %s", c.SendFrom, c.SendUntil, now, opening, again)
					}
					if before := opening.Add(-time.Minute); before.After(now) && c.NextOpening(before, "").Equal(before) {
						t.Fatalf("%s-%s from %s: open already at %s", c.SendFrom, c.SendUntil, now, before)
					}
				}
			}
		})
	}
}

// The next day always lies ahead, on another date of the campaign's calendar.
func TestFirstOpeningOfTomorrow(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Asia/Beirut",
		"Pacific/Apia", "Africa/Cairo", "Pacific/Kiritimati"} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			whole := window(everyDay, "00:00", "23:59", zone)
			for _, start := range []string{"2026-01-01T00:30:00Z", "2011-12-29T00:30:00Z"} {
				for now, n := at(t, start), 0; n < 4000; now, n = now.Add(2*time.Hour+17*time.Minute), n+1 {
					next := whole.NextOpening(whole.Tomorrow(now), "")
					if !next.After(now) || whole.Today(next) == whole.Today(now) || next.Sub(now) > 25*time.Hour {
						t.Fatalf("after %s (%s) comes %s (%s)", now, whole.Today(now), next, whole.Today(next))
					}
				}
			}
		})
	}
	c := window(outreach.Weekdays[:5], "09:00", "17:00", "Asia/Tokyo")
	if got := c.NextOpening(c.Tomorrow(at(t, "2026-11-20T12:00:00Z")), "Europe/Berlin"); !got.Equal(at(t, "2026-11-20T15:00:00Z")) {
		t.Errorf("Tokyo's next day opens for Berlin at %s", got)
	}
	if got := fmt.Sprint(c.Today(at(t, "2026-11-20T15:00:00Z"))); got != "2026-11-21" {
		t.Errorf("today is %s", got)
	}
}
