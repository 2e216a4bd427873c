package jobs

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"outreach/devstack/testdb"
	"outreach/jobs/queue"
)

// A scan that finds no Redis is repeated when Redis is back, and not an hour later.
func TestScanReturnsWithRedis(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	redis := testdb.OwnRedis(t, false)
	s.redis = redis.URL()
	s.queue(s.subscription(s.hook.on("ok", status(http.StatusOK))), 20)
	s.must(redis.Kill())
	config := s.settings()
	config.ScanInterval, config.Metrics = time.Hour, NewMetrics()
	s.run(config)
	s.eventually("two scans were put off", func() bool { return testutil.ToFloat64(config.Metrics.scans) >= 2 })
	s.must(redis.Restart(t.Context()))
	s.settled()
}

// Deliveries that were handed out when Redis went away are handed out again when it is
// back, and not after their hand-out of half an hour. Each is attempted once.
func TestWhatCannotBeEnqueuedIsGivenBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	redis := testdb.OwnRedis(t, false)
	s.redis = redis.URL()
	const n = 20
	s.queue(s.subscription(s.hook.on("ok", status(http.StatusOK))), n)
	config := s.settings()
	store := &storeBesideRedis{Store: s.db, away: redis.Kill, gaveBack: make(chan struct{}, n)}
	config.ScanInterval, config.Store = time.Hour, store
	s.run(config)
	<-store.gaveBack
	s.must(redis.Restart(t.Context()))
	s.settled()
	s.must(store.err)
	if total := s.hook.total(); total != n {
		t.Errorf("%d requests for %d deliveries", total, n)
	}
}

// storeBesideRedis makes Redis go away between the first hand-out and its tasks.
type storeBesideRedis struct {
	Store
	away     func() error
	once     sync.Once
	err      error
	gaveBack chan struct{}
}

func (s *storeBesideRedis) HandOut(ctx context.Context, a queue.Admission) (queue.Handout, error) {
	out, err := s.Store.HandOut(ctx, a)
	if len(out.Handed) > 0 {
		s.once.Do(func() { s.err = s.away() })
	}
	return out, err
}

func (s *storeBesideRedis) GiveBack(ctx context.Context, tasks []queue.Handed) error {
	err := s.Store.GiveBack(ctx, tasks)
	s.gaveBack <- struct{}{}
	return err
}
