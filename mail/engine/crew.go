package engine

import (
	"slices"
	"sync"

	"github.com/google/uuid"

	"outreach"
)

// crew serves a queue of mailboxes with a bounded number of goroutines, which
// exist only while there is something to do. A mailbox stands in the queue or is
// being served at most once. A third of the hands stays free of any one workspace:
// its servers may all hang, for minutes, and the others must not wait for them.
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

// take gives the next mailbox of a workspace that has not its share yet; without
// one the worker is dismissed. Whoever is done with a mailbox takes the next, so that
// none is left in the queue for want of a worker.
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
