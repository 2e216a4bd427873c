package classify

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The lists of tables/dates.txt for weeks and months without a day.
var (
	weekWords = onceLexicon("dates", "this week", "next week", "week after next", "week number", "after easter",
		"after orthodox easter", "new year")
	monthBefore = onceLexicon("dates", "in month", "until before", "back before", "open before", "end of")
	monthEnd    = onceLexicon("dates", "end of")
	monthNames  = onceLexicon("dates", "month 1", "month 2", "month 3", "month 4", "month 5", "month 6", "month 7", "month 8",
		"month 9", "month 10", "month 11", "month 12")
)

// farMonth is how many months ahead a month without a day and a year may lie.
const farMonth = 9

var (
	// weekNumbers are the numbers of weeks after a word for a week: "29", "29 and 30", "29-31", "29, 30 and 31".
	weekNumbers = regexp.MustCompile(`^\.?:? ?(\d{1,2})(?:\.?(?:, ?\d{1,2}){0,2}(?: ?[-,+/&] ?| \p{L}{1,3} )(\d{1,2}))?\b`)
	// asianMonth is a month without a day.
	asianMonth = regexp.MustCompile(`(?:^|\D)(\d{1,2}) ?[月월]( ?[^\d ]| \D|$)`)
	// yearOfMonth is the year after the name of a month.
	yearOfMonth = regexp.MustCompile(`^ (?:de |del |of )?(\d{4})\b`)
)

// spans returns the ends of absences that are weeks or months: "in weeks 29 and 30", "back next week", "until the end of
// July". They count where no day is named.
func spans(told string, from time.Time) (all []candidate) {
	defer func() {
		for i := range all {
			all[i].guessed = true
		}
	}()
	weekWords().each(told, func(m match) bool {
		if last := len(all) - 1; last >= 0 && m.at < all[last].end {
			if m.end <= all[last].end {
				return true
			}
			all = all[:last] // "the end of the week" of "the end of the week after"
		}
		monday := nextWeekday(from, time.Monday)
		switch m.list {
		case "this week":
			all = append(all, candidate{day: monday, at: m.at, end: m.end, rank: until})
		case "next week", "week after next":
			c := candidate{day: monday.AddDate(0, 0, 7), at: m.at, end: m.end, rank: until}
			if m.list != "next week" {
				c.day = c.day.AddDate(0, 0, 7)
			}
			if c.returns(told) && !c.ends(told) {
				c.day, c.rank = c.day.AddDate(0, 0, -7), backOn
			}
			all = append(all, c)
		case "after easter", "after orthodox easter", "new year":
			all = append(all, candidate{day: afterSeason(m.list, from), at: m.at, end: m.end, rank: backOn})
		default:
			if c, ok := weekOfYear(told, m, from); ok {
				all = append(all, c)
			}
		}
		return len(all) < 10
	})
	monthNames().each(told, func(m match) bool {
		number, _ := strconv.Atoi(strings.TrimPrefix(m.list, "month "))
		if c, ok := monthAlone(told, m, time.Month(number), from); ok {
			all = append(all, c)
		}
		return len(all) < 10
	})
	for _, s := range asianMonth.FindAllStringSubmatchIndex(told, 10) {
		number, _ := strconv.Atoi(told[s[2]:s[3]])
		if number < 1 || number > 12 {
			continue
		}
		c := candidate{at: s[2], end: s[4]}
		c.month(told, time.Month(number), "", from)
		if c.rank > 0 {
			all = append(all, c)
		}
	}
	return all
}

// afterSeason returns the first working day after the next Easter or New Year.
func afterSeason(season string, from time.Time) time.Time {
	if season == "new year" {
		day := time.Date(from.Year()+1, 1, 2, 0, 0, 0, 0, time.UTC)
		for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			day = day.AddDate(0, 0, 1)
		}
		return day
	}
	easter := westernEaster
	if season == "after orthodox easter" {
		easter = orthodoxEaster
	}
	day := easter(from.Year()).AddDate(0, 0, 2)
	if !day.After(from) {
		day = easter(from.Year()+1).AddDate(0, 0, 2)
	}
	return day
}

