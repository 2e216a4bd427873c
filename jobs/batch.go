package jobs

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// The bounds of a batch: what comes within batchWait of the first, or this many.
const (
	batchSize = 256
	batchWait = 2 * time.Millisecond
)

// batchPatience is how long calls gather behind a flush that runs before another
// loop sends them off beside it.
const batchPatience = 50 * time.Millisecond

// batch gathers calls of many goroutines into few flushes. Each caller waits for
// the flush that holds its own item, so nothing is acknowledged before it is
// written; a process that dies with a batch in hand has acknowledged none.
//
// A flush costs much by itself and little per item. So calls gather while one
// runs, and a second runs beside it only when there are enough for a whole batch
// or the first is slow.
type batch[In, Out any] struct {
	calls chan call[In, Out]
	flush func([]In) ([]Out, error)
	wait  time.Duration
	turn  chan struct{} // held by the loop that gathers, or flushes what is no whole batch
	loops sync.WaitGroup
	// stopping tells the loops to end when nothing is left, ended tells late
	// callers that they have.
	stopping, ended chan struct{}
}

var errBatchEnded = errors.New("the process is ending")

type call[In, Out any] struct {
	in   In
	done chan reply[Out]
}

type reply[Out any] struct {
	out Out
	err error
}

// newBatch starts so many loops, each of which flushes at most one batch at a
// time, with what came within wait of its first item.
func newBatch[In, Out any](loops int, wait time.Duration, flush func([]In) ([]Out, error)) *batch[In, Out] {
	b := &batch[In, Out]{
		calls: make(chan call[In, Out], batchSize), flush: flush, wait: wait, turn: make(chan struct{}, 1),
		stopping: make(chan struct{}), ended: make(chan struct{}),
	}
	for range loops {
		b.loops.Go(b.loop)
	}
	return b
}

// do hands one item in and gives what became of it. It fails after close.
func (b *batch[In, Out]) do(in In) (Out, error) {
	c := call[In, Out]{in: in, done: make(chan reply[Out], 1)}
	select {
	case b.calls <- c:
	case <-b.ended:
	}
	select {
	case answer := <-c.done:
		return answer.out, answer.err
	case <-b.ended:
	}
	select {
	case answer := <-c.done: // both had come
		return answer.out, answer.err
	default:
		var none Out
		return none, errBatchEnded
	}
}

// close flushes what was handed in before it.
func (b *batch[In, Out]) close() {
	close(b.stopping)
	b.loops.Wait()
	close(b.ended)
}

func (b *batch[In, Out]) loop() {
	for b.turns() {
	}
}

// turns waits for its turn, then for calls, and settles them; it says whether
// more may come.
func (b *batch[In, Out]) turns() bool {
	b.turn <- struct{}{}
	pass := sync.OnceFunc(func() { <-b.turn })
	defer pass()
	first, ok := b.first()
	if !ok {
		return false
	}
	calls := b.gather(first)
	if len(calls) == batchSize {
		pass()
	}
	slow := time.AfterFunc(batchPatience, pass)
	defer slow.Stop()
	b.settle(calls)
	return true
}

// first waits for a call; there is none when the batch is closed and empty.
func (b *batch[In, Out]) first() (c call[In, Out], ok bool) {
	select {
	case c = <-b.calls:
		return c, true
	case <-b.stopping:
	}
	select {
	case c = <-b.calls:
		return c, true
	default:
		return c, false
	}
}

// gather adds what is there, and what comes within the wait.
func (b *batch[In, Out]) gather(first call[In, Out]) []call[In, Out] {
	calls := append(make([]call[In, Out], 0, 64), first)
	timer := time.NewTimer(b.wait)
	defer timer.Stop()
	for len(calls) < batchSize {
		select {
		case next := <-b.calls:
			calls = append(calls, next)
			continue
		default:
		}
		if b.wait == 0 {
			return calls
		}
		select {
		case next := <-b.calls:
			calls = append(calls, next)
		case <-timer.C:
			return calls
		}
	}
	return calls
}

func (b *batch[In, Out]) settle(calls []call[In, Out]) {
	items := make([]In, len(calls))
	for i := range calls {
		items[i] = calls[i].in
	}
	out, err := b.flush(items)
	if err == nil && len(out) != len(calls) {
		err = fmt.Errorf("batch of %d answered with %d", len(calls), len(out))
	}
	for i := range calls {
		answer := reply[Out]{err: err}
		if err == nil {
			answer.out = out[i]
		}
		calls[i].done <- answer
	}
}
