package classify

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed interest.txt
var interestTable string

// rules is the table of interest.txt, ready for matching.
var rules = mustRead(interestTable)

// rule is one phrase of the table.
type rule struct {
	means string
	text  string   // as the table spells it
	words []string // folded; a last letter of '*' lets the word go on
}

// table holds the phrases by the first four letters of their first word, longer
// ones first, and the words that turn others round.
type table struct {
	phrases  map[string][]rule
	doubts   []rule
	not      map[string]bool
	notAfter map[string]bool
}

// meanings are the headings that interest.txt may use.
var meanings = map[string]bool{"optout": true, "negative": true, "positive": true, "request": true, "later": true, "yes": true, "no": true, "halt": true, "nothing": true, "doubt": true, "not": true, "notafter": true}

// mustRead reads the embedded table; a mistake in it shows at the first test.
func mustRead(text string) table {
	t := table{phrases: map[string][]rule{}, not: map[string]bool{}, notAfter: map[string]bool{}}
	means := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			means, _, _ = strings.Cut(line[1:], "]")
			if !meanings[means] {
				panic(fmt.Sprintf("interest.txt: no such heading: %s", line))
			}
		default:
			t.add(means, line)
		}
	}
	for _, list := range t.phrases {
		slices.SortStableFunc(list, func(a, b rule) int { return len(b.words) - len(a.words) })
	}
	return t
}

func (t *table) add(means, line string) {
	open := strings.HasSuffix(line, "*")
	line = strings.ReplaceAll(strings.ToLower(line), "e-mail", "email")
	r := rule{means: means, text: line}
	for _, word := range wordsOf(strings.TrimSuffix(line, "*")) {
		r.words = append(r.words, fold(word))
	}
	if open {
		r.words[len(r.words)-1] += "*"
	}
	switch means {
	case "not":
		t.not[r.words[0]] = true
	case "notafter":
		t.notAfter[r.words[0]] = true
	case "doubt":
		t.doubts = append(t.doubts, r)
	default:
		key := head(r.words[0])
		t.phrases[key] = append(t.phrases[key], r)
	}
}

// head is the key of a word; starred words are at least that long.
func head(word string) string {
	word = strings.TrimSuffix(word, "*")
	return clip(word, 4)
}

// match gives the longest phrase that begins at a word.
func (t table) match(words []string, at int) (rule, bool) {
	for _, r := range t.phrases[head(words[at])] {
		if r.matches(words[at:]) {
			return r, true
		}
	}
	return rule{}, false
}

func (r rule) matches(words []string) bool {
	if len(words) < len(r.words) {
		return false
	}
	for i, want := range r.words {
		stem, open := strings.CutSuffix(want, "*")
		if words[i] != stem && !(open && strings.HasPrefix(words[i], stem)) {
			return false
		}
	}
	return true
}

// negation gives the word of negation in the four words before a phrase or, in
// languages that put it there, in the two after it.
func (t table) negation(words []string, at, end int) string {
	for _, w := range words[max(0, at-4):at] {
		if t.not[w] || strings.HasSuffix(w, "n't") {
			return w
		}
	}
	for _, w := range words[end:min(len(words), end+2)] {
		if t.notAfter[w] {
			return w
		}
	}
	return ""
}

// doubted tells whether a word of doubt stands in the five words before.
func (t table) doubted(words []string, at int) bool {
	for i := max(0, at-5); i < at; i++ {
		for _, r := range t.doubts {
			if i+len(r.words) <= at && r.matches(words[i:]) {
				return true
			}
		}
	}
	return false
}
