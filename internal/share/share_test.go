package share

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// A key that has used up its share waits until a part is free; another key does not wait. Nothing is
// kept of keys that are not used.
func TestTake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New[string](3)
		take := func(key string, part int64) func() {
			release, err := s.Take(t.Context(), key, part)
			if err != nil {
				t.Fatal(err)
			}
			return release
		}
		large := take("busy", 2)
		small := take("busy", 1)
		taken := make(chan func())
		go func() { taken <- take("busy", 2) }()
		take("other", 3)()
		synctest.Wait()
		small()
		synctest.Wait()
		select {
		case <-taken:
			t.Fatal("a part of 2 was taken while 1 was free")
		default:
		}
		if _, ok := s.TryTake("busy", 2); ok {
			t.Error("TryTake took a part of 2 while 1 was free")
		}
		large()
		(<-taken)()
		if release, ok := s.TryTake("busy", 3); !ok {
			t.Error("TryTake took nothing of a free share")
		} else {
			release()
		}
		if s.Len() != 0 {
			t.Errorf("%d keys are kept, want none", s.Len())
		}
	})
}

// A call whose context ends gets its error and takes nothing.
func TestTakeEnds(t *testing.T) {
	t.Parallel()
	s := New[int](1)
	release, err := s.Take(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Take(ctx, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	release()
	if s.Len() != 0 {
		t.Errorf("%d keys are kept, want none", s.Len())
	}
}
