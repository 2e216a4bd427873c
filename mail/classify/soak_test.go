//go:build soak

package classify_test

import (
	"path/filepath"
	"testing"
)

// Every mail of every set and every report of the corpus, mutated eight times.
func TestSoakMutations(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		mutatePeople(t, seed+1, 0)
	}
	mutateReports(t, "testdata", filepath.Join("testdata", "delays"), sharedBounces())
}
