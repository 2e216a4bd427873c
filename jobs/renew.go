package jobs

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"outreach/jobs/carry"
)

// running knows the attempts of this process whose leases must be kept.
type running struct {
	mu     sync.Mutex
	claims map[carry.Claim]struct{}
}

func newRunning() *running { return &running{claims: map[carry.Claim]struct{}{}} }

func (r *running) add(c carry.Claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.claims[c] = struct{}{}
}

func (r *running) remove(c carry.Claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.claims, c)
}

func (r *running) list() []carry.Claim {
	r.mu.Lock()
	defer r.mu.Unlock()
	claims := make([]carry.Claim, 0, len(r.claims))
	for c := range r.claims {
		claims = append(claims, c)
	}
	return claims
}

// keepLeases renews three times within a lease, until ctx ends. If the process
// dies, the leases end by themselves; if only the database was away for longer
// than a lease, whoever begins the attempt first afterwards has it. A renewal
// whose answer is lost leaves time for the next.
func (r *running) keepLeases(ctx context.Context, ledger Ledger, ttl time.Duration, log *slog.Logger) {
	ticker := time.NewTicker(ttl / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		r.renew(ctx, ledger, ttl, log)
	}
}

func (r *running) renew(ctx context.Context, ledger Ledger, ttl time.Duration, log *slog.Logger) {
	once, cancel := context.WithTimeout(ctx, ttl/3)
	defer cancel()
	for claims := range slices.Chunk(r.list(), 1000) {
		if err := ledger.RenewLeases(once, claims, ttl); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "leases of attempts cannot be renewed", slog.Int("attempts", len(claims)), slog.Any("error", err))
		}
	}
}
