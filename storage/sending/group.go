package sending

import (
	"context"
	"sync"
	"time"

	"outreach/internal/groupcommit"
)

// Bounds of shared transactions. Transactions of one kind start at least apart from each other,
// unless enough calls wait: a statement costs as much as about three rows before its first row, so
// many small transactions would cost more.
const (
	groupSize    = 64
	groupEnough  = 32
	groupApart   = 10 * time.Millisecond
	groupTimeout = 20 * time.Second
)

// group lets calls that come while a transaction runs, or soon after it began, share the next
// one. A lone call is not delayed.
type group[T any] struct {
	group *groupcommit.Group[T, struct{}]
}

// newGroup returns a group for calls of one kind. Groups that share a turn run one transaction
// at a time, because two at once would be smaller and cost more. run executes the calls of one
// transaction and sets done for those that it committed; alone executes each of the others, in
// parallel with the next transaction.
func newGroup[T any](turn *sync.Mutex, run func(context.Context, []*call[T]), alone func(context.Context, T) error) *group[T] {
	return &group[T]{groupcommit.New(groupcommit.Config[T, struct{}]{
		Size: groupSize, Enough: groupEnough, Apart: groupApart, Turn: turn, Timeout: groupTimeout,
		Run: func(ctx context.Context, items []T) []groupcommit.Result[struct{}] {
			calls := make([]*call[T], len(items))
			for i, item := range items {
				calls[i] = &call[T]{item: item, place: i}
			}
			run(ctx, calls) // may sort them
			results := make([]groupcommit.Result[struct{}], len(items))
			for _, call := range calls {
				results[call.place].Err = call.err
				if !call.done {
					results[call.place].Err = groupcommit.ErrAlone
				}
			}
			return results
		},
		Alone: func(ctx context.Context, item T) (struct{}, error) { return struct{}{}, alone(ctx, item) },
	})}
}

// call is one call.
type call[T any] struct {
	item  T
	place int
	done  bool  // its part of a shared transaction was committed
	err   error // the result of the call
}

// do adds a call and waits until it is executed or ctx ends. If ctx ends first, the call may still
// take effect.
func (t *group[T]) do(ctx context.Context, item T) error {
	_, err := t.group.Do(ctx, item)
	return err
}
