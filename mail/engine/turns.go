package engine

import (
	"sync"

	"github.com/google/uuid"
)

// turns bounds how many mails are read again at a time, so that the memory for them is
// bounded, and one workspace does not take all of it.
type turns struct {
	mu    sync.Mutex
	taken map[uuid.UUID]int
	all   int
}

// take takes a turn, with ok false when none is free. The caller calls done once.
func (t *turns) take(workspace uuid.UUID) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == originalsAtOnce || t.taken[workspace] == ofOneWorkspace {
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
