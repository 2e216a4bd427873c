package classify

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The forms in which dates are written, in text prepared by foldDates.
var (
	isoDate   = regexp.MustCompile(`\b(\d{4})[-/.] ?(\d{1,2})[-/.] ?(\d{1,2})\b`)
	asianDate = regexp.MustCompile(`(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월] ?(\d{1,2})( ?[日号號일])?`)
	numDate   = regexp.MustCompile(`\b(\d{1,2})([./-]) ?(\d{1,2})(?:([./-]) ?(\d{4}|\d{2})\b|\.|\b)`)
	dayMonth  = regexp.MustCompile(
		`\b(\d{1,2})(?:st|nd|rd|th|er|re|[º°ª]|:e|o|η|-?го)?\.?,?(?:-| (?:(?:of|de|di|the|του) |d')?)?(\p{L}{3,14})`)
	monthDay  = regexp.MustCompile(`(\p{L}{3,14})\.? (?:the )?(\d{1,2})(?:st|nd|rd|th|\.)?\b`)
	yearAfter = regexp.MustCompile(`^(?:-|[.,]?(?: de| del| of|)? ?)(\d{4})\b`)
	yearShort = regexp.MustCompile(`^(?:-| ?['’])(\d{2})\b`) // of "17-Jan-27" and "17 Jan '27"
	dayAlone  = regexp.MustCompile(`\b(?:den|the|le|el|il|al|dal|au|du|pe|ao|dia|dnia|am|dem|d\.) (\d{1,2})(?:st|nd|rd|th|er|\.)?(?: |\.|,|$)`)
	// dayEnding is the number of a day with an ending: "16'sinda", "13-го", "11 του μηνός", "12 לחודש".
	dayEnding = regexp.MustCompile(`\b(\d{1,2})(?:['’]s?[iu](?:n[dae]\p{L}{0,3})?|-?о?го| (?:числа|του μην\p{L}+|לחודש))(?:\P{L}|$)`)
	// hungarianDay is a day without a month in Hungarian: "23-án", "25-ig".
	hungarianDay = regexp.MustCompile(`(?:^|[^\d.\p{L}-]) ?(\d{1,2})-(?:an|en|jan|jen|i|ei|ig|eig|aig|tol|etol|atol)\b`)
	// weekdayDay is the name of a day and its number.
	weekdayDay = regexp.MustCompile(`(\p{L}{3,14})(?:-feira)?,? (?:de |den |the |der )?(\d{1,2})(?:st|nd|rd|th|er|e|:e|\.)?(?: |\.|,|$)`)
	// hourUnit follows a number of hours.
	hourUnit = regexp.MustCompile(`^ ?(?:h|hrs?|am|pm|uhr|uur|heures?|ore|ora[k]?\p{L}*|hodin\p{L}*|час\p{L}*|годин\p{L}*)\b`)
	// hungarianList is a day that goes on a list of days of a month in Hungarian: "4-én, 5-én és 6-án".
	hungarianList = regexp.MustCompile(`^-(?:an|en|jan|jen)(?:,| es|, es) ?(\d{1,2})-(?:an|en|jan|jen)\b`)
	// asianDay is a day without a month in Chinese, Japanese and Korean, and no number of days.
	asianDay = regexp.MustCompile(`(?:^|[^\d月월 ]) ?(\d{1,2})[日号號일](?:[^間间간]|$)`)
	// rangeEnd is the last day of a range after its first date.
	rangeEnd = regexp.MustCompile(`^\.? ?(?:\(\p{L}{1,3}\) ?)?(-?\p{L}{0,7}) ?(\d{1,2})(?:st|nd|rd|th|\.|日|号|號|일)?`)
	// beyondDay matches the text after the number of a day.
	beyondDay = regexp.MustCompile(`^(?:[^\d/.:]|\.? |\.?$)`)
)

