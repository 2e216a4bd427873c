package sending

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// heads remembers where the queue of a campaign begins. Who was sent to leaves a
// dead entry in the index of what is due until it is vacuumed; a look that began
// at its first entry would walk over all of them, each time.
//
// What is put before the head (an enrollment that is taken up again, one that was
// left for another mailbox) is found a second later at most, when a look begins
// at the very first again.
type heads struct {
	mu  sync.Mutex
	all map[uuid.UUID]mark
}

// mark is a place in a queue, and until when looks may begin there.
type mark struct {
	at    time.Time
	id    uuid.UUID
	until time.Time
}

// Bounds of what is remembered.
const (
	maxHeads  = 10_000
	headLasts = time.Second
)

// of gives where to begin, the zero mark for the very first.
func (h *heads) of(campaign uuid.UUID, now time.Time) mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	head := h.all[campaign]
	if now.After(head.until) {
		return mark{}
	}
	return head
}

// note says which enrollment came first in a look; the zero mark for none that
// any mailbox could have taken.
func (h *heads) note(campaign uuid.UUID, first mark, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch old, known := h.all[campaign]; {
	case first.id == uuid.Nil:
		delete(h.all, campaign)
		return
	case known && now.Before(old.until):
		first.until = old.until
	default:
		first.until = now.Add(headLasts)
	}
	if h.all == nil || len(h.all) >= maxHeads {
		h.all = map[uuid.UUID]mark{}
	}
	h.all[campaign] = first
}
