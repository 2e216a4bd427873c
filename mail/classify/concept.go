package classify

import "slices"

// conceptEvidence maps each list of tables/concept.txt to the list of tables/automatic.txt that has
// the same weight.
var conceptEvidence = map[string]string{
	"absent":     "away",
	"until":      "away",
	"notin":      "away",
	"back":       "note",
	"limited":    "note",
	"slow":       "note",
	"instead":    "mask",
	"urgent":     "mask",
	"departed":   "left",
	"closing":    "program",
	"moved":      "note",
	"received":   "receipt",
	"number":     "receipt",
	"noreply":    "note",
	"within":     "receipt",
	"helps":      "note",
	"unlooked":   "note",
	"queued":     "receipt",
	"solved":     "receipt",
	"subscribed": "receipt",
	"robot":      "program",
	"deputy":     "mask",
	"care":       "away",
	"guard":      "guard",
	"handling":   "note",
	"hours":      "hours",
}

// newNoteWords returns the phrases to look for in each sentence.
func newNoteWords() *lexicon {
	lists := []string{"past", "program", "away", "left", "receipt", "note", "mask", "thanks", "courtesy", "soon", "person", "deed"}
	all := slices.DeleteFunc(readTable("automatic"), func(e entry) bool { return !slices.Contains(lists, e.list) })
	for _, e := range readTable("concept") {
		e.list = conceptEvidence[e.list]
		all = append(all, e)
	}
	return newLexicon(all)
}
