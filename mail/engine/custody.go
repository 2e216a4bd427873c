package engine

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// custody is the set of ids whose leases this process keeps.
type custody struct {
	mu  sync.Mutex
	ids map[uuid.UUID]struct{}
}

func newCustody() *custody { return &custody{ids: map[uuid.UUID]struct{}{}} }

func (c *custody) add(id uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids[id] = struct{}{}
}

func (c *custody) drop(id uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.ids, id)
}

func (c *custody) list() []uuid.UUID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.ids))
}

// renew keeps all leases of this process until ctx ends. A process that dies, or
// loses the database for longer than a lease lasts, loses its work to others: what
// was claimed they send, what was committing becomes unknown, what was read they
// read.
func (e *Engine) renew(ctx context.Context) {
	ticker := time.NewTicker(outreach.LeaseRenewal)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			e.renewOnce(ctx)
		}
	}
}

func (e *Engine) renewOnce(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, outreach.LeaseRenewal)
	defer cancel()
	if ids := e.letters.list(); len(ids) > 0 {
		e.warn(ctx, "leases of messages could not be renewed", e.Store.RenewMessages(ctx, ids, e.holder))
	}
	if ids := e.reading.list(); len(ids) > 0 {
		e.warn(ctx, "leases of mailboxes could not be renewed", e.Store.RenewReaders(ctx, ids, e.holder))
	}
}