// dates returns all dates of a day and a month in the text.
func dates(told string, from time.Time) (found []candidate) {
	add := func(at, end int, day time.Time, ok bool) {
		if ok && !inNumber(told, at, end) && !overlaps(found, at, end) {
			found = append(found, candidate{day: day, at: at, end: end})
		}
	}
	each := func(form *regexp.Regexp, read func(g []string, span []int)) {
		for _, span := range form.FindAllStringSubmatchIndex(told, 30) {
			read(groupsOf(told, span), span)
		}
	}
	each(asianDate, func(g []string, s []int) {
		day, ok := onDay(g[1], g[2], g[3], from)
		add(s[0], s[1], day, ok && (g[4] != "" || strings.HasPrefix(told[s[1]:], "-"))) // "10月20-23日"
	})
	each(isoDate, func(g []string, s []int) {
		day, ok := onDay(g[1], g[2], g[3], from)
		add(s[0], s[1], day, ok)
	})
	for at, n := 0, 0; n < 30; n++ {
		s := numDate.FindStringSubmatchIndex(told[at:])
		if s == nil {
			break
		}
		g, start, end := groupsOf(told[at:], s), at+s[0], at+s[1]
		if g[5] != "" && g[4] != g[2] { // "30/11-12": the next date begins
			g[5], end = "", at+s[7]
		}
		if at = end; g[2] == "-" && g[5] == "" {
			at = start + s[6] - s[0] // "11-13.9": the next number may begin a date
			continue
		}
		if g[2] == "/" && strings.HasSuffix(told[:end], ".") {
			end-- // it ends the sentence
		}
		if g[5] == "" && monthFirst(told, end) {
			g[1], g[3] = g[3], g[1]
		}
		day, ok := numeric(g, from)
		if g[5] == "" && g[2] == "." && !strings.HasSuffix(told[:end], ".") && !inRange(told, start, end) &&
			!returnsAt(told[end:]) && !sameWeekday(lastWeekday(told[:start]), day) {
			continue // 9.30 is an hour
		}
		add(start, end, day, ok)
	}
	each(dayMonth, func(g []string, s []int) {
		year, end := yearBehind(told, s[0], s[1])
		day, ok := named(year, g[2], g[1], from)
		add(s[0], end, day, ok)
	})
	each(monthDay, func(g []string, s []int) {
		year, end := yearBehind(told, s[0], s[1])
		day, ok := named(year, g[1], g[2], from)
		add(s[0], end, day, ok)
		if ok {
			found = append(found, daysListed(told, end, day)...)
		}
	})
	found = append(found, rangeEnds(told, found)...)
	markRanges(told, found)
	return found
}

// daysListed returns the days of a Hungarian list after its first day, which ends at a byte.
func daysListed(told string, end int, first time.Time) (all []candidate) {
	for {
		next := hungarianList.FindStringSubmatchIndex(told[end:])
		if next == nil {
			return all
		}
		number, _ := strconv.Atoi(told[end+next[2] : end+next[3]])
		day := time.Date(first.Year(), first.Month(), number, 0, 0, 0, 0, time.UTC)
		if number <= first.Day() || day.Day() != number {
			return all
		}
		all = append(all, candidate{day: day, at: end + next[2], end: end + next[3]})
		end += next[3]
	}
}

// yearBehind returns the year after a day and a month, and where it ends. A year of two digits has an apostrophe, or a
// hyphen as its month has.
func yearBehind(told string, at, end int) (year string, after int) {
	short := yearShort.FindStringSubmatchIndex(told[end:])
	if short != nil && (told[end] != '-' || strings.Contains(told[at:end], "-")) {
		return told[end+short[2] : end+short[3]], end + short[1]
	}
	if found := yearAfter.FindStringSubmatchIndex(told[end:]); found != nil {
		return told[end+found[2] : end+found[3]], end + found[1]
	}
	return "", end
}

