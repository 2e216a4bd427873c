// Package testkit holds helpers that the tests of several packages share: a clock that a test
// moves, checks, waiting for a condition, ports. It must not know any other package of the
// service. Package devstack/testdb creates databases for tests.
package testkit

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// patience limits every wait for a condition. Only a failing test reaches it.
const patience = 90 * time.Second

// NoError ends the test when err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Equal ends the test when got differs from want.
func Equal[T any](t testing.TB, what string, got, want T, options ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// Eventually returns when the condition holds. It ends the test when that takes
// longer than 90 seconds.
func Eventually(t testing.TB, condition string, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(patience); !holds(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatalf("after %s still not: %s", patience, condition)
		}
	}
}

// Clock is a time that only the test moves. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that stands at the given time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// Set moves the clock to a time.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}
