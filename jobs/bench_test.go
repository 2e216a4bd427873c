package jobs

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"outreach"
	"outreach/jobs/queue"
)

// The benchmarks measure the store and the chain side by side in one process,
// since only their ratios mean anything on a machine that others use too.

// BenchmarkChain compares signed POSTs alone with the whole way of a delivery: scan, enqueue,
// begin, POST, record. The whole way shares the cores with Postgres and Redis; the POSTs do not.
// The benchmark also reports the CPU time of a delivery in each of them, which other work on the
// machine disturbs less.
func BenchmarkChain(b *testing.B) {
	b.Run("h2", func(b *testing.B) { benchmarkChain(b, receiver{http2: true}) })
	b.Run("http1", func(b *testing.B) { benchmarkChain(b, receiver{}) })
	b.Run("handshakes", func(b *testing.B) { benchmarkChain(b, receiver{closes: true}) })
	b.Run("100ms", func(b *testing.B) { benchmarkChain(b, receiver{http2: true, takes: 100 * time.Millisecond}) })
}

// receiver is what kind of endpoint deliveries go to. One that closes offers
// neither a connection to be kept nor a session to be resumed.
type receiver struct {
	http2, closes bool
	takes         time.Duration
}

func (r receiver) stage(b *testing.B) (s *stage, url string) {
	s = newStage(b)
	s.hook = newEndpointOver(b, func(server *httptest.Server) {
		server.EnableHTTP2 = r.http2
		if r.closes {
			server.Config.SetKeepAlivesEnabled(false)
			server.TLS = &tls.Config{SessionTicketsDisabled: true}
		}
	})
	return s, s.hook.on("ok", func(http.ResponseWriter, *http.Request, int) { time.Sleep(r.takes) })
}

func benchmarkChain(b *testing.B, r receiver) {
	s, url := r.stage(b)
	const hosts = 4
	post, n := s.hook.post(time.Minute), max(b.N, 20_000) // with fewer the start decides
	before := s.spent()
	raw := s.rawRate(post, url, n)
	rawSpent := s.spent().since(before)
	for range hosts {
		s.queue(s.subscription(url), n/hosts)
	}
	config := s.settings()
	config.Post, config.Concurrency, config.Servers, config.ScanInterval, config.RetryDelay = post, 1024, serversOf(b),
		5*time.Second, time.Minute
	config.Metrics = NewMetrics()
	before = s.spent()
	b.ResetTimer()
	began := time.Now()
	stop := s.run(config)
	s.recorded(config.Metrics, n)
	chain := float64(n) / time.Since(began).Seconds()
	b.StopTimer()
	chainSpent := s.spent().since(before)
	s.settled()
	stop()
	b.ReportMetric(raw, "raw/s")
	b.ReportMetric(chain, "chain/s")
	b.ReportMetric(chain/raw, "ratio")
	b.ReportMetric(0, "ns/op")
	rawSpent.report(b, "raw-", n)
	chainSpent.report(b, "", n)
	b.ReportMetric(rawSpent.total().Seconds()/chainSpent.total().Seconds(), "cpu-ratio")
}

// recorded waits until so many deliveries are written down as delivered. It asks
// the process and not the database: counting the rows that are left, fifty times a
// second, took a fifth of what Postgres does for the deliveries themselves.
func (s *stage) recorded(m *Metrics, n int) {
	s.t.Helper()
	s.eventually("all are written down as delivered", func() bool {
		return m.delivered() == n
	})
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
				a := queue.Attempt{AttemptKey: queue.AttemptKey{ID: uuid.New()}, Type: outreach.EventSent, URL: url, Body: body, Secret: secretOf(url)}
				if answer := post(context.Background(), a); answer.Error != nil {
					s.t.Errorf("raw post: %s", *answer.Error)
				}
			}
		})
	}
	senders.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// BenchmarkHandOut measures the scan over a backlog of 100,000 in fifty lanes,
// a thousand at a time: due rows handed out per second, and those handed out and
// enqueued.
func BenchmarkHandOut(b *testing.B) {
	s := newStage(b)
	for i := range 50 {
		s.queue(s.subscription("https://host"+strconv.Itoa(i)+".test/"), 2000)
	}
	s.exec(`ANALYZE deliveries`)
	client := s.redisClient()
	defer client.Close()
	defer shareRoundTrips(client)()
	tasks := asynq.NewClientFromRedisClient(client)
	bounds := queue.Admission{Total: 1 << 10, PerWorkspace: 1 << 20, PerHost: 1 << 20, PerWorkspaceHost: 20, HandoutTTL: time.Hour}
	rows, used := 0, spent{}
	var handing, enqueuing time.Duration
	for b.Loop() {
		before, began := s.spent(), time.Now()
		out, err := s.db.HandOut(b.Context(), bounds)
		s.must(err)
		handed := time.Now()
		if len(out.Handed) == 0 {
			b.Fatal("the backlog is used up; a run has a hundred rounds")
		}
		_, err = (&scanner{client: tasks, queues: queues{Queue}, wake: newWakeUp()}).enqueue(b.Context(), out.Handed)
		s.must(err)
		handing, enqueuing = handing+handed.Sub(began), enqueuing+time.Since(handed)
		rows += len(out.Handed)
		used = used.plus(s.spent().since(before))
		s.exec(`DELETE FROM deliveries WHERE handed_until IS NOT NULL`)
	}
	used.report(b, "", rows)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(rows)/handing.Seconds(), "handed/s")
	b.ReportMetric(float64(rows)/(handing+enqueuing).Seconds(), "enqueued/s")
}

