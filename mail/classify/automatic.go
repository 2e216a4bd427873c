package classify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// The lists of tables/automatic.txt.
var (
	noReplyAddress = onceLexicon("automatic", "no reply address")
	programSubject = onceLexicon("automatic", "program subject")
	awaySubject    = onceLexicon("automatic", "away subject")
	pageWords      = onceLexicon("automatic", "page")
	soonWords      = onceLexicon("automatic", "soon")
	noteWords      = sync.OnceValue(newNoteWords)
)

// weigh collects the evidence: headers, subject, and each sentence of what the
// author wrote.
func (m *Message) weigh(written string) weighed {
	w := weighed{read: &m.read}
	w.weighHeader(m)
	w.proof = sumOf(w.program)
	w.header = w.proof > 0
	w.weighSender(m)
	w.weighSubject(m.Subject, m.InReplyTo != "" || len(m.References) > 0)
	subject := prepare(m.Subject)
	for _, s := range m.read.sentences(clip(written, 6<<10)) {
		s.question = s.question && !strings.Contains(subject, s.text) // it is only repeated
		w.weighSentence(s)
	}
	return w
}

func (w *weighed) weighHeader(m *Message) {
	add := func(words string) { w.program = append(w.program, clue{decisive, words}) }
	if submitted := strings.ToLower(m.Header("Auto-Submitted")); submitted != "" && !strings.HasPrefix(submitted, "no") {
		add("it calls itself automatic (Auto-Submitted)")
	}
	if name, ok := m.fieldOf("automatic"); ok {
		add("it calls itself automatic (" + name + ")")
	}
	for _, name := range []string{"Precedence", "X-Precedence"} {
		switch precedence := strings.ToLower(m.Header(name)); precedence {
		case "auto_reply", "auto-reply", "autoreply", "bulk", "junk":
			w.bulk = len(w.program) == 0 && (precedence == "bulk" || precedence == "junk")
			add("it is not personal mail (" + name + ": " + precedence + ")")
		}
	}
	if m.newsletter() {
		w.unasked = true
		add("it is a mail to subscribers")
	}
	if strings.TrimSpace(m.Header("Return-Path")) == "<>" {
		add("it takes no answer (empty envelope sender)")
	}
	local, _, _ := strings.Cut(m.From, "@")
	if addressedAs(noReplyAddress(), local) {
		add("it comes from an address that takes no mail")
	}
}

// doubtBulk takes "bulk" for a hint in an answer that quotes our message, because gateways write it into
// the mail of people too.
func (w *weighed) doubtBulk() {
	if w.bulk && w.proof == decisive && sumOf(w.program) == w.proof {
		w.hints = append(w.hints, w.program...)
		w.program, w.header, w.proof = nil, false, 0
	}
}

// weighForm adds the evidence in the form of a text.
func (w *weighed) weighForm(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if isDevice(strings.TrimSpace(line)) {
			w.add(&w.person, likely, "it was written on a phone", line)
			return
		}
	}
}

// The longest texts, in bytes, whose dates speak for an absence note.
const noteLength = 1200

// caseNumber is a number in the subject of a receipt. Years do not count.
var caseNumber = regexp.MustCompile(`#\d{2,}|\b(?:[03-9]\d{3}|\d{2}-\d{3,}|\d{5,})\b`)

// weighDates adds the evidence that a short text says when its author is back, or until when the
// author is away, and remembers the date for the verdict.
func (w *weighed) weighDates(subject, text string, from time.Time) {
	if len(text) > noteLength {
		return
	}
	best := bestDate(subject, text, from)
	w.best = &best
	switch {
	case best.guessed, best.proposes:
	case best.rank == backOn:
		w.returns = true
		w.program = append(w.program, clue{hinting, "it says when its author is back"})
	case best.rank >= until && !best.weekday:
		w.program = append(w.program, clue{slight, "it names the end of a time"})
	}
}

// returnDate returns the day on which the author is back, or nil (returnDate).
func (w *weighed) returnDate(subject, text string, from time.Time) *time.Time {
	if w.best == nil {
		return returnDate(subject, text, from)
	}
	return w.best.returnDay()
}

// The lists of phrases of programs, with their weights and the reasons they give.
var programClues = map[string]noteClue{
	"program": {weight: likely, says: "it says that a program wrote it"},
	"away":    {weight: likely, says: "it says that its author is away"},
	"left":    {weight: hinting, says: "it says that a person has left"},
	"receipt": {weight: hinting, says: "it acknowledges a message"},
	"thanks":  {weight: slight, says: "it gives thanks"},
	"mask":    {weight: slight, says: "it says who to ask"},
	"note":    {weight: slight, says: "it says what absence notes say"},
	"guard":   {weight: slight, says: "it says whose mail is read"},
}

