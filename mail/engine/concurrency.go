package engine

import (
	"context"
	"sync"

	"github.com/google/uuid"
)

// concurrency bounds how many things of a kind a process does at a time, so that the memory for them
// is bounded, and one workspace does not take all of it.
type concurrency struct {
	mu    sync.Mutex
	taken map[uuid.UUID]int
	all   int
}

// take takes one of most places, of which a workspace gets ofOne, with ok false when none is free.
// The caller calls done once.
func (c *concurrency) take(workspace uuid.UUID, most, ofOne int) (done func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= most || c.taken[workspace] >= ofOne {
		return nil, false
	}
	if c.taken == nil {
		c.taken = map[uuid.UUID]int{}
	}
	c.all++
	c.taken[workspace]++
	return func() { c.give(workspace) }, true
}

func (c *concurrency) give(workspace uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.taken[workspace]--; c.taken[workspace] == 0 {
		delete(c.taken, workspace)
	}
}

// semaphore bounds how many mailboxes are read, or answers sent, at a time.
type semaphore struct{ taken chan struct{} }

func newSemaphore(n int) *semaphore { return &semaphore{taken: make(chan struct{}, n)} }

// take waits for a free place, then takes all free places and returns their number.
func (s *semaphore) take(ctx context.Context) (n int) {
	select {
	case s.taken <- struct{}{}:
	case <-ctx.Done():
		return 0
	}
	for n = 1; ; n++ {
		select {
		case s.taken <- struct{}{}:
		default:
			return n
		}
	}
}

func (s *semaphore) give(n int) {
	for range n {
		<-s.taken
	}
}

// wait waits until every place is free and takes all of them.
func (s *semaphore) wait() {
	for range cap(s.taken) {
		s.taken <- struct{}{}
	}
}
