package jobs

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"outreach/jobs/queue"
)

// The queue is counted at most every statsInterval, within statsTimeout. Only a scrape before the
// first count waits, for up to statsPatience.
const (
	statsInterval = 15 * time.Second
	statsTimeout  = 10 * time.Second
	statsPatience = time.Second
)

// QueueMetrics reports the state of the queue that all processes share. A scrape returns the last
// count and starts the next one in the background, so that its cost does not depend on the length
// of the queue and it answers while the database is unavailable.
type QueueMetrics struct {
	stats                                func(context.Context) (queue.Stats, error)
	queued, due, inFlight, oldestDue, up *prometheus.Desc

	mu       sync.Mutex
	last     queue.Stats
	known    bool // last is a count
	answered bool // the latest count succeeded
	started  time.Time
	running  chan struct{} // closed when the count that runs has ended; nil when none runs
}

// NewQueueMetrics returns the collector; stats is the store's QueueStats.
func NewQueueMetrics(stats func(context.Context) (queue.Stats, error)) *QueueMetrics {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("outreach_"+name, help, nil, nil)
	}
	return &QueueMetrics{
		stats:     stats,
		queued:    desc("webhook_queued", "Deliveries that are not settled, counted up to 100000."),
		due:       desc("webhook_due", "Deliveries that are due and not handed out, counted up to 100000."),
		inFlight:  desc("webhook_in_flight", "Deliveries that are being attempted."),
		oldestDue: desc("webhook_oldest_due_seconds", "How long the oldest due delivery has been waiting."),
		up:        desc("database_up", "1 when the database answered the latest count of the queue."),
	}
}

// Describe is part of prometheus.Collector.
func (q *QueueMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{q.queued, q.due, q.inFlight, q.oldestDue, q.up} {
		out <- d
	}
}

// Collect is part of prometheus.Collector.
func (q *QueueMetrics) Collect(out chan<- prometheus.Metric) {
	q.awaitFirst(q.refresh())
	q.mu.Lock()
	defer q.mu.Unlock()
	gauge := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	if q.answered {
		gauge(q.up, 1)
	} else {
		gauge(q.up, 0)
	}
	if !q.known {
		return
	}
	gauge(q.queued, float64(q.last.Queued))
	gauge(q.due, float64(q.last.Due))
	gauge(q.inFlight, float64(q.last.InFlight))
	gauge(q.oldestDue, q.last.OldestDue.Seconds())
}

// refresh starts a count if the last one is old, and returns a channel that is closed when the
// running count has ended.
func (q *QueueMetrics) refresh() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running == nil && time.Since(q.started) >= statsInterval {
		q.started, q.running = time.Now(), make(chan struct{})
		go q.count(q.running)
	}
	return q.running
}

func (q *QueueMetrics) count(done chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	stats, err := q.stats(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.answered = err == nil; q.answered {
		q.last, q.known = stats, true
	}
	q.running = nil
	close(done)
}

func (q *QueueMetrics) awaitFirst(done <-chan struct{}) {
	q.mu.Lock()
	known := q.known
	q.mu.Unlock()
	if known || done == nil {
		return
	}
	select {
	case <-done:
	case <-time.After(statsPatience):
	}
}
