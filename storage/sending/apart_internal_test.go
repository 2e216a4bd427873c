package sending

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A call that comes alone runs at once. Those that come soon after it wait for the
// next transaction of their kind and share it; it begins early when enough wait.
func TestTransactionsBeginApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sizes []int
		calls := newGroup(&sync.Mutex{}, func(_ context.Context, calls []int) []error {
			sizes = append(sizes, len(calls))
			return make([]error, len(calls))
		}, nil)
		run := func(n int, want time.Duration) {
			t.Helper()
			began := time.Now()
			var all sync.WaitGroup
			for i := range n {
				all.Go(func() {
					if _, err := calls.Do(t.Context(), i); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if took := time.Since(began); took != want {
				t.Errorf("%d calls took %s, want %s", n, took, want)
			}
		}
		run(1, 0)
		run(5, groupApart)
		run(groupEnough, 0)
		time.Sleep(groupApart)
		run(1, 0)
		if want := []int{1, 5, groupEnough, 1}; !slices.Equal(sizes, want) {
			t.Errorf("transactions of %v calls, want %v", sizes, want)
		}
	})
}
