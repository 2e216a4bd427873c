//go:build full

package jobs

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/devstack/testdb"
)

// A master of a Redis Cluster is killed while two processes deliver. The dashboard lists
// all queues.
func TestDeliveryWhileAMasterOfTheClusterDies(t *testing.T) {
	t.Parallel()
	f := newFailover(t, testdb.RedisCluster(t))
	f.delivers(500, syscall.SIGKILL)
	options, err := ParseRedis(f.redis)
	f.must(err)
	board := Dashboard(options)
	defer board.Close()
	w := httptest.NewRecorder()
	board.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, DashboardPath+"/api/queues", nil))
	for queue := range f.subs {
		if !strings.Contains(w.Body.String(), `"queue":"`+queue+`"`) {
			t.Errorf("the dashboard does not list %s: %d %s", queue, w.Code, w.Body)
		}
	}
}

// The master that three sentinels watch is killed while two processes deliver. All servers
// speak TLS alone and ask for the name of a user.
func TestDeliveryWhileTheMasterOfSentinelsDies(t *testing.T) {
	group := testdb.RedisSentinels(t)
	t.Setenv("SSL_CERT_FILE", group.CAFile)
	newFailover(t, group).delivers(500, syscall.SIGKILL)
}

// failover is a stage on a group of Redis servers, with a subscription for each queue.
type failover struct {
	*stage
	group *testdb.RedisGroup
	subs  map[string]outreach.Subscription // by queue
	// queued counts the deliveries.
	queued int

	mu     sync.Mutex
	served map[string][]time.Time // when requests came, by queue
}

func newFailover(t *testing.T, group *testdb.RedisGroup) *failover {
	t.Helper()
	f := &failover{stage: newStage(t), group: group, subs: map[string]outreach.Subscription{}, served: map[string][]time.Time{}}
	f.redis = group.URL
	options, err := ParseRedis(group.URL)
	f.must(err)
	client, err := connect(options)
	f.must(err)
	defer client.Close()
	for queues := queuesOf(client); len(f.subs) < len(queues); {
		workspace := uuid.Must(uuid.NewV7())
		queue := queues.of(workspace)
		if _, there := f.subs[queue]; there {
			continue
		}
		f.exec(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, workspace)
		f.subs[queue] = f.subscribe(workspace, f.hook.on(queue, func(http.ResponseWriter, *http.Request, int) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.served[queue] = append(f.served[queue], time.Now())
		}))
	}
	return f
}

// delivers has two processes deliver n webhooks. A part of them arrives before anything
// happens. Then the master of a queue gets each signal in turn: more are queued until the
// queue is served again by the replica that was promoted, and the dead one returns. All
// must arrive, each once.
func (f *failover) delivers(n int, signals ...syscall.Signal) {
	f.t.Helper()
	for range 2 {
		f.process()
	}
	part := n / (len(signals) + 2)
	f.add(part)
	f.settled()
	for i, signal := range signals {
		victim := slices.Sorted(maps.Keys(f.subs))[i%len(f.subs)]
		f.add(part / 2)
		promoted := f.group.Fail("asynq:{"+victim+"}:pending", signal)
		f.eventually("the queue of the dead master is served again", func() bool {
			if f.queued < part*(i+2) {
				f.add(len(f.subs))
			}
			return f.servedAfter(victim, promoted) > 0
		})
		f.add(part*(i+2) - f.queued)
		f.settled()
		f.t.Logf("%s: %s was served %s after the promotion of another master, and all %d were settled after %s", signal, victim,
			f.servedAfter(victim, promoted).Round(time.Millisecond), f.queued, time.Since(promoted).Round(time.Millisecond))
		f.group.Recover()
	}
	f.add(n - f.queued)
	f.settled()
	f.eachOnce(n)
}

// add queues some deliveries, in turns over the queues.
func (f *failover) add(some int) {
	f.t.Helper()
	each, more := some/len(f.subs), some%len(f.subs)
	for _, sub := range f.subs {
		number := each
		if more > 0 {
			number, more = each+1, more-1
		}
		f.stage.queue(sub, number)
		f.queued += number
	}
}

// servedAfter returns how long after a time a queue was served first; 0 when it was not.
func (f *failover) servedAfter(queue string, at time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.served[queue], at.Before)
	if i < 0 {
		return 0
	}
	return f.served[queue][i].Sub(at)
}

// eachOnce fails unless n deliveries arrived, each with one request.
func (s *stage) eachOnce(n int) {
	s.t.Helper()
	requests := s.hook.requests()
	delivered := s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered' AND attempts = 1`)
	s.t.Logf("%d of %d were delivered with one attempt", delivered, n)
	if delivered != n || len(requests) != n {
		s.t.Errorf("%d of %d were delivered with one attempt, %d were requested", delivered, n, len(requests))
	}
	for id, visits := range requests {
		if len(visits) != 1 {
			s.t.Errorf("delivery %s: %s", id, describe(visits))
		}
	}
}
