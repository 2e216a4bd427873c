package outreach

import (
	"errors"
	"math/bits"
	"strings"
	"time"
)

// The errors of ParseInstant. Callers prepend the name of the value.
var (
	errInstant      = errors.New("must be an ISO 8601 date, or a date-time with Z or an offset")
	errInstantRange = errors.New("is out of range: the years 1 to 9999 in UTC are valid")
)

// ParseInstant reads an ISO 8601 date, which means its first instant in UTC, or a
// date-time with Z or an offset: docs/reference.md#dates.
//
// Dates are calendar (2026-11-20), week (2026-W47-5) or ordinal (2026-324), each
// also in its basic form without hyphens. Years have four digits. The time has the
// form of its date, basic or extended. Seconds or minutes may be left out, and the
// last unit may have a fraction after a point or a comma. T and Z may be lower
// case. 24:00 is the end of the day. A leap second is accepted at the end of June
// and December in UTC and means the instant after it. Offsets are ±hh, ±hhmm or
// ±hh:mm in either form. A space before the offset is a plus sign that was not
// escaped in a query string.
//
// Instants have microseconds. Finer ones are rounded up, so that a lower bound
// excludes exactly the rows before it.
func ParseInstant(s string) (time.Time, error) {
	datePart, timePart, timed := cutTime(s)
	day, extended, ok := parseDay(datePart)
	if !ok {
		return time.Time{}, errInstant
	}
	at := day
	if timed {
		clockPart, offset, ok := cutOffset(timePart)
		if !ok {
			return time.Time{}, errInstant
		}
		since, leap, ok := parseClock(clockPart, extended)
		at = day.Add(since - offset)
		if !ok || leap && !endsHalfYear(at) {
			return time.Time{}, errInstant
		}
	}
	if at.Year() < 1 || at.Year() > 9999 {
		return time.Time{}, errInstantRange
	}
	return at, nil
}

// cutTime splits s at the T or t between date and time.
func cutTime(s string) (date, clock string, timed bool) {
	at := strings.IndexAny(s, "Tt")
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+1:], true
}

// FormatInstant returns t in UTC with six fraction digits and +00:00.
func FormatInstant(t time.Time) string { return string(AppendInstant(nil, t)) }

// AppendInstant appends what FormatInstant returns.
func AppendInstant(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000000+00:00")
}

// parseDay reads a date by its shape: the positions of digits, W and hyphens.
func parseDay(s string) (day time.Time, extended, ok bool) {
	switch shape(s) {
	case "0000-00-00":
		return calendarDay(number(s[:4]), number(s[5:7]), number(s[8:]), true)
	case "00000000":
		return calendarDay(number(s[:4]), number(s[4:6]), number(s[6:]), false)
	case "0000-W00-0":
		return weekDay(number(s[:4]), number(s[6:8]), number(s[9:]), true)
	case "0000W000":
		return weekDay(number(s[:4]), number(s[5:7]), number(s[7:]), false)
	case "0000-000":
		return ordinalDay(number(s[:4]), number(s[5:]), true)
	case "0000000":
		return ordinalDay(number(s[:4]), number(s[4:]), false)
	}
	return time.Time{}, false, false
}

// shape replaces every digit by 0.
func shape(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, s)
}

// number reads a text of digits.
func number(digits string) (n int) {
	for _, d := range []byte(digits) {
		n = n*10 + int(d-'0')
	}
	return n
}

func calendarDay(year, month, day int, extended bool) (time.Time, bool, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t, extended, t.Year() == year && int(t.Month()) == month && t.Day() == day
}

func ordinalDay(year, day int, extended bool) (time.Time, bool, bool) {
	t := time.Date(year, 1, day, 0, 0, 0, 0, time.UTC)
	return t, extended, day > 0 && t.Year() == year
}

// weekDay returns the day of an ISO week date. Week 1 contains 4 January; Monday is day 1.
func weekDay(year, week, day int, extended bool) (time.Time, bool, bool) {
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
	sinceMonday := (int(fourth.Weekday()) + 6) % 7
	t := fourth.AddDate(0, 0, (week-1)*7+day-1-sinceMonday)
	gotYear, gotWeek := t.ISOWeek()
	return t, extended, day >= 1 && day <= 7 && gotYear == year && gotWeek == week && t.Year() >= 0 && t.Year() <= 9999
}

// cutOffset splits a time of day from the offset after it.
func cutOffset(s string) (clock string, offset time.Duration, ok bool) {
	if strings.HasSuffix(s, "Z") || strings.HasSuffix(s, "z") {
		return s[:len(s)-1], 0, true
	}
	at := strings.LastIndexAny(s, "+- ")
	if at < 0 {
		return "", 0, false
	}
	var hours, minutes int
	switch digits := s[at+1:]; shape(digits) {
	case "00":
		hours = number(digits)
	case "0000":
		hours, minutes = number(digits[:2]), number(digits[2:])
	case "00:00":
		hours, minutes = number(digits[:2]), number(digits[3:])
	default:
		return "", 0, false
	}
	offset = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if s[at] == '-' {
		offset = -offset
	}
	return s[:at], offset, hours < 24 && minutes < 60
}

// parseClock returns the time since midnight, rounded up to a microsecond, and
// whether it is a leap second.
func parseClock(s string, extended bool) (since time.Duration, leap, ok bool) {
	digits, fraction, fractional := s, "", false
	if point := strings.IndexAny(s, ".,"); point >= 0 {
		digits, fraction, fractional = s[:point], s[point+1:], true
	}
	hour, minute, second, unit, ok := parseUnits(digits, extended)
	if !ok || fractional && strings.Trim(shape(fraction), "0") != "" || fractional && fraction == "" {
		return 0, false, false
	}
	since = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	part := fractionOf(fraction, unit)
	switch {
	case hour == 24:
		return since, false, since == 24*time.Hour && part == 0
	case second == 60:
		return since, true, hour < 24 && minute < 60
	}
	return since + part, false, hour < 24 && minute < 60 && second < 60
}

// parseUnits reads hours, minutes and seconds, as far as they are present, and returns the length
// of the last unit.
func parseUnits(s string, extended bool) (hour, minute, second int, unit time.Duration, ok bool) {
	colons := 0
	if extended {
		colons = 1
	}
	switch form := shape(s); {
	case form == "00":
		return number(s), 0, 0, time.Hour, true
	case form == "00:00" && extended, form == "0000" && !extended:
		return number(s[:2]), number(s[2+colons:]), 0, time.Minute, true
	case form == "00:00:00" && extended, form == "000000" && !extended:
		return number(s[:2]), number(s[2+colons : 4+colons]), number(s[4+2*colons:]), time.Second, true
	}
	return 0, 0, 0, 0, false
}

// fractionOf returns a decimal fraction of unit, rounded up to a microsecond. Digits after the
// twelfth only affect the rounding.
func fractionOf(digits string, unit time.Duration) time.Duration {
	const places = 12
	kept := digits[:min(places, len(digits))]
	rest := strings.Trim(digits[len(kept):], "0") != ""
	scale := uint64(1)
	for range kept {
		scale *= 10
	}
	high, low := bits.Mul64(uint64(number(kept)), uint64(unit/time.Microsecond))
	micros, remainder := bits.Div64(high, low, scale)
	if remainder > 0 || rest {
		micros++
	}
	return time.Duration(micros) * time.Microsecond
}

// endsHalfYear reports whether a leap second can precede t.
func endsHalfYear(t time.Time) bool {
	return t.Equal(t.Truncate(24*time.Hour)) && t.Day() == 1 && (t.Month() == time.January || t.Month() == time.July)
}
