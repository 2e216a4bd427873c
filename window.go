package outreach

import (
	"slices"
	"time"
)

// NextOpening returns the first time at or after t at which the campaign may send in the named
// time zone, or in the campaign's own if timezone is empty or unknown. Days and hours are local: the
// window follows clock changes, and hours that the clocks skip do not open. The minute of
// SendUntil belongs to the window. It returns the zero time after EndsOn, when nothing more may be
// sent.
func (c *Campaign) NextOpening(t time.Time, timezone string) time.Time {
	zone := c.zoneFor(timezone)
	if begin := c.begin(); t.Before(begin) {
		t = begin
	}
	for from := t; from.Before(t.AddDate(0, 0, 30+7*len(c.SkipDates))); {
		fixed, until := fixedZone(from.In(zone))
		opening, found := c.openingIn(from.In(fixed))
		if found && (until.IsZero() || opening.Before(until)) {
			return opening.UTC()
		}
		if until.IsZero() {
			break
		}
		from = until
	}
	return time.Time{}
}

// Closed returns when the campaign opens at or after t, why it is closed until then, and the date
// that is the reason, if any: the start, the end, or the skip date on which it would have opened.
// why is WaitsForNothing if it is open.
func (c *Campaign) Closed(t time.Time, timezone string) (until time.Time, why Obstruction, date string) {
	until = c.NextOpening(t, timezone)
	if until.Equal(t) {
		return until, WaitsForNothing, ""
	}
	if len(c.SkipDates) == 0 && c.StartsOn == nil && c.EndsOn == nil {
		return until, WaitsForWindow, ""
	}
	if until.IsZero() && c.EndsOn != nil {
		return until, WaitsForEnd, *c.EndsOn
	}
	dateless := *c
	dateless.SkipDates, dateless.StartsOn, dateless.EndsOn = nil, nil, nil
	date = dateless.NextOpening(t, timezone).In(c.zoneFor(timezone)).Format(time.DateOnly)
	switch why = c.bars(date); why {
	case WaitsForNothing:
		return until, WaitsForWindow, ""
	case WaitsForStart:
		date = *c.StartsOn
	}
	return until, why, date
}

// OpensWithinDay reports whether the campaign may send within 24 hours from t, in the named time zone
// or in the campaign's own. until is the time from which on it may not, if that is within 24 hours
// too, else zero.
func (c *Campaign) OpensWithinDay(t time.Time, timezone string) (opens bool, until time.Time) {
	opensAfter := func(t time.Time) bool {
		opening := c.NextOpening(t, timezone)
		return !opening.IsZero() && !opening.After(t.Add(24*time.Hour))
	}
	if !opensAfter(t) {
		return false, time.Time{}
	}
	local := t.In(c.zoneFor(timezone))
	for day := range 2 {
		closing := atClock(local.AddDate(0, 0, day), c.SendUntil).Add(time.Minute).UTC()
		if closing.After(t) && !closing.After(t.Add(24*time.Hour)) && !opensAfter(closing) {
			return true, closing
		}
	}
	return true, time.Time{}
}

// BarsDay reports whether nothing may be sent on the day of t in the named time zone, or in the
// campaign's own if timezone is empty or unknown.
func (c *Campaign) BarsDay(t time.Time, timezone string) bool {
	return c.bars(t.In(c.zoneFor(timezone)).Format(time.DateOnly)) != WaitsForNothing
}

// bars returns why nothing may be sent on a date.
func (c *Campaign) bars(date string) Obstruction {
	switch _, skipped := slices.BinarySearch(c.SkipDates, date); {
	case c.StartsOn != nil && date < *c.StartsOn:
		return WaitsForStart
	case c.EndsOn != nil && date > *c.EndsOn:
		return WaitsForEnd
	case skipped:
		return WaitsForDate
	}
	return WaitsForNothing
}

// begin returns a time before StartsOn in every time zone, at most two days before it in any; zero
// without StartsOn.
func (c *Campaign) begin() time.Time {
	if c.StartsOn == nil {
		return time.Time{}
	}
	starts, err := time.Parse(time.DateOnly, *c.StartsOn)
	if err != nil {
		return time.Time{}
	}
	return starts.AddDate(0, 0, -1)
}

// Today returns the calendar day of t in the campaign's time zone.
func (c *Campaign) Today(t time.Time) string {
	return t.In(c.zone()).Format(time.DateOnly)
}

// CivilTime returns the instant at which clocks in the named time zone, in the
// campaign's own if timezone is empty or unknown, show what UTC clocks show at t.
func (c *Campaign) CivilTime(t time.Time, timezone string) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), c.zoneFor(timezone)).UTC()
}

// zoneFor returns the named time zone if it is known, else the campaign's.
func (c *Campaign) zoneFor(timezone string) *time.Location {
	if timezone != "" {
		if zone, err := loadZone(timezone); err == nil {
			return zone
		}
	}
	return c.zone()
}

func (c *Campaign) zone() *time.Location {
	zone, err := loadZone(c.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Tomorrow returns the first instant of the next day of the campaign's calendar. That is not
// always midnight: clocks may skip midnight or show it twice.
func (c *Campaign) Tomorrow(t time.Time) time.Time {
	for from := t; ; {
		fixed, until := fixedZone(from.In(c.zone()))
		local := from.In(fixed)
		midnight := time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, fixed)
		if until.IsZero() || midnight.Before(until) {
			return midnight.UTC()
		}
		if c.Today(until) != c.Today(t) {
			return until.UTC()
		}
		from = until
	}
}

// fixedZone returns the offset in force at local as a zone without clock changes, and when the
// offset ends; zero if never.
func fixedZone(local time.Time) (*time.Location, time.Time) {
	name, offset := local.Zone()
	_, until := local.ZoneBounds()
	return time.FixedZone(name, offset), until
}

// openingIn is NextOpening for a zone without clock changes.
func (c *Campaign) openingIn(local time.Time) (time.Time, bool) {
	if now := local.Format("15:04"); c.sendsOn(local) && now >= c.SendFrom && now <= c.SendUntil {
		return local, true
	}
	for day := range 11 + 7*len(c.SkipDates) {
		opening := atClock(local.AddDate(0, 0, day), c.SendFrom)
		if c.sendsOn(opening) && opening.After(local) {
			return opening, true
		}
	}
	return local, false
}

func (c *Campaign) sendsOn(local time.Time) bool {
	return slices.Contains(c.SendDays, WeekdayOf(local)) && c.bars(local.Format(time.DateOnly)) == WaitsForNothing
}

// atClock returns the time hh:mm on the day of local.
func atClock(local time.Time, hhmm string) time.Time {
	at, err := time.Parse("15:04", hhmm)
	if err != nil {
		return local
	}
	return time.Date(local.Year(), local.Month(), local.Day(), at.Hour(), at.Minute(), 0, 0, local.Location())
}
