package classify

import (
	"strconv"
	"strings"
	"time"
)

// relativeWords are the lists of tables/dates.txt for days that are named by the day of the message. "ahead 14" is in 14
// days.
var relativeWords = onceLexicon("dates", "today", "tomorrow", "ahead 2", "ahead 3", "ahead 4", "ahead 5", "ahead 7", "ahead 10",
	"ahead 14", "ahead 21", "ahead 28", "next week")

// relativeIn returns the words for today, tomorrow and times ahead: of words that overlap, the first, and of those that
// begin together, the longest.
func relativeIn(told string) (all []match) {
	relativeWords().each(strings.ReplaceAll(told, "-", " "), func(m match) bool {
		last := len(all) - 1
		switch {
		case last < 0 || m.at >= all[last].end:
			all = append(all, m)
		case m.at == all[last].at && m.end > all[last].end:
			all[last] = m
		}
		return len(all) < 8
	})
	return all
}

// daysAhead returns the number of days of a time ahead.
func daysAhead(m match) (days int, ok bool) {
	number, ok := strings.CutPrefix(m.list, "ahead ")
	days, _ = strconv.Atoi(number)
	return days, ok
}

// nextTo reports whether a match touches the text from at to end: at most a short word is between them.
func nextTo(m match, at, end int) bool { return at <= m.end+4 && m.at <= end+4 }

// shift moves a day of the week, from 1 for Monday to 7, to the week that a word next to it names: "Monday in a week",
// "on Monday next week".
func (c *candidate) shift(n int, from time.Time, relative []match) {
	for _, m := range relative {
		if !nextTo(m, c.at, c.end) {
			continue
		}
		if days, ok := daysAhead(m); ok {
			c.day = c.day.AddDate(0, 0, days/7*7)
		} else if m.list == "next week" {
			c.day = nextWeekday(from, time.Monday).AddDate(0, 0, n-1)
		}
	}
}

// relativeDays returns the days of the words for today, tomorrow and times ahead. If "today" and "tomorrow" are not joined by
// "and", the second is the day of return. The end of a time ahead is the day of return too, or ends an absence.
func relativeDays(told string, from time.Time, relative []match) (all []candidate) {
	for _, m := range relative {
		days, ok := daysAhead(m)
		if !ok {
			continue
		}
		c := candidate{day: from.AddDate(0, 0, days), at: m.at, end: m.end, weekday: true, rank: backOn, guessed: true}
		if !c.returns(told) && absentAround(told, c) {
			c.rank = until
		}
		all = append(all, c)
	}
	ahead := len(all) > 0
	for _, m := range relative {
		c := candidate{day: from, at: m.at, end: m.end, weekday: true}
		switch {
		case m.list == "tomorrow":
			c.day = from.AddDate(0, 0, 1)
			before, after := around(told, m.at, m.end)
			_, list := andWords().opens(firstWords(after, 1)) // "today, tomorrow and on Friday"
			list = list && contains(weekdays(), prepare(firstWords(after, 4)))
			if len(all) > 0 && all[0].day.Equal(from) && !endsInAnd(before) && !list {
				c.rank, c.guessed = backOn, true
			}
		case m.list != "today" || ahead: // "two weeks from today"
			continue
		}
		all = append(all, c)
	}
	return all
}
