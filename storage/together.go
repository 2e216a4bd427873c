package storage

import (
	"context"
	"sync"
	"time"
)

// mostTogether bounds how many calls share one transaction, togetherLimit how
// long that may take.
const (
	mostTogether  = 64
	togetherLimit = 20 * time.Second
)

// together lets calls that come while a transaction is under way share the next
// one. Nobody waits for company: a call that comes alone, while nothing is under
// way, runs alone.
type together[T any] struct {
	// turn is shared by several kinds of calls: while one kind has its transaction,
	// calls of the others come together. Two at once would each be smaller and cost
	// more.
	turn *sync.Mutex
	// run does the calls that share a transaction, and says of each whether it is
	// done. Alone does one that is not, beside whatever comes next, and gives its
	// error. Neither ends with the context of any one call.
	run   func(context.Context, []*oneOf[T])
	alone func(context.Context, T) error

	mu      sync.Mutex
	waiting []*oneOf[T]
	running bool
}

// oneOf is one call.
type oneOf[T any] struct {
	item  T
	done  bool // its part of a shared transaction was committed
	err   error
	ended chan struct{}
}

// do adds a call and waits for its end, or for that of ctx; in the latter case
// the call may still take effect, as with any statement whose answer is not
// awaited.
func (t *together[T]) do(ctx context.Context, item T) error {
	call := &oneOf[T]{item: item, ended: make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, call)
	first := !t.running
	t.running = true
	t.mu.Unlock()
	if first {
		go t.work(context.WithoutCancel(ctx))
	}
	select {
	case <-call.ended:
		return call.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// work runs what has come together, until nothing is left.
func (t *together[T]) work(ctx context.Context) {
	for {
		t.turn.Lock()
		calls := t.collect()
		if len(calls) > 0 {
			once, cancel := context.WithTimeout(ctx, togetherLimit)
			t.run(once, calls)
			cancel()
		}
		t.turn.Unlock()
		if len(calls) == 0 {
			return
		}
		for _, call := range calls {
			if call.done {
				close(call.ended)
			} else {
				go t.finish(ctx, call)
			}
		}
	}
}

// collect takes the calls of the next transaction; without any the worker is
// dismissed.
func (t *together[T]) collect() []*oneOf[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	calls := t.waiting[:min(len(t.waiting), mostTogether)]
	t.waiting = t.waiting[len(calls):]
	t.running = len(calls) > 0
	return calls
}

// finish runs a call that could not be done together. One that waits holds up
// none of the others.
func (t *together[T]) finish(ctx context.Context, call *oneOf[T]) {
	once, cancel := context.WithTimeout(ctx, togetherLimit)
	defer cancel()
	call.err = t.alone(once, call.item)
	close(call.ended)
}