// BenchmarkLanes compares the scan over 100,000 due deliveries in 100,000 lanes, each of a workspace
// of its own, with the scan over as many in fifty lanes: due rows handed out per second, and their
// ratio. The two take turns. Then it measures a scan over 100,000 lanes of which none is due today.
func BenchmarkLanes(b *testing.B) {
	few, many := newStage(b), newStage(b)
	for i := range 50 {
		few.queue(few.subscription("https://host"+strconv.Itoa(i)+".test/"), 2000)
	}
	many.lanes(100_000, "now()")
	bounds := Config{ScanInterval: time.Hour}.admission(1024)
	var rate [2]float64
	stages := []*stage{few, many}
	rows, took := make([]int, 2), make([]time.Duration, 2)
	for b.Loop() {
		for i, s := range stages {
			began := time.Now()
			out, err := s.db.HandOut(b.Context(), bounds)
			s.must(err)
			took[i] += time.Since(began)
			if len(out.Handed) == 0 {
				b.Fatal("the backlog is used up")
			}
			rows[i] += len(out.Handed)
			s.exec(`DELETE FROM deliveries WHERE handed_until IS NOT NULL`)
		}
	}
	for i := range stages {
		rate[i] = float64(rows[i]) / took[i].Seconds()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rate[0], "lanes-50/s")
	b.ReportMetric(rate[1], "lanes-100000/s")
	b.ReportMetric(rate[1]/rate[0], "ratio")
	many.exec(`TRUNCATE deliveries`)
	many.lanes(100_000, "now() + interval '1 day'")
	began := time.Now()
	out, err := many.db.HandOut(b.Context(), bounds)
	many.must(err)
	if len(out.Handed) != 0 {
		b.Fatalf("handed out %d that are due tomorrow", len(out.Handed))
	}
	b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "ms/idle-scan")
}

// BenchmarkWorkers compares the deliveries a second of three workers with those of one, at a receiver
// that takes 3 s to answer. Each worker has 64 slots and each run has ten deliveries for a slot, of
// eight workspaces.
func BenchmarkWorkers(b *testing.B) {
	one, three := 0.0, 0.0
	for range b.N {
		one += deliveredBy(b, 1)
		three += deliveredBy(b, 3)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(one/float64(b.N), "one/s")
	b.ReportMetric(three/float64(b.N), "three/s")
	b.ReportMetric(three/one, "ratio")
}

func deliveredBy(b *testing.B, workers int) (perSecond float64) {
	const slots, rounds, workspaces = 64, 10, 8
	s, url := receiver{http2: true, takes: 3 * time.Second}.stage(b)
	n := workers * slots * rounds
	for range workspaces {
		s.queue(s.subscription(url), n/workspaces)
	}
	metrics := NewMetrics()
	for range workers {
		config := s.settings()
		config.Concurrency, config.ScanInterval, config.RetryDelay, config.Metrics = slots, 5*time.Second, time.Minute, metrics
		s.run(config)
	}
	first := 2 * workers * slots // by then every worker is known to the scan
	s.eventually("the first are written down as delivered", func() bool { return metrics.delivered() >= first })
	began, before := time.Now(), metrics.delivered()
	s.recorded(metrics, n)
	return float64(n-before) / time.Since(began).Seconds()
}

// delivered returns how many deliveries are written down as delivered.
func (m *Metrics) delivered() int {
	return int(testutil.ToFloat64(m.outcomes.WithLabelValues(string(outcomeDelivered))))
}

// BenchmarkTopUp measures what a scan costs that finds every bound full before a
// backlog of 100,000.
func BenchmarkTopUp(b *testing.B) {
	s := newStage(b)
	s.queue(s.subscription("https://hangs.test/"), 100_000)
	s.exec(`ANALYZE deliveries`)
	bounds := Config{ScanInterval: time.Hour}.admission(1024)
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

// BenchmarkFairness compares how late one workspace's deliveries are, alone and
// beside another's hundred thousand for an endpoint that hangs. All times are a
// tenth of the defaults: a scan each 6 s, an endpoint that hangs for the full
// second that an attempt has. In either half events come at random for ten scans.
func BenchmarkFairness(b *testing.B) {
	const scan, hangs = 6 * time.Second, time.Second
	s := newStage(b)
	config := s.settings()
	config.Post = s.hook.post(hangs)
	config.ScanInterval, config.RetryDelay, config.Concurrency, config.DrainTimeout = scan, scan, 1024, 2*hangs
	lateness := func() time.Duration {
		fine := s.subscription(s.hook.on("fine", status(http.StatusOK)))
		n := 0
		for end := time.Now().Add(10 * scan); time.Now().Before(end); n++ {
			s.queue(fine, 1)
			time.Sleep(randomly(50 * time.Millisecond))
		}
		s.eventually("all are delivered", func() bool {
			return s.count(`SELECT count(*) FROM deliveries WHERE subscription_id = $1 AND status = 'delivered'`, fine.ID) == n
		})
		return s.firstTries(fine).at(990)
	}
	for range b.N {
		stop := s.run(config)
		alone := lateness()
		stop()
		s.queue(s.subscription(s.hook.on("hang", func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() })), 100_000)
		seen := s.hook.total()
		stop = s.run(config)
		s.eventually("the hanging endpoint holds all it can get", func() bool { return s.hook.total() >= seen+256 })
		beside := lateness()
		stop()
		b.ReportMetric(alone.Seconds(), "alone-p99-s")
		b.ReportMetric(beside.Seconds(), "beside-p99-s")
		b.ReportMetric(beside.Seconds()/alone.Seconds(), "ratio")
		b.ReportMetric((beside-alone).Seconds()/scan.Seconds(), "scans-later")
	}
	b.ReportMetric(0, "ns/op")
}
