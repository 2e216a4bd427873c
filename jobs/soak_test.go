//go:build soak

package jobs

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"outreach/devstack"
	"outreach/devstack/testdb"
	"outreach/storage"
)

// ownStage has servers that belong to the test alone and may be broken.
func ownStage(t *testing.T) (*stage, *devstack.Postgres, *devstack.Redis) {
	t.Helper()
	postgres, err := devstack.StartPostgres(t.Context(), devstack.PostgresConfig{Dir: t.TempDir(), Durable: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = postgres.Close() })
	redis := testdb.OwnRedis(t, false)
	s := &stage{t: t, dbURL: postgres.URL(), redis: redis.URL()}
	s.must(storage.Migrate(t.Context(), s.dbURL))
	s.db, err = openStore(t.Context(), s.dbURL)
	s.must(err)
	t.Cleanup(s.db.Close)
	s.sql, err = pgxpool.New(t.Context(), s.dbURL)
	s.must(err)
	t.Cleanup(s.sql.Close)
	s.hook = newEndpoint(t)
	return s, postgres, redis
}

// Ten thousand deliveries to an endpoint that fails twice.
func TestSoakThirdAttempt(t *testing.T) {
	s := newStage(t)
	const n = 10_000
	s.queue(s.subscription(s.hook.on("twice", failing(2))), n)
	config := s.settings()
	config.Concurrency = 1024
	s.run(config)
	s.eventuallyWithin(10*time.Minute, "all are settled", s.isSettled)
	if delivered := s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 3`); delivered != n {
		t.Errorf("%d of %d were delivered with the third attempt", delivered, n)
	}
	if total := s.hook.total(); total != 3*n {
		t.Errorf("%d requests, want %d", total, 3*n)
	}
	s.checkPace(time.Second)
	s.nothingArchived()
}

// Workers are killed, Redis emptied and Postgres restarted while 10,000
// deliveries meet failures of every kind. Whatever happens, each ends, its count
// is never over three, and an endpoint that had answered 2xx to a recorded
// attempt is asked no more.
func TestSoakEverythingDies(t *testing.T) {
	s, postgres, redis := ownStage(t)
	const n = 10_000
	var kills, floods, restarts int
	url := s.hook.on("any", func(w http.ResponseWriter, _ *http.Request, _ int) {
		switch rand.IntN(10) {
		case 0, 1, 2:
			w.WriteHeader(http.StatusInternalServerError)
		case 3:
			panic(http.ErrAbortHandler)
		case 4:
			time.Sleep(time.Duration(rand.IntN(1500)) * time.Millisecond)
		}
	})
	for range 10 {
		s.queue(s.subscription(url), n/10)
	}
	workers := []*exec.Cmd{s.process(), s.process(), s.process()}
	end := time.Now().Add(15 * time.Minute)
	for round := 0; ; round++ {
		time.Sleep(time.Duration(500+rand.IntN(2500)) * time.Millisecond)
		left, err := s.queued()
		if err == nil && left == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d are still queued", left)
		}
		if err != nil || left < n/50 {
			continue // the last ones are left in peace
		}
		switch round % 5 {
		case 0, 2, 3:
			victim := rand.IntN(len(workers))
			kill(workers[victim])
			workers[victim] = s.process()
			kills++
		case 1:
			s.must(redis.Kill())
			s.must(redis.Restart(t.Context()))
			floods++
		case 4:
			s.must(postgres.Restart(t.Context()))
			restarts++
		}
	}
	t.Logf("%d workers killed, Redis lost %d times, Postgres restarted %d times", kills, floods, restarts)
	s.checkStory(n)
}

func (s *stage) queued() (n int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err = s.sql.QueryRow(ctx, `SELECT count(*) FROM deliveries WHERE status = 'queued'`).Scan(&n)
	return n, err
}

// checkStory compares rows, logs and requests after crashes.
func (s *stage) checkStory(n int) {
	s.t.Helper()
	if settled := s.count(`
SELECT count(*) FROM deliveries WHERE status = 'delivered' AND error IS NULL OR status = 'failed' AND attempts = 3
	AND error IS NOT NULL`); settled != n {
		s.t.Errorf("%d of %d ended well-formed", settled, n)
	}
	if odd := s.count(`
SELECT count(*) FROM deliveries d
WHERE attempts <> (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = d.id AND duration_ms IS NOT NULL)`); odd != 0 {
		s.t.Errorf("%d deliveries count other attempts than their log holds", odd)
	}
	rows, err := s.sql.Query(context.Background(), `SELECT id::text, attempts FROM deliveries`)
	s.must(err)
	repeats := 0
	requests := s.hook.requests()
	for rows.Next() {
		var id string
		var attempts int
		s.must(rows.Scan(&id, &attempts))
		if len(requests[id]) < attempts {
			s.t.Errorf("delivery %s counts %d attempts and made %s", id, attempts, describe(requests[id]))
		}
		repeats += len(requests[id]) - attempts
	}
	s.t.Logf("%d requests, %d of them repeats of interrupted attempts", s.hook.total(), repeats)
}

// A hundred thousand queued for an endpoint that hangs for the full ten seconds.
func TestSoakHangingEndpoint(t *testing.T) {
	s := newStage(t)
	s.queue(s.subscription(s.hook.on("hang", func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() })), 100_000)
	fine := s.subscription(s.hook.on("fine", status(http.StatusOK)))
	config := s.settings()
	config.Post = s.hook.post(10 * time.Second)
	config.ScanInterval, config.RetryDelay, config.Concurrency, config.Metrics, config.DrainTimeout = 5*time.Second,
		5*time.Second, 1024, NewMetrics(), time.Second
	s.run(config)
	s.eventually("the hanging endpoint holds all it can get", func() bool { return s.hook.total() >= 256 })
	scans := func() float64 { return testutil.ToFloat64(config.Metrics.scans) }
	for round := range 12 {
		before, began := scans(), time.Now()
		s.queue(fine, 20)
		s.eventually("the other workspace's deliveries arrive", func() bool {
			return s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 20*(round+1)
		})
		t.Logf("round %d took %s and %v scans", round, time.Since(began).Round(10*time.Millisecond), scans()-before)
		if passed := scans() - before; passed > 2 {
			t.Errorf("round %d took %v scans, want the next one", round, passed)
		}
	}
}

// Every process of several leads, dies and is followed by another.
func TestSoakLeadersDie(t *testing.T) {
	s := newStage(t)
	sub := s.subscription(s.hook.on("ok", status(http.StatusOK)))
	total := 0
	for range 8 {
		worker := s.process()
		s.queue(sub, 200)
		total += 200
		s.settled()
		kill(worker)
	}
	if seen := s.hook.total(); seen != total {
		t.Errorf("%d requests for %d deliveries", seen, total)
	}
}

func (s *stage) isSettled() bool {
	return s.count(`SELECT count(*) FROM deliveries WHERE status = 'queued'`) == 0
}

func (s *stage) eventuallyWithin(limit time.Duration, what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("not within %s: %s", limit, what)
		}
	}
}
