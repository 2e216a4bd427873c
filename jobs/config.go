package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"

	"outreach/internal/sparselog"
	"outreach/jobs/queue"
)

// Config configures Run. Store, Post, Redis and Concurrency are required.
type Config struct {
	Store Store
	Post  Post
	Redis asynq.RedisConnOpt
	// ScanInterval is the time between scans, RetryDelay the time between attempts. Both are whole
	// seconds, a minute when zero.
	ScanInterval time.Duration
	RetryDelay   time.Duration
	// Concurrency is how many attempts this process makes at once, at least 4. The scan fills the
	// concurrency of all live processes. One workspace gets at most half of it, one host too, and
	// one workspace at one host a quarter.
	Concurrency int
	// Servers is how many asynq servers share the work; 16 when zero. Each fetches its tasks one
	// by one, which would limit the throughput of a single one. On Redis Cluster there is one
	// server for each queue, and Servers is ignored.
	Servers int
	// LeaseTTL is how long the leases of a dead process last; 30 s when zero. They are renewed
	// three times as often.
	LeaseTTL time.Duration
	// DrainTimeout limits the wait for running attempts at shutdown; 20 s when zero.
	DrainTimeout time.Duration
	// Retention is how long settled deliveries are kept; forever when zero.
	Retention time.Duration
	Metrics   *Metrics
	Logger    *slog.Logger
	// Away writes the warnings of a Redis that is away, one a minute, under the topic
	// "redis"; nil means one that writes to Logger.
	Away *sparselog.Logger
}

func (c Config) withDefaults() Config {
	c.ScanInterval = cmp.Or(c.ScanInterval, time.Minute)
	c.RetryDelay = cmp.Or(c.RetryDelay, time.Minute)
	c.LeaseTTL = cmp.Or(c.LeaseTTL, 30*time.Second)
	c.DrainTimeout = cmp.Or(c.DrainTimeout, 20*time.Second)
	c.Metrics = cmp.Or(c.Metrics, NewMetrics())
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Away = cmp.Or(c.Away, sparselog.New(c.Logger))
	c.Servers = min(cmp.Or(c.Servers, 16), c.Concurrency)
	return c
}

func (c Config) validate() error {
	for name, d := range map[string]time.Duration{"scan interval": c.ScanInterval, "retry delay": c.RetryDelay} {
		if d < time.Second || d%time.Second != 0 {
			return fmt.Errorf("%s of %s must be a whole number of seconds and at least one", name, d)
		}
	}
	if c.Concurrency < 4 {
		return errors.New("concurrency must be at least 4: a quarter of it is the limit for one workspace at one host")
	}
	return nil
}

// handoutTTL is how long a delivery that was handed out, or a due retry, may wait for its attempt to
// begin before it counts as lost. Only as much is handed out as the workers can do, so the wait is
// two or three seconds. Half an interval is far longer, and a lost delivery comes back with the
// second scan after it at the latest.
func (c Config) handoutTTL() time.Duration { return max(c.ScanInterval/2, 5*time.Second) }

// admission returns the limits for a number of concurrent attempts.
func (c Config) admission(attempts int) queue.Admission {
	return queue.Admission{Total: attempts, PerWorkspace: attempts / 2, PerHost: attempts / 2, PerWorkspaceHost: attempts / 4,
		HandoutTTL: c.handoutTTL()}
}
