package classify

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// returnDate returns the day on which the author of an absence note is back, at midnight UTC, or
// nil. from is the day of the message. Dates count if they lie after from and within a year of it.
// docs/reference.md#return-dates states the rules.
func returnDate(subject, text string, from time.Time) *time.Time {
	return bestDate(subject, text, from).returnDay()
}

// returnDay returns the day of a date that was found, or nil.
func (c candidate) returnDay() *time.Time {
	if c.day.IsZero() {
		return nil
	}
	return &c.day
}

// bestDate returns the date that best shows the end of an absence.
func bestDate(subject, text string, from time.Time) candidate {
	from = from.UTC().Truncate(24 * time.Hour)
	told := foldDates(subject) + "\n" + foldDates(clip(text, 4<<10))
	found := dates(told, from)
	own := ownDates(told, found)
	own = append(own, daysAlone(told, own, found, from)...)
	all := append(own, weekdaysIn(told, own, from)...)
	for i := range all {
		if all[i].rank == 0 {
			all[i].weigh(told, found)
		}
	}
	returnAfter(told, all, len(own))
	opensAgain(told, all)
	preferAbsent(told, all)
	best := bestOf(all, from)
	switch {
	case len(own) == 0 && best.rank < backOn || best.rank < until:
		best = bestOf(append(spans(told, from), best), from)
	case best.rank == until && !absentAround(told, best):
		wide := append(spans(told, from), best)
		if preferAbsent(told, wide) {
			best = bestOf(wide, from)
		}
	}
	if best.rank == 0 {
		for i := range found {
			found[i].weigh(told, found)
		}
		best = bestOf(found, from)
	}
	best.proposes = best.rank == backOn && slices.ContainsFunc(all, func(c candidate) bool { return best.proposal(told, c, found) })
	return best
}

// proposal reports whether c is a day after a return on which something else may be: "Back on Monday. Tuesday at 10 suits
// me."
func (c candidate) proposal(told string, other candidate, found []candidate) bool {
	later := other.named.After(c.day) || other.weekday && other.at > c.at && other.rank == away
	if other.first || other.rank == until || !later {
		return false
	}
	before, after := dateClause(told, other, found)
	return !absentIn(before + " " + after)
}

// preferAbsent takes the ends of times for days away where the sentence of another end tells of an absence, and theirs of
// none: a colleague may be there until then. It reports whether any tells of an absence.
func preferAbsent(told string, all []candidate) bool {
	absent := func(c candidate) bool { return c.rank == until && absentAround(told, c) }
	if !slices.ContainsFunc(all, absent) {
		return false
	}
	for i := range all {
		if all[i].rank == until && !absent(all[i]) {
			all[i].rank = away
		}
	}
	return true
}

// bestOf returns the candidate of the highest rank after from. The end of a range counts before that of another time,
// which may be one for orders.
func bestOf(all []candidate, from time.Time) (best candidate) {
	for _, c := range all {
		if !c.day.After(from) || c.day.After(from.AddDate(1, 0, 7)) || c.rank == 0 {
			continue
		}
		switch {
		case c.rank == until && best.rank == until && c.last != best.last:
			if c.last {
				best = c
			}
		case c.rank == backOn && best.rank == backOn && c.guessed != best.guessed:
			if !c.guessed {
				best = c
			}
		case c.rank > best.rank, c.rank == best.rank &&
			(c.rank >= openOn && c.day.Before(best.day) || c.rank < openOn && c.day.After(best.day)):
			best = c
		}
	}
	return best
}

// longestGap is how many days may lie between the end of an absence and the day of return: a weekend and a holiday.
const longestGap = 4

// returnAfter makes a date without known words the day of return if it is named after an absence that ends right before
// it. So it does with the only date of a text, if its sentence says nothing of an absence. The first
// dates of all are whole dates.
func returnAfter(told string, all []candidate, whole int) {
	returns := slices.ContainsFunc(all, func(c candidate) bool { return c.rank == backOn })
	if whole == 0 && len(all) == 1 && all[0].readsOn(told) {
		all[0].day, all[0].rank, all[0].guessed = all[0].named, openOn, true // "I read this on Monday"
	}
	for i := range all[:whole] {
		c := &all[i]
		if c.rank != away || c.first {
			continue
		}
		named := c.named
		if whole == 1 && !returns && !absentAround(told, *c) {
			c.day, c.guessed = named, true
		}
		for _, end := range all[:whole] {
			gap := named.Sub(end.day)
			if end.last {
				gap += 24 * time.Hour // its day is the one after it
			}
			if end.rank == until && end.at < c.at && gap > 0 && gap <= longestGap*24*time.Hour {
				c.day, c.rank, c.guessed = named, backOn, true
			}
		}
	}
}