func overlaps(found []candidate, at, end int) bool {
	for _, c := range found {
		if at < c.end && c.at < end {
			return true
		}
	}
	return false
}

// rangeEnds finds the last days of ranges such as "July 10-31".
func rangeEnds(told string, found []candidate) (ends []candidate) {
	for _, c := range found {
		after := rangeEnd.FindStringSubmatchIndex(told[c.end:])
		if after == nil || !beyondDay.MatchString(told[c.end+after[1]:]) {
			continue
		}
		if joint := told[c.end+after[2] : c.end+after[3]]; joint != "-" && !rangeJoint().has(joint) {
			continue
		}
		last, _ := strconv.Atoi(told[c.end+after[4] : c.end+after[5]])
		end := time.Date(c.day.Year(), c.day.Month(), last, 0, 0, 0, 0, time.UTC)
		at := c.end + after[4]
		if last > c.day.Day() && end.Day() == last && !overlaps(found, at, at+1) {
			ends = append(ends, candidate{day: end, at: at, end: c.end + after[5], last: true})
		}
	}
	return ends
}

// markRanges marks each date that ends a range: a word such as "to" joins it to an earlier day.
func markRanges(told string, found []candidate) {
	for i := range found {
		c := &found[i]
		from := max(0, c.at-60)
		for !utf8.RuneStart(told[from]) {
			from++
		}
		before := strings.TrimRight(told[from:c.at], " ")
		joint := ""
		if strings.HasSuffix(before, "-") {
			joint = "-"
		} else if at := jointAt(before); at >= 0 {
			joint = before[at:]
		}
		if joint == "a" && !isDigit(told[c.at]) {
			continue // the Hungarian article
		}
		if joint == "" {
			if first := dateBefore(found, told, from+len(before), *c); first >= 0 &&
				joinedBy(told[found[first].end:c.at]) {
				found[first].first, c.last = true, true
			}
			continue
		}
		start := strings.TrimRight(strings.TrimSuffix(before, joint), " ")
		end := from + len(start)
		first := dateBefore(found, told, end, *c)
		if first >= 0 {
			between := prepare(told[found[first].end:c.at])
			if contains(backBefore(), between) || contains(openBefore(), between) {
				continue // "from 1 to 4 May and back on 5 May"
			}
			found[first].first = true
		}
		if first < 0 && backNear(before[len(start):]) {
			continue // "we close at 15 and open again on Tuesday"
		}
		if first >= 0 || endsInDay(start) {
			c.last = true
		}
	}
}

// joinedBy reports whether the text between two dates makes them a range: an ending such as "-tól", in one clause.
func joinedBy(between string) bool {
	return !strings.Contains(between, ",") && !strings.Contains(between, ". ") && contains(fromAfter(), prepare(between))
}

// jointAt returns the start of the word that joins a range, at the end of a text, or -1. A day of
// the week may follow it.
func jointAt(before string) int {
	at := -1
	untilBefore().each(before, func(m match) bool {
		if suffix := strings.HasSuffix(before[:m.at], "'") || strings.HasSuffix(before[:m.at], "’"); suffix {
			return true // "10 mayis'a"
		}
		if rest := strings.Trim(before[m.end:], " .,"); len(strings.Fields(rest)) <= 2 && !strings.ContainsAny(rest, "0123456789") {
			at = m.at
			return false
		}
		return true
	})
	return at
}

var dayEnds = regexp.MustCompile(`(?:^|[^\d:.])\d{1,2}(?:st|nd|rd|th|er|\.|º)?$`)

// endsInDay reports whether a text ends with the number of a day.
func endsInDay(text string) bool { return dayEnds.MatchString(strings.TrimRight(text, " ,")) }

// dateBefore returns the index of the date that ends right before a byte, or -1.
func dateBefore(found []candidate, told string, end int, c candidate) int {
	for i, f := range found {
		if f.at >= c.at || f.end > end+1 {
			continue
		}
		between := strings.Trim(told[min(f.end, end):end], " ,.()-'’")
		if between == "" || rangeWords(between) {
			return i
		}
	}
	return -1
}

