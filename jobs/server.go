package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"outreach/jobs/carry"
)

// Config says what Run needs; Store, Post and Redis are required.
type Config struct {
	Store Store
	Post  Post
	Redis asynq.RedisConnOpt
	// ScanInterval is the time between scans, RetryDelay that between attempts:
	// a minute each when zero, whole seconds from one up.
	ScanInterval time.Duration
	RetryDelay   time.Duration
	// Concurrency is how many attempts this process makes at once; 1024 when
	// zero. One workspace gets at most half of them, one host too, and one
	// workspace at one host a quarter.
	Concurrency int
	// Servers is how many asynq servers share the work; 16 when zero. Each of them
	// fetches its tasks one by one, which alone would bound the throughput.
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
	setDefault(&c.Concurrency, 1024)
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
			return fmt.Errorf("%s of %s is not a whole number of seconds from 1 up", name, d)
		}
	}
	if c.Concurrency < 4 {
		return errors.New("a concurrency below 4 leaves no room for fairness")
	}
	return nil
}

// hold is how long a handed delivery, or a due retry, may wait for its attempt
// to begin before it counts as lost. What is in hand fits into the workers, so
// the wait is a second or three; half an interval is beyond doubt, and the scan
// after the next at the latest brings back what was lost.
func (c Config) hold() time.Duration { return max(c.ScanInterval/2, 5*time.Second) }

func (c Config) admission() carry.Admission {
	return carry.Admission{
		Total: c.Concurrency, PerWorkspace: c.Concurrency / 2, PerHost: c.Concurrency / 2, PerLane: c.Concurrency / 4,
		Hold: c.hold(),
	}
}

// Run scans and delivers until ctx ends, then stops taking tasks, waits for the
// attempts that run and returns. Any number of processes may run it at once.
//
// If the process is killed instead, its attempts are repeated under their
// numbers once their leases have ended, and another process leads the scan after
// the same time.
func Run(ctx context.Context, config Config) error {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return fmt.Errorf("run deliveries: %w", err)
	}
	door := newDoorbell()
	client, hangUp, err := connectPipelined(config.Redis, patient(door))
	if err != nil {
		return fmt.Errorf("run deliveries: %w", err)
	}
	defer hangUp()
	// What the scan enqueues by the hundred must not hold up single fetches.
	enqueuer, hangUp, err := connectPipelined(config.Redis)
	if err != nil {
		return fmt.Errorf("run deliveries: %w", err)
	}
	defer hangUp()
	w := newWorker(config, client, door)
	defer w.stopKeeping()
	if err := w.start(); err != nil {
		w.drain()
		return fmt.Errorf("run deliveries: %w", err)
	}
	w.lead(ctx, enqueuer)
	w.drain()
	return nil
}

// worker is what one process runs.
type worker struct {
	config    Config
	client    redis.UniversalClient
	door      *doorbell
	deliverer *deliverer
	servers   []*asynq.Server
	keeping   sync.WaitGroup
	stop      context.CancelFunc
}

func newWorker(config Config, client redis.UniversalClient, door *doorbell) *worker {
	w := &worker{config: config, client: client, door: door, deliverer: newDeliverer(config)}
	for i := range config.Servers {
		share := config.Concurrency / config.Servers
		if i < config.Concurrency%config.Servers {
			share++
		}
		w.servers = append(w.servers, newServer(config, client, share))
	}
	// Leases are kept while the process drains, so they outlive Run's context.
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	w.keeping.Go(func() {
		w.deliverer.running.keepLeases(ctx, config.Store, config.LeaseTTL, config.Logger)
	})
	return w
}

func newServer(config Config, client redis.UniversalClient, concurrency int) *asynq.Server {
	return asynq.NewServerFromRedisClient(client, asynq.Config{
		Concurrency:              concurrency,
		Queues:                   map[string]int{Queue: 1},
		RetryDelayFunc:           retryDelay(config.RetryDelay),
		IsFailure:                isFailure,
		DelayedTaskCheckInterval: time.Second,
		TaskCheckInterval:        fetchSleep,
		ShutdownTimeout:          config.DrainTimeout,
		Logger:                   logger{config.Logger},
		LogLevel:                 asynq.ErrorLevel,
	})
}

