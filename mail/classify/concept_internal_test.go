package classify

import (
	"slices"
	"testing"
)

// Each concept of notes has at least three phrases in each language, and counts as
// evidence that the code knows.
func TestConcepts(t *testing.T) {
	t.Parallel()
	phrases := map[string]map[string][]string{}
	for _, e := range readTable("concept") {
		if _, ok := programClues[conceptEvidence[e.list]]; !ok && conceptEvidence[e.list] != "hours" {
			t.Errorf("list %s counts as no evidence", e.list)
		}
		if phrases[e.list] == nil {
			phrases[e.list] = map[string][]string{}
		}
		for _, spelling := range spellings(e) {
			if spelling = prepare(spelling); !slices.Contains(phrases[e.list][e.language], spelling) {
				phrases[e.list][e.language] = append(phrases[e.list][e.language], spelling)
			}
		}
	}
	for list := range conceptEvidence {
		for _, language := range languages[1:] { // the first is for words of several
			if n := len(phrases[list][language]); n < 3 {
				t.Errorf("concept %s has %d phrases in %s, want at least 3", list, n, language)
			}
		}
	}
}
