package classify

import (
	"slices"
	"strconv"
	"strings"
)

// The values of Interest.
const (
	Positive = "positive"
	Neutral  = "neutral"
	Negative = "negative"
)

// The lists of tables/interest.txt.
var (
	interestWords = onceLexicon("interest", "optout", "negative", "positive", "request", "weak", "ask", "soft", "later",
		"mild", "yes", "no", "halt", "nothing")
	negations     = onceLexicon("interest", "not")
	negationAfter = onceLexicon("interest", "notafter")
	doubtPhrases  = onceLexicon("interest", "doubt")
	adversative   = onceLexicon("interest", "but")
	addressWords  = onceLexicon("interest", "source")
	supposed      = onceLexicon("interest", "supposed")
	yesWords      = onceLexicon("interest", "yes")
)

// Interest judges the reply of a person. text is what the person wrote (Split). subject is the
// subject of the message; it counts only if it has no "Re:" and asks for no more mail. The reason
// quotes the words that decided. docs/reference.md#interest states the rules.
func Interest(text, subject string) (interest, reason string) {
	return (&reader{}).interest(text, subject, marksReply(subject))
}

// interest judges a text as Interest does. A question shows interest only in an answer.
func (r *reader) interest(text, subject string, answer bool) (interest, reason string) {
	found := r.findingsOf(clip(text, 16<<10))
	if !answer {
		found.questions = nil
	}
	if !marksReply(subject) {
		title := r.findingsOf(clip(subject, 1000))
		found.optout = append(found.optout, title.optout...)
		if strings.TrimSpace(text) == "" {
			found.negative = append(found.negative, title.negative...)
		}
	}
	return found.verdict()
}

// OptOut reports whether a text asks for no more mail, and by which words. In text that may not be
// the author's, such as text below a quotation, a single word counts only if it is the whole
// sentence.
func OptOut(text string, sure bool) (words string, ok bool) {
	return (&reader{}).optOut(text, sure)
}

func (r *reader) optOut(text string, sure bool) (words string, ok bool) {
	var all findings
	for i, s := range r.sentences(clip(text, 64<<10)) {
		found := r.read(s, sure && i == 0)
		for _, words := range found.optout {
			if sure || strings.Contains(words, " ") || wordCount(s.text) <= 3 {
				return words, true
			}
		}
		all.add(found)
	}
	if stop := all.asksToStop(); sure && len(stop) > len(all.optout) {
		return stop[len(all.optout)], true
	}
	return "", false
}

// findings holds the words found, as written, by their meaning.
type findings struct {
	optout, negative, strong, soft, weak, later []string

	left      []string // says that its author has left a list
	agreed    []string // a yes that is a sentence of its own
	requests  []string // strong, unless the request is for another person
	parts     []string // the parts of an offer that were found together
	asks      []string // those by which only a person asks for something
	elsewhere []string // passes the offer on to another person
	handed    []string // hands us on to another person: counts behind a yes
	called    []string // hands us on to a person who wants it, or asks to call a number
	declined  []string // declines unless the text shows interest
	times     []string // proposes a time: counts in a short text
	questions []string // asks us something else than who we are: counts where nothing speaks against
	glad      bool     // opens with a yes
	words     int      // length of the text
}

func (r *reader) findingsOf(text string) findings {
	var f findings
	for i, s := range r.sentences(text) {
		if len(f.times) > 0 && refusesBefore(s) {
			f.times = nil
		}
		f.add(r.read(s, i == 0))
		f.words += wordCount(s.text)
	}
	return f
}

// refusesBefore reports whether a sentence begins with a word of negation, which answers the question before it: "Thursday? No."
func refusesBefore(s sentence) bool {
	_, ok := offerDenials().opens(s.text)
	return ok && !s.question
}

