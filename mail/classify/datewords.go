package classify

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// farWords is how many words after a date may stand up to those of a return.
const farWords = 4

// words returns the words around a date that belong to it, and how many words after it may stand before those of a
// return. Text beyond another date of found does not belong to it, nor does text after the next day of the week to a day of
// the week.
func (c *candidate) words(told string, found []candidate) (before, after string, near int) {
	before, after = around(told, c.at, c.end)
	near = farWords
	for _, next := range found {
		if gap := c.at - next.end; gap >= 0 && gap < len(before) && !next.first && !onlyDates(before[len(before)-gap:]) {
			before = before[len(before)-gap:]
		}
		if next.at > c.end && next.at < c.end+len(after) {
			after, near = told[c.end:next.at], 1
			if strings.Contains(after, ". ") {
				near = farWords
			}
			if cut := strings.LastIndexByte(after, ','); cut >= 0 && !onlyDates(after[:cut]+after[cut+1:]) && backNear(after[cut+1:]) {
				after = after[:cut] // "out from 11 July, back at my desk on 27 July"
			}
		}
	}
	after = strings.TrimLeft(after, "日号號일") // of a day without a month
	if strings.HasPrefix(after, ". ") && (!isDigit(told[c.end-1]) || c.wholeDate(told) || !ordinalPoints(told)) {
		after = ""
	}
	if told[c.end-1] == '.' && pointEnds(after) {
		after = ""
	}
	if c.othersReturn(after) {
		after = ""
	}
	if cut := strings.Index(after, ", "); cut > 0 {
		if shut, ok := shutWords().first(prepare(after[:cut])); ok && verbLast(shut.language) {
			after = after[:cut] // the verb of the next clause belongs to another day
		}
	}
	if cut := strings.Index(after, "，"); cut > 0 {
		after = after[:cut]
	}
	if next, ok := weekdays().first(after); ok && c.weekday {
		after, _, _ = strings.Cut(after[:next.at], ",")
		near = 1
	}
	return before, after, near
}

// wholeDate reports whether a date has slashes or ends in its year, so that no point belongs to it.
func (c *candidate) wholeDate(told string) bool {
	text := told[c.at:c.end]
	return strings.Contains(text, "/") || yearEnds.MatchString(text)
}

var yearEnds = regexp.MustCompile(`\d{4}$`)

// pointless are the languages that write no point behind the number of a day.
var pointless = []string{"en", "fr", "es", "it", "pt", "nl", "ro", "sv"}

// ordinalPoints reports whether a folded text may be in a language that writes a point behind the number of a day.
func ordinalPoints(told string) bool {
	spoken := countLanguages(told)
	calendar().each(told, func(m match) bool {
		spoken[m.language]++
		return true
	})
	most, known := 0, false
	for language, n := range spoken {
		if n > most || n == most && !slices.Contains(pointless, language) {
			most, known = n, slices.Contains(pointless, language)
		}
	}
	return !known
}

// othersReturn reports whether the text after a date goes on to the return on another day of the week: "I am off on 27.11. and
// back on Monday".
func (c *candidate) othersReturn(after string) bool {
	after = strings.TrimLeft(after, " .")
	and, joined := andWords().opens(firstWords(after, 1))
	day, ok := weekdays().first(prepare(after))
	if !ok || !(joined && and.end > 1 || strings.HasPrefix(after, ",")) || sameWeekday(prepare(after)[day.at:], c.day) {
		return false
	}
	return backNear(prepare(after)[:day.at])
}

// pointEnds reports whether the point of "5.12." before a text ends a sentence: languages of these scripts write none
// behind a month.
func pointEnds(after string) bool {
	after, spaced := strings.CutPrefix(after, " ")
	next, _ := utf8.DecodeRuneInString(after)
	return spaced && unicode.In(next, unicode.Hebrew, unicode.Cyrillic, unicode.Greek)
}

// afterWeekday returns a text without a day of the week at its start.
func afterWeekday(text string) string {
	text = strings.TrimLeft(text, " ,")
	if found, ok := weekdays().opens(firstWords(text, 1)); ok && found.end == len(prepare(firstWords(text, 1))) {
		return text[len(firstWords(text, 1)):]
	}
	return text
}

// endsInAnd reports whether the last word of a text is "and": "today and tomorrow" are both away.
func endsInAnd(text string) bool {
	last := strings.TrimSpace(lastWords(prepare(text), 1))
	and, ok := andWords().opens(last)
	return ok && and.end == len(last)
}

// around returns the words before and after a date, inside its sentence.
func around(told string, at, end int) (before, after string) {
	from := max(0, at-120)
	for from > 0 && !utf8.RuneStart(told[from]) {
		from--
	}
	before = told[from:at]
	for i := len(before) - 2; i >= 0; i-- {
		if strings.IndexByte(".!?", before[i]) >= 0 && before[i+1] == ' ' &&
			(!endsAbbreviated(before[:i]) || before[i] == '.' && i > 0 && isDigit(before[i-1]) && !ordinalPoints(told)) {
			before = before[i+1:]
			break
		}
	}
	to := min(len(told), end+60)
	for to < len(told) && !utf8.RuneStart(told[to]) {
		to++
	}
	after = told[end:to]
	before = before[strings.LastIndexByte(before, '\n')+1:] // of the subject
	if at := strings.LastIndex(before, "。"); at >= 0 {
		before = before[at+len("。"):]
	}
	if cut := strings.IndexAny(after, "!?\n。"); cut >= 0 {
		after = after[:cut]
	}
	return before, after
}

// endsAbbreviated reports whether a text ends with an abbreviation such as "24." or "nov.", which
// does not end a sentence.
func endsAbbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " \n")+1:]
	return utf8.RuneCountInString(word) <= 3 || strings.Contains(word, ".")
}

// nearEnd reports whether a phrase ends within the last words of a text, with no number behind it.
func nearEnd(l *lexicon, text string, words int) bool {
	text = strings.TrimRight(prepare(text), " ,:(")
	found := false
	l.each(text, func(m match) bool {
		rest := text[m.end:]
		found = len(strings.Fields(rest)) <= words && !strings.ContainsAny(rest, "0123456789")
		return !found
	})
	return found
}

// opensNear reports whether a phrase begins within the first words of a text.
func opensNear(l *lexicon, text string, words int) bool {
	text = strings.TrimLeft(prepare(text), " .,():'")
	if cut := strings.Index(text, ". "); cut > 6 {
		text = text[:cut]
	}
	found := false
	l.each(text, func(m match) bool {
		found = len(strings.Fields(text[:m.at])) <= words-1 || m.at == 0
		return !found && m.at < 80
	})
	return found
}