// opensAgain takes the last day of a text for the first day of work if it is named as a beginning, "from Wednesday on",
// after days away, and nothing in its clause tells of an absence.
func opensAgain(told string, all []candidate) {
	for i := range all {
		c := &all[i]
		other := func(o candidate) bool {
			return o.rank >= until || o.at > c.at || !o.named.Before(c.named) || sameClause(told, o.end, c.at)
		}
		if c.rank != away || c.first || len(all) == 1 ||
			slices.ContainsFunc(all, func(o candidate) bool { return o.at != c.at && other(o) }) {
			continue
		}
		before, after := dateClause(told, *c, nil)
		begins := nearEnd(rangeStart(), told[max(0, c.at-30):c.at], 0) || opensNear(fromAfter(), told[c.end:min(len(told), c.end+30)], 1)
		if begins && !absentIn(before+" "+after) {
			c.day, c.rank, c.guessed = c.named, openOn, true
		}
	}
}

// readsOn reports whether a day of the week without known words is one of return: its clause tells what happens then, and
// of no absence.
func (c candidate) readsOn(told string) bool {
	before, after := dateClause(told, c, nil)
	andWords().each(before, func(m match) bool {
		if m.end-m.at > 1 {
			before = before[m.end:]
			return false
		}
		return true
	})
	text := before + " " + after
	return c.weekday && c.rank == away && wordCount(text) >= 2 && !strings.ContainsAny(text, "0123456789") && !absentIn(text)
}

// absentAround reports whether the sentence of a date tells of an absence or of a closed office.
func absentAround(told string, c candidate) bool {
	before, after := around(told, c.at, c.end)
	return absentIn(prepare(before + told[c.at:c.end] + after))
}

// absentIn reports whether prepared text tells of an absence or of a closed office.
func absentIn(text string) bool {
	if contains(lastDay(), text) || contains(closedDay(), text) {
		return true
	}
	for _, m := range noteWords().longest(text) {
		if m.list == "away" || m.list == "left" {
			return true
		}
	}
	return slices.ContainsFunc(notesIn(text), func(n noteClue) bool { return n.list == "away" || n.list == "left" })
}

// candidate is a date found in the text.
type candidate struct {
	day     time.Time
	named   time.Time // the day that the text names; day may be the one after it
	at, end int       // its position
	first   bool      // it begins a range: the first day away
	last    bool      // it ends a range: the last day away
	weekday bool      // only the name of a day
	guessed bool      // it follows from other words than those of a return, and is no evidence for a note
	rank    int

	proposes bool // of the best: a later day is named, on which something else may be
}

// The ranks of a date by the words around it.
const (
	away   = 1 // a day away
	until  = 2 // the end of an absence
	openOn = 3 // the first of many days, usually of work
	backOn = 4 // the day of return
)

// The lists of tables/dates.txt.
var (
	backBefore      = onceLexicon("dates", "back before")
	worksWords      = onceLexicon("dates", "works")
	answerVerbs     = onceLexicon("dates", "answer")
	beforeWords     = onceLexicon("dates", "before")
	rangeJoint      = onceLexicon("dates", "range joint")
	openBefore      = onceLexicon("dates", "open before")
	openAfter       = onceLexicon("dates", "open after")
	backAfter       = onceLexicon("dates", "back after")
	untilBefore     = onceLexicon("dates", "until before")
	untilAfter      = onceLexicon("dates", "until after")
	inclusiveBefore = onceLexicon("dates", "inclusive before")
	inclusiveAfter  = onceLexicon("dates", "inclusive after")
	rangeStart      = onceLexicon("dates", "range start")
	fromAfter       = onceLexicon("dates", "from after")
	betweenDates    = onceLexicon("dates", "between", "from after", "weekday 1", "weekday 2", "weekday 3", "weekday 4",
		"weekday 5", "weekday 6", "weekday 7")
	pastBefore = onceLexicon("dates", "past before")
	pastAfter  = onceLexicon("dates", "past after")
	closedDay  = onceLexicon("dates", "closed")
	lastDay    = onceLexicon("dates", "last day")
	weekOf     = onceLexicon("dates", "week of")
	calendar   = onceLexicon("dates",
		"month 1", "month 2", "month 3", "month 4", "month 5", "month 6", "month 7", "month 8", "month 9", "month 10", "month 11", "month 12",
		"weekday 1", "weekday 2", "weekday 3", "weekday 4", "weekday 5", "weekday 6", "weekday 7")
)

