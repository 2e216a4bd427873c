package outreach_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// dated is a campaign of working hours with dates.
func dated(zone string, starts, ends string, skip ...string) outreach.Campaign {
	c := window(outreach.Weekdays[:5], "09:00", "17:00", zone)
	c.SkipDates = skip
	if starts != "" {
		c.StartsOn = &starts
	}
	if ends != "" {
		c.EndsOn = &ends
	}
	return c
}

func TestDatesOfACampaign(t *testing.T) {
	t.Parallel()
	var longSkip []string // every Friday of seven years
	for day := at(t, "2026-11-20T00:00:00Z"); len(longSkip) < outreach.MaxSkipDates; day = day.AddDate(0, 0, 7) {
		longSkip = append(longSkip, day.Format(time.DateOnly))
	}
	fridays := window([]outreach.Weekday{"fri"}, "09:00", "17:00", "UTC")
	fridays.SkipDates = longSkip
	for name, c := range map[string]struct {
		campaign outreach.Campaign
		prospect string // the prospect's zone
		now      string
		want     string // empty: never
		why      outreach.Obstruction
		date     string
	}{
		"today is skipped": {dated("UTC", "", "", "2026-11-20"), "", "2026-11-20T12:00:00Z",
			"2026-11-23T09:00:00Z", outreach.WaitsForDate, "2026-11-20"},
		"the next day is skipped": {dated("UTC", "", "", "2026-11-23"), "", "2026-11-20T17:30:00Z",
			"2026-11-24T09:00:00Z", outreach.WaitsForDate, "2026-11-23"},
		"several days are skipped": {dated("UTC", "", "", "2026-11-23", "2026-11-24"), "", "2026-11-20T17:30:00Z",
			"2026-11-25T09:00:00Z", outreach.WaitsForDate, "2026-11-23"},
		"another day is skipped": {dated("UTC", "", "", "2026-11-24"), "", "2026-11-20T17:30:00Z",
			"2026-11-23T09:00:00Z", outreach.WaitsForWindow, ""},
		"a Saturday is skipped": {dated("UTC", "", "", "2026-11-21"), "", "2026-11-20T17:30:00Z",
			"2026-11-23T09:00:00Z", outreach.WaitsForWindow, ""},
		"open": {dated("UTC", "2026-11-20", "2026-11-20", "2026-11-21"), "",
			"2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z", outreach.WaitsForNothing, ""},
		"skipped where the prospect lives": {dated("UTC", "", "", "2026-11-20"), "Pacific/Auckland", "2026-11-19T20:30:00Z",
			"2026-11-22T20:00:00Z", outreach.WaitsForDate, "2026-11-20"},
		"skipped only where we are": {dated("Pacific/Auckland", "", "", "2026-11-21"), "America/New_York",
			"2026-11-20T15:00:00Z", "2026-11-20T15:00:00Z", outreach.WaitsForNothing, ""},
		"before it starts": {dated("UTC", "2026-12-01", ""), "", "2026-11-20T12:00:00Z",
			"2026-12-01T09:00:00Z", outreach.WaitsForStart, "2026-12-01"},
		"it starts in a year": {dated("Pacific/Kiritimati", "2027-12-01", ""), "", "2026-11-20T12:00:00Z",
			"2027-11-30T19:00:00Z", outreach.WaitsForStart, "2027-12-01"},
		"it starts on a Saturday": {dated("UTC", "2026-11-28", ""), "", "2026-11-20T12:00:00Z",
			"2026-11-30T09:00:00Z", outreach.WaitsForStart, "2026-11-28"},
		"it starts on a skipped day": {dated("UTC", "2026-12-01", "", "2026-12-01"), "", "2026-11-20T12:00:00Z",
			"2026-12-02T09:00:00Z", outreach.WaitsForStart, "2026-12-01"},
		"it has started in Tokyo": {dated("America/New_York", "2026-11-24", ""), "Asia/Tokyo",
			"2026-11-24T01:00:00Z", "2026-11-24T01:00:00Z", outreach.WaitsForNothing, ""},
		"its last day": {dated("UTC", "", "2026-11-20"), "", "2026-11-20T17:00:30Z",
			"2026-11-20T17:00:30Z", outreach.WaitsForNothing, ""},
		"the evening of its last day": {dated("UTC", "", "2026-11-20"), "", "2026-11-20T17:30:00Z", "", outreach.WaitsForEnd, "2026-11-20"},
		"after its end":               {dated("UTC", "", "2026-11-18"), "", "2026-11-20T12:00:00Z", "", outreach.WaitsForEnd, "2026-11-18"},
		"a weekend before its end":    {dated("UTC", "", "2026-11-21"), "", "2026-11-20T18:00:00Z", "", outreach.WaitsForEnd, "2026-11-21"},
		"its end is not reached in Hawaii": {dated("Asia/Tokyo", "", "2026-11-19"), "Pacific/Honolulu",
			"2026-11-20T02:00:00Z", "2026-11-20T02:00:00Z", outreach.WaitsForNothing, ""},
		"skipped until its end": {dated("UTC", "", "2026-11-24", "2026-11-23", "2026-11-24"), "",
			"2026-11-20T18:00:00Z", "", outreach.WaitsForEnd, "2026-11-24"},
		"every day for seven years": {fridays, "", "2026-11-20T12:00:00Z", "2033-11-25T09:00:00Z", outreach.WaitsForDate, "2026-11-20"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want time.Time
			if c.want != "" {
				want = at(t, c.want)
			}
			until, why, date := c.campaign.Closed(at(t, c.now), c.prospect)
			if !until.Equal(want) || why != c.why || date != c.date {
				t.Errorf("opens %v, waits for %q %s; want %v, %q %s", until, why, date, want, c.why, c.date)
			}
		})
	}
}

