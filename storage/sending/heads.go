package sending

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// head is the first enrollment of a queue: its time zone and its place in index enrollments_due.
type head struct {
	zone string
	at   time.Time
	id   uuid.UUID
}

// begin is where the queues of a campaign begin, and until when claims may begin there; the zero
// time if it was just read.
type begin struct {
	heads []head
	until time.Time
}

// heads remembers where the queues of new prospects who may get any mailbox begin. An enrollment
// that was sent to leaves a dead entry in the index of the queue until it is vacuumed. A claim that
// began at the first entry would read all of them each time.
//
// A change that puts an enrollment before the head adds a row to sender_wakes. The process that deletes
// the row forgets the heads of the workspace before. Until its transaction is over it remembers none,
// and claims do not use heads that they read before (holds), because they may no longer see the row.
// Other processes forget their heads after headsLast. A claim that finds nothing from a remembered head
// looks again from the first entry before its mailbox sleeps.
type heads struct {
	mu     sync.Mutex
	all    map[uuid.UUID]*headsOf
	waking map[uuid.UUID]int // workspaces whose wakes are being taken
}

// headsOf holds the heads of one workspace by campaign.
type headsOf map[uuid.UUID]begin

// remembered reports whether any of the heads come from an earlier transaction.
func (h headsOf) remembered() bool {
	for _, b := range h {
		if !b.until.IsZero() {
			return true
		}
	}
	return false
}

// Bounds of what is remembered.
const (
	headsLast      = time.Second
	mostHeads      = 1_000  // of one workspace
	mostWorkspaces = 10_000 // with heads
)

// of returns the memory of a workspace, for holds and note, and what it holds at a time.
func (h *heads) of(workspace uuid.UUID, now time.Time) (memory *headsOf, known headsOf) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waking[workspace] > 0 {
		return &headsOf{}, headsOf{}
	}
	memory = h.all[workspace]
	if memory == nil {
		if h.all == nil || len(h.all) >= mostWorkspaces {
			h.all = map[uuid.UUID]*headsOf{}
		}
		memory = &headsOf{}
		h.all[workspace] = memory
	}
	known = headsOf{}
	for campaign, b := range *memory {
		if !now.After(b.until) {
			known[campaign] = b
		}
	}
	return memory, known
}

// holds reports whether memory was not forgotten since.
func (h *heads) holds(workspace uuid.UUID, memory *headsOf) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all[workspace] == memory
}

// note remembers what a claim found, unless memory was forgotten since.
func (h *heads) note(workspace uuid.UUID, memory *headsOf, found headsOf, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all[workspace] != memory {
		return
	}
	count := 0
	for campaign, b := range found {
		if b.until.IsZero() {
			b.until = now.Add(headsLast)
		}
		(*memory)[campaign] = b
	}
	for campaign, b := range *memory {
		if count += 1 + len(b.heads); now.After(b.until) || count > mostHeads {
			delete(*memory, campaign)
		}
	}
}

// wake forgets the heads of a workspace and remembers none until the returned function is called,
// after the transaction that takes the wake.
func (h *heads) wake(workspace uuid.UUID) (taken func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, workspace)
	if h.waking == nil {
		h.waking = map[uuid.UUID]int{}
	}
	h.waking[workspace]++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.waking[workspace]--; h.waking[workspace] == 0 {
			delete(h.waking, workspace)
		}
	}
}
