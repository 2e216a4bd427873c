package classify

import (
	"slices"
	"strings"
	"sync"
)

// The lists of tables/offer.txt, and the days of the week.
var (
	offerParts = onceLexicon("offer", "give", "thing", "price", "wish", "look", "when", "suits", "agree",
		"call", "own", "not", "stuff", "counted", "display", "can", "terms", "hand", "awaits", "phone", "party", "does", "tell",
		"boss", "consents", "begin", "small", "harmless")
	clockWords     = onceLexicon("offer", "clock")
	gladWords      = onceLexicon("offer", "glad")
	offerDenials   = onceLexicon("offer", "not")
	pleaseWords    = onceLexicon("offer", "please")
	youWords       = onceLexicon("offer", "you")
	youEnds        = sync.OnceValue(func() []entry { return entriesOf("offer", "you end") })
	asideWords     = onceLexicon("offer", "aside")
	offerElsewhere = onceLexicon("offer", "elsewhere")
	weekdays       = onceLexicon("dates", "weekday 1", "weekday 2", "weekday 3", "weekday 4", "weekday 5", "weekday 6", "weekday 7")
)

// ingredient is a kind of part in a clause: one list of a table.
type ingredient int

const (
	give ingredient = iota
	thing
	price
	wish
	look
	when
	suits
	agree
	call
	own
	denied
	stuff
	counted
	display
	can
	terms
	hand
	awaits
	phone
	party
	does
	tell
	boss
	consents
	begin
	small
	harmless
)

// partKinds is the most kinds that a table of parts has.
const partKinds = 32

var offerPartOf = map[string]ingredient{
	"give": give, "thing": thing, "price": price, "wish": wish, "look": look, "when": when,
	"suits": suits, "agree": agree, "call": call, "own": own, "not": denied, "stuff": stuff, "counted": counted,
	"display": display, "can": can, "terms": terms, "hand": hand, "awaits": awaits, "phone": phone, "party": party, "does": does,
	"tell": tell, "boss": boss, "consents": consents, "begin": begin, "small": small, "harmless": harmless,
}

// partsFound are the parts found in a clause in one language, by kind.
type partsFound struct {
	language string
	kinds    [partKinds][]match
}

// together returns the words of two kinds that are in the clause and do not overlap.
func (p *partsFound) together(text string, a, b ingredient) (words string, ok bool) {
	for _, x := range p.kinds[a] {
		for _, y := range p.kinds[b] {
			if x.end <= y.at || y.end <= x.at {
				first, second := x, y
				if y.at < x.at {
					first, second = y, x
				}
				return strings.TrimSpace(text[first.at:first.end]) + " … " + strings.TrimSpace(text[second.at:second.end]), true
			}
		}
	}
	return "", false
}

// The longest clauses, in words, in which one part alone counts: agreement.
const oneAgreement = 7

// The longest clauses, in words, in which an hour in digits and that it suits count: "10 works".
const hourSuits = 4

// offerIn reports whether the parts of a clause make an answer to an offer, and by which words.
// Only parts of one language count together, because a word of one language is often a different
// word in another. spoken counts the languages that the sentence may be in.
func offerIn(clause sentence, all []*partsFound, spoken languageCounts) (words string, asks, ok bool) {
	addWeekdays(all, clause.text)
	refused := deniedAnywhere(all, spoken)
	for _, found := range all {
		if refused || found.denies() || !spoken.mayBeIn(found.language) || spoken.outnumbered(found.language) {
			continue
		}
		if words, asks, ok := found.offer(clause); ok {
			return words, asks, true
		}
	}
	return "", false, false
}

