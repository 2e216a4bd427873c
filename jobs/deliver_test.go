package jobs

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/jobs/queue"
)

// Every one of a thousand deliveries to an endpoint that fails twice arrives
// with the third attempt; none is lost, none is tried again.
func TestAllArriveWithTheThirdAttempt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const n = 1000
	s.queue(s.subscription(s.hook.on("twice", failing(2))), n)
	s.run(s.settings())
	s.settled()
	if delivered := s.count(`
SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 3 AND http_status = 200`); delivered != n {
		t.Errorf("%d of %d were delivered with the third attempt", delivered, n)
	}
	requests := s.hook.requests()
	if len(requests) != n {
		t.Errorf("the endpoint saw %d deliveries, want %d", len(requests), n)
	}
	for id, visits := range requests {
		if len(visits) != 3 {
			t.Errorf("delivery %s: %s, want 3", id, describe(visits))
		}
		for _, v := range visits {
			if !v.signed {
				t.Errorf("delivery %s came with a wrong signature", id)
			}
		}
	}
	s.checkPace(time.Second)
	s.nothingArchived()
}

func (s *stage) nothingArchived() {
	s.t.Helper()
	options, err := ParseRedis(s.redis)
	s.must(err)
	inspector := asynq.NewInspector(options)
	defer inspector.Close()
	s.eventually("no task is left in Redis", func() bool {
		info, err := inspector.GetQueueInfo(Queue)
		s.must(err)
		if info.Archived > 0 {
			s.t.Fatalf("%d tasks were archived", info.Archived)
		}
		return info.Size == 0
	})
}

// Failures of every kind at random: each delivery ends after its first success
// or its third failure, and its log tells the same story as the endpoint.
func TestFailuresOfEveryKind(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var trapped atomic.Int64
	trap := s.hook.on("trap", func(http.ResponseWriter, *http.Request, int) { trapped.Add(1) })
	kinds := []answerer{
		status(http.StatusOK), status(http.StatusServiceUnavailable), status(http.StatusNotFound),
		func(w http.ResponseWriter, r *http.Request, _ int) {
			http.Redirect(w, r, trap, http.StatusTemporaryRedirect)
		},
		func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() },
		func(http.ResponseWriter, *http.Request, int) { panic(http.ErrAbortHandler) },
	}
	url := s.hook.on("any", func(w http.ResponseWriter, r *http.Request, nth int) { kinds[rand.IntN(len(kinds))](w, r, nth) })
	const n = 300
	s.queue(s.subscription(url), n)
	config := s.settings()
	config.Post = s.hook.post(4 * time.Second) // what hangs ends so late that no request is still on its way
	s.run(config)
	s.settled()
	s.checkPace(time.Second)
	s.nothingArchived()
	requests := s.hook.requests()
	rows, err := s.sql.Query(t.Context(), `SELECT id, status, attempts, coalesce(error, ''),
		(SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = d.id AND a.duration_ms IS NOT NULL
			AND (a.error IS NULL) = (a.number = d.attempts AND d.status = 'delivered'))
		FROM deliveries d`)
	s.must(err)
	seen := 0
	for rows.Next() {
		var id uuid.UUID
		var state, words string
		var attempts, logged int
		s.must(rows.Scan(&id, &state, &attempts, &words, &logged))
		seen++
		if visits := requests[id.String()]; len(visits) != attempts || logged != attempts {
			t.Errorf("delivery %s counts %d attempts, has %d in its log, and made %s", id, attempts, logged, describe(visits))
		}
		if (state == "delivered") != (words == "") || state == "failed" && attempts != 3 {
			t.Errorf("delivery %s is %s after %d attempts with error %q", id, state, attempts, words)
		}
	}
	if seen != n || trapped.Load() != 0 {
		t.Errorf("%d of %d rows, %d redirects followed", seen, n, trapped.Load())
	}
}

