package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"outreach/internal/sparselog"
	"outreach/jobs/queue"
)

// Run scans and delivers until ctx ends. Then it stops taking tasks, waits for the running
// attempts and returns. Any number of processes may run it at once.
//
// If the process is killed, its attempts are repeated under their numbers once their leases have
// ended, and another process leads the scan after the same time.
func Run(ctx context.Context, config Config) error {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return fmt.Errorf("run deliveries: %w", err)
	}
	wake := newWakeUp()
	client, closeClient, err := connectForScripts(config.Redis, waitForTasks(wake))
	if err != nil {
		return fmt.Errorf("run deliveries: %w", err)
	}
	defer closeClient()
	// Enqueuing hundreds of tasks must not delay single fetches, so each has its own client.
	enqueuer, closeEnqueuer, err := connectForScripts(config.Redis)
	if err != nil {
		return fmt.Errorf("run deliveries: %w", err)
	}
	defer closeEnqueuer()
	w := newWorker(config, client, wake)
	defer w.stopKeeping()
	if err := w.start(); err != nil {
		w.drain()
		return fmt.Errorf("run deliveries: %w", err)
	}
	w.lead(ctx, enqueuer)
	w.drain()
	return nil
}

// worker is the state of one process.
type worker struct {
	config    Config
	id        string
	client    redis.UniversalClient
	queues    queues
	wake      *wakeUp
	away      *sparselog.Logger // warns if Redis is unavailable
	all       *capacity
	deliverer *deliverer
	servers   []*asynq.Server
	keeping   sync.WaitGroup
	stop      context.CancelFunc
}

func newWorker(config Config, client redis.UniversalClient, wake *wakeUp) *worker {
	w := &worker{
		config: config, id: newWorkerID(), client: client, queues: queuesOf(client), wake: wake, away: config.Away,
	}
	w.all = &capacity{workers: config.Store, id: w.id, own: config.Concurrency, ttl: config.LeaseTTL, log: config.Logger}
	w.deliverer = newDeliverer(config, w.all)
	w.addServers()
	// The leases must be renewed while the process drains, so their context outlives Run's.
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	w.keeping.Go(func() { w.deliverer.leases.Run(ctx) })
	return w
}

// addServers creates the asynq servers. Servers of the single queue share the concurrency. On a
// cluster each queue has one server, because a server stops at its first queue that fails. It may
// use half of the concurrency: that is the limit of a workspace, whose deliveries are all in one
// queue. The deliverer limits the sum.
func (w *worker) addServers() {
	if len(w.queues) > 1 {
		for _, queue := range w.queues {
			w.servers = append(w.servers, w.newServer(queue, w.config.Concurrency/2))
		}
		return
	}
	for i := range w.config.Servers {
		share := w.config.Concurrency / w.config.Servers
		if i < w.config.Concurrency%w.config.Servers {
			share++
		}
		w.servers = append(w.servers, w.newServer(w.queues[0], share))
	}
}

func (w *worker) newServer(queue string, concurrency int) *asynq.Server {
	return asynq.NewServerFromRedisClient(w.client, asynq.Config{
		Concurrency:              concurrency,
		Queues:                   map[string]int{queue: 1},
		RetryDelayFunc:           retryDelay(w.config.RetryDelay),
		IsFailure:                isFailure,
		DelayedTaskCheckInterval: time.Second,
		TaskCheckInterval:        fetchSleep,
		ShutdownTimeout:          w.config.DrainTimeout,
		Logger:                   asynqLogger{log: w.config.Logger, away: w.away},
		LogLevel:                 asynq.ErrorLevel,
	})
}

func (w *worker) start() error {
	for _, server := range w.servers {
		if err := server.Start(w.deliverer); err != nil {
			return fmt.Errorf("start asynq server: %w", err)
		}
	}
	return nil
}

// lead competes for the lease of the scan and scans while it holds it, until ctx ends.
func (w *worker) lead(ctx context.Context, enqueuer redis.UniversalClient) {
	l := newLeadership(w.config.Store, "webhook-scan", w.id, w.config.LeaseTTL, w.config.Logger)
	l.try(ctx)
	scan := &scanner{
		store: w.config.Store, client: asynq.NewClientFromRedisClient(enqueuer), redis: enqueuer, queues: w.queues, wake: w.wake,
		leads: l.held, gained: l.gained, interval: w.config.ScanInterval, metrics: w.config.Metrics, log: w.config.Logger, away: w.away,
		admission: func() queue.Admission { return w.config.admission(w.all.attempts()) }, failed: make(chan struct{}, 1),
	}
	var parts sync.WaitGroup
	parts.Go(func() { l.campaign(ctx) })
	parts.Go(func() { w.all.run(ctx) })
	parts.Go(func() { scan.run(ctx) })
	parts.Go(func() { w.maintain(ctx, l.held) })
	parts.Wait()
}

// drain stops fetching in all servers at once and waits until running attempts are recorded. Tasks
// that asynq still held go back to their queue.
func (w *worker) drain() {
	var stopping sync.WaitGroup
	for _, server := range w.servers {
		stopping.Go(func() { server.Stop(); server.Shutdown() })
	}
	stopping.Wait()
	ended := make(chan struct{})
	go func() {
		w.deliverer.close()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(w.config.DrainTimeout):
		w.config.Logger.Warn("attempts still run at the end and will be repeated", slog.Int("attempts", w.deliverer.leases.Len()))
	}
}

func (w *worker) stopKeeping() {
	w.stop()
	w.keeping.Wait()
}

// newWorkerID identifies this run of this process, for operators who read the tables.
func newWorkerID() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + ":" + strconv.Itoa(os.Getpid()) + ":" + uuid.NewString()
}

// asynqLogger passes the messages of asynq to slog. All its warnings and errors come from a Redis
// that is unavailable. The scan recovers whatever asynq loses then.
type asynqLogger struct {
	log  *slog.Logger
	away *sparselog.Logger
}

func (l asynqLogger) warn(args []any) {
	l.away.Warn(context.Background(), topicRedis, "asynq cannot work, is Redis unavailable?", slog.String("message", fmt.Sprint(args...)))
}

func (l asynqLogger) Debug(args ...any) {
	l.log.Debug("asynq", slog.String("message", fmt.Sprint(args...)))
}
func (l asynqLogger) Info(args ...any) {
	l.log.Info("asynq", slog.String("message", fmt.Sprint(args...)))
}
func (l asynqLogger) Warn(args ...any)  { l.warn(args) }
func (l asynqLogger) Error(args ...any) { l.warn(args) }

// Fatal does not end the process, as asynq's own logger would.
func (l asynqLogger) Fatal(args ...any) {
	l.log.Error("asynq", slog.String("message", fmt.Sprint(args...)))
}

// topicRedis is the topic of warnings that are logged at most once a minute. /readyz uses it too.
const topicRedis = "redis"