// deniedAnywhere reports whether a clause contains a word of negation that has this meaning in one
// language only: one of at least four bytes. In a sentence that shows other languages than this one it does not count: "utan"
// is Swedish for "without" and Hungarian for "after".
func deniedAnywhere(all []*partsFound, spoken languageCounts) bool {
	return slices.ContainsFunc(all, func(p *partsFound) bool {
		foreign := len(spoken) > 0 && spoken[p.language] == 0 && latinLanguages()[p.language]
		return !foreign && slices.ContainsFunc(p.kinds[denied], func(m match) bool { return m.end-m.at >= 4 })
	})
}

// denies reports whether the clause contains a word of negation that is not part of an agreement, as in "why not".
func (p *partsFound) denies() bool {
	return slices.ContainsFunc(p.kinds[denied], func(m match) bool {
		return !slices.ContainsFunc(p.kinds[agree], func(yes match) bool { return yes.at <= m.at && m.end <= yes.end })
	})
}

// partsIn returns the parts found in a clause, with one entry for each language.
func partsIn(l *lexicon, kinds map[string]ingredient, text string) (all []*partsFound) {
	l.each(text, func(m match) bool {
		p := partsOf(all, m.language)
		if p == nil {
			p = &partsFound{language: m.language}
			all = append(all, p)
		}
		kind := kinds[m.list]
		p.kinds[kind] = append(p.kinds[kind], m)
		return true
	})
	if kind, ok := kinds["harmless"]; ok {
		dropHarmless(all, kind)
	}
	return all
}

// dropHarmless removes the words of negation that are inside phrases of this kind, which deny nothing, in every language.
func dropHarmless(all []*partsFound, kind ingredient) {
	for _, p := range all {
		for _, phrase := range p.kinds[kind] {
			for _, other := range all {
				other.kinds[denied] = slices.DeleteFunc(other.kinds[denied], func(m match) bool {
					return phrase.at <= m.at && m.end <= phrase.end
				})
			}
		}
	}
}

// partsOf returns the parts of one language, or nil.
func partsOf(all []*partsFound, language string) *partsFound {
	for _, p := range all {
		if p.language == language {
			return p
		}
	}
	return nil
}

// addWeekdays adds the days of the week to the times of languages that were found.
func addWeekdays(all []*partsFound, text string) {
	if len(all) == 0 {
		return
	}
	weekdays().each(text, func(m match) bool {
		if p := partsOf(all, m.language); p != nil {
			p.kinds[when] = append(p.kinds[when], m)
		}
		return true
	})
}

// offer reports whether the parts of one language make an answer to an offer. asks reports that
// they ask for something, which notes of programs do not.
func (p *partsFound) offer(clause sentence) (words string, asks, ok bool) {
	for _, pair := range []struct {
		a, b ingredient
		asks bool
	}{
		{give, thing, true}, {give, stuff, false}, {give, counted, true}, {wish, thing, true}, {call, when, true},
		{thing, when, false}, {wish, look, false}, {when, suits, false}, {display, when, true}, {tell, price, true},
		{tell, terms, true}, {boss, consents, false}, {begin, small, false},
	} {
		if pair.a == display && !clause.question && !contains(pleaseWords(), clause.text) {
			continue // "he shows it on Tuesday" does not ask for anything
		}
		ours := pair.a == give && p.doesItself()
		if ours || pair.b == counted && !strings.ContainsAny(clause.text, "0123456789") {
			continue
		}
		if words, ok := p.together(clause.text, pair.a, pair.b); ok {
			return words, pair.asks, true
		}
	}
	switch {
	case !clause.asked:
	case p.standsBeforeOwn(terms):
		return firstOf(clause.text, p.kinds[terms]), true, true
	case p.standsBeforeOwn(can):
		return firstOf(clause.text, p.kinds[can]), false, true
	case p.standsBeforeOwn(counted) && strings.ContainsAny(clause.text, "0123456789"):
		return firstOf(clause.text, p.kinds[counted]), false, true
	}
	if len(p.kinds[price]) > 0 && (clause.question || clause.asked && asksFirst(p.kinds[price][0])) {
		return firstOf(clause.text, p.kinds[price]), true, true
	}
	if clause.question && len(p.kinds[thing]) > 0 && len(p.kinds[own]) == 0 && wordCount(clause.text) > oneWeak {
		return firstOf(clause.text, p.kinds[thing]), true, true
	}
	for _, m := range p.kinds[suits] {
		if wordCount(clause.text) <= hourSuits && strings.ContainsAny(clause.text[:m.at], "0123456789") &&
			!contains(backBefore(), clause.text) { // "18. 5. back at my desk"
			return clause.text, false, true
		}
	}
	_, others := p.together(clause.text, party, does) // "that's done by AI"
	if len(p.kinds[agree]) > 0 && wordCount(clause.text) <= oneAgreement && !clause.question && !others {
		return firstOf(clause.text, p.kinds[agree]), false, true
	}
	return "", false, false
}

