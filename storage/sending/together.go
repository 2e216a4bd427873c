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
	mostTogether   = 64
	enoughTogether = 32
	apart          = 10 * time.Millisecond
	togetherLimit  = 20 * time.Second
)

// together lets calls that come while a transaction runs, or soon after it began, share the next
// one. A lone call is not delayed.
type together[T any] struct {
	group *groupcommit.Group[T, struct{}]
}

// newTogether returns a group for calls of one kind. Groups that share a turn run one transaction
// at a time, because two at once would be smaller and cost more. run executes the calls of one
// transaction and sets done for those that it committed; alone executes each of the others, in
// parallel with the next transaction.
func newTogether[T any](turn *sync.Mutex, run func(context.Context, []*oneOf[T]), alone func(context.Context, T) error) *together[T] {
	return &together[T]{groupcommit.New(groupcommit.Config[T, struct{}]{
		Size: mostTogether, Enough: enoughTogether, Apart: apart, Turn: turn, Timeout: togetherLimit,
		Run: func(ctx context.Context, items []T) []groupcommit.Result[struct{}] {
			calls := make([]*oneOf[T], len(items))
			for i, item := range items {
				calls[i] = &oneOf[T]{item: item, place: i}
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

// oneOf is one call.
type oneOf[T any] struct {
	item  T
	place int
	done  bool  // its part of a shared transaction was committed
	err   error // the result of the call
}

// do adds a call and waits until it is executed or ctx ends. If ctx ends first, the call may still
// take effect.
func (t *together[T]) do(ctx context.Context, item T) error {
	_, err := t.group.Do(ctx, item)
	return err
}
