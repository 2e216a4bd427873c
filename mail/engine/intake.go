package engine

import (
	"hash/maphash"
	"sync"
	"sync/atomic"

	"outreach"
)

// lanes is how many messages of one batch are with the store at a time: most of
// their time is spent waiting for a commit.
const lanes = 8

// intake hands a batch of messages to the store, several at a time. Messages from
// one address stay in the order in which they arrived.
type intake struct {
	lanes   [lanes]chan outreach.Received
	running sync.WaitGroup
	failed  atomic.Pointer[error] // the first failure
}

var laneSeed = maphash.MakeSeed()

func startIntake(take func(outreach.Received) error) *intake {
	i := &intake{}
	for n := range i.lanes {
		lane := make(chan outreach.Received, 1)
		i.lanes[n] = lane
		i.running.Go(func() {
			for in := range lane {
				if i.failure() != nil {
					continue // the batch is lost; it is read again
				}
				if err := take(in); err != nil {
					i.failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	return i
}

// add queues a message, or says why the batch cannot go on.
func (i *intake) add(in outreach.Received) error {
	if err := i.failure(); err != nil {
		return err
	}
	i.lanes[maphash.String(laneSeed, outreach.FoldEmail(in.From))%lanes] <- in
	return nil
}

func (i *intake) failure() error {
	if err := i.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// wait returns when all have been taken in, or with the first failure.
func (i *intake) wait() error {
	for _, lane := range i.lanes {
		close(lane)
	}
	i.running.Wait()
	return i.failure()
}
