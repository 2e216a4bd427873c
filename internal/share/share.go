// Package share limits how much of a shared resource of a process one key uses, such as a workspace or
// a token.
package share

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Shares gives each key the same share of something, in any unit. A key that has used up its share
// waits; a key that is not used takes no memory. It is safe for concurrent use.
type Shares[K comparable] struct {
	most int64

	mu  sync.Mutex
	all map[K]*one
}

type one struct {
	free  *semaphore.Weighted
	users int // calls of Take that wait or whose part is taken
}

// New returns shares of the given size.
func New[K comparable](most int64) *Shares[K] { return &Shares[K]{most: most, all: map[K]*one{}} }

// Take takes a part of the share of key, at most the whole share. It waits until that much is free,
// and returns the error of ctx if ctx ends first. The caller calls release once.
func (s *Shares[K]) Take(ctx context.Context, key K, part int64) (release func(), err error) {
	o := s.enter(key)
	if err := o.free.Acquire(ctx, part); err != nil {
		s.leave(key, o)
		return nil, err
	}
	return s.releaser(key, o, part), nil
}

// TryTake is Take that does not wait. It reports whether the part was free.
func (s *Shares[K]) TryTake(key K, part int64) (release func(), ok bool) {
	o := s.enter(key)
	if !o.free.TryAcquire(part) {
		s.leave(key, o)
		return nil, false
	}
	return s.releaser(key, o, part), true
}

func (s *Shares[K]) releaser(key K, o *one, part int64) func() {
	return func() {
		o.free.Release(part)
		s.leave(key, o)
	}
}

func (s *Shares[K]) enter(key K) *one {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.all[key]
	if o == nil {
		o = &one{free: semaphore.NewWeighted(s.most)}
		s.all[key] = o
	}
	o.users++
	return o
}

func (s *Shares[K]) leave(key K, o *one) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.users--; o.users == 0 {
		delete(s.all, key)
	}
}

// Len returns how many keys are used.
func (s *Shares[K]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}
