package tracking

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"outreach/tracking/hit"
)

// The bounds of a group: what comes within groupWait of its first click, or so
// many. As many again may wait while a group is being written.
const (
	groupSize = 256
	groupWait = 2 * time.Millisecond
)

// groupTime is how long the statement of one group may take.
const groupTime = 10 * time.Second

var errClosed = errors.New("the pages are being closed")

// clickQueue gathers the clicks of many visitors into few statements. Each visitor
// waits for the statement that holds the own click, so nobody is answered before
// it is kept. When the queue is full, visitors wait at its door until their
// context ends.
type clickQueue struct {
	store   clickStore
	calls   chan clickCall
	ending  chan struct{}
	ended   chan struct{}
	once    sync.Once
	started atomic.Int64 // clicks that were handed in
}

type clickCall struct {
	click hit.Click
	done  chan clickReply
}

type clickReply struct {
	known bool
	err   error
}

func newClickQueue(store clickStore) *clickQueue {
	q := &clickQueue{store: store, calls: make(chan clickCall, groupSize), ending: make(chan struct{}), ended: make(chan struct{})}
	go q.run()
	return q
}

// record gives whether the click's message is known on its host. A caller that
// gives up early does not take its click back.
func (q *clickQueue) record(ctx context.Context, click hit.Click) (bool, error) {
	call := clickCall{click: click, done: make(chan clickReply, 1)}
	select {
	case q.calls <- call:
		q.started.Add(1)
	case <-q.ended:
		return false, errClosed
	case <-ctx.Done():
		return false, ctx.Err()
	}
	select {
	case reply := <-call.done:
		return reply.known, reply.err
	case <-q.ended:
		return false, errClosed
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// close writes what was handed in before.
func (q *clickQueue) close() {
	q.once.Do(func() { close(q.ending) })
	<-q.ended
}

func (q *clickQueue) run() {
	defer close(q.ended)
	for {
		select {
		case first := <-q.calls:
			q.write(q.gather(first))
		case <-q.ending:
			for len(q.calls) > 0 {
				q.write(q.gather(<-q.calls))
			}
			return
		}
	}
}

func (q *clickQueue) gather(first clickCall) []clickCall {
	group := []clickCall{first}
	wait := time.NewTimer(groupWait)
	defer wait.Stop()
	for len(group) < groupSize {
		select {
		case call := <-q.calls:
			group = append(group, call)
		case <-wait.C:
			return group
		}
	}
	return group
}

func (q *clickQueue) write(group []clickCall) {
	clicks := make([]hit.Click, len(group))
	for i, call := range group {
		clicks[i] = call.click
	}
	ctx, cancel := context.WithTimeout(context.Background(), groupTime)
	defer cancel()
	known, err := q.store.RecordClicks(ctx, clicks)
	for i, call := range group {
		call.done <- clickReply{known: err == nil && known[i], err: err}
	}
}
