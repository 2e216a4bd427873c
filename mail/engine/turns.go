package engine

import (
	"sync"

	"github.com/google/uuid"
)

// turns bounds how many things of a kind a process does at a time, so that the memory for them is
// bounded, and one workspace does not take all of it.
type turns struct {
	mu    sync.Mutex
	taken map[uuid.UUID]int
	all   int
}

// take takes one of most turns, of which a workspace gets ofOne, with ok false when none is free.
// The caller calls done once.
func (t *turns) take(workspace uuid.UUID, most, ofOne int) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all >= most || t.taken[workspace] >= ofOne {
		return nil, false
	}
	if t.taken == nil {
		t.taken = map[uuid.UUID]int{}
	}
	t.all++
	t.taken[workspace]++
	return func() { t.give(workspace) }, true
}

func (t *turns) give(workspace uuid.UUID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all--
	if t.taken[workspace]--; t.taken[workspace] == 0 {
		delete(t.taken, workspace)
	}
}
