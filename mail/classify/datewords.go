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
	after = clockTime.ReplaceAllString(after, "$1")
	after = c.beforeReturn(after)
	if cut := strings.Index(after, ", "); cut > 0 {
		if shut, ok := shutWords().first(prepare(after[:cut])); ok && verbLast(shut.language) {
			after = after[:cut] // the verb of the next clause belongs to another day
		}
	}
	if cut := asianComma.FindStringIndex(after); cut != nil && cut[0] > 0 {
		after = after[:cut[0]]
	}
	if next, ok := weekdays().first(after); ok && c.weekday {
		after, _, _ = strings.Cut(after[:next.at], ",")
		near = 1
	}
	return before, after, near
}

// clockTime matches an hour near the start of a text, such as "at 8.00".
var clockTime = regexp.MustCompile(`^(\D{0,20}?)(?: \p{L}{1,4})? ?\b\d{1,2}[.:]\d\d(?:['’]\p{L}+)?\b`)

// asianComma matches a comma between the clauses of a Chinese or Japanese sentence.
var asianComma = regexp.MustCompile(`，|,[\p{Han}\d]`)

// wholeDate reports whether a date has slashes or ends in its year, so that no point belongs to it.
func (c *candidate) wholeDate(told string) bool {
	text := told[c.at:c.end]
	return strings.Contains(text, "/") || yearEnds.MatchString(text)
}

var yearEnds = regexp.MustCompile(`\d{4}$`)

// pointless are the languages that write no point behind the number of a day.
var pointless = []string{"en", "fr", "es", "it", "pt", "nl", "ro", "sv"}

// hungarianEndings matches the numbers of days with their endings: "4-én", "12-ig".
var hungarianEndings = regexp.MustCompile(`(?:^|[\d ])\.?-(?:ig|tol|an|en|jan|jen|ei|etol|atol|eig|aig)\b`)

// spokenIn counts the small words of a folded text. The Hungarian endings of days count as Hungarian words, not as small words
// of other languages.
func spokenIn(text string) languageCounts {
	spoken := countLanguages(hungarianEndings.ReplaceAllString(text, "0"))
	if endings := len(hungarianEndings.FindAllStringIndex(text, -1)); endings > 0 {
		spoken["hu"] += endings
	}
	return spoken
}

// ordinalPoints reports whether a folded text may be in a language that writes a point behind the number of a day.
func ordinalPoints(told string) bool {
	spoken := spokenIn(told)
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

// beforeReturn returns the text after a date up to a clause about the return on another day: "I am off on 27.11. and back on
// Monday", "on leave from 12 March, back on the 23rd".
func (c *candidate) beforeReturn(after string) string {
	for _, form := range []*regexp.Regexp{dayAlone, dayEnding} {
		if day := form.FindStringIndex(after); day != nil {
			if cut := strings.LastIndex(after[:day[0]], ","); cut >= 0 && backNear(after[cut:day[0]]) {
				return after[:cut]
			}
		}
	}
	text := strings.TrimLeft(after, " .")
	and, joined := andWords().opens(firstWords(text, 1))
	if !(joined && and.end > 1 || strings.HasPrefix(text, ",")) {
		return after
	}
	text = prepare(text)
	if day, ok := weekdays().first(text); ok && !sameWeekday(text[day.at:], c.day) && backNear(text[:day.at]) {
		return ""
	}
	return after
}

// pointEnds reports whether the point of "5.12." before a text ends a sentence: languages of these scripts write none
// behind a month.
func pointEnds(after string) bool {
	after, spaced := strings.CutPrefix(after, " ")
	next, _ := utf8.DecodeRuneInString(after)
	return spaced && unicode.In(next, unicode.Hebrew, unicode.Cyrillic, unicode.Greek)
}

// afterWeekday returns a text without a day of the week at its start, or behind a Hungarian ending there.
func afterWeekday(text string) string {
	ending := hungarianEnding.FindString(text)
	rest := strings.TrimLeft(text[len(ending):], " ,")
	if found, ok := weekdays().opens(firstWords(rest, 1)); ok && found.end == len(prepare(firstWords(rest, 1))) {
		return ending + rest[len(firstWords(rest, 1)):]
	}
	return strings.TrimLeft(text, " ,")
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
	to := end
	for letters := 0; to < len(told) && letters < 60; {
		r, size := utf8.DecodeRuneInString(told[to:])
		to += size
		letters++
		if ideographic(r) || r >= 0xAC00 { // a syllable or a word
			letters += 2
		}
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

// endsTime reports whether a word such as "until" is among the last words of a text. Behind "and" only a day of the week may
// stand: "closed from Friday and opening on Tuesday" has no last day.
func endsTime(text string) (ends bool) {
	text = strings.TrimRight(prepare(text), " ,:(")
	untilBefore().each(text, func(m match) bool {
		rest := text[m.end:]
		and, ok := andWords().opens(text[m.at:m.end])
		if ok && and.end == m.end-m.at {
			rest = withoutWeekday(rest)
			ends = wordCount(rest) == 0
		} else {
			ends = wordCount(rest) <= 2 && !strings.ContainsAny(rest, "0123456789")
		}
		return !ends
	})
	return ends
}

// nearEnd reports whether a phrase ends within the last words of a text, with no number behind it.
func nearEnd(l *lexicon, text string, words int) bool {
	text = strings.TrimRight(prepare(text), " ,:(")
	found := false
	l.each(text, func(m match) bool {
		rest := strings.TrimLeft(text[m.end:], ".") // of "t.o.m."
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
