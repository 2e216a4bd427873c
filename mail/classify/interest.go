package classify

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The values of Interest.
const (
	Positive = "positive"
	Neutral  = "neutral"
	Negative = "negative"
)

// Interest judges what a person's reply says: text is what they wrote themselves
// (NewText), subject the subject of their message, which counts only where it is
// no "Re:" and asks to be left alone. The reason quotes the words that decided.
// The rules are the table in interest.txt: a request to be left alone decides
// alone, words for and against together are neutral, and so is a reply that
// puts off, only asks, or holds no word of the table.
func Interest(text, subject string) (interest, reason string) {
	var found findings
	for i, s := range sentences(clip(text, 16<<10)) {
		found.read(s, i == 0)
	}
	if !replyPrefix.MatchString(subject) {
		var title findings
		for _, s := range sentences(clip(subject, 1000)) {
			title.read(s, true)
		}
		found.optout = append(found.optout, title.optout...)
		if strings.TrimSpace(text) == "" {
			found.negative = append(found.negative, title.negative...)
		}
	}
	return found.verdict()
}

// findings holds the words found, as written, by what they mean.
type findings struct {
	optout, negative, positive, later []string
}

func (f findings) verdict() (interest, reason string) {
	switch {
	case len(f.optout) > 0:
		return Negative, "asks to be left alone: " + quoted(f.optout)
	case len(f.negative) > 0 && len(f.positive) > 0:
		return Neutral, "speaks for and against: " + quoted(append(f.positive, f.negative...))
	case len(f.negative) > 0:
		return Negative, "declines: " + quoted(f.negative)
	case len(f.later) > 0:
		return Neutral, "puts off or passes on: " + quoted(append(f.later, f.positive...))
	case len(f.positive) > 0:
		return Positive, "shows interest: " + quoted(f.positive)
	}
	return Neutral, "no words that decide"
}

// quoted lists up to four of the words that decided.
func quoted(found []string) string {
	var list []string
	for _, s := range found {
		if s = strconv.Quote(s); !slices.Contains(list, s) && len(list) < 4 {
			list = append(list, s)
		}
	}
	return strings.Join(list, ", ")
}

// read adds what one sentence says, clause by clause.
func (f *findings) read(s sentence, first bool) {
	for i, clause := range s.clauses {
		f.readClause(clause, s.question, first && i == 0)
	}
}

func (f *findings) readClause(c clause, question, opening bool) {
	for at := 0; at < len(c.folded); {
		rule, ok := rules.match(c.folded, at)
		if !ok {
			at++
			continue
		}
		f.take(c, rule, at, question, opening)
		at += len(rule.words)
	}
}

// take counts one phrase, unless its surroundings take its meaning away.
func (f *findings) take(c clause, r rule, at int, question, opening bool) {
	end := at + len(r.words)
	words := r.text
	if strings.HasSuffix(words, "*") {
		words = strings.Join(c.written[at:end], " ")
	}
	alone := opening && at == 0 && end == len(c.folded) && !question
	not, doubted := rules.negation(c.folded, at, end), rules.doubted(c.folded, at)
	negated := not != ""
	// "No remove me" and "no I am not interested" are answers, and a phrase that
	// negates by itself is not turned round by another negation.
	reversed := negated && not != "no" && rules.negation(r.words, len(r.words), len(r.words)) == ""
	switch {
	case r.means == "yes" && alone:
		f.positive = append(f.positive, words)
	case r.means == "no" && alone:
		f.negative = append(f.negative, words)
	case r.means == "halt" && alone, r.means == "optout" && !reversed:
		f.optout = append(f.optout, words)
	case r.means == "later":
		f.later = append(f.later, words)
	case r.means == "negative" && !reversed && !doubted:
		f.negative = append(f.negative, words)
	case doubted:
	case r.means == "request" && !negated, r.means == "positive" && !negated && !question:
		f.positive = append(f.positive, words)
	case (r.means == "positive" || r.means == "request") && negated && !question:
		f.negative = append(f.negative, "not … "+words)
	}
}

// sentence is a run of clauses up to a mark that ends it.
type sentence struct {
	clauses  []clause
	question bool
}

// clause is a run of words that a negation reaches through. Both lists have the
// same length: the words as written in lower case, and without accents.
type clause struct {
	written, folded []string
}

// sentences splits text at its marks and clauses at commas and at words such as
// "but".
func sentences(text string) []sentence {
	var all []sentence
	text = strings.NewReplacer("’", "'", "‘", "'", "´", "'", "e-mail", "email").Replace(strings.ToLower(text))
	for len(text) > 0 {
		end := strings.IndexAny(text, ".!?\n")
		mark := byte('.')
		rest := ""
		if end < 0 {
			end = len(text)
		} else {
			mark, rest = text[end], text[end+1:]
		}
		if s := clauses(text[:end]); len(s) > 0 {
			all = append(all, sentence{clauses: s, question: mark == '?'})
		}
		text = rest
	}
	return all
}

var adversative = map[string]bool{"but": true, "however": true, "aber": true, "sondern": true, "mais": true, "pero": true, "ma": true, "mas": true, "porém": true, "maar": true, "though": true}

func clauses(text string) []clause {
	var all []clause
	current := clause{}
	flush := func() {
		if len(current.written) > 0 {
			all = append(all, current)
			current = clause{}
		}
	}
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;:()–—\"„“”«»", r) }) {
		for _, word := range wordsOf(run) {
			if adversative[word] {
				flush()
				continue
			}
			current.written = append(current.written, word)
			current.folded = append(current.folded, fold(word))
		}
		flush()
	}
	return all
}

// wordsOf splits a run at everything that is no letter or digit. "n't" stays with
// its word, other apostrophes separate ("m'intéresse" is two words).
func wordsOf(run string) []string {
	var all []string
	for _, word := range strings.FieldsFunc(run, func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		if strings.HasSuffix(word, "n't") {
			all = append(all, word)
			continue
		}
		all = append(all, strings.FieldsFunc(word, func(r rune) bool { return r == '\'' })...)
	}
	return all
}

// fold drops accents, and writes ß as people without the key do.
func fold(word string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(word) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ß':
			b.WriteString("ss")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
