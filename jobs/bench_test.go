package jobs

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/jobs/carry"
)

// The benchmarks measure the store and the chain side by side in one process,
// since only their ratios mean anything on a machine that others use too.

// BenchmarkChain compares signed POSTs as such with the whole way of a delivery:
// scan, enqueue, begin, POST, record. The latter needs Postgres and Redis on the
// same cores; the former has them to itself.
func BenchmarkChain(b *testing.B) {
	b.Run("h2", func(b *testing.B) { benchmarkChain(b, true, 0) })
	b.Run("http1", func(b *testing.B) { benchmarkChain(b, false, 0) })
	b.Run("100ms", func(b *testing.B) { benchmarkChain(b, true, 100*time.Millisecond) })
}

func benchmarkChain(b *testing.B, http2 bool, takes time.Duration) {
	s := newStage(b)
	s.hook = newEndpointOver(b, http2)
	const hosts = 4
	var subs []outreach.Subscription
	url := s.hook.on("ok", func(http.ResponseWriter, *http.Request, int) { time.Sleep(takes) })
	for range hosts {
		subs = append(subs, s.subscription(url))
	}
	post := s.hook.post(10 * time.Second)
	raw := s.rawRate(post, url, max(b.N, 2000))
	n := max(b.N, 2000)
	for _, sub := range subs {
		s.queue(sub, n/hosts+1)
	}
	config := s.settings()
	config.Post, config.Concurrency, config.Servers, config.ScanInterval, config.RetryDelay = post, 1024, serversOf(b), 5*time.Second, time.Minute
	before := s.hook.total()
	b.ResetTimer()
	began := time.Now()
	stop := s.run(config)
	s.settled()
	chain := float64(s.hook.total()-before) / time.Since(began).Seconds()
	b.StopTimer()
	stop()
	b.ReportMetric(raw, "raw/s")
	b.ReportMetric(chain, "chain/s")
	b.ReportMetric(chain/raw, "ratio")
	b.ReportMetric(0, "ns/op")
}

// serversOf lets the number of asynq servers be tried out.
func serversOf(b *testing.B) int {
	text := os.Getenv("OUTREACH_BENCH_SERVERS")
	if text == "" {
		return 16
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// rawRate posts n signed requests from as many goroutines as deliver.
func (s *stage) rawRate(post Post, url string, n int) float64 {
	var left atomic.Int64
	left.Store(int64(n))
	body, began := []byte(`{"type":"sent"}`), time.Now()
	var senders sync.WaitGroup
	for range 256 {
		senders.Go(func() {
			for left.Add(-1) >= 0 {
				a := carry.Attempt{Claim: carry.Claim{ID: uuid.New()}, Type: outreach.EventSent, URL: url, Body: body, Secret: secretOf(url)}
				if answer := post(context.Background(), a); answer.Error != nil {
					s.t.Errorf("raw post: %s", *answer.Error)
				}
			}
		})
	}
	senders.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// BenchmarkHandOut measures the scan: due rows claimed per second, out of a
// backlog of 100,000 over fifty workspaces.
func BenchmarkHandOut(b *testing.B) {
	s := newStage(b)
	for i := range 50 {
		s.queue(s.subscription("https://host"+strconv.Itoa(i)+".test/"), 2000)
	}
	s.exec(`ANALYZE deliveries`)
	bounds := carry.Admission{Total: 1 << 30, PerWorkspace: 1 << 20, PerHost: 1 << 20, PerLane: 20, Hold: time.Hour}
	rows, began := 0, time.Now()
	b.ResetTimer()
	for range b.N {
		out, err := s.db.HandOut(b.Context(), bounds)
		s.must(err)
		rows += len(out.Handed)
		s.exec(`UPDATE deliveries SET status = 'delivered' WHERE handed_until IS NOT NULL AND status = 'queued'`)
	}
	b.StopTimer()
	b.ReportMetric(float64(rows)/time.Since(began).Seconds(), "rows/s")
}

// BenchmarkTopUp measures what a scan costs that finds every bound full before a
// backlog of 100,000.
func BenchmarkTopUp(b *testing.B) {
	s := newStage(b)
	s.queue(s.subscription("https://hangs.test/"), 100_000)
	s.exec(`ANALYZE deliveries`)
	bounds := Config{ScanInterval: time.Hour, Concurrency: 1024}.admission()
	_, err := s.db.HandOut(b.Context(), bounds)
	s.must(err)
	for b.Loop() {
		out, err := s.db.HandOut(b.Context(), bounds)
		s.must(err)
		if len(out.Handed) != 0 || !out.Left {
			b.Fatalf("handed out %d, left %v", len(out.Handed), out.Left)
		}
	}
}

// BenchmarkIngest compares an event with its delivery, in one statement, with
// the bare insert of an event.
func BenchmarkIngest(b *testing.B) {
	s := newStage(b)
	sub := s.subscription("https://a.test/")
	bare := `INSERT INTO events (id, workspace_id, type, occurred_at) VALUES (uuid_v7(), $1, 'sent', now())`
	both := `WITH event AS (INSERT INTO events (id, workspace_id, type, occurred_at) VALUES (uuid_v7(), $1, 'sent', now()))
		INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, body, next_attempt_at, created_at)
		SELECT uuid_v7(), $1, s.id, 'sent', gen_random_uuid(), 'sent', s.url, '{"type":"sent"}', clock_timestamp(), clock_timestamp()
		FROM subscriptions s WHERE s.workspace_id = $1 AND s.enabled AND s.deleted_at IS NULL AND 'sent' = ANY(s.events)`
	took := func(sql string) time.Duration {
		began := time.Now()
		for range b.N {
			s.exec(sql, sub.WorkspaceID)
		}
		return time.Since(began)
	}
	b.ResetTimer()
	alone, together := took(bare), took(both)
	b.ReportMetric(float64(b.N)/together.Seconds(), "events/s")
	b.ReportMetric(alone.Seconds()/together.Seconds(), "ratio")
}