func TestRotatedSecretSignsTheNextAttempt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sub := s.subscription(s.hook.on("rotate", nil))
	s.hook.secret = func(_ string, nth int) string {
		if nth == 1 {
			return secretOf(sub.URL)
		}
		return "whsec_new"
	}
	s.hook.on("rotate", func(w http.ResponseWriter, _ *http.Request, nth int) {
		if nth == 1 {
			if _, err := s.db.RotateSecret(context.Background(), sub.WorkspaceID, sub.ID, "whsec_new"); err != nil {
				t.Error(err)
			}
			w.WriteHeader(http.StatusTeapot)
		}
	})
	s.queue(sub, 1)
	s.run(s.settings())
	s.settled()
	for _, visits := range s.hook.requests() {
		if len(visits) != 2 || !visits[0].signed || !visits[1].signed {
			t.Errorf("visits %+v", visits)
		}
	}
}

// A deleted subscription's queue still runs its course.
func TestDeletedSubscriptionStillDelivers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sub := s.subscription(s.hook.on("gone", failing(1)))
	s.queue(sub, 3)
	s.must(s.db.DeleteSubscription(t.Context(), sub.WorkspaceID, sub.ID))
	s.run(s.settings())
	s.settled()
	if n := s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 2`); n != 3 {
		t.Errorf("%d of 3 delivered", n)
	}
}

// All of Redis is lost between attempts, while retries wait in it.
func TestNothingIsLostWithRedis(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	own := testdb.OwnRedis(t, false)
	s.redis = own.URL()
	const n = 200
	s.queue(s.subscription(s.hook.on("once", failing(1))), n)
	s.run(s.settings())
	s.eventually("the first attempts are under way", func() bool { return s.hook.total() >= n/2 })
	s.must(own.Kill())
	s.must(own.Restart(t.Context()))
	s.settled()
	if delivered := s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 2`); delivered != n {
		t.Errorf("%d of %d were delivered with the second attempt", delivered, n)
	}
	for id, visits := range s.hook.requests() {
		if len(visits) != 2 {
			t.Errorf("delivery %s: %s, want 2", id, describe(visits))
		}
	}
	s.checkPace(time.Second)
}

