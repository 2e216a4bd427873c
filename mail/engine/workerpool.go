package engine

import (
	"slices"
	"sync"

	"github.com/google/uuid"

	"outreach"
)

// workerPool serves a queue of mailboxes. Goroutines exist only while there is work. A
// mailbox is in the queue or being served at most once. One workspace gets at most two thirds of
// the workers, because its servers may all hang for minutes.
type workerPool struct {
	most, share int

	mu      sync.Mutex
	idle    sync.Cond
	queue   []outreach.MailboxRef
	known   map[uuid.UUID]struct{}
	served  map[uuid.UUID]int // mailboxes being served, by workspace
	running int
}

func newWorkerPool(most int) *workerPool {
	p := &workerPool{most: most, share: most - most/3, known: map[uuid.UUID]struct{}{}, served: map[uuid.UUID]int{}}
	p.idle.L = &p.mu
	return p
}

// add queues the mailboxes that are not in the pool yet. serve works on one mailbox for one round
// and reports whether the mailbox has more work. If so, it is queued again.
func (p *workerPool) add(refs []outreach.MailboxRef, serve func(outreach.MailboxRef) (more bool)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, ref := range refs {
		if _, there := p.known[ref.ID]; !there {
			p.known[ref.ID] = struct{}{}
			p.queue = append(p.queue, ref)
		}
	}
	for ; p.running < min(p.most, len(p.known)); p.running++ {
		go p.work(serve)
	}
}

func (p *workerPool) work(serve func(outreach.MailboxRef) bool) {
	for ref, ok := p.take(); ok; ref, ok = p.take() {
		p.put(ref, serve(ref))
	}
}

// take returns the next mailbox of a workspace that is below its share. If there is none, ok is
// false and the worker ends. A worker calls take after each round, so no mailbox stays in the queue
// while a worker is free.
func (p *workerPool) take() (ref outreach.MailboxRef, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := slices.IndexFunc(p.queue, func(ref outreach.MailboxRef) bool { return p.served[ref.WorkspaceID] < p.share })
	if next < 0 {
		p.running--
		p.idle.Broadcast()
		return ref, false
	}
	ref = p.queue[next]
	p.queue = slices.Delete(p.queue, next, next+1)
	p.served[ref.WorkspaceID]++
	return ref, true
}

func (p *workerPool) put(ref outreach.MailboxRef, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.served[ref.WorkspaceID]--; p.served[ref.WorkspaceID] == 0 {
		delete(p.served, ref.WorkspaceID)
	}
	if more {
		p.queue = append(p.queue, ref)
		return
	}
	delete(p.known, ref.ID)
}

// others reports whether other mailboxes are queued.
func (p *workerPool) others() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) > 0
}

// wait returns when no worker is running.
func (p *workerPool) wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.running > 0 {
		p.idle.Wait()
	}
}
