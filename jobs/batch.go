package jobs

import (
	"fmt"
	"sync"
	"time"
)

// The bounds of a batch: what comes within batchWait of the first, or this many.
const (
	batchSize = 256
	batchWait = 2 * time.Millisecond
)

// batch gathers calls of many goroutines into few statements. Each caller waits
// for the statement that holds its own item, so nothing is acknowledged before
// it is written; a process that dies with a batch in hand has acknowledged none.
type batch[In, Out any] struct {
	calls chan call[In, Out]
	flush func([]In) ([]Out, error)
	loops sync.WaitGroup
}

type call[In, Out any] struct {
	in   In
	done chan reply[Out]
}

type reply[Out any] struct {
	out Out
	err error
}

// newBatch starts so many loops; while all of them are writing, calls gather.
func newBatch[In, Out any](loops int, flush func([]In) ([]Out, error)) *batch[In, Out] {
	b := &batch[In, Out]{calls: make(chan call[In, Out], batchSize), flush: flush}
	for range loops {
		b.loops.Go(b.loop)
	}
	return b
}

// do hands one item in and gives what became of it.
func (b *batch[In, Out]) do(in In) (Out, error) {
	c := call[In, Out]{in: in, done: make(chan reply[Out], 1)}
	b.calls <- c
	answer := <-c.done
	return answer.out, answer.err
}

// close waits for what was handed in; nobody may call do any more.
func (b *batch[In, Out]) close() {
	close(b.calls)
	b.loops.Wait()
}

func (b *batch[In, Out]) loop() {
	for first := range b.calls {
		b.settle(b.gather(first))
	}
}

func (b *batch[In, Out]) gather(first call[In, Out]) []call[In, Out] {
	calls := append(make([]call[In, Out], 0, 16), first)
	timer := time.NewTimer(batchWait)
	defer timer.Stop()
	for len(calls) < batchSize {
		select {
		case next, open := <-b.calls:
			if !open {
				return calls
			}
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
