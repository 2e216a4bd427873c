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
	// until is when the lease ends by this process's clock, in nanoseconds since start. It is counted
	// from before the request, so it is never later than the end in the database.
	until atomic.Int64
	start time.Time
	// gained wakes the goroutine that waits for the lease; it buffers one signal.
	gained chan struct{}
}

func newLeadership(leases Leases, name, holder string, ttl time.Duration, log *slog.Logger) *leadership {
	return &leadership{leases: leases, name: name, holder: holder, ttl: ttl, log: log, start: time.Now(), gained: make(chan struct{}, 1)}
}

// held reports whether this process leads now.
func (l *leadership) held() bool { return int64(time.Since(l.start)) < l.until.Load() }

// campaign renews the lease three times within its length, or tries ten times to get it, until ctx
// ends; then it releases the lease, so that the next process does not wait for its end. A try that
// takes too long is cancelled. The lease of a process that dies ends after one length.
func (l *leadership) campaign(ctx context.Context) {
	defer l.resign(context.WithoutCancel(ctx))
	for {
		l.try(ctx)
		wait := l.ttl / 10
		if l.held() {
			wait = l.ttl / 3
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

func (l *leadership) try(ctx context.Context) {
	asked := time.Since(l.start)
	once, cancel := context.WithTimeout(ctx, l.ttl/6)
	defer cancel()
	held, err := l.leases.AcquireLease(once, l.name, l.holder, l.ttl)
	switch {
	case err != nil && ctx.Err() == nil:
		l.log.WarnContext(ctx, "lease cannot be renewed", slog.String("lease", l.name), slog.Any("error", err))
	case held:
		before := l.held()
		l.until.Store(int64(asked + l.ttl))
		if !before {
			l.wake()
		}
	case err == nil:
		l.until.Store(0)
	}
}

func (l *leadership) wake() {
	select {
	case l.gained <- struct{}{}:
	default: // already awake
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