// weigh ranks a date by the words around it. It moves a last day away to the next day, or to the
// next working day if only the day of the week is named. A return after a day is on the next one.
func (c *candidate) weigh(told string, found []candidate) {
	c.named = c.day
	before, after, near := c.words(told, found)
	c.rankBy(told, before, after, near)
	past := nearEnd(pastBefore(), before, 0) || opensNear(pastAfter(), after, 1)
	if past && c.rank >= openOn && !c.weekday {
		c.day = c.day.AddDate(0, 0, 1)
		if c.day.Weekday() == freeDay(told) {
			c.day = c.day.AddDate(0, 0, 1)
		}
	}
}

// rankBy ranks a date by its words.
func (c *candidate) rankBy(told, before, after string, near int) {
	ended := !hungarianEnding.MatchString(after) && !(c.weekday && (endsInAnd(before) || nearEnd(openBefore(), before, 0))) &&
		endsTime(before) ||
		strings.HasSuffix(strings.TrimRight(before, " "), "-")
	closed := opensNear(untilAfter(), afterWeekday(after), 1)
	included := opensNear(inclusiveAfter(), after, 1) || closed && opensNear(inclusiveAfter(), afterWeekday(after), 4)
	inclusive := included || nearEnd(inclusiveBefore(), before, 2)
	if !c.weekday && nearEnd(weekOf(), before, 0) {
		c.rank, c.day = until, nextWeekday(c.day, time.Monday)
		return
	}
	switch {
	case c.first:
		c.rank = away
	case !c.last && !closed && backNear(before),
		!c.last && !closed && !ended && backFollows(afterWeekday(after), near, before+after):
		c.rank = backOn
		return
	case !c.last && !closed && !inclusive &&
		(notBefore(before) || answersOn(before) && !nearEnd(untilBefore(), before, 0) ||
			!ended && opensNear(answerVerbs(), hungarianEnding.ReplaceAllString(afterWeekday(after), ""), 1)):
		c.rank, c.guessed = backOn, !absentAround(told, *c) // "I cannot before Monday", "I will answer on Monday"
		return
	case !c.last && !closed && (wordsNear(saidBefore(), before) || !ended && saidFollows(after, near, before)):
		c.rank, c.guessed = backOn, c.weekday && !absentAround(told, *c) // "You will find me in the office on Monday"
		return
	case !c.last && !closed && (nearEnd(openBefore(), before, 5) && !nearEnd(untilBefore(), before, 0) || // "from tonight until 3 May"
		!ended && !included && opensNear(openAfter(), afterWeekday(after), near+1)):
		c.rank = openOn
		return
	case c.last || ended || closed || included:
		c.rank = until
	default:
		c.rank = away
	}
	if c.last || inclusive || c.rank == away {
		c.day = c.day.AddDate(0, 0, 1)
		for c.weekday && (c.day.Weekday() == time.Saturday || c.day.Weekday() == time.Sunday) {
			c.day = c.day.AddDate(0, 0, 1)
		}
	} else if free := freeDay(told); c.rank == until && c.day.Weekday() == free {
		c.day = c.day.AddDate(0, 0, 1)
	}
}

// freeDay returns the day before the working week: a person is not back on a Sunday, and in Israel not on a Saturday.
func freeDay(told string) time.Weekday {
	if strings.ContainsFunc(told, hebrew) {
		return time.Saturday
	}
	return time.Sunday
}

func hebrew(r rune) bool { return unicode.Is(unicode.Hebrew, r) }

// backNear reports whether the last words of a text are about a return. "Not in the office on
// Monday" is not a return; "not back until Monday" is one.
func backNear(text string) bool { return wordsNear(backBefore(), text) }

// notBefore reports whether a text ends with a word for "before" that is denied: "I do not expect to be in before".
func notBefore(text string) (denied bool) {
	text = withoutWeekday(strings.TrimRight(prepare(text), " ,:("))
	beforeWords().each(text, func(m match) bool {
		denied = wordCount(text[m.end:]) <= 1 && contains(negations(), text[strings.LastIndexAny(text[:m.at], ",;:")+1:m.at])
		return !denied
	})
	return denied
}

// answersOn reports whether the last clause of a text begins with a verb for an answer: "in training today, will reply on".
func answersOn(text string) bool {
	text = prepare(text)
	text = text[strings.LastIndexAny(strings.TrimRight(text, " ,;:"), ",;:")+1:]
	answers := opensWithAnswer(text)
	andWords().each(text, func(m match) bool {
		answers = answers || m.end-m.at > 1 && opensWithAnswer(text[m.end:])
		return !answers
	})
	return answers
}

// opensWithAnswer reports whether a text is a verb for an answer and up to four words more.
func opensWithAnswer(text string) bool {
	found, ok := answerVerbs().opens(text)
	return ok && wordCount(text[min(len(text), found.end):]) <= 4
}

// backFollows reports whether the first words of a text are about a return, in a language that its sentence may be in: "igen" is
// Swedish for "again" and Hungarian for "yes".
func backFollows(text string, words int, sentence string) bool {
	return wordsFollow(backAfter(), text, words, sentence)
}

