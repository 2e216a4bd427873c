package engine

import (
	"slices"
	"sync"

	"github.com/google/uuid"

	"outreach"
)

// crew is a worker pool for a queue of mailboxes. Goroutines exist only while there is work. A
// mailbox is in the queue or being served at most once. One workspace gets at most two thirds of
// the workers, because its servers may all hang for minutes.
type crew struct {
	most, share int

	mu      sync.Mutex
	idle    sync.Cond
	queue   []outreach.MailboxRef
	known   map[uuid.UUID]struct{}
	served  map[uuid.UUID]int // mailboxes being served, by workspace
	running int
}

func newCrew(most int) *crew {
	c := &crew{most: most, share: most - most/3, known: map[uuid.UUID]struct{}{}, served: map[uuid.UUID]int{}}
	c.idle.L = &c.mu
	return c
}

// add queues the mailboxes that are not in the pool yet. serve works on one mailbox for one turn
// and reports whether the mailbox has more work. If so, it is queued again.
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

// take returns the next mailbox of a workspace that is below its share. If there is none, ok is
// false and the worker ends. A worker calls take after each turn, so no mailbox stays in the queue
// while a worker is free.
func (c *crew) take() (ref outreach.MailboxRef, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := slices.IndexFunc(c.queue, func(ref outreach.MailboxRef) bool { return c.served[ref.WorkspaceID] < c.share })
	if next < 0 {
		c.running--
		c.idle.Broadcast()
		return ref, false
	}
	ref = c.queue[next]
	c.queue = slices.Delete(c.queue, next, next+1)
	c.served[ref.WorkspaceID]++
	return ref, true
}

func (c *crew) put(ref outreach.MailboxRef, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.served[ref.WorkspaceID]--; c.served[ref.WorkspaceID] == 0 {
		delete(c.served, ref.WorkspaceID)
	}
	if more {
		c.queue = append(c.queue, ref)
		return
	}
	delete(c.known, ref.ID)
}

// others reports whether other mailboxes are queued.
func (c *crew) others() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue) > 0
}

// wait returns when no worker is running.
func (c *crew) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.running > 0 {
		c.idle.Wait()
	}
}