// weighSentence adds the evidence in one sentence: the phrases and the parts found in it.
func (w *weighed) weighSentence(s sentence) {
	found := noteWords().longest(s.text)
	parts := notesIn(s.text)
	masked := toldOf("mask", found, nil) || toldOf("hours", found, nil) && !s.question
	masked = masked || directs(s) && slices.ContainsFunc(parts, func(c noteClue) bool { return c.list == "mask" })
	answers := w.answers(s, found, parts, masked)
	w.directs = w.directs || directs(s)
	known := len(found) > 0 || len(parts) > 0 || answers
	for _, m := range found {
		if c, ok := programClues[m.list]; ok && (m.list != "program" || !answers) { // a person writes about programs
			w.add(&w.program, c.weight, c.says, s.text[m.at:m.end])
		}
	}
	for _, c := range parts {
		for _, m := range found {
			if m.list == c.list {
				c.weight -= programClues[c.list].weight // the phrase was already counted
				break
			}
		}
		if c.weight > 0 {
			w.add(&w.program, c.weight, c.says, c.words)
		}
	}
	if w.away && (strings.ContainsAny(s.text, "0123456789") || contains(calendar(), s.text)) {
		known = true
	}
	if !answers && endsDirecting(s) && !toldOf("left", found, parts) { // a person names a colleague in one sentence
		w.add(&w.program, slight, "it names where to turn", clip(s.text, 80))
	}
	if !known && wordCount(s.text) > 1 && !directs(s) && !contains(calendar(), s.text) && !aDate.MatchString(s.text) {
		w.beside++
	}
	deadline := !s.question && strings.ContainsAny(s.text, "0123456789") && contains(eventWords(), s.text)
	if !known && wordCount(s.text) > 3 && !directs(s) && !deadline || goesOn(s, found, parts, masked) {
		w.unknown++
	}
}

// toldOf reports whether a sentence contains a phrase or a part of a list.
func toldOf(list string, found []match, parts []noteClue) bool {
	return slices.ContainsFunc(found, func(m match) bool { return m.list == list }) ||
		slices.ContainsFunc(parts, func(c noteClue) bool { return c.list == list })
}

// endsDirecting reports whether a sentence ends with an address or a number to call. A comma
// continues the sentence, also at the end of a wrapped line. The address of a page, as in footers,
// does not count.
func endsDirecting(s sentence) bool {
	at := strings.LastIndexByte(s.text, '@')
	switch {
	case s.question || strings.Contains(s.text, "<a@b>"):
		return false
	case at < 0:
		return phoneIn(s.text)
	}
	rest := s.text[at+1:]
	return wordCount(rest) <= thought && !strings.Contains(rest, ",")
}

// directs reports whether a sentence contains an address, a telephone number or a page and is not a
// question: in a note, it names a contact.
func directs(s sentence) bool {
	return !s.question && (strings.Contains(s.text, "@") || phoneIn(s.text) || contains(pageWords(), s.text))
}

// The fewest words that count as another thought, which notes do not contain.
const (
	thought         = 3
	thoughtMasked   = 5 // in a sentence about who to ask
	thoughtDirected = 6 // in one that names an address or a number
)

// goesOn reports whether a sentence about an absence, a departure or who to ask continues with
// another thought after a comma or a word such as "and" or "but".
func goesOn(s sentence, found []match, parts []noteClue, masked bool) bool {
	directed := directs(s)
	notes := func(m match) bool { return m.list == "away" || m.list == "left" || m.list == "mask" }
	if !directed && !slices.ContainsFunc(found, notes) &&
		!slices.ContainsFunc(parts, func(c noteClue) bool { return c.list == "away" }) {
		return false
	}
	least := thought
	switch {
	case directed:
		least = thoughtDirected
	case masked:
		least = thoughtMasked
	}
	for i, clause := range clausesOf(s) {
		for j, piece := range joined(clause.text, found) {
			words := wordCount(piece)
			told := directed && words >= thought && tellsOf(piece, found)
			if i+j > 0 && (words >= least || told) && !pointsOn(piece) && !saysNote(piece) && !insideNote(s.text, piece, found) {
				return true
			}
		}
	}
	return false
}

