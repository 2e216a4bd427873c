package jobs

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// capacity keeps the number of attempts that all live processes make at once. Each process
// registers itself; the registration of a process that dies ends by itself.
type capacity struct {
	workers Workers
	id      string
	own     int
	ttl     time.Duration
	log     *slog.Logger
	total   atomic.Int64
}

// attempts returns the attempts that all live processes make at once. While the database is
// unavailable that is the last known number, and at first this process's.
func (c *capacity) attempts() int { return max(c.own, int(c.total.Load())) }

// run registers this process three times within a registration's length until ctx ends. Then it
// removes the registration, so that nothing more is handed out to it.
func (c *capacity) run(ctx context.Context) {
	ticker := time.NewTicker(c.ttl / 3)
	defer ticker.Stop()
	defer c.withdraw(context.WithoutCancel(ctx))
	for {
		c.register(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (c *capacity) register(ctx context.Context) {
	once, cancel := context.WithTimeout(ctx, c.ttl/3)
	defer cancel()
	total, err := c.workers.RegisterWorker(once, c.id, c.own, c.ttl)
	if err != nil {
		if ctx.Err() == nil {
			c.log.WarnContext(ctx, "cannot register this process as a worker", slog.Any("error", err))
		}
		return
	}
	c.total.Store(int64(total))
}

func (c *capacity) withdraw(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := c.workers.RemoveWorker(ctx, c.id); err != nil {
		c.log.WarnContext(ctx, "cannot remove this process from the workers, its registration will expire", slog.Any("error", err))
	}
}
