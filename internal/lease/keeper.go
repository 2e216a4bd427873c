// Package lease renews the leases of a process: work that is bound to a lease stays with the
// process while it lives, and others may take it over after the process has died. The caller
// stores the leases.
package lease

import (
	"context"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// batchSize is how many leases one call of Renew extends at most.
const batchSize = 1000

// Config configures a Keeper. All fields are required.
type Config[K comparable] struct {
	// What names the leased things in the log, such as "messages".
	What string
	// Renew extends leases that this process holds. It skips those that have ended or belong to
	// another process.
	Renew func(ctx context.Context, keys []K) error
	// Every is the time between renewals, and the timeout of one. A third of a lease's length
	// leaves time for a second try.
	Every  time.Duration
	Logger *slog.Logger
}

// Keeper renews the leases that a process holds. Its methods are safe for concurrent use.
type Keeper[K comparable] struct {
	config Config[K]

	mu   sync.Mutex
	keys map[K]struct{}
}

// NewKeeper returns a keeper without leases. Run renews them.
func NewKeeper[K comparable](config Config[K]) *Keeper[K] {
	return &Keeper[K]{config: config, keys: map[K]struct{}{}}
}

// Add starts renewing a lease.
func (k *Keeper[K]) Add(key K) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keys[key] = struct{}{}
}

// Remove stops renewing a lease.
func (k *Keeper[K]) Remove(key K) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.keys, key)
}

// Len returns the number of leases.
func (k *Keeper[K]) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.keys)
}

// Run renews all leases at each interval until ctx ends. A renewal that fails is logged and
// repeated at the next interval.
//
// If the process dies, its leases end by themselves and others take over its work. If only the
// database was unavailable for longer than a lease lasts, the first process that asks afterwards
// gets the work.
func (k *Keeper[K]) Run(ctx context.Context) {
	ticker := time.NewTicker(k.config.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			k.Renew(ctx)
		}
	}
}

// Renew renews all leases once, as Run does at each interval.
func (k *Keeper[K]) Renew(ctx context.Context) {
	once, cancel := context.WithTimeout(ctx, k.config.Every)
	defer cancel()
	for keys := range k.batches() {
		if err := k.config.Renew(once, keys); err != nil && ctx.Err() == nil {
			k.config.Logger.WarnContext(ctx, "cannot renew leases",
				slog.String("of", k.config.What), slog.Int("leases", len(keys)), slog.Any("error", err))
		}
	}
}

func (k *Keeper[K]) batches() iter.Seq[[]K] {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Chunk(slices.Collect(maps.Keys(k.keys)), batchSize)
}
