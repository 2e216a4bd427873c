package classify

import "strings"

// optoutParts are the lists of tables/optout.txt.
var optoutParts = onceLexicon("optout", "remove", "list", "me", "halt", "nomore", "mails")

// What turns words of an opt-out into something else: the author has left a list, perhaps another one,
// or the footer of a firm tells how to leave its own.
var (
	doneWords  = onceLexicon("optout", "done")
	againWords = onceLexicon("optout", "again")
	otherLists = onceLexicon("optout", "other")
	ownMails   = onceLexicon("optout", "own mails")
)

// addOptout adds words that ask to be left alone. In a clause about the author's own mails, or about
// another list that the author has left, they ask for nothing.
func (f *findings) addOptout(clause, words string) {
	switch {
	case contains(ownMails(), clause):
	case !contains(doneWords(), clause):
		f.optout = append(f.optout, words)
	case !contains(otherLists(), clause):
		f.left = append(f.left, words)
	}
}

// addLeft adds that the author says in a clause to have left our list, or to have left it before.
func (f *findings) addLeft(clause string) {
	done, ok := doneWords().first(clause)
	if ok && contains(againWords(), clause) && !contains(otherLists(), clause) && !contains(ownMails(), clause) {
		f.left = append(f.left, strings.TrimSpace(clause[done.at:done.end]))
	}
}

// asksToStop returns the words by which a text asks to be left alone. That its author has left a list
// does so unless the text shows interest: "I have unsubscribed twice" complains, "I have unsubscribed,
// but please call me" does not.
func (f *findings) asksToStop() []string {
	if len(f.strong)+len(f.agreed)+len(f.requests)+len(f.parts)+len(f.soft) > 0 {
		return f.optout
	}
	return append(f.optout, f.left...)
}

// offerThings are the things that an offer leads to, such as a call.
var offerThings = onceLexicon("offer", "thing")

const (
	remove ingredient = iota
	list
	me
	halt
	noMore
	mails
)

var optoutPartOf = map[string]ingredient{"remove": remove, "list": list, "me": me, "halt": halt, "nomore": noMore, "mails": mails}

// The longest clause, in words, in which the parts of an opt-out count. In longer clauses they are
// about something else.
const optoutClause = 22

// optoutIn reports whether the parts of a clause make an opt-out, and by which words.
func optoutIn(clause sentence) (words string, ok bool) {
	if wordCount(clause.text) > optoutClause {
		return "", false
	}
	_, offer := offerThings().first(clause.text)
	for _, p := range partsIn(optoutParts(), optoutPartOf, clause.text) {
		words, ok := p.together(clause.text, remove, list)
		if ok && (!clause.question || len(p.kinds[me]) > 0) {
			return words, true
		}
		if clause.question || offer { // "send no quote" refuses only the quote
			continue
		}
		for _, first := range []ingredient{halt, noMore} {
			if words, ok := p.together(clause.text, first, mails); ok {
				return words, true
			}
		}
	}
	return "", false
}