// wordsFollow does the same for the phrases of a lexicon.
func wordsFollow(l *lexicon, text string, words int, sentence string) bool {
	ending := hungarianEnding.FindString(text) // "-án" is not the German "an"
	if !opensNear(l, text, words) || contains(negations(), firstWords(prepare(text[len(ending):]), 5)) {
		return false
	}
	spoken, possible := spokenIn(sentence), false
	text = prepare(text)
	l.each(text, func(m match) bool {
		possible = !spoken.outnumbered(m.language) && !contains(shutWords(), firstWords(text[m.end:], 2)) // "on 29 October our office is closed"
		return !possible
	})
	return possible
}

// foldDates prepares text for finding dates: lower case without accents, on one line, with its
// punctuation. The subject of a mail is a line of its own.
func foldDates(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	var last rune
	for _, r := range strings.ToLower(text) {
		switch {
		case r == '–' || r == '—' || r == '‐' || r == '‑' || r == '〜' || r == '～' || r == '~':
			r = '-'
		case unicode.IsSpace(r):
			r = ' '
		case r >= '０' && r <= '９':
			r -= 0xFEE0
		}
		if r == '-' && unicode.Is(unicode.Hebrew, last) {
			r = ' ' // it joins a short word to a number: "until the-13"
		}
		if r == ' ' && last == ' ' {
			continue
		}
		last = r
		if r >= utf8.RuneSelf && r < 0x2000 {
			b.WriteString(foldRune(r))
			continue
		}
		b.WriteRune(r)
	}
	return bracketedDay.ReplaceAllString(b.String(), "")
}

// bracketedDay matches the short name of a day of the week that Japanese and Korean write in brackets
// behind a date.
var bracketedDay = regexp.MustCompile(`[(（](?:星期|礼拜|禮拜|周|週)?[月火水木金土日월화수목금토일一二三四五六]\s*[)）]`)

// foldRune returns a letter without its accent. A separate accent becomes an empty text.
func foldRune(r rune) string {
	p := preparer{}
	p.rune(r)
	return p.out.String()
}

// weekdaysIn finds the names of days. If there are dates, only a day of return counts: the first
// day of that name after them.
func weekdaysIn(told string, found []candidate, from time.Time) (all []candidate) {
	base := from
	for _, c := range found {
		if c.day.After(base) && c.day.Before(from.AddDate(1, 0, 0)) {
			base = c.day
		}
	}
	relative := relativeIn(told)
	spoken := spokenIn(told)
	calendar().each(told, func(m match) bool {
		number, ok := strings.CutPrefix(m.list, "weekday ")
		if !ok || len(all) >= 20 || overlaps(all, m.at, m.end) || spoken.outnumbered(m.language) { // "fri" is "free" in Danish
			return len(all) < 20
		}
		n, _ := strconv.Atoi(number)
		c := candidate{day: nextWeekday(base, time.Weekday(n%7)), at: m.at, end: m.end, weekday: true}
		if before, _ := dateClause(told, c, nil); contains(worksWords(), before) && !backNear(before) {
			return true // a day of each week
		}
		if cut := strings.Index(told[m.at:m.end], koreanDay); cut >= 0 {
			c.end = m.at + cut + len(koreanDay) // "until" is part of the word
		}
		if len(found) == 0 {
			c.shift(n, from, relative)
		}
		if len(found) > 0 {
			ranked := c
			ranked.weigh(told, found)
			answers := ranked.rank == openOn && !absentAround(told, c)
			if ranked.rank != backOn && !answers || beside(c, found) {
				return true
			}
		}
		all = append(all, c)
		return true
	})
	for _, c := range relativeDays(told, from, relative) {
		if len(found) == 0 || c.guessed && c.rank == backOn && c.returns(told) {
			all = append(all, c)
		}
	}
	return all
}

// koreanDay ends the name of a day of the week in Korean. Endings such as "until" follow without a space.
const koreanDay = "요일"

// beside reports whether a date is right next to c: "Monday, 7 December".
func beside(c candidate, found []candidate) bool {
	for _, f := range found {
		if f.at-c.end < 8 && f.at >= c.at || c.at-f.end < 7 && c.at >= f.at {
			return true
		}
		if gap := f.at - c.end; gap >= 0 && gap < maxGap && f.day.Weekday() == c.day.Weekday() {
			return true // "on Tuesday after the holiday (24 February)"
		}
	}
	return false
}

func nextWeekday(from time.Time, day time.Weekday) time.Time {
	ahead := (int(day) - int(from.Weekday()) + 7) % 7
	if ahead == 0 {
		ahead = 7
	}
	return from.AddDate(0, 0, ahead)
}
