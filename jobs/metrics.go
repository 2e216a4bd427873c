package jobs

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"outreach"
	"outreach/jobs/queue"
)

// outcome is the result of a task.
type outcome string

const (
	outcomeDelivered  outcome = "delivered"
	outcomeRetry      outcome = "retry"      // failed, will be retried
	outcomeFailed     outcome = "failed"     // failed for the last time
	outcomeLost       outcome = "lost"       // taken over by another process
	outcomeUnrecorded outcome = "unrecorded" // the database was unavailable for too long
	outcomeEarly      outcome = "too_early"
	outcomeOverCap    outcome = "over_cap"
	outcomeStale      outcome = "stale"
	outcomeUnable     outcome = "unable" // the signing secret cannot be opened
)

// Metrics counts the deliveries of this process. It is a Prometheus collector; register it once.
type Metrics struct {
	outcomes *prometheus.CounterVec
	reasons  *prometheus.CounterVec
	duration prometheus.Histogram
	lateness prometheus.Gauge
	scans    prometheus.Counter
	handouts prometheus.Counter
}

// NewMetrics returns collectors with all values at zero.
func NewMetrics() *Metrics {
	const space, part = "outreach", "webhook"
	return &Metrics{
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: space, Subsystem: part, Name: "outcomes_total",
			Help: "Tasks by outcome."}, []string{"outcome"}),
		reasons: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: space, Subsystem: part, Name: "failures_total",
			Help: "Failed attempts by recorded reason."}, []string{"reason"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: space, Subsystem: part, Name: "attempt_seconds",
			Help:    "How long endpoints took to answer or to fail.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}}),
		lateness: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: space, Subsystem: part, Name: "scan_lateness_seconds",
			Help: "How late the last scan of this process began."}),
		scans: prometheus.NewCounter(prometheus.CounterOpts{Namespace: space, Subsystem: part, Name: "scans_total",
			Help: "Scans that this process led."}),
		handouts: prometheus.NewCounter(prometheus.CounterOpts{Namespace: space, Subsystem: part, Name: "handed_out_total",
			Help: "Deliveries that this process handed to the queue."}),
	}
}

func (m *Metrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.outcomes, m.reasons, m.duration, m.lateness, m.scans, m.handouts}
}

// Describe is part of prometheus.Collector.
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	for _, c := range m.collectors() {
		c.Describe(out)
	}
}

// Collect is part of prometheus.Collector.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	for _, c := range m.collectors() {
		c.Collect(out)
	}
}

func (m *Metrics) count(o outcome) { m.outcomes.WithLabelValues(string(o)).Inc() }
func (m *Metrics) handed(n int)    { m.handouts.Add(float64(n)) }

func (m *Metrics) scanned(late time.Duration) {
	m.scans.Inc()
	m.lateness.Set(late.Seconds())
}

func (m *Metrics) timed(post Post) Post {
	return func(ctx context.Context, attempt queue.Attempt) queue.Answer {
		began := time.Now()
		defer func() { m.duration.Observe(time.Since(began).Seconds()) }()
		return post(ctx, attempt)
	}
}

func (m *Metrics) recorded(r queue.Recorded, answer queue.Answer) {
	if answer.Error != nil {
		m.reasons.WithLabelValues(*answer.Error).Inc()
	}
	switch {
	case r.Lost:
		m.count(outcomeLost)
	case r.Status == outreach.DeliveryDelivered:
		m.count(outcomeDelivered)
	case r.Status == outreach.DeliveryFailed:
		m.count(outcomeFailed)
	default:
		m.count(outcomeRetry)
	}
}