// A worker dies in the middle of attempts. They are made again under the same
// numbers and delivery ids, and no delivery is attempted more often than thrice.
func TestKilledWorkerCostsNoAttempt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const n = 20
	var hanging atomic.Bool
	hanging.Store(true)
	s.queue(s.subscription(s.hook.on("slow", func(w http.ResponseWriter, r *http.Request, nth int) {
		if hanging.Load() {
			<-r.Context().Done()
		}
		if nth < 4 {
			w.WriteHeader(http.StatusBadGateway)
		}
	})), n)
	worker := s.process()
	s.eventually("the worker is in the middle of attempts", func() bool { return s.hook.total() == n })
	kill(worker)
	if open := s.count(`SELECT count(*) FROM delivery_attempts WHERE number = 1 AND duration_ms IS NULL`); open != n {
		t.Fatalf("%d attempts are open, want %d", open, n)
	}
	hanging.Store(false)
	s.process()
	s.settled()
	// Seen four times, counted three: the first was repeated.
	if failed := s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 3`); failed != n {
		t.Errorf("%d of %d ended with the third attempt", failed, n)
	}
	if log := s.count(`SELECT count(*) FROM delivery_attempts WHERE duration_ms IS NOT NULL`); log != 3*n {
		t.Errorf("the log has %d attempts, want %d", log, 3*n)
	}
	for id, visits := range s.hook.requests() {
		if len(visits) != 4 {
			t.Errorf("delivery %s: %s, want 4", id, describe(visits))
		}
	}
}

// Two processes scan and deliver side by side: each delivery is attempted once.
func TestTwoProcessesDeliverOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const n = 500
	s.queue(s.subscription(s.hook.on("ok", status(http.StatusOK))), n)
	first, second := s.settings(), s.settings()
	first.Metrics, second.Metrics = NewMetrics(), NewMetrics()
	stop := s.run(first)
	s.run(second)
	s.settled()
	if total := s.hook.total(); total != n {
		t.Errorf("%d requests for %d deliveries", total, n)
	}
	if one, two := testutil.ToFloat64(first.Metrics.scans), testutil.ToFloat64(second.Metrics.scans); one > 0 && two > 0 {
		t.Errorf("both led the scan: %v and %v scans", one, two)
	}
	// The leader stops; the other process takes over.
	stop()
	s.queue(s.subscription(s.hook.on("ok", status(http.StatusOK))), 10)
	s.settled()
	if total := s.hook.total(); total != n+10 {
		t.Errorf("%d requests for %d deliveries", total, n+10)
	}
}

// One endpoint hangs with thousands queued; another workspace's deliveries go
// out with the next scan all the same.
func TestHangingEndpointDelaysNobodyElse(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	hang := func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() }
	s.queue(s.subscription(s.hook.on("hang", hang)), 5000)
	config := s.settings()
	config.Post = s.hook.post(10 * time.Second)
	config.ScanInterval, config.Concurrency, config.Metrics, config.DrainTimeout = 4*time.Second, 32, NewMetrics(), time.Second
	s.run(config)
	s.eventually("the hanging endpoint holds all it can get", func() bool { return s.hook.total() >= 8 })
	scans := func() float64 { return testutil.ToFloat64(config.Metrics.scans) }
	before := scans()
	s.queue(s.subscription(s.hook.on("fine", status(http.StatusOK))), 8)
	s.eventually("the other workspace's deliveries arrive", func() bool {
		return s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 8
	})
	if passed := scans() - before; passed > 2 {
		t.Errorf("it took %v scans, want the next one", passed)
	}
	if busy := s.count(`SELECT count(*) FROM deliveries WHERE lease_until > clock_timestamp()`); busy > 8 {
		t.Errorf("the hanging endpoint has %d attempts in flight, over its share of 8", busy)
	}
}

// Retries come by asynq's schedule and pass no scan. What is over its cap then
// goes back and is delivered later, and costs no attempt.
func TestRetriesOverTheCapGoBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var running, most atomic.Int64
	url := s.hook.on("narrow", func(w http.ResponseWriter, r *http.Request, nth int) {
		if nth == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		select {
		case <-time.After(300 * time.Millisecond):
		case <-r.Context().Done():
		}
	})
	const n = 60
	s.queue(s.subscription(url), n)
	config := s.settings()
	config.Concurrency, config.Metrics = 16, NewMetrics()
	s.run(config)
	s.settled()
	if delivered := s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 2`); delivered != n {
		t.Errorf("%d of %d were delivered with the second attempt", delivered, n)
	}
	if most.Load() > 4 {
		t.Errorf("%d attempts at once, over the share of 4", most.Load())
	}
	if over := testutil.ToFloat64(config.Metrics.outcomes.WithLabelValues(string(outcomeOverCap))); over == 0 {
		t.Error("nothing was ever over its cap: the test shows nothing")
	}
	s.nothingArchived()
}

// A task that comes before its time is put off and makes no attempt, even on
// the try after which asynq would archive it.
func TestEarlyTaskIsPutOff(t *testing.T) {
	t.Parallel()
	for name, retries := range map[string]int{"with tries left": 2, "on the last try": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.queue(s.subscription(s.hook.on("ok", status(http.StatusOK))), 1)
			s.exec(`
UPDATE deliveries SET next_attempt_at = clock_timestamp() + interval '2 s',
	handed_until = clock_timestamp() + interval '1 hour', generation = 5`)
			var due time.Time
			handed := queue.Handed{Generation: 5}
			s.must(s.sql.QueryRow(t.Context(), `
SELECT id, workspace_id, host, next_attempt_at FROM deliveries`).Scan(&handed.ID, &handed.WorkspaceID, &handed.Host, &due))
			config := s.settings()
			client := asynq.NewClient(config.Redis)
			defer client.Close()
			task, err := newTask(handed, Queue)
			s.must(err)
			_, err = client.Enqueue(task, asynq.MaxRetry(retries))
			s.must(err)
			config.Metrics = NewMetrics()
			s.run(config)
			s.settled()
			for _, visits := range s.hook.requests() {
				if len(visits) != 1 || visits[0].began.Before(due) {
					t.Errorf("due %s, visits %+v", due, visits)
				}
			}
			if early := testutil.ToFloat64(config.Metrics.outcomes.WithLabelValues(string(outcomeEarly))); early == 0 {
				t.Error("the task never came early: the test shows nothing")
			}
			s.nothingArchived()
		})
	}
}