// rangeWords reports whether a text between two dates only continues a range: an ending such as
// "-tól" and names of days.
func rangeWords(text string) bool {
	text = prepare(text)
	for text != "" {
		found, ok := betweenDates().opens(text)
		if !ok {
			return false
		}
		at := strings.Index(text, found.pieces[0].text)
		text = strings.TrimLeft(text[at+found.end-found.at:], " ,.()'")
	}
	return true
}

// daysAlone returns days without a month: "den 4.", "Wednesday the 9th". If there are whole dates,
// only a day of return counts, in the month of the last of own; but a day behind the name of its weekday counts always.
func daysAlone(told string, own, found []candidate, from time.Time) (all []candidate) {
	add := func(at, end int, weekday string) {
		base, least := from, away
		for _, c := range own {
			least = until
			if c.at < at && c.day.After(base) && c.day.Before(from.AddDate(1, 0, 0)) {
				base = c.day
			}
		}
		n, _ := strconv.Atoi(told[at:end])
		day := nextDay(base, n)
		next := nextDay(from, n)
		same := sameWeekday(weekday, next)
		if same {
			day = next
		}
		c := candidate{day: day, at: at, end: end}
		ranked := c
		ranked.weigh(told, found)
		if day.Day() == n && (ranked.rank > least || same) && !overlaps(found, at, end) && !overlaps(all, at, end) {
			all = append(all, c)
		}
	}
	for _, form := range []*regexp.Regexp{dayAlone, dayEnding, hungarianDay, asianDay} {
		for _, s := range form.FindAllStringSubmatchIndex(told, 10) {
			add(s[2], s[3], "")
		}
	}
	for _, s := range weekdayDay.FindAllStringSubmatchIndex(told, 10) {
		if contains(weekdays(), prepare(told[s[2]:s[3]])) && !hourUnit.MatchString(told[s[5]:]) {
			add(s[4], s[5], told[s[2]:s[3]])
		}
	}
	return all
}

// nextDay returns the next day of a number in a month.
func nextDay(from time.Time, n int) time.Time {
	day := time.Date(from.Year(), from.Month(), n, 0, 0, 0, 0, time.UTC)
	if !day.After(from) {
		day = time.Date(from.Year(), from.Month()+1, n, 0, 0, 0, 0, time.UTC)
	}
	return day
}

// sameWeekday reports whether a text begins with the name of the weekday of a date.
func sameWeekday(text string, day time.Time) bool {
	found, ok := weekdays().opens(text)
	return ok && found.list == "weekday "+strconv.Itoa((int(day.Weekday())+6)%7+1)
}

