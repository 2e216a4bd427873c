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
// one. Nobody waits for company: a call that comes alone runs alone.
type together[T any] struct {
	mu      sync.Mutex
	waiting []*oneOf[T]
	running bool
}

// oneOf is one call. Its done is closed when run has set err.
type oneOf[T any] struct {
	item T
	err  error
	done chan struct{}
}

// do adds a call and waits for its end, or for that of ctx; in the latter case
// the call may still take effect, as with any statement whose answer is not
// awaited. run gets the calls that share a transaction and sets their errors. It
// does not end with the context of any one of them.
func (t *together[T]) do(ctx context.Context, item T, run func(context.Context, []*oneOf[T])) error {
	call := &oneOf[T]{item: item, done: make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, call)
	first := !t.running
	t.running = true
	t.mu.Unlock()
	if first {
		go t.work(context.WithoutCancel(ctx), run)
	}
	select {
	case <-call.done:
		return call.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// work runs what has come together, until nothing is left.
func (t *together[T]) work(ctx context.Context, run func(context.Context, []*oneOf[T])) {
	for {
		t.mu.Lock()
		calls := t.waiting[:min(len(t.waiting), mostTogether)]
		t.waiting = t.waiting[len(calls):]
		t.running = len(calls) > 0
		t.mu.Unlock()
		if len(calls) == 0 {
			return
		}
		once, cancel := context.WithTimeout(ctx, togetherLimit)
		run(once, calls)
		cancel()
		for _, call := range calls {
			close(call.done)
		}
	}
}

// sideBySide runs what could not be done together; one that waits holds up none
// of the others.
func sideBySide[T any](calls []*oneOf[T], run func(*oneOf[T])) {
	var all sync.WaitGroup
	for _, call := range calls {
		all.Go(func() { run(call) })
	}
	all.Wait()
}