// standsBeforeOwn reports whether a part of this kind is in the clause, and nothing before it says that
// the writer acts: "Do you have samples that I can show?" asks us.
func (p *partsFound) standsBeforeOwn(kind ingredient) bool {
	found, ours := p.kinds[kind], p.kinds[own]
	return len(found) > 0 && (len(ours) == 0 || found[0].at <= ours[0].at)
}

// firstOf returns the words of the first of the matches in a text.
func firstOf(text string, found []match) string {
	return strings.TrimSpace(text[found[0].at:found[0].end])
}

// doesItself reports whether the writer does what the clause says. "Something I can show" is asked for.
func (p *partsFound) doesItself() bool {
	return slices.ContainsFunc(p.kinds[own], func(m match) bool {
		if p.language == "en" && len(p.kinds[give]) > 0 && p.kinds[give][0].at < m.at {
			return false // "send it and I'll look at it"
		}
		return !slices.ContainsFunc(p.kinds[stuff], func(s match) bool { return s.at <= m.at && m.end <= s.end })
	})
}

// asksFirst reports whether a part opens its clause with words of a question, such as "how much", also behind "and". They
// ask also where another question follows.
func asksFirst(m match) bool {
	return m.at <= len("et ") && (len(m.pieces) > 1 || strings.Contains(m.pieces[0].text, " "))
}

// The longest sentences, in words, in which a yes with its object, or a proposed time, counts by
// itself.
const shortAnswer = 12

// agreesOrMeets reports whether a short sentence says yes to something that an offer leads to ("yes
// to a demo", "demo, yes", "ok, send something"), asks for it in two words ("a quote, please"), or
// proposes a time: a day with an hour, as a question or after a yes.
func agreesOrMeets(s sentence, spoken languageCounts) (words string, ok bool) {
	s.text = lastThought(s.text)
	if wordCount(s.text) > shortAnswer || wordCount(s.text) == 1 {
		return "", false
	}
	yes, agreed := opensWithYes(s.text)
	polite, asks := pleaseWords().opens(s.text)
	day, named := weekdays().first(s.text)
	hour := namesHour(s.text)
	all := partsIn(offerParts(), offerPartOf, s.text)
	if deniedAnywhere(all, spoken) {
		return "", false
	}
	for _, p := range all {
		if len(p.kinds[denied]) > 0 || !spoken.mayBeIn(p.language) || spoken.outnumbered(p.language) {
			continue
		}
		// "Tak" is yes in Polish and thanks in Danish.
		agreed := agreed && (!asks || polite.end < yes.end || p.language == "pl")
		for _, m := range slices.Concat(p.kinds[thing], p.kinds[when], p.kinds[give]) {
			what := strings.TrimSpace(s.text[m.at:m.end])
			isThing := m.list == "thing"
			switch {
			case agreed && m.at >= yes.end && m.list == "give" && (wordCount(s.text[yes.end:m.at]) > 1 || p.doesItself()):
				// "Yes, I saw your email"
			case agreed && m.at >= yes.end && (isThing || named || hour || m.list == "give"):
				return openingOf(s.text, yes) + " … " + what, true
			case isThing && m.at == 0 && contains(yesWords(), firstWords(strings.TrimLeft(s.text[m.end:], " ,:-"), 2)):
				return what + " … yes", true
			case isThing && wordCount(s.text) <= dayAndHour && contains(pleaseWords(), lastWords(s.text, 1)):
				return what + " … please", true
			case isThing && asks && polite.language == p.language && m.at >= polite.end && wordCount(s.text[polite.end:m.at]) <= 1:
				return openingOf(s.text, polite) + " … " + what, true
			}
		}
	}
	if words, ok := callsOnDay(all, s.text, named); ok {
		return words, true
	}
	if named && (hour && (s.question || wordCount(s.text) <= dayAndHour) ||
		agreed && day.at >= yes.end && !refuses(s.text[yes.end:], spoken)) {
		return strings.TrimSpace(s.text[day.at:day.end]) + " … ?", true
	}
	return "", false
}

