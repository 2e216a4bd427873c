package jobs

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"outreach/internal/sparselog"
	"outreach/jobs/queue"
)

// hanging is a database whose answers can get lost on the way: a statement then
// ends when its caller gives it up, and not before.
type hanging struct {
	Store
	mu    sync.Mutex
	lost  int // statements to come whose answer is lost
	calls int
}

func (h *hanging) statement(ctx context.Context) error {
	h.mu.Lock()
	h.calls++
	hang := h.lost > 0
	h.lost--
	h.mu.Unlock()
	if hang {
		<-ctx.Done()
	}
	return ctx.Err()
}

func (h *hanging) lose(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost = n
}

func (h *hanging) answered() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls
}

// RenewLeases is one statement.
func (h *hanging) RenewLeases(ctx context.Context, _ []queue.AttemptKey, _ time.Duration) error {
	return h.statement(ctx)
}

// AcquireLease is one statement, and no other process wants the lease.
func (h *hanging) AcquireLease(ctx context.Context, _, _ string, _ time.Duration) (bool, error) {
	err := h.statement(ctx)
	return err == nil, err
}

// ReleaseLease does nothing.
func (h *hanging) ReleaseLease(context.Context, string, string) error { return nil }

// SettleTests is one statement.
func (h *hanging) SettleTests(ctx context.Context) (int, error) { return 0, h.statement(ctx) }

// HandOut is one statement, and nothing is due.
func (h *hanging) HandOut(ctx context.Context, _ queue.Admission) (queue.Handout, error) {
	return queue.Handout{}, h.statement(ctx)
}

// agreeing is a Redis that says yes to everything.
func agreeing() redis.UniversalClient {
	client := redis.NewClient(&redis.Options{})
	client.AddHook(yes{})
	return client
}

type yes struct{}

// DialHook is never asked.
func (yes) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook leaves a command with its zero answer.
func (yes) ProcessHook(redis.ProcessHook) redis.ProcessHook {
	return func(context.Context, redis.Cmder) error { return nil }
}

// ProcessPipelineHook is never asked.
func (yes) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook { return next }

var silent = slog.New(slog.DiscardHandler)

// One answer that never comes costs one renewal and no lease.
func TestLeasesAreKeptOverALostAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		store := &hanging{lost: 1}
		d := newDeliverer(Config{Store: store}.withDefaults(), &capacity{})
		d.leases.Add(queue.AttemptKey{ID: uuid.New()})
		go d.leases.Run(ctx)
		time.Sleep(29 * time.Second)
		if store.answered() < 2 {
			t.Errorf("%d renewals within a lease, one of them lost", store.answered())
		}
		cancel()
		synctest.Wait()
	})
}

// The leader stays the leader.
func TestLeadershipOutlivesALostAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		store := &hanging{}
		l := newLeadership(store, "scan", "me", 30*time.Second, silent)
		go l.campaign(ctx)
		synctest.Wait()
		store.lose(1)
		for range 60 {
			time.Sleep(time.Second)
			if !l.held() {
				t.Fatal("the lease was lost with one answer")
			}
		}
		cancel()
		synctest.Wait()
	})
}

// A leader whose scan hangs keeps others from scanning, so none hangs for long.
func TestScanGoesOnAfterALostAnswer(t *testing.T) {
	t.Parallel()
	client := agreeing() // has goroutines of its own
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		store := &hanging{lost: 2}
		s := &scanner{store: store, redis: client, queues: queues{Queue}, interval: time.Minute,
			admission: func() queue.Admission { return queue.Admission{} }, leads: func() bool { return true },
			metrics: NewMetrics(), log: silent, away: sparselog.New(silent)}
		go s.run(ctx)
		time.Sleep(5 * time.Minute)
		if store.answered() < 6 {
			t.Errorf("%d statements in five minutes, two of them lost", store.answered())
		}
		cancel()
		synctest.Wait()
	})
}