// inNumber reports whether a match is part of a longer number, such as a version.
func inNumber(s string, at, end int) bool {
	return at > 0 && strings.IndexByte("./-", s[at-1]) >= 0 && at > 1 && isDigit(s[at-2]) && s[at-1] != '-' || end < len(s) && isDigit(s[end])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func groupsOf(s string, span []int) []string {
	groups := make([]string, len(span)/2)
	for i := range groups {
		if span[2*i] >= 0 {
			groups[i] = s[span[2*i]:span[2*i+1]]
		}
	}
	return groups
}

// hungarianEnding follows a date in numbers in Hungarian, such as "12.04-ig".
var hungarianEnding = regexp.MustCompile(`^\.?-?(?:ig|tol|an|en|jan|jen|ei|i|etol|atol|eig|aig)\b`)

// monthFirst reports whether the month stands first in a date of two numbers: in
// Chinese, Japanese, Korean and Hungarian.
func monthFirst(told string, end int) bool {
	return strings.ContainsFunc(told, func(r rune) bool { return ideographic(r) || r >= 0xAC00 && r < 0xD7A4 }) ||
		hungarianEnding.MatchString(told[end:]) || hungarian(told)
}

// hungarian reports whether the small words of a folded text are those of Hungarian.
func hungarian(told string) bool {
	spoken := spokenIn(told)
	for language, n := range spoken {
		if language != "hu" && n >= spoken["hu"] {
			return false
		}
	}
	return spoken["hu"] > 0
}

// rangeFrom and rangeTo match another day and month next to the hyphen of a range.
var (
	rangeFrom = regexp.MustCompile(`(?:\d{1,2}\. ?\d{1,2}\.?(?: ?\d{4}| ?\d{2})?|(?:^|[^\d.:])\d{1,2}) ?- ?$`)
	rangeTo   = regexp.MustCompile(`^ ?(?:-|至|到|から|より|부터) ?\d{1,2}\. ?\d{1,2}(?:\.|\D|$)`)
)

// inRange reports whether two numbers with a point between them are a day and a month: they are in
// a range, or after a word such as "until" or "from".
func inRange(told string, at, end int) bool {
	if rangeFrom.MatchString(told[max(0, at-16):at]) || rangeTo.MatchString(told[end:]) {
		return true
	}
	before := told[max(0, at-30):at]
	for !utf8.ValidString(before) {
		before = before[1:]
	}
	before = withoutWeekday(before)
	return nearEnd(untilBefore(), before, 0) || nearEnd(inclusiveBefore(), before, 0) || nearEnd(rangeStart(), before, 0) ||
		nearEnd(backBefore(), before, 0)
}

// returnsAt reports whether words of a return follow two numbers at once in Chinese or Japanese: "3.10回国".
func returnsAt(after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return ideographic(next) && (backFollows(clip(after, 30), 1, after) || opensNear(untilAfter(), clip(after, 30), 1))
}

// withoutWeekday returns a text without a day of the week at its end.
func withoutWeekday(text string) string {
	text = strings.TrimRight(text, " ,.")
	return strings.TrimSuffix(text, lastWeekday(text))
}

// lastWeekday returns the day of the week at the end of a text, of one word or two, or an empty text.
func lastWeekday(text string) string {
	text = strings.TrimRight(text, " ,.")
	for words := 2; words > 0; words-- {
		last := lastWords(text, words)
		if found, ok := weekdays().opens(last); ok && found.end == len(prepare(last)) {
			return last
		}
	}
	return ""
}

// numeric reads 24.11.2026, 24/11, 11/24/2026. With slashes, a number above 12 shows the order;
// otherwise the nearer date in the future counts.
func numeric(g []string, from time.Time) (time.Time, bool) {
	day, ok := onDay(g[5], g[3], g[1], from)
	if g[2] != "/" {
		return day, ok
	}
	other, otherOK := onDay(g[5], g[1], g[3], from)
	if !ok || otherOK && other.After(from) && (other.Before(day) || !day.After(from)) {
		return other, otherOK
	}
	return day, ok
}

// named reads a date with the name of its month.
func named(year, month, day string, from time.Time) (time.Time, bool) {
	found, ok := calendar().opens(month)
	if !ok || found.end != len(prepare(month)) {
		return time.Time{}, false
	}
	number, isMonth := strings.CutPrefix(found.list, "month ")
	if !isMonth {
		return time.Time{}, false
	}
	return onDay(year, number, day, from)
}

// recent is how many days before a note a date without a year may be.
const recent = 60

// onDay returns a date. Without a year it is the first such day that is at most recent days before
// from, because a range may have begun.
func onDay(year, month, day string, from time.Time) (time.Time, bool) {
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	given := y != 0
	switch {
	case y == 0:
		y = from.Year()
	case y < 100:
		y += 2000
	}
	date := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if !given && date.Before(from.AddDate(0, 0, -recent)) {
		date = time.Date(y+1, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	}
	return date, m >= 1 && m <= 12 && d >= 1 && date.Day() == d
}
