package engine

import (
	"sync"

	"github.com/google/uuid"

	"outreach"
)

// crew serves a queue of mailboxes with a bounded number of goroutines, which
// exist only while there is something to do. A mailbox stands in the queue or is
// being served at most once.
type crew struct {
	most int

	mu      sync.Mutex
	idle    sync.Cond
	queue   []outreach.MailboxRef
	known   map[uuid.UUID]struct{}
	running int
}

func newCrew(most int) *crew {
	c := &crew{most: most, known: map[uuid.UUID]struct{}{}}
	c.idle.L = &c.mu
	return c
}

// add queues the mailboxes that are not there yet. Serve works on one until its
// turn is over and reports whether it has more to do; it then queues up again.
func (c *crew) add(refs []outreach.MailboxRef, serve func(outreach.MailboxRef) (more bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ref := range refs {
		if _, there := c.known[ref.ID]; !there {
			c.known[ref.ID] = struct{}{}
			c.queue = append(c.queue, ref)
		}
	}
	for ; c.running < min(c.most, len(c.known)); c.running++ {
		go c.work(serve)
	}
}

func (c *crew) work(serve func(outreach.MailboxRef) bool) {
	for ref, ok := c.take(); ok; ref, ok = c.take() {
		c.put(ref, serve(ref))
	}
}

// take gives the next mailbox; without one the worker is dismissed.
func (c *crew) take() (ref outreach.MailboxRef, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		c.running--
		c.idle.Broadcast()
		return ref, false
	}
	ref, c.queue = c.queue[0], c.queue[1:]
	return ref, true
}

func (c *crew) put(ref outreach.MailboxRef, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if more {
		c.queue = append(c.queue, ref)
		return
	}
	delete(c.known, ref.ID)
}

// others reports whether mailboxes wait for their turn.
func (c *crew) others() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue) > 0
}

// wait returns when no worker is left.
func (c *crew) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.running > 0 {
		c.idle.Wait()
	}
}