// callsOnDay returns the words by which a short sentence that names a day asks to be called or visited then, in another clause:
// "come by, Wednesday if you can".
func callsOnDay(all []*partsFound, text string, named bool) (words string, ok bool) {
	for _, p := range all {
		if named && len(p.kinds[call]) > 0 && len(p.kinds[denied]) == 0 && strings.Contains(text, ",") {
			return firstOf(text, p.kinds[call]), true
		}
	}
	return "", false
}

// openingOf returns the words of a phrase that opens a text (lexicon.opens).
func openingOf(text string, m match) string {
	return strings.TrimLeft(text, openingMarks)[:m.end]
}

// The longest questions, in words, that count as ones about an offer.
const questionWords = 30

// asksUs returns the words by which a sentence asks us something about our offer: it is a question that names us, and not
// one of who we are, whether we have met, or where we have an address from.
func asksUs(s sentence, spoken languageCounts) (words string, ok bool) {
	if !s.question || wordCount(s.text) > questionWords || contains(addressWords(), s.text) {
		return "", false
	}
	named := func(m match) bool {
		ok = spoken.mayBeIn(m.language) && !spoken.outnumbered(m.language)
		return !ok
	}
	if asideWords().each(s.text, named); ok {
		return "", false
	}
	youWords().each(s.text, named)
	if !ok {
		ok = endsAsYou(s.text, spoken)
	}
	return clip(s.text, 60), ok
}

// endsAsYou reports whether a word of a text ends as verbs do that name us: Finnish "käsittelette".
func endsAsYou(text string, spoken languageCounts) bool {
	for word := range strings.FieldsSeq(text) {
		for _, end := range youEnds() {
			long := len(word) > len(end.phrase)+1
			if long && strings.HasSuffix(word, end.phrase) && spoken[end.language] > 0 && !spoken.outnumbered(end.language) {
				return true
			}
		}
	}
	return false
}

// otherTime returns the day that a sentence proposes: a day with an hour in the same clause or a later
// one, without a negation ("Thursday no, but Friday at 10"), or a day behind one that does not suit.
func otherTime(s sentence, spoken languageCounts) (words string, ok bool) {
	refused := map[string]bool{} // days by the list of their name
	for _, clause := range clausesOf(s) {
		day, named := weekdays().first(clause.text)
		switch {
		case wordCount(clause.text) > otherTimeWords, !named && words == "":
			continue
		case refuses(clause.text, spoken):
			if named {
				refused[day.list], words = true, ""
			}
			continue
		case named:
			words = strings.TrimSpace(clause.text[day.at:day.end]) + " …"
		}
		if named && (len(refused) > 0 && !refused[day.list] || clause.question &&
			wordCount(clause.text) <= dayAndHour && !contains(asideWords(), clause.text)) ||
			namesHour(clause.text) {
			return words, true
		}
	}
	return "", false
}