// tellsOf reports whether a part of a sentence begins with a word for a colleague, in the language
// of a found phrase, or in any language if no phrase was found. A single letter may come before it:
// a short verb whose accent may be lost.
func tellsOf(piece string, found []match) (tells bool) {
	piece = strings.TrimSpace(piece)
	for range 2 {
		if piece == "" || tells {
			break
		}
		colleagueWords().visitAt(piece, 0, func(m match) bool {
			tells = len(found) == 0 && m.end-m.at > 1 || slices.ContainsFunc(found, func(f match) bool { return f.language == m.language })
			return !tells
		})
		letter, rest, _ := strings.Cut(piece, " ")
		if utf8.RuneCountInString(letter) > 1 {
			break
		}
		piece = rest
	}
	return tells
}

// aDate matches a date or an hour in a part of a sentence.
var aDate = regexp.MustCompile(`\d[./:-] ?\d|\d[月월日일号]|\d{4}|\d(?:st|nd|rd|th)\b|\d\.`)

// pointsOn reports whether a part of a sentence contains an address, a number to call, a date or an
// hour. Other numbers, such as that of a stand, do not count.
func pointsOn(piece string) bool {
	return strings.Contains(piece, "@") || phoneIn(piece) || aDate.MatchString(piece) ||
		strings.ContainsAny(piece, "0123456789") && contains(calendar(), piece)
}

// saysNote reports whether a part of a sentence contains a phrase of notes, or a page to use as a
// contact.
func saysNote(piece string) bool {
	return len(notesIn(piece)) > 0 || contains(pageWords(), piece) ||
		slices.ContainsFunc(noteWords().longest(piece), func(m match) bool {
			if m.list == "mask" && denies(firstWords(strings.TrimSpace(piece[m.end:]), 1), m.language) {
				return false // "my successor is not here yet"
			}
			return m.list != "person" && m.list != "deed" && m.list != "past"
		})
}

// addAnswers adds words of interest, refusals and opt-outs of one sentence. Parts that a phrase holds are the same evidence.
func (w *weighed) addAnswers(found []string) {
	var counted []string
	for _, words := range found {
		if !slices.ContainsFunc(counted, func(before string) bool { return holdsParts(before, words) }) {
			counted = append(counted, words)
			w.person = append(w.person, clue{strong, fmt.Sprintf("it answers: %q", words)})
		}
	}
}

// holdsParts reports whether words that were found hold each part of others, "a … b".
func holdsParts(words, parts string) bool {
	for part := range strings.SplitSeq(parts, " … ") {
		if !strings.Contains(words, part) {
			return false
		}
	}
	return true
}

// partOfNote reports whether words of a person are part of a longer phrase of programs: "you do not need to
// send it again" refuses nothing.
func partOfNote(text, words string, found []match) bool {
	return slices.ContainsFunc(found, func(m match) bool {
		_, program := programClues[m.list]
		note := text[m.at:m.end]
		return program && len(note) > len(words) && strings.Contains(note, prepare(words))
	})
}

// insideNote reports whether a part of a sentence is inside a phrase that was found: a word of the phrase may be
// written like one that joins clauses in another language.
func insideNote(text, piece string, found []match) bool {
	return slices.ContainsFunc(found, func(m match) bool {
		return strings.Contains(text[m.at:m.end], strings.TrimSpace(piece))
	})
}

// refusals returns the words of refusal in the part of a sentence after a note.
func (r *reader) refusals(s sentence, found []match) (all []string) {
	for i, clause := range clausesOf(s) {
		for j, piece := range joined(clause.text, found) {
			if i+j > 0 && len(notesIn(piece)) == 0 {
				all = append(all, r.read(sentence{text: strings.TrimSpace(piece)}, false).negative...)
			}
		}
	}
	return all
}

// joined splits a clause at words such as "and" in the languages of the phrases found in it. "a"
// has that meaning in Polish only.
func joined(clause string, found []match) (all []string) {
	from := 0
	andWords().each(clause, func(m match) bool {
		spoken := slices.ContainsFunc(found, func(f match) bool { return f.language == m.language })
		if m.at > from && (spoken || len(found) == 0 && m.end-m.at > 1) {
			all = append(all, clause[from:m.at])
			from = m.end
		}
		return true
	})
	return append(all, clause[from:])
}