func (f findings) verdict() (interest, reason string) {
	if len(f.elsewhere) > 0 {
		f.later, f.requests, f.parts, f.asks, f.soft = append(f.later, f.elsewhere...), nil, nil, nil, nil
	} else {
		if f.glad {
			f.called = append(f.called, f.handed...)
		}
		if f.words <= otherTimeText {
			f.called = append(f.called, f.times...)
		}
		f.parts, f.asks = append(f.parts, f.called...), append(f.asks, f.called...)
	}
	f.optout = f.asksToStop()
	f.strong = append(f.strong, f.requests...)
	positive := slices.Concat(f.strong, f.agreed, f.parts, f.soft, f.weak)
	switch {
	case len(f.optout) > 0:
		return Negative, "asks to be left alone: " + quoted(f.optout)
	case len(f.negative) > 0 && (len(f.strong)+len(f.agreed) > 0 || f.answers()):
		return Neutral, "speaks for and against: " + quoted(append(positive, f.negative...))
	case len(f.negative) > 0:
		return Negative, "declines: " + quoted(f.negative)
	case len(f.declined) > 0 && !f.answers() && len(f.elsewhere)+len(f.later) == 0:
		return Negative, "declines: " + quoted(f.declined)
	case len(f.later) > 0 && (len(f.strong)+len(f.agreed)+len(f.asks) == 0 || !f.answers()):
		return Neutral, "puts off or passes on: " + quoted(append(f.later, positive...))
	case f.answers():
		return Positive, "shows interest: " + quoted(positive)
	case len(f.questions) > 0 && f.words <= oneQuestion:
		return Positive, "asks about the offer: " + quoted(f.questions)
	case len(positive) > 0:
		return Neutral, "too weak to decide: " + quoted(positive)
	}
	return Neutral, "no words that decide"
}

// The longest texts, in words, that count as an answer to an offer by one strong phrase, two of
// them, parts or weak words. Longer texts are about something else.
const (
	oneStrong = 100
	oneSoft   = 45
	twoAsking = 50
	twoParts  = 30
	twoStrong = 220
	oneYes    = 45
	twoWeak   = 40

	oneQuestion = 80
	oneWeak     = 3
)

// answers reports whether the words for an offer are an answer to it.
func (f findings) answers() bool {
	strong, weak := distinct(f.strong), distinct(f.weak)
	switch {
	case strong >= 1 && f.words <= oneStrong, strong >= 2 && f.words <= twoStrong, len(f.agreed) > 0 && f.words <= oneYes:
		return true
	case len(f.soft) > 0 && f.words <= oneSoft, len(f.parts) > 0 && f.words <= twoParts, len(f.asks) > 0 &&
		f.words <= twoAsking, strong+weak >= 2 && f.words <= twoWeak:
		return true
	}
	return weak >= 1 && f.words <= oneWeak
}