// namesHour reports whether a text that names a day names an hour too, in digits or in words.
func namesHour(text string) bool {
	return strings.ContainsAny(text, "0123456789") || contains(clockWords(), text)
}

// The longest clauses, in words, that propose a time, and the longest texts in which they count.
const (
	otherTimeWords = 8
	otherTimeText  = 20
)

// refuses reports whether a clause contains a word of negation of a language that it may be in.
func refuses(clause string, spoken languageCounts) (found bool) {
	for _, l := range []*lexicon{offerDenials(), negations(), negationAfter()} {
		l.each(clause, func(m match) bool {
			found = m.language == "all" || m.end-m.at >= 4 || spoken.mayBeIn(m.language)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// The longest sentences, in words, in which a day with an hour counts by itself.
const dayAndHour = 5

// opensWithYes returns the yes, or the words of gladness, at the beginning of a sentence.
func opensWithYes(text string) (yes match, ok bool) {
	yes, ok = yesWords().opens(text)
	if glad, found := gladWords().opens(text); found && glad.end > yes.end {
		return glad, true
	}
	return yes, ok
}

// The fewest digits of a sentence that contains a telephone number.
const phoneDigits = 8

func digits(text string) (n int) {
	for i := range len(text) {
		if isDigit(text[i]) {
			n++
		}
	}
	return n
}

// handsOn returns the words by which a sentence hands us on to another person. They count alone (sure) if
// the sentence says that this person wants it, on which phone to call, or to tell the price. Programs name people and
// numbers too, so these words are not requests that only a person makes.
func handsOn(s sentence, spoken languageCounts) (words string, sure, ok bool) {
	all := partsIn(offerParts(), offerPartOf, s.text)
	if deniedAnywhere(all, spoken) {
		return "", false, false
	}
	for _, p := range all {
		if len(p.kinds[denied]) > 0 || !spoken.mayBeIn(p.language) {
			continue
		}
		if words, ok := p.together(s.text, call, phone); ok {
			return words, true, true
		}
		if len(p.kinds[call]) > 0 && digits(s.text) >= phoneDigits {
			words, ok = firstOf(s.text, p.kinds[call]), true
		}
		if words, ok := p.together(s.text, hand, awaits); ok {
			return words, true, true
		}
		if words, ok := p.together(s.text, tell, price); ok && !p.doesItself() {
			return words, true, true
		}
		if len(p.kinds[hand]) > 0 && !s.question {
			words, ok = firstOf(s.text, p.kinds[hand]), true
		}
	}
	return words, false, ok
}

// doneAlready reports whether a clause says that others do already what is offered.
func doneAlready(clause sentence, all []*partsFound, spoken languageCounts) (words string, ok bool) {
	if clause.asked {
		return "", false
	}
	for _, p := range all {
		if spoken.mayBeIn(p.language) {
			if words, ok := p.together(clause.text, party, does); ok {
				return words, true
			}
		}
	}
	return "", false
}

// lastThought returns the text after the last point of a sentence that does not belong to a date:
// "we start at 11. Who brings the keys?" is two sentences.
func lastThought(text string) string {
	at := strings.LastIndex(text, ". ")
	if at < 0 || wordCount(text[at:]) < thought || isDigit(text[at+2]) || contains(calendar(), firstWords(text[at+2:], 1)) {
		return text
	}
	return text[at+2:]
}

// plain removes words of politeness between commas from a sentence.
func plain(s sentence) sentence {
	var b strings.Builder
	from := 0
	pleaseWords().each(s.text, func(m match) bool {
		before := strings.TrimRight(s.text[from:max(from, m.at)], " ")
		if m.at >= from && strings.HasSuffix(before, ",") {
			b.WriteString(strings.TrimSuffix(before, ",") + " ")
			from = len(s.text) - len(strings.TrimLeft(s.text[m.end:], " ,"))
		}
		return true
	})
	if from == 0 {
		return s
	}
	s.text = b.String() + s.text[from:]
	return s
}