// At the end of a process the attempts that run are finished and recorded.
func TestStoppingWaitsForAttempts(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	release := make(chan struct{})
	s.queue(s.subscription(s.hook.on("held", func(http.ResponseWriter, *http.Request, int) { <-release })), 5)
	stop := s.run(s.settings())
	s.eventually("all attempts run", func() bool { return s.hook.total() == 5 })
	var stopping sync.WaitGroup
	stopping.Go(stop)
	s.eventually("the lease of the scan is free again", func() bool { return s.count(`SELECT count(*) FROM leases`) == 0 })
	close(release)
	stopping.Wait()
	if delivered := s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 1`); delivered != 5 {
		t.Errorf("%d of 5 were recorded", delivered)
	}
}

func TestConfigIsJudged(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*Config){
		"half a second":  func(c *Config) { c.ScanInterval = 500 * time.Millisecond },
		"no whole one":   func(c *Config) { c.RetryDelay = 1500 * time.Millisecond },
		"no concurrency": func(c *Config) { c.Concurrency = 1 },
		"no redis":       func(c *Config) { c.Redis = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := Config{Redis: asynq.RedisClientOpt{Addr: "127.0.0.1:1"}, Concurrency: 4}
			edit(&config)
			if err := Run(t.Context(), config); err == nil || !strings.HasPrefix(err.Error(), "run deliveries: ") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A post that panics is a failed attempt, and the delivery comes to its end.
func TestPanicIsAFailedAttempt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	sub := s.subscription("https://a.test/")
	s.queue(sub, 1)
	config := s.settings()
	config.Post = func(context.Context, queue.Attempt) queue.Answer { panic("no such thing") }
	s.run(config)
	s.settled()
	if n := s.count(`SELECT count(*) FROM deliveries WHERE status = 'failed' AND attempts = 3 AND error = $1`, errorInternal); n != 1 {
		t.Error("the delivery did not fail with our error")
	}
}

func TestTestEventShowsTheAnswer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, c := range map[string]struct {
		answer answerer
		state  outreach.DeliveryStatus
		status int
		words  string
		within time.Duration
	}{
		"accepted": {status(http.StatusAccepted), outreach.DeliveryDelivered, 202, "", time.Minute},
		"refused":  {status(http.StatusForbidden), outreach.DeliveryFailed, 403, "http 403", time.Minute},
		"hangs": {func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() }, outreach.DeliveryFailed,
			0, "timeout", 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			sub := s.subscription(s.hook.on(name, c.answer))
			_, err := s.db.UpdateSubscription(t.Context(), sub.WorkspaceID, sub.ID, func(s *outreach.Subscription) { s.Enabled = false })
			s.must(err)
			d, err := Tester{s.db, s.hook.post(c.within), slog.New(slog.DiscardHandler)}.Send(t.Context(), sub.WorkspaceID, sub.ID)
			s.must(err)
			got := 0
			if d.HTTPStatus != nil {
				got = *d.HTTPStatus
			}
			words := ""
			if d.Error != nil {
				words = *d.Error
			}
			if d.Status != c.state || got != c.status || words != c.words || d.Attempts != 1 || d.Type != outreach.EventTest {
				t.Errorf("delivery %+v, status %d, error %q", d, got, words)
			}
			if visits := s.hook.requests()[d.ID.String()]; len(visits) != 1 || !visits[0].signed {
				t.Errorf("visits %+v", visits)
			}
		})
	}
	other := s.subscription(s.hook.on("other", status(http.StatusOK)))
	mine := s.subscription(s.hook.on("mine", status(http.StatusOK)))
	if _, err := (Tester{s.db, s.hook.post(time.Minute), slog.New(slog.DiscardHandler)}).Send(t.Context(),
		mine.WorkspaceID, other.ID); outreach.CodeOf(err) != outreach.CodeNotFound {
		t.Errorf("another workspace's subscription: %v", err)
	}
}