func newDeliverer(config Config) *deliverer {
	d := &deliverer{
		post: config.Post, pace: carry.Pace{RetryDelay: config.RetryDelay, Hold: config.hold()},
		caps: newCaps(config.admission()), running: newRunning(),
		metrics: config.Metrics, log: config.Logger,
	}
	d.begins = newBatch(2, batchWait, func(tasks []carry.Handed) ([]carry.Attempt, error) {
		ctx, cancel := context.WithTimeout(context.Background(), config.LeaseTTL/3)
		defer cancel()
		attempts, err := config.Store.BeginAttempts(ctx, tasks, config.LeaseTTL)
		warn(config.Logger, "attempts cannot begin", len(tasks), err)
		return attempts, err
	})
	d.finishes = newBatch(2, batchWait, func(results []carry.Result) ([]carry.Recorded, error) {
		return finish(config.Store, results, d.pace)
	})
	d.returns = newBatch(1, batchWait, func(tasks []carry.Handed) ([]struct{}, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		err := config.Store.GiveBack(ctx, tasks)
		warn(config.Logger, "deliveries cannot be given back, their holds must end", len(tasks), err)
		return make([]struct{}, len(tasks)), err
	})
	return d
}

// warn says once for a whole batch what its single calls say in debug.
func warn(log *slog.Logger, what string, tasks int, err error) {
	if err != nil {
		log.Warn(what, slog.Int("tasks", tasks), slog.Any("error", err)) //nolint:sloglint // callers pass constants
	}
}

// finishPatience is how long a result waits for a database that does not
// answer; after that the attempt is repeated.
const finishPatience = 45 * time.Second

// recorder is the part of a store that finish needs.
type recorder interface {
	FinishAttempts(ctx context.Context, results []carry.Result, pace carry.Pace) ([]carry.Recorded, error)
}

// finish records results, again and again while the database is away: what an
// endpoint answered cannot be asked for twice without it being seen twice.
func finish(store recorder, results []carry.Result, pace carry.Pace) ([]carry.Recorded, error) {
	ctx, cancel := context.WithTimeout(context.Background(), finishPatience)
	defer cancel()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		recorded, err := finishOnce(ctx, store, results, pace)
		if err == nil {
			return recorded, nil
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
		}
	}
}

func finishOnce(ctx context.Context, store recorder, results []carry.Result, pace carry.Pace) ([]carry.Recorded, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return store.FinishAttempts(ctx, results, pace)
}

func (w *worker) start() error {
	for _, server := range w.servers {
		if err := server.Start(w.deliverer); err != nil {
			return fmt.Errorf("start asynq server: %w", err)
		}
	}
	return nil
}

// lead campaigns for the scan and does it while it leads, until ctx ends.
func (w *worker) lead(ctx context.Context, enqueuer redis.UniversalClient) {
	l := newLeadership(w.config.Store, "webhook-scan", holder(), w.config.LeaseTTL, w.config.Logger)
	l.try(ctx)
	scan := &scanner{
		store: w.config.Store, client: asynq.NewClientFromRedisClient(enqueuer), redis: enqueuer, door: w.door,
		leads: l.held, gained: l.gained, admission: w.config.admission(), interval: w.config.ScanInterval,
		metrics: w.config.Metrics, log: w.config.Logger,
	}
	var parts sync.WaitGroup
	parts.Go(func() { l.campaign(ctx) })
	parts.Go(func() { scan.run(ctx) })
	parts.Go(func() { w.keepHouse(ctx, l.held) })
	parts.Wait()
}

// drain stops fetching in all servers at once and lets running attempts end and
// be recorded. What asynq still held goes back to its queue.
func (w *worker) drain() {
	var stopping sync.WaitGroup
	for _, server := range w.servers {
		stopping.Go(func() { server.Stop(); server.Shutdown() })
	}
	stopping.Wait()
	ended := make(chan struct{})
	go func() {
		w.deliverer.attempts.Wait()
		w.deliverer.begins.close()
		w.deliverer.finishes.close()
		w.deliverer.returns.close()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(w.config.DrainTimeout):
		w.config.Logger.Warn("attempts still run at the end and will be repeated", slog.Int("attempts", len(w.deliverer.running.list())))
	}
}

func (w *worker) stopKeeping() {
	w.stop()
	w.keeping.Wait()
}

// holder names this run of this process, for operators who read the table.
func holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + ":" + strconv.Itoa(os.Getpid()) + ":" + uuid.NewString()
}

// logger gives asynq's words to slog; what it has to say is one line.
type logger struct{ log *slog.Logger }

func (l logger) say(level slog.Level, args []any) {
	l.log.Log(context.Background(), level, "asynq", slog.String("says", fmt.Sprint(args...)))
}

func (l logger) Debug(args ...any) { l.say(slog.LevelDebug, args) }
func (l logger) Info(args ...any)  { l.say(slog.LevelInfo, args) }
func (l logger) Warn(args ...any)  { l.say(slog.LevelWarn, args) }

// Error is a warning to us: whatever asynq loses, the scan brings back.
func (l logger) Error(args ...any) { l.say(slog.LevelWarn, args) }

// Fatal does not end the process, as asynq's own logger would.
func (l logger) Fatal(args ...any) { l.say(slog.LevelError, args) }
