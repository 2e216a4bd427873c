package jobs

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"

	"outreach/jobs/carry"
)

// Config says what Run needs. Store, Post, Redis and Concurrency are required.
type Config struct {
	Store Store
	Post  Post
	Redis asynq.RedisConnOpt
	// ScanInterval is the time between scans, RetryDelay that between attempts:
	// a minute each when zero, whole seconds from one up.
	ScanInterval time.Duration
	RetryDelay   time.Duration
	// Concurrency is how many attempts this process makes at once, at least 4. The
	// scan fills the concurrencies of all live processes together. One workspace
	// gets at most half of them, one host too, and one workspace at one host a
	// quarter.
	Concurrency int
	// Servers is how many asynq servers share the work; 16 when zero. Each of them
	// fetches its tasks one by one, which alone would bound the throughput. On
	// Redis Cluster there is one server for each queue, whatever Servers says.
	Servers int
	// LeaseTTL is how long the work of a dead process stays its own; 30 s when
	// zero. It is renewed three times as often.
	LeaseTTL time.Duration
	// DrainTimeout bounds the wait for running attempts at the end; 20 s when
	// zero.
	DrainTimeout time.Duration
	// Retention is how long settled deliveries are kept; for ever when zero.
	Retention time.Duration
	Metrics   *Metrics
	Logger    *slog.Logger
}

func (c Config) withDefaults() Config {
	setDefault(&c.ScanInterval, time.Minute)
	setDefault(&c.RetryDelay, time.Minute)
	setDefault(&c.Servers, 16)
	setDefault(&c.LeaseTTL, 30*time.Second)
	setDefault(&c.DrainTimeout, 20*time.Second)
	if c.Metrics == nil {
		c.Metrics = NewMetrics()
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Servers = min(c.Servers, c.Concurrency)
	return c
}

func setDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

func (c Config) validate() error {
	for name, d := range map[string]time.Duration{"scan interval": c.ScanInterval, "retry delay": c.RetryDelay} {
		if d < time.Second || d%time.Second != 0 {
			return fmt.Errorf("%s of %s must be a whole number of seconds, at least 1", name, d)
		}
	}
	if c.Concurrency < 4 {
		return errors.New("concurrency must be at least 4: a quarter of it is the bound for one workspace at one host")
	}
	return nil
}

// hold is how long a handed delivery, or a due retry, may wait for its attempt
// to begin before it counts as lost. What is handed out fits into the workers, so
// the wait is a second or three. Half an interval is far more than that, and the
// scan after the next at the latest brings back what was lost.
func (c Config) hold() time.Duration { return max(c.ScanInterval/2, 5*time.Second) }

// admission is what may be in hand at once if slots attempts run at once.
func (c Config) admission(slots int) carry.Admission {
	return carry.Admission{Total: slots, PerWorkspace: slots / 2, PerHost: slots / 2, PerLane: slots / 4, Hold: c.hold()}
}
