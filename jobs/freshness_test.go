package jobs

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/jobs/queue"
	"outreach/storage"
)

// freshBound is how soon a new event is first tried at the default intervals, of
// all but one in a hundred.
const freshBound = 65 * time.Second

// waits are the times from events to the first attempts at their deliveries.
type waits []time.Duration

// at returns the time that so many in a thousand do not exceed.
func (w waits) at(perMille int) time.Duration {
	return w[(len(w)*perMille+999)/1000-1]
}

// randomly returns the time to the next of events that come at random, so far apart
// on average.
func randomly(apart time.Duration) time.Duration {
	return time.Duration(rand.ExpFloat64() * float64(apart))
}

// firstTries compares when a subscription's rows were made with when the endpoint
// was first asked, by one machine's clock.
func (s *stage) firstTries(sub outreach.Subscription) (out waits) {
	s.t.Helper()
	rows, err := s.sql.Query(context.Background(), `SELECT id::text, created_at FROM deliveries WHERE subscription_id = $1`, sub.ID)
	s.must(err)
	seen := s.hook.requests()
	for rows.Next() {
		var id string
		var made time.Time
		s.must(rows.Scan(&id, &made))
		if visits := seen[id]; len(visits) > 0 {
			out = append(out, visits[0].began.Sub(made))
		}
	}
	s.must(rows.Err())
	slices.Sort(out)
	return out
}

// judge prints the spread of n waits and fails when the bound is not kept.
func (w waits) judge(t *testing.T, n int) {
	t.Helper()
	if len(w) != n {
		t.Fatalf("%d events were tried, want %d", len(w), n)
	}
	slices.Sort(w)
	round := func(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }
	t.Logf("%d events, first tried after p50 %s, p99 %s, at most %s", n, round(w.at(500)), round(w.at(990)), round(w.at(1000)))
	if w.at(990) > freshBound {
		t.Errorf("p99 is %s, want %s at most", round(w.at(990)), freshBound)
	}
}

// An hour at the default intervals by a simulated clock, with two processes of
// which one is replaced every ten minutes. Only Postgres has its own time, which
// stands almost still meanwhile; nothing that a first attempt waits for goes by
// it, except that a delivery is due once it exists.
func TestNewEventsAreTriedWithinTheBound(t *testing.T) {
	t.Parallel()
	url := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
	synctest.Test(t, func(t *testing.T) {
		s := simulate(t, url)
		sub := s.subscription("https://a.test/")
		n, began, stops := 0, time.Now(), []func(){s.start(), s.start()}
		for replaced := 0; time.Since(began) < time.Hour; n++ {
			if time.Since(began) > time.Duration(replaced+1)*10*time.Minute {
				stops[replaced%2]()
				stops[replaced%2] = s.start()
				replaced++
			}
			time.Sleep(randomly(5 * time.Second))
			s.raise(sub)
		}
		time.Sleep(3 * time.Minute)
		for _, stop := range stops {
			stop()
		}
		s.firstWaits().judge(t, n)
	})
}

// simulation is a stage whose clock is the bubble's: Redis is a stand-in at the
// other end of a pipe, and endpoints answer at once.
type simulation struct {
	*stage
	redis *miniredis.Miniredis

	mu           sync.Mutex
	raised, seen map[uuid.UUID]time.Time
}

func simulate(t *testing.T, url string) *simulation {
	s := &simulation{
		stage: &stage{t: t, dbURL: url}, redis: miniredis.NewMiniRedis(),
		raised: map[uuid.UUID]time.Time{}, seen: map[uuid.UUID]time.Time{},
	}
	var err error
	s.db, err = openStore(t.Context(), url)
	s.must(err)
	t.Cleanup(s.db.Close)
	s.sql, err = pgxpool.New(t.Context(), url)
	s.must(err)
	t.Cleanup(s.sql.Close)
	return s
}

// MakeRedisClient makes the simulation's Redis an asynq.RedisConnOpt.
func (s *simulation) MakeRedisClient() any {
	return redis.NewClient(&redis.Options{Dialer: func(context.Context, string, string) (net.Conn, error) {
		pipe, err := s.redis.Dial()
		return newRoomy(pipe), err
	}})
}

// roomy is a pipe with the room of a socket: who writes several commands does not
// wait for the other side, which may be writing answers.
type roomy struct {
	net.Conn
	written chan []byte
}

func newRoomy(pipe net.Conn) roomy {
	r := roomy{pipe, make(chan []byte, 1024)}
	go func() {
		for part := range r.written {
			if part == nil {
				return
			}
			if _, err := pipe.Write(part); err != nil {
				return
			}
		}
	}()
	return r
}

func (r roomy) Write(part []byte) (int, error) {
	r.written <- bytes.Clone(part)
	return len(part), nil
}

func (r roomy) Close() error {
	r.written <- nil
	return r.Conn.Close()
}

// start runs a process whose intervals are the defaults; the simulated servers of
// asynq are few, because each asks the stand-in twice a second.
func (s *simulation) start() (stop func()) {
	return s.run(Config{Store: s.db, Redis: s, Concurrency: 512, Servers: 1, Post: func(_ context.Context, a queue.Attempt) queue.Answer {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen[a.ID] = time.Now()
		return queue.Answer{}
	}})
}

func (s *simulation) raise(sub outreach.Subscription) {
	id := uuid.Must(uuid.NewV7())
	s.raised[id] = time.Now()
	s.exec(`INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at)
		VALUES ($1, $2, $3, 'sent', $1, 'sent', $4, url_host($4), '{}', clock_timestamp())`, id, sub.WorkspaceID, sub.ID, sub.URL)
}

func (s *simulation) firstWaits() (out waits) {
	for id, at := range s.raised {
		if seen, ok := s.seen[id]; ok {
			out = append(out, seen.Sub(at))
		}
	}
	return out
}