func distinct(words []string) int {
	sorted := slices.Sorted(slices.Values(words))
	return len(slices.Compact(sorted))
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

// reader reads the sentences of one message for several judgements, and remembers what it found in each. A nil reader
// remembers nothing.
type reader struct {
	split map[string][]sentence // by text
	known map[sentence]bothFindings
}

// bothFindings are the findings of a sentence: those that count anywhere, and those that count only in the first sentence of
// a text, such as "Yes."
type bothFindings struct{ always, opening findings }

// sentences returns the sentences of a text.
func (r *reader) sentences(text string) []sentence {
	all, ok := r.split[text]
	if !ok {
		all = sentencesOf(text)
		if r.split == nil {
			r.split = map[string][]sentence{}
		}
		r.split[text] = all
	}
	return all
}

// all returns the findings of a sentence.
func (r *reader) all(s sentence) bothFindings {
	if r == nil {
		return readAll(s)
	}
	found, ok := r.known[s]
	if !ok {
		found = readAll(s)
		if r.known == nil {
			r.known = map[sentence]bothFindings{}
		}
		r.known[s] = found
	}
	return found
}

// read returns the findings of one sentence. opening is true for the first sentence of a text. In a
// sentence that asks how we got an address, only a refusal counts. A refusal before "but" does not
// count if the sentence asks for something after it.
func (r *reader) read(s sentence, opening bool) (here findings) {
	found := r.all(s)
	if opening {
		here.add(found.opening)
	}
	here.add(found.always)
	switch {
	case contains(addressWords(), s.text):
		here = findings{optout: here.optout, left: here.left, negative: here.negative}
	case len(here.negative) > 0 && len(here.optout) == 0:
		if _, behind, ok := parted(s.text); ok {
			rest := r.all(sentence{text: behind, question: s.question}).always
			if len(rest.negative) == 0 && rest.answers() && len(rest.strong)+len(rest.requests)+len(rest.parts) > 0 {
				here = findings{}
				here.add(rest)
			}
		}
	}
	return here
}

// parted splits a sentence at a word such as "but" that is not its first word.
func parted(text string) (before, behind string, ok bool) {
	adversative().each(text, func(m match) bool {
		ok = m.at > 0
		before, behind = text[:m.at], text[m.end:]
		return !ok
	})
	return before, behind, ok
}

// add adds the findings of another sentence.
func (f *findings) add(more findings) {
	f.optout = append(f.optout, more.optout...)
	f.left = append(f.left, more.left...)
	f.negative = append(f.negative, more.negative...)
	f.strong = append(f.strong, more.strong...)
	f.soft = append(f.soft, more.soft...)
	f.weak = append(f.weak, more.weak...)
	f.later = append(f.later, more.later...)
	f.agreed = append(f.agreed, more.agreed...)
	f.requests = append(f.requests, more.requests...)
	f.parts = append(f.parts, more.parts...)
	f.asks = append(f.asks, more.asks...)
	f.elsewhere = append(f.elsewhere, more.elsewhere...)
	f.handed = append(f.handed, more.handed...)
	f.called = append(f.called, more.called...)
	f.times = append(f.times, more.times...)
	f.questions = append(f.questions, more.questions...)
	f.declined = append(f.declined, more.declined...)
	f.glad = f.glad || more.glad
}

// readAll finds all words of one sentence.
func readAll(s sentence) bothFindings {
	var f, first findings
	spoken := countLanguages(s.text)
	for _, m := range interestWords().longest(s.text) {
		if m.list == "optout" || m.list == "negative" || spoken.mayBeIn(m.language) {
			f.take(s, m, &first)
		}
	}
	offerElsewhere().each(s.text, func(m match) bool {
		f.elsewhere = append(f.elsewhere, strings.TrimSpace(s.text[m.at:m.end]))
		return false
	})
	for _, clause := range clausesOf(plain(s)) {
		if !s.question {
			f.addLeft(clause.text)
		}
		if words, ok := optoutIn(clause); ok {
			f.addOptout(clause.text, words)
			continue
		}
		all := partsIn(offerParts(), offerPartOf, clause.text)
		if words, asks, ok := offerIn(clause, all, spoken); ok {
			f.parts = append(f.parts, words)
			f.asks = appendIf(f.asks, words, asks)
		} else if words, ok := doneAlready(clause, all, spoken); ok {
			f.declined = append(f.declined, words)
		}
	}
	if words, ok := agreesOrMeets(s, spoken); ok {
		f.parts = append(f.parts, words)
	}
	if words, sure, ok := handsOn(s, spoken); ok {
		f.called = appendIf(f.called, words, sure)
		f.handed = appendIf(f.handed, words, !sure)
	}
	if words, ok := otherTime(s, spoken); ok {
		f.times = append(f.times, words)
		f.negative, first.negative = nil, nil // "Thursday does not suit, Friday at 10 does"
	}
	if words, ok := asksUs(s, spoken); ok {
		f.questions = append(f.questions, words)
	}
	_, first.glad = opensWithYes(s.text)
	return bothFindings{always: f, opening: first}
}

// take counts one phrase, unless the words around it change its meaning. first gets what counts only in the first sentence
// of a text.
func (f *findings) take(s sentence, m match, first *findings) {
	from, to := clauseAt(s.text, m)
	clause := s.text[from:to]
	asked := s.question && to == len(s.text) // only the last clause is the question
	before, after := s.text[from:m.at], s.text[m.end:to]
	alone := strings.Trim(before+after, " ") == "" && from == 0 && !s.question
	not, reversed := denialOf(s.text, before, after, m)
	doubted := contains(doubtPhrases(), lastWords(before, 5)) || contains(supposed(), firstWords(s.text[m.end:], 5))
	words := shown(s.text, m)
	switch m.list {
	case "yes":
		first.agreed = appendIf(first.agreed, words, alone && saysOnlyYes(s.text[m.end:]))
		first.weak = appendIf(first.weak, words, alone)
	case "no":
		first.negative = appendIf(first.negative, words, alone)
	case "halt":
		first.optout = appendIf(first.optout, words, alone)
	case "optout":
		// "How does one unsubscribe people?" is not an opt-out.
		if !reversed && (!asked || strings.Contains(strings.TrimSpace(words), " ") || wordCount(s.text) <= oneWeak) {
			f.addOptout(clause, words)
		}
	case "later":
		f.later = append(f.later, words)
	case "negative":
		f.negative = appendIf(f.negative, words, !reversed && !doubted)
	case "mild":
		f.declined = appendIf(f.declined, words, !reversed && !doubted && !asked)
	case "request":
		f.requests = appendIf(f.requests, words, not == "" && !doubted)
	case "positive":
		into := &f.strong
		if contains(offerThings(), s.text[m.at:m.end]) {
			into = &f.requests
		}
		*into = appendIf(*into, words, not == "" && !doubted && !asked)
		f.weak = appendIf(f.weak, words, not == "" && !doubted && asked)
		f.negative = appendIf(f.negative, "not … "+words, reversed && !doubted && !asked)
	case "ask", "soft":
		f.soft = appendIf(f.soft, words, not == "" && !doubted)
	case "weak":
		f.weak = appendIf(f.weak, words, not == "" && !doubted && !asked)
		f.negative = appendIf(f.negative, "not … "+words, reversed && !doubted && !asked && strings.Contains(clause, "inter"))
	}
}

// saysOnlyYes reports whether only another yes or a word of politeness follows a yes.
func saysOnlyYes(rest string) bool {
	rest = strings.Trim(rest, " ,;:()\"-")
	if rest == "" {
		return true
	}
	if wordCount(rest) >= oneWeak {
		return false
	}
	_, yes := yesWords().opens(rest)
	_, polite := pleaseWords().opens(rest)
	return yes || polite
}

func appendIf(list []string, s string, keep bool) []string {
	if keep {
		return append(list, s)
	}
	return list
}

// negation returns the word of negation in the four words before a phrase, or in the two words
// after it in languages that negate after the word. A word of two letters counts in its own
// language only: "en" is Finnish for "I do not" and Swedish for "a".
func negation(before, after, language string) (word string) {
	if word = denial(lastWords(before, 4), language); word != "" {
		return word
	}
	if found, ok := negationAfter().first(firstWords(strings.TrimLeft(after, " "), 2)); ok {
		return found.entry.phrase
	}
	return ""
}

// denial returns the first word of negation of a text in a language.
func denial(text, language string) (word string) {
	negations().each(text, func(m match) bool {
		if m.end-m.at > 2 || m.language == "all" || m.language == language {
			word = text[m.at:m.end]
		}
		return word == ""
	})
	return word
}

// denialOf returns the word of negation around or inside a phrase, and whether it reverses the phrase. "No remove me" and
// "no I am not interested" are answers: another negation does not reverse a phrase that is itself a negation.
func denialOf(text, before, after string, m match) (not string, reversed bool) {
	if inside := gapNegation(text, m); inside != "" {
		return inside, true
	}
	not = negation(before, after, m.language)
	return not, not != "" && not != "no" && !contains(negations(), text[m.at:m.end])
}

// gapNegation returns the word of negation in the gap of a phrase, "this is … not … of interest to us", unless the phrase
// itself holds one.
func gapNegation(text string, m match) (word string) {
	if len(m.pieces) == 1 || contains(negations(), prepare(m.entry.phrase)) {
		return ""
	}
	negations().each(text[m.at:m.end], func(n match) bool {
		if n.language == m.language {
			word = text[m.at+n.at : m.at+n.end]
		}
		return word == ""
	})
	return word
}

// denies reports whether a text contains a word of negation of a language.
func denies(text, language string) bool { return denial(text, language) != "" }

// contains reports whether a text contains a phrase of the lexicon.
func contains(l *lexicon, text string) bool {
	_, ok := l.first(text)
	return ok
}
