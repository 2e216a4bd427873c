package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"outreach/internal/sparselog"
	"outreach/jobs/queue"
)

// Within one scan interval the scan refills what the workers have finished: after topUpSoonest
// while there is room, after topUpLatest while every limit is reached.
const (
	topUpSoonest = 25 * time.Millisecond
	topUpLatest  = time.Second
)

// redisPause is the wait before the next try of a scan that found no Redis. The next interval would be
// late: after a master was replaced, all due deliveries would wait for it.
const redisPause = time.Second

// statementLimit is how long the scan waits for the database. A leader that waits for a lost
// answer keeps all other processes from scanning.
const statementLimit = 20 * time.Second

// enqueuers is how many goroutines enqueue at once; a single one waits for a
// round trip per task.
const enqueuers = 128

// scanner hands due deliveries to asynq while its process leads.
type scanner struct {
	store     Handouts
	client    *asynq.Client
	redis     redis.UniversalClient
	queues    queues
	wake      *wakeUp
	leads     func() bool
	gained    <-chan struct{} // signals that this process now leads
	admission func() queue.Admission
	interval  time.Duration
	metrics   *Metrics
	log       *slog.Logger
	away      *sparselog.Logger

	enqueuing sync.WaitGroup
	failed    chan struct{} // signals that not all could be enqueued; buffers one signal
}

// run scans at each interval until ctx ends. Deliveries that were due before a scan began and
// found no room are handed out as room appears; later ones wait for the next scan. Lost work
// returns in the same way: a delivery whose hand-out has expired is due like any other.
//
// A process that becomes the leader scans at once and counts its intervals from there: when the
// leader changes, deliveries wait one interval and the time without a leader, not two intervals
// that begin at different times.
//
// A scan that finds no Redis, or cannot enqueue all it has handed out, is repeated after
// redisPause.
func (s *scanner) run(ctx context.Context) {
	defer s.enqueuing.Wait()
	ticker := time.NewTicker(s.interval)
	defer ticker.Stop()
	var next pause
	var until time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.gained:
			ticker.Reset(s.interval)
			next, until = s.scan(ctx, time.Now())
		case at := <-ticker.C:
			next, until = s.scan(ctx, at)
		case <-s.failed:
			next = pauseForRedis()
		case at := <-next.C:
			if next.rescan {
				next, until = s.scan(ctx, at)
			} else {
				next = s.topUp(ctx, next, until)
			}
		}
	}
}

// pause is the wait for the next refill, or for the next try of a scan; it never ends if nothing
// was left.
type pause struct {
	C      <-chan time.Time
	length time.Duration
	rescan bool
}

// pauseForRedis returns the wait of a scan that found no Redis.
func pauseForRedis() pause { return pause{C: time.After(redisPause), rescan: true} }

// scan starts the scan that was due at the given time.
func (s *scanner) scan(ctx context.Context, at time.Time) (pause, time.Time) {
	if !s.leads() {
		return pause{}, time.Time{}
	}
	s.metrics.scanned(time.Since(at))
	s.settleTests(ctx)
	if err := s.queues.announce(ctx, s.redis); err != nil {
		// Without Redis a hand-out would only delay the deliveries until their hand-out expires.
		s.away.Warn(ctx, topicRedis, "scan postponed, Redis does not answer", slog.Any("error", err))
		return pauseForRedis(), time.Time{}
	}
	out, _ := s.handOut(ctx, time.Time{})
	return s.pauseAfter(out, topUpSoonest), out.At
}

func (s *scanner) settleTests(ctx context.Context) {
	once, cancel := context.WithTimeout(ctx, statementLimit)
	defer cancel()
	settled, err := s.store.SettleTests(once)
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "interrupted tests cannot be settled", slog.Any("error", err))
	} else if settled > 0 {
		s.log.InfoContext(ctx, "interrupted tests settled", slog.Int("tests", settled))
	}
}

func (s *scanner) topUp(ctx context.Context, last pause, until time.Time) pause {
	if !s.leads() {
		return pause{}
	}
	out, took := s.handOut(ctx, until)
	length := max(topUpSoonest, took) // use at most half of the database's time
	if len(out.Handed) == 0 {
		length = 2 * last.length
	}
	return s.pauseAfter(out, min(length, topUpLatest))
}

func (s *scanner) pauseAfter(out queue.Handout, length time.Duration) pause {
	if !out.Left {
		return pause{}
	}
	return pause{C: time.After(length), length: length}
}

// handOut hands deliveries out in the database, and enqueues them while the next call runs. It also
// returns how long the database took. If the process dies between the two, the deliveries come back
// when their hand-out has expired, under a higher generation, so that a remaining trace of the lost
// task does not block them.
func (s *scanner) handOut(ctx context.Context, until time.Time) (out queue.Handout, took time.Duration) {
	admission, began := s.admission(), time.Now()
	admission.Until = until
	once, cancel := context.WithTimeout(ctx, statementLimit)
	defer cancel()
	out, err := s.store.HandOut(once, admission)
	if err != nil {
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "deliveries cannot be handed out", slog.Any("error", err))
		}
		return queue.Handout{}, 0
	}
	took = time.Since(began)
	s.enqueuing.Wait() // in the order of the calls
	s.enqueuing.Go(func() {
		s.enqueueOrGiveBack(context.WithoutCancel(ctx), out.Handed)
		s.metrics.handed(len(out.Handed))
	})
	return out, took
}

// enqueueOrGiveBack gives back what cannot be enqueued, so that the next try need not wait for the
// hand-out to expire. Redis may have stored a task although its answer was lost. If that task has begun its
// attempt, the delivery is not given back. If it has not, the next hand-out makes its generation stale.
func (s *scanner) enqueueOrGiveBack(ctx context.Context, handed []queue.Handed) {
	left, err := s.enqueue(ctx, handed)
	if len(left) == 0 {
		return
	}
	s.away.Warn(ctx, topicRedis, "deliveries could not all be enqueued and are handed out again",
		slog.Int("deliveries", len(left)), slog.Any("error", err))
	once, cancel := context.WithTimeout(ctx, statementLimit)
	defer cancel()
	if err := s.store.GiveBack(once, left); err != nil {
		s.log.WarnContext(ctx, "deliveries that could not be enqueued wait until their hand-out expires", slog.Any("error", err))
	}
	select {
	case s.failed <- struct{}{}:
	default: // the scan knows already
	}
}

// enqueue makes a task of each delivery and gives up at the first error. It returns those
// whose tasks Redis has not confirmed.
func (s *scanner) enqueue(ctx context.Context, handed []queue.Handed) (left []queue.Handed, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(enqueuers)
	enqueued := make([]bool, len(handed))
	for i, h := range handed {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			defer s.wake.wake()
			err := s.enqueueOne(ctx, h)
			enqueued[i] = err == nil
			return err
		})
	}
	err = group.Wait()
	for i, h := range handed {
		if !enqueued[i] {
			left = append(left, h)
		}
	}
	return left, err
}

func (s *scanner) enqueueOne(ctx context.Context, h queue.Handed) error {
	task, err := newTask(h, s.queues.of(h.WorkspaceID))
	if err != nil {
		return err
	}
	if _, err := s.client.EnqueueContext(ctx, task); err != nil {
		return fmt.Errorf("enqueue delivery: %w", err)
	}
	return nil
}
