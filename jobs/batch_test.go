package jobs

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"outreach/jobs/carry"
)

// Whatever way calls are gathered, each gets the answer to its own item.
func TestBatchAnswersEachCall(t *testing.T) {
	t.Parallel()
	var largest, flushes atomic.Int64
	release := make(chan struct{})
	b := newBatch(1, batchWait, func(items []int) ([]int, error) {
		<-release // meanwhile the others gather
		flushes.Add(1)
		largest.Store(max(largest.Load(), int64(len(items))))
		out := make([]int, len(items))
		for i, item := range items {
			out[i] = -item
		}
		return out, nil
	})
	const n = 2000
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			if out, err := b.do(i); err != nil || out != -i {
				t.Errorf("%d was answered %d, %v", i, out, err)
			}
		})
	}
	close(release)
	callers.Wait()
	b.close()
	if largest.Load() > batchSize {
		t.Errorf("a batch of %d, over the bound of %d", largest.Load(), batchSize)
	}
	if flushes.Load() >= n/4 {
		t.Errorf("%d flushes for %d calls: nothing was gathered", flushes.Load(), n)
	}
}

func TestBatchFailsAllItsCalls(t *testing.T) {
	t.Parallel()
	refusal := errors.New("no")
	for name, flush := range map[string]func([]int) ([]int, error){
		"refused":      func([]int) ([]int, error) { return nil, refusal },
		"miscounted":   func([]int) ([]int, error) { return []int{1, 2, 3, 4, 5}, nil },
		"answers none": func([]int) ([]int, error) { return nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBatch(1, batchWait, flush)
			defer b.close()
			if _, err := b.do(1); err == nil {
				t.Error("the call succeeded")
			}
		})
	}
}

func TestCapsCountHostsAndWorkspaces(t *testing.T) {
	t.Parallel()
	c := newCaps(carry.Admission{PerHost: 3, PerWorkspace: 3, PerLane: 2})
	one, two := uuid.New(), uuid.New()
	enter := func(workspace uuid.UUID, host string, want bool) func() {
		t.Helper()
		leave, admitted := c.enter(carry.Handed{WorkspaceID: workspace, Host: host})
		if admitted != want {
			t.Errorf("%s: admitted %v, want %v", host, admitted, want)
		}
		return leave
	}
	leave := enter(one, "a", true)
	enter(one, "a", true)
	enter(one, "a", false) // a workspace has its share of a host
	enter(two, "a", true)
	enter(two, "a", false) // the host is full, for every workspace
	last := enter(one, "b", true)
	enter(one, "c", false) // the workspace is full, at every host
	enter(two, "c", true)
	leave()
	enter(two, "a", true)
	last()
	enter(one, "a", false)
	enter(one, "c", true)
	if len(c.inLane) != 4 || len(c.inHost) != 2 {
		t.Errorf("what nobody is in is kept: %v, %v", c.inLane, c.inHost)
	}
}
