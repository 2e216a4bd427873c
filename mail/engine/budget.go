package engine

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// budget is a token bucket for each workspace. It bounds how much of a shared resource one
// workspace uses.
type budget struct {
	rate, burst float64

	mu     sync.Mutex
	levels map[uuid.UUID]level
}

// level is the balance of a workspace at a time. It is negative after a spending that was larger
// than expected.
type level struct {
	left float64
	at   time.Time
}

// maxLevels bounds the number of workspaces kept in memory. A workspace with a full bucket can be
// removed.
const maxLevels = 10_000

// has reports whether a workspace has a positive balance.
func (b *budget) has(workspace uuid.UUID, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current(workspace, now).left > 0
}

// spend subtracts an amount from the balance of a workspace.
func (b *budget) spend(workspace uuid.UUID, now time.Time, amount float64) {
	if amount <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.current(workspace, now)
	l.left -= amount
	if b.levels == nil {
		b.levels = map[uuid.UUID]level{}
	}
	b.levels[workspace] = l
	if len(b.levels) > maxLevels {
		for id := range b.levels {
			if b.current(id, now).left >= b.burst {
				delete(b.levels, id)
			}
		}
	}
}

func (b *budget) current(workspace uuid.UUID, now time.Time) level {
	l, known := b.levels[workspace]
	if !known {
		return level{b.burst, now}
	}
	saved := b.rate * max(now.Sub(l.at), 0).Seconds()
	return level{min(l.left+saved, b.burst), now}
}
