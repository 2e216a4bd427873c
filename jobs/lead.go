package jobs

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// leadership holds a lease in the database for as long as it can.
type leadership struct {
	leases Leases
	name   string
	holder string
	ttl    time.Duration
	log    *slog.Logger
	// until is the process's own idea of the lease's end, in nanoseconds since
	// start: it began to count before the database did, so it ends first.
	until atomic.Int64
	start time.Time
}

func newLeadership(leases Leases, name, holder string, ttl time.Duration, log *slog.Logger) *leadership {
	return &leadership{leases: leases, name: name, holder: holder, ttl: ttl, log: log, start: time.Now()}
}

// held says whether this process leads at this moment.
func (l *leadership) held() bool { return int64(time.Since(l.start)) < l.until.Load() }

// campaign renews or tries to take the lease three times within its length,
// until ctx ends; then it gives the lease up, so that the next process does not
// wait for its end. A process that dies keeps the others waiting for one length.
func (l *leadership) campaign(ctx context.Context) {
	ticker := time.NewTicker(l.ttl / 3)
	defer ticker.Stop()
	defer l.resign(context.WithoutCancel(ctx))
	for {
		l.try(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (l *leadership) try(ctx context.Context) {
	asked := time.Since(l.start)
	held, err := l.leases.AcquireLease(ctx, l.name, l.holder, l.ttl)
	switch {
	case err != nil && ctx.Err() == nil:
		l.log.WarnContext(ctx, "lease cannot be renewed", slog.String("lease", l.name), slog.Any("error", err))
	case held:
		l.until.Store(int64(asked + l.ttl))
	case err == nil:
		l.until.Store(0)
	}
}

func (l *leadership) resign(ctx context.Context) {
	if !l.held() {
		return
	}
	l.until.Store(0)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := l.leases.ReleaseLease(ctx, l.name, l.holder); err != nil {
		l.log.WarnContext(ctx, "lease cannot be released and will expire", slog.String("lease", l.name), slog.Any("error", err))
	}
}
