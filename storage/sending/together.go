package sending

import (
	"context"
	"sync"
	"time"
)

// mostTogether bounds how many calls share one transaction, togetherLimit how
// long that may take. Shared transactions of one kind begin apart, unless enough
// calls wait: what a statement costs before its first row is that of some three
// rows, and processors that are all at work make many small transactions.
const (
	mostTogether   = 64
	enoughTogether = 32
	apart          = 10 * time.Millisecond
	togetherLimit  = 20 * time.Second
)

// together lets calls that come while a transaction is under way, or soon after it
// began, share the next one. A call that comes alone runs alone, at once.
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
	enough  chan struct{} // told when enough calls wait

	began time.Time // the last transaction; the worker's own
}

func newTogether[T any](turn *sync.Mutex, run func(context.Context, []*oneOf[T]), alone func(context.Context, T) error) *together[T] {
	return &together[T]{turn: turn, run: run, alone: alone, enough: make(chan struct{}, 1)}
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
	first, enough := !t.running, len(t.waiting) == enoughTogether
	t.running = true
	t.mu.Unlock()
	if enough {
		select {
		case t.enough <- struct{}{}:
		default:
		}
	}
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
	for t.wanted() {
		t.rest()
		t.turn.Lock()
		t.began = time.Now()
		calls := t.collect()
		once, cancel := context.WithTimeout(ctx, togetherLimit)
		t.run(once, calls)
		cancel()
		t.turn.Unlock()
		for _, call := range calls {
			if call.done {
				close(call.ended)
			} else {
				go t.finish(ctx, call)
			}
		}
	}
}

// wanted reports whether calls wait; without any the worker is dismissed.
func (t *together[T]) wanted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running = len(t.waiting) > 0
	return t.running
}

// rest waits until the next transaction may begin.
func (t *together[T]) rest() {
	select {
	case <-t.enough:
	case <-time.After(time.Until(t.began.Add(apart))):
	}
}

// collect takes the calls of the next transaction.
func (t *together[T]) collect() []*oneOf[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.enough: // those are taken now
	default:
	}
	calls := t.waiting[:min(len(t.waiting), mostTogether)]
	t.waiting = t.waiting[len(calls):]
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
