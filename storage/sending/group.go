package sending

import (
	"context"
	"slices"
	"sync"
	"time"

	"outreach/internal/groupcommit"
)

// Bounds of shared transactions. Transactions of one kind start at least apart from each other,
// unless enough calls wait: a statement costs as much as about three rows before its first row, so
// many small transactions would cost more.
const (
	groupSize    = 64
	groupEnough  = 16
	groupApart   = 10 * time.Millisecond
	groupTimeout = 20 * time.Second
)

// newGroup returns a group for calls of one kind: those that come while a transaction runs, or soon
// after it began, share the next one. A lone call is not delayed. Groups with the same lock run one
// transaction at a time, because two at once would be smaller and cost more.
//
// run executes calls together and returns the result of each. alone executes those for which it returned
// groupcommit.ErrAlone, in parallel with the next transaction.
func newGroup[T any](lock *sync.Mutex, run func(context.Context, []T) []error,
	alone func(context.Context, T) error) *groupcommit.Group[T, struct{}] {
	return groupcommit.New(groupcommit.Config[T, struct{}]{
		Size: groupSize, Enough: groupEnough, Apart: groupApart, Lock: lock, Timeout: groupTimeout,
		Run: func(ctx context.Context, calls []T) []groupcommit.Result[struct{}] {
			results := make([]groupcommit.Result[struct{}], len(calls))
			for i, err := range run(ctx, calls) {
				results[i].Err = err
			}
			return results
		},
		Alone: func(ctx context.Context, call T) (struct{}, error) { return struct{}{}, alone(ctx, call) },
	})
}

// newBatchGroup is newGroup for calls that are committed by one transaction. batch returns the result of
// each, or an error if the transaction failed. Then each call is repeated alone.
func newBatchGroup[T any](lock *sync.Mutex, batch func(context.Context, []T) ([]error, error)) *groupcommit.Group[T, struct{}] {
	run := func(ctx context.Context, calls []T) []error {
		results, err := batch(ctx, calls)
		if err != nil {
			return slices.Repeat([]error{groupcommit.ErrAlone}, len(calls))
		}
		return results
	}
	return newGroup(lock, run, func(ctx context.Context, call T) error {
		results, err := batch(ctx, []T{call})
		if err != nil {
			return err
		}
		return results[0]
	})
}