// In zones of every habit: nothing opens on a day that is barred, and no opening is
// passed over.
func TestDatesAreKeptInEveryZone(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "America/Santiago", "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Apia",
		"Pacific/Kiritimati", "America/St_Johns"}
	for _, zone := range zones {
		c := window(everyDay, "00:00", "23:59", zone)
		starts, ends := "2026-03-01", "2026-11-30"
		c.StartsOn, c.EndsOn, c.SkipDates = &starts, &ends, []string{"2026-03-08", "2026-03-29", "2026-09-06", "2026-10-25", "2026-11-01"}
		for now := at(t, "2026-02-20T00:00:07Z"); now.Month() < 12; now = now.Add(37 * time.Minute) {
			opening := c.NextOpening(now, "")
			if open := !c.BarsDay(now, ""); open != opening.Equal(now) {
				t.Fatalf("%s at %s: open is %t, opens %s", zone, now, open, opening)
			}
			if !opening.IsZero() && (opening.Before(now) || c.BarsDay(opening, "")) {
				t.Fatalf("%s at %s: opens %s", zone, now, opening)
			}
		}
	}
}

func TestDatesAreValidated(t *testing.T) {
	t.Parallel()
	year := make([]string, 0, outreach.MaxSkipDates+1)
	for day := at(t, "2026-01-01T00:00:00Z"); len(year) <= outreach.MaxSkipDates; day = day.AddDate(0, 0, 1) {
		year = append(year, day.Format(time.DateOnly))
	}
	for name, c := range map[string]struct {
		skip         []string
		starts, ends string
		want         []string
	}{
		"none":              {nil, "", "", nil},
		"as many as may be": {year[1:], "2026-01-01", "2026-01-01", nil},
		"too many":          {year, "", "", []string{"/skip_dates too_long"}},
		"twice is once":     {append(slices.Clone(year[2:]), year[2]), "", "", nil},
		"not a date": {[]string{"2026-12-25", "25.12.2026"}, "2026-02-30", "tomorrow",
			[]string{"/skip_dates/1 invalid", "/starts_on invalid", "/ends_on invalid"}},
		"no year":             {nil, "0000-01-01", "", []string{"/starts_on invalid"}},
		"an instant":          {nil, "", "2026-01-01T00:00:00Z", []string{"/ends_on invalid"}},
		"it ends before that": {nil, "2026-12-02", "2026-12-01", []string{"/ends_on invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := dated("UTC", c.starts, c.ends, c.skip...)
			k.Name = "C"
			k.Normalize()
			var got []string
			if refused, ok := errors.AsType[*outreach.Error](k.Validate()); ok {
				for _, fault := range refused.Fields {
					got = append(got, fault.Pointer()+" "+string(fault.Code))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	c := dated("UTC", "", "", "2026-12-26", "2026-12-25", "2026-12-26")
	c.Normalize()
	if want := []string{"2026-12-25", "2026-12-26"}; !slices.Equal(c.SkipDates, want) {
		t.Errorf("stored as %v, want %v", c.SkipDates, want)
	}
}