// answers adds the evidence for a person in a sentence, and reports whether there is any. Words of
// refusal do not count in the sentence of a note: "I cannot read mail" refuses nothing.
func (w *weighed) answers(s sentence, found []match, parts []noteClue, masked bool) bool {
	notes := slices.ContainsFunc(parts, func(c noteClue) bool { return c.masks })
	unused := slices.ContainsFunc(parts, func(c noteClue) bool { return c.list == "program" })
	before := len(w.person)
	f := w.read.read(s, true)
	if masked { // who to ask, as a rule; an opt-out says please as well
		f = findings{optout: f.optout, asks: f.asks}
		if directs(s) || toldOf("hours", found, nil) {
			f.asks = nil
		}
	}
	guard := toldOf("guard", found, nil) // "to keep spam out, I read mail of people I know"
	if guard {
		f.optout = nil
	}
	spoken := countLanguages(s.text)
	for _, m := range found {
		switch {
		case spoken.outnumbered(m.language): // a name may be written like a word of another language
		case m.list == "deed":
			w.add(&w.person, asking, "it says what its author does with the mail", s.text[m.at:m.end])
		case m.list == "past" && !masked && !saysSince(s.text, m.language):
			w.add(&w.person, likely, "it answers", s.text[m.at:m.end])
		case m.list == "person" && !masked && !guard && !sharesClause(s.text, m, found) && !saysSoon(s.text, m):
			w.add(&w.person, likely, "it answers", s.text[m.at:m.end])
		case m.list == "program":
			f.negative = nil                                                 // "you need not reply"
			f.optout = slices.DeleteFunc(f.optout, func(words string) bool { // "you cannot write to this address"
				first, last, parts := strings.Cut(words, " … ")
				said := s.text[m.at:m.end]
				return parts && (strings.Contains(said, first) || strings.Contains(said, last))
			})
		}
	}
	told := func(words string) bool { return partOfNote(s.text, words, found) }
	for _, list := range []*[]string{&f.optout, &f.negative, &f.requests, &f.asks} {
		*list = slices.DeleteFunc(*list, told)
	}
	if notes && len(f.negative) > 0 {
		f.negative = w.read.refusals(s, found)
	}
	if unused {
		f.optout = nil // "this address is no longer read"
	}
	w.addAnswers(slices.Concat(f.optout, f.strong, f.agreed, f.requests, f.negative))
	for _, words := range f.asks {
		w.add(&w.person, likely, "it asks for something", words)
	}
	if words, ok := refusesDay(s, spoken); ok {
		w.add(&w.person, likely, "it refuses a day", words)
	}
	if s.question && !masked && wordCount(s.text) > 1 {
		w.person = append(w.person, clue{asking, fmt.Sprintf("it asks: %q", clip(s.text, 80))})
	}
	return len(w.person) > before
}

// The longest clauses, in words, that refuse a day.
const refusalWords = 6

// refusesDay returns the clause of a sentence that refuses a day, as an answer does: "Thursday won't work". A note says of a
// day that its author is away.
func refusesDay(s sentence, spoken languageCounts) (words string, ok bool) {
	if _, named := weekdays().first(s.text); !named {
		return "", false
	}
	for _, clause := range clausesOf(s) {
		day, named := weekdays().first(clause.text)
		if named && wordCount(clause.text[:day.at]) <= 1 && wordCount(clause.text) <= refusalWords &&
			refuses(clause.text[day.end:], spoken) && !saysNote(clause.text) && !absentIn(clause.text) {
			return clause.text, true
		}
	}
	return "", false
}

// add adds a clue with the words that were found, once for the same words.
func (w *weighed) add(side *[]clue, weight int, says, words string) {
	e := clue{weight, fmt.Sprintf("%s: %q", says, strings.TrimSpace(words))}
	if !slices.Contains(*side, e) {
		*side = append(*side, e)
	}
}

// sharesClause reports whether an absence, a departure or a receipt is in the clause of the words
// that were found.
func sharesClause(text string, m match, all []match) bool {
	from, to := clauseAt(text, m)
	return slices.ContainsFunc(all, func(other match) bool {
		switch other.list {
		case "away", "left", "receipt":
			return other.at >= from && other.at < to
		}
		return false
	})
}

// saysSince reports whether a sentence says since when something lasts: then an absence is not over.
func saysSince(text, language string) (says bool) {
	sinceWords().each(text, func(m match) bool {
		says = m.language == language
		return !says
	})
	return says
}

// saysSoon reports whether a phrase is part of "as soon as possible".
func saysSoon(text string, m match) (part bool) {
	soonWords().each(text, func(soon match) bool {
		part = soon.at <= m.at && m.end <= soon.end
		return !part
	})
	return part
}
