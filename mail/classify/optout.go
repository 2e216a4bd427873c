package classify

// optoutParts are the lists of tables/optout.txt.
var optoutParts = onceLexicon("optout", "remove", "list", "me", "halt", "nomore", "mails")

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
