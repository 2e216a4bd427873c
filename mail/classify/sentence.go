package classify

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// questionEnds are the words that end a question in languages without a question mark.
var questionEnds = onceLexicon("offer", "question end")

// shortened holds abbreviations that end with a point.
var shortened = onceLexicon("automatic", "shortened")

// sentence is a run of prepared text up to a mark that ends it.
type sentence struct {
	text     string
	question bool
	asked    bool // of a clause: its sentence is a question
}

// anAddress matches a mail address, whose points do not end a sentence.
var anAddress = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)

// aPage matches a web address, whose marks do not end a sentence and ask nothing.
var aPage = regexp.MustCompile(`(?i)https?://[^\s<>"'()，。、；）]+[^\s<>"'()，。、；）.,;:!?]`)

// sentencesOf splits text into prepared sentences.
func sentencesOf(text string) (all []sentence) {
	told := prepare(anAddress.ReplaceAllString(aPage.ReplaceAllString(text, "https"), "a@b"))
	for told != "" {
		end := sentenceEnd(told)
		s := sentence{text: strings.TrimSpace(told[:end])}
		for end < len(told) && strings.IndexByte(".!?\n ", told[end]) >= 0 {
			s.question = s.question || told[end] == '?'
			end++
		}
		s.question = s.question || contains(questionEnds(), lastLetters(s.text))
		if strings.ContainsFunc(s.text, wordRune) {
			all = append(all, s)
		}
		told = told[end:]
	}
	return all
}

// lastLetters returns the last four characters of a text, as a word of its own.
func lastLetters(text string) string {
	at := len(text)
	for n := 0; n < 4 && at > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text[at:]
}

// clausesOf splits a sentence at marks and at words such as "but".
func clausesOf(s sentence) (all []sentence) {
	for at := 0; at < len(s.text); {
		end := len(s.text)
		if cut := clauseEnd(s.text[at:]); cut >= 0 {
			end = at + cut
		}
		next := end + 1
		adversative().each(s.text[at:end], func(m match) bool {
			if m.at == 0 {
				return true
			}
			end, next = at+m.at, at+m.end
			return false
		})
		if text := strings.TrimSpace(s.text[at:end]); text != "" {
			all = append(all, sentence{text: text, question: s.question && next >= len(s.text), asked: s.question})
		}
		at = next
	}
	return all
}

// clauseEnd returns where the first mark between clauses stands, or -1. The mark of a time of day,
// "15:00", which is prepared as "15: 00", is none.
func clauseEnd(text string) int {
	for at := 0; ; at++ {
		cut := strings.IndexAny(text[at:], ",;:()\"")
		if cut < 0 {
			return -1
		}
		at += cut
		if text[at] != ':' || at == 0 || at+2 >= len(text) || !isDigit(text[at-1]) || !isDigit(text[at+2]) {
			return at
		}
	}
}

// sentenceEnd returns where the first sentence of a text ends. The point of "1." and
// of "7 dec." does not end it when words follow.
func sentenceEnd(told string) int {
	for at := 0; ; {
		end := strings.IndexAny(told[at:], ".!?\n")
		if end < 0 {
			return len(told)
		}
		at += end
		if told[at] != '.' || at == 0 || at+2 >= len(told) || told[at+1] != ' ' ||
			!abbreviates(told[:at]) && !dated(told[:at], told[at+2:]) {
			return at
		}
		at++
	}
}

// dated reports whether a year comes before the name of its month: "2026. augusztus".
func dated(before, after string) bool {
	if !isDigit(before[len(before)-1]) {
		return false
	}
	found, ok := calendar().opens(firstWords(after, 1))
	return ok && strings.HasPrefix(found.list, "month")
}

// abbreviates reports whether the point after a text belongs to its last word: a number of up to
// three digits, a short word after a number, or an abbreviation such as "kl.".
func abbreviates(text string) bool {
	if contains(shortened(), text[strings.LastIndexAny(text, " (")+1:]) {
		return true
	}
	if isDigit(text[len(text)-1]) {
		return len(text) < 4 || !isDigit(text[len(text)-2]) || !isDigit(text[len(text)-3]) || !isDigit(text[len(text)-4])
	}
	word := text[strings.LastIndexByte(text, ' ')+1:]
	before := strings.TrimRight(text[:len(text)-len(word)], " .")
	return before != "" && isDigit(before[len(before)-1]) && utf8.RuneCountInString(word) <= 5 && contains(calendar(), word)
}

// wordCount returns the number of words; two characters of a script without spaces
// count as one.
func wordCount(text string) int {
	count, dense, inside := 0, 0, false
	for _, r := range text {
		now := wordRune(r)
		switch {
		case now && ideographic(r):
			dense++
			now = false
		case now && !inside:
			count++
		}
		inside = now
	}
	return count + (dense+1)/2
}

// longest returns the phrases of a lexicon found in a text, in order. If two overlap, the longer
// one counts.
func (l *lexicon) longest(text string) []match {
	var all []match
	l.each(text, func(m match) bool {
		all = append(all, m)
		return true
	})
	if len(all) < 2 {
		return all
	}
	slices.SortStableFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.end-b.at, a.end-a.at), cmp.Compare(a.order, b.order))
	})
	var kept []match
	for _, m := range all {
		if !slices.ContainsFunc(kept, func(k match) bool { return m.at < k.end && k.at < m.end }) {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b match) int { return cmp.Compare(a.at, b.at) })
	return kept
}

// clauseAt returns the clause of a sentence that contains a phrase. Clauses end at marks and words
// such as "but".
func clauseAt(text string, m match) (from, to int) {
	from, to = 0, len(text)
	if cut := strings.LastIndexAny(text[:m.at], ",;:()\""); cut >= 0 {
		from = cut + 1
	}
	if cut := strings.IndexAny(text[m.end:], ",;:()\""); cut >= 0 {
		to = m.end + cut
	}
	adversative().each(text[from:to], func(b match) bool {
		switch {
		case from+b.end <= m.at:
			from += b.end
			return false
		case from+b.at >= m.end:
			to = from + b.at
			return false
		}
		return true
	})
	return from, to
}

// lastWords returns the last n words of a text.
func lastWords(text string, n int) string {
	at := len(strings.TrimRight(text, " "))
	for ; n > 0 && at > 0; n-- {
		at = strings.LastIndexByte(text[:at], ' ')
		if at < 0 {
			return text
		}
	}
	return text[max(at, 0):]
}

// firstWords returns the first n words of a text.
func firstWords(text string, n int) string {
	at := 0
	for ; n > 0; n-- {
		next := strings.IndexByte(text[min(at+1, len(text)):], ' ')
		if next < 0 {
			return text
		}
		at += 1 + next
	}
	return text[:at]
}

// shown returns the words of a phrase for a reason: as in the table, or as in the text if the
// phrase has gaps or open ends.
func shown(text string, m match) string {
	if strings.ContainsAny(m.entry.phrase, "*{.") {
		words := strings.TrimSpace(text[m.at:m.end])
		if utf8.RuneCountInString(words) > 60 {
			return clip(words, 60) + "..."
		}
		return words
	}
	return strings.ToLower(m.entry.phrase)
}