// westernEaster returns Easter Sunday, by the rule of Meeus, Jones and Butcher.
func westernEaster(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return time.Date(year, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}

// orthodoxEaster returns Easter Sunday of the Julian calendar, by the rule of Meeus, for the years 1900 to 2099.
func orthodoxEaster(year int) time.Time {
	d := (19*(year%19) + 15) % 30
	e := (2*(year%4) + 4*(year%7) - d + 34) % 7
	n := d + e + 114
	return time.Date(year, time.Month(n/31), n%31+1+13, 0, 0, 0, 0, time.UTC)
}

// returns reports whether the words around a span are about a return.
func (c *candidate) returns(told string) bool {
	before, after := around(told, c.at, c.end)
	return backNear(before) || backFollows(after, 4, before+after) || wordsNear(saidBefore(), before) || saidFollows(after, 4, before)
}

// evident reports whether the words of the return are evidence for a note: people do not say them of other days.
func (c *candidate) evident(told string) bool {
	before, after := around(told, c.at, c.end)
	return backNear(before) || backFollows(after, 4, before+after) || absentAround(told, *c)
}

// ends reports whether the end of a span is meant.
func (c *candidate) ends(told string) bool {
	before, _ := around(told, c.at, c.end)
	return nearEnd(monthEnd(), before, 1) || contains(monthEnd(), prepare(told[c.at:c.end]))
}

// weekOfYear reads the numbers of weeks after a word for a week.
func weekOfYear(told string, m match, from time.Time) (candidate, bool) {
	found := weekNumbers.FindStringSubmatchIndex(told[m.end:])
	if found == nil {
		return candidate{}, false
	}
	g := groupsOf(told[m.end:], found)
	first, _ := strconv.Atoi(g[1])
	last, _ := strconv.Atoi(g[2])
	c := candidate{at: m.at, end: m.end + found[1], rank: until}
	if c.returns(told) {
		c.rank, c.guessed, last = backOn, !c.evident(told), first-1
	}
	if last == 0 {
		last = first
	}
	year, _ := from.ISOWeek()
	c.day = afterWeek(year, last)
	if !c.day.After(from) {
		c.day = afterWeek(year+1, last)
	}
	return c, first > 0 && first <= 53 && last <= 53 && (last >= first || c.rank == backOn)
}

// afterWeek returns the Monday after a week of ISO 8601.
func afterWeek(year, week int) time.Time {
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // is in the first week
	return fourth.AddDate(0, 0, 7*week-(int(fourth.Weekday())+6)%7)
}

// monthAlone reads the name of a month that has no day: a word such as "in" or "until" is before it.
func monthAlone(told string, m match, month time.Month, from time.Time) (candidate, bool) {
	before, after := around(told, m.at, m.end)
	follows := opensNear(monthEnd(), after, 1) || opensNear(untilAfter(), after, 1) || backFollows(after, 1, before+after)
	if !nearEnd(monthBefore(), before, 0) && !follows || m.at > 1 && isDigit(told[m.at-2]) {
		return candidate{}, false
	}
	c := candidate{at: m.at, end: m.end}
	year := ""
	if found := yearOfMonth.FindStringSubmatch(told[m.end:]); found != nil {
		year = found[1]
	} else if rest := strings.TrimLeft(told[m.end:], " ."); rest != "" && isDigit(rest[0]) {
		return candidate{}, false
	}
	c.month(told, month, year, from)
	return c, c.rank > 0
}

// month sets day and rank of a month without a day: its first day if the words around it are about a return or
// about what ends there, else the first day after it.
func (c *candidate) month(told string, month time.Month, year string, from time.Time) {
	before, after := around(told, c.at, c.end)
	y, _ := strconv.Atoi(year)
	if y == 0 {
		y = from.Year()
		if month < from.Month() {
			y++
		}
	}
	day := time.Date(y, month, 1, 0, 0, 0, 0, time.UTC)
	if year == "" && day.After(from.AddDate(0, farMonth, 0)) {
		return
	}
	ends := nearEnd(monthEnd(), before, 0) || opensNear(monthEnd(), firstWords(prepare(after), 3), 2)
	switch {
	case ends:
		c.rank, day = until, day.AddDate(0, 1, 0)
	case backNear(before) || backFollows(after, 2, before+after):
		c.rank = backOn
	case wordsNear(saidBefore(), before) || saidFollows(after, 2, before):
		c.rank, c.guessed = backOn, !absentAround(told, *c)
	case nearEnd(openBefore(), before, 0):
		c.rank = openOn
	case nearEnd(untilBefore(), before, 0) || opensNear(untilAfter(), after, 1):
		c.rank = until
	default:
		c.rank, day = away, day.AddDate(0, 1, 0)
	}
	c.day = day
}
