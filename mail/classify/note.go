package classify

import (
	"slices"
	"strings"
)

// andWords join a second thought to a sentence.
var andWords = onceLexicon("note", "and")

// sinceWords say since when something lasts.
var sinceWords = onceLexicon("note", "since")

// colleagueWords begin a clause about a colleague.
var colleagueWords = onceLexicon("note", "colleague")

// noteParts are the lists of tables/note.txt.
var noteParts = onceLexicon("note", "office", "shut", "case", "logged", "staff", "contact", "within", "mine",
	"unread", "who", "gone", "redirect", "back",
	"address", "unused", "leave", "held", "click", "link", "self", "off", "now", "were",
	"answer", "afterwards", "this mail", "automatically", "i left", "human", "matters")

const (
	office ingredient = iota
	shut
	request
	logged
	staff
	contact
	within
	mine
	unread
	who
	gone
	redirect
	backAgain
	address
	unused
	leave
	held
	click
	link
	self
	off
	present
	were
	answer
	afterwards
	thisMail
	automatically
	iLeft
	human
	matters
)

var notePartOf = map[string]ingredient{
	"office": office, "shut": shut, "case": request, "logged": logged, "staff": staff, "contact": contact, "within": within,
	"mine": mine, "unread": unread, "who": who, "gone": gone, "redirect": redirect, "back": backAgain,
	"address": address, "unused": unused, "leave": leave, "held": held, "click": click, "link": link,
	"self": self, "off": off, "now": present, "were": were, "answer": answer, "afterwards": afterwards,
	"this mail": thisMail, "automatically": automatically, "i left": iLeft, "human": human, "matters": matters,
}

// noteClue is a clue for a program.
type noteClue struct {
	weight int
	list   string // the list of tables/automatic.txt that says the same
	says   string
	words  string
	masks  bool // the rest of the sentence is not evidence for a person
}

// notesIn returns the clues of the parts of a sentence. A sentence has one language, so the first
// language whose parts make a clue decides.
func notesIn(text string) []noteClue {
	for _, p := range partsIn(noteParts(), notePartOf, text) {
		if all := p.noteClues(text); len(all) > 0 {
			return all
		}
	}
	return nil
}

// noteClues returns the clues of the parts of one language.
func (p *partsFound) noteClues(text string) (all []noteClue) {
	add := func(a, b ingredient, c noteClue) {
		if words, ok := p.together(text, a, b); ok {
			c.words = words
			all = append(all, c)
		}
	}
	number := strings.ContainsAny(text, "0123456789")
	term := number || len(p.kinds[within]) > 0
	received := noteClue{weight: hinting, list: "receipt", says: "it acknowledges a message"}
	if term {
		received.weight = likely
		add(staff, contact, noteClue{weight: hinting, list: "receipt", says: "it says who will answer"})
	}
	add(request, logged, received)
	if _, closed := p.together(text, office, shut); len(all) == 0 && term && !closed {
		add(contact, within, noteClue{weight: hinting, list: "receipt", says: "it says by when a person answers"})
	}
	add(address, unused, noteClue{weight: likely, list: "program", says: "it says that an address is not used"})
	add(request, held, noteClue{weight: hinting, list: "receipt", says: "it says that a message waits"})
	add(click, human, noteClue{weight: likely, list: "receipt", says: "it asks its reader to prove to be a person"})
	add(click, link, noteClue{weight: hinting, list: "receipt", says: "it asks its reader to click"})
	add(thisMail, automatically, noteClue{weight: likely, list: "program", says: "it says that a program wrote it"})
	absent := noteClue{weight: hinting, list: "away", says: "it says that its author is away"}
	dated := number || contains(calendar(), text)
	if dated || len(p.kinds[present]) > 0 {
		absent.weight = likely
	}
	if dated {
		p.alone(text, iLeft, noteClue{weight: hinting, list: "left", says: "it says that its author has left"}, &all)
	}
	if _, onLeave := p.together(text, who, leave); onLeave {
		add(who, leave, noteClue{weight: likely, list: "away", says: "it says that a person is on leave"})
	} else if len(p.kinds[were]) == 0 || saysSince(text, p.language) { // "I was on holiday" is said by people
		if add(self, off, absent); dated && p.opens(text, off) && !slices.ContainsFunc(all, noteClue.away) {
			p.alone(text, off, absent, &all) // "On leave until 4 May"
		}
	}
	add(answer, afterwards, noteClue{weight: slight, list: "note", says: "it says that mail will be answered"})
	add(request, contact, noteClue{weight: slight, list: "note", says: "it says that mail will be answered"})
	add(who, gone, noteClue{weight: hinting, list: "left", says: "it says that a person has left"})
	if len(p.kinds[gone]) == 0 {
		closed := noteClue{weight: likely, list: "away", says: "it says that an office is closed", masks: true}
		if add(office, shut, closed); number && p.opens(text, shut) && !slices.ContainsFunc(all, noteClue.away) {
			p.alone(text, shut, closed, &all) // "Closed from 24 December to 4 January"
		}
	}
	add(mine, unread, noteClue{weight: hinting, list: "note", says: "it says that mail is not read", masks: true})
	if !strings.Contains(text, "@") && !phoneIn(text) {
		add(matters, redirect, noteClue{weight: slight, list: "mask", says: "it says who to ask"})
	} else {
		p.alone(text, redirect, noteClue{weight: slight, list: "mask", says: "it says who to ask", masks: true}, &all)
	}
	if number {
		p.alone(text, backAgain, noteClue{weight: slight, list: "note", says: "it says when a person is back"}, &all)
	}
	return all
}

// away reports whether a clue is that of an absence.
func (c noteClue) away() bool { return c.list == "away" }

// shortPart is the length, in bytes, of a part that is too short to count alone.
const shortPart = 3

// opens reports whether a part of this kind opens a sentence, behind at most one word.
func (p *partsFound) opens(text string, kind ingredient) bool {
	return slices.ContainsFunc(p.kinds[kind], func(m match) bool {
		return m.end-m.at > shortPart && wordCount(text[:m.at]) <= 1
	})
}

// alone adds a clue for one part that counts by itself.
func (p *partsFound) alone(text string, kind ingredient, c noteClue, all *[]noteClue) {
	if found := p.kinds[kind]; len(found) > 0 {
		c.words = strings.TrimSpace(text[found[0].at:found[0].end])
		*all = append(*all, c)
	}
}

// phoneIn reports whether a text has at least seven digits in a row, ignoring spaces, hyphens and
// similar signs.
func phoneIn(text string) bool {
	digits := 0
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune(" -/()+", r):
			digits = 0
		}
		if digits >= 7 {
			return true
		}
	}
	return false
}
