package main

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"outreach"
	"outreach/jobs"
	"outreach/mail/engine"
	"outreach/rest"
	"outreach/storage/stores"
)

// requestMetrics measures requests by route, of which there are few.
type requestMetrics struct{ duration *prometheus.HistogramVec }

func newRequestMetrics() *requestMetrics {
	return &requestMetrics{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "outreach_http_request_duration_seconds", Help: "Time to answer a request.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
	}, []string{"route", "method", "status"})}
}

func (m *requestMetrics) observe(r *http.Request, status int, took time.Duration) {
	m.duration.WithLabelValues(routeOf(r.URL.Path), methodOf(r.Method), strconv.Itoa(status)).Observe(took.Seconds())
}

// routeOf returns the API call, or the kind of page.
func routeOf(path string) string {
	if strings.HasPrefix(path, rest.Base+"/") {
		return cmp.Or(rest.Route(path), rest.Base+"/other")
	}
	for _, prefix := range []string{"/graphql", "/ops/queues", "/oauth/", "/t/c/", "/t/o/", "/u/", "/o/", "/assets/",
		"/docs", "/healthz", "/readyz"} {
		if strings.HasPrefix(path, prefix) {
			return prefix
		}
	}
	return "/"
}

func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete:
		return method
	}
	return "other"
}

func (a *app) buildMetrics() error {
	a.registry = prometheus.NewRegistry()
	a.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		a.requests.duration, a.mailMetrics.settled, a.mailMetrics.received, a.mailMetrics.swept, a.mailMetrics.late,
		a.partitions, a.attempts, jobs.NewQueueMetrics(a.store.QueueStats))
	if slices.Contains(a.opts.roles, "worker") {
		a.registry.MustRegister(newSendingGauge(a.store))
	}
	return nil
}

// metrics serves the metrics of the process.
func (a *app) metrics() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}))
	return mux
}

// newSendingGauge returns the gauge by which a worker tells whether it claims messages.
func newSendingGauge(store *stores.Stores) prometheus.GaugeFunc {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "outreach_sending_off",
		Help: "1 while this worker claims no messages: sending is off, or the worker has not compared the database yet.",
	}, func() float64 {
		if store.Claims() {
			return 0
		}
		return 1
	})
}

// newPartitionGauge returns the gauge that workers set each hour. Other processes do not report it.
func newPartitionGauge() *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "outreach_event_partition_weeks", Help: "Weeks after the present one that have a partition of events."}, nil)
}

// mailMetrics counts the work of the mail engine.
type mailMetrics struct {
	settled  *prometheus.CounterVec
	received *prometheus.CounterVec
	swept    prometheus.Counter
	late     *prometheus.GaugeVec
}

func newMailMetrics() *mailMetrics {
	return &mailMetrics{
		settled: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "outreach_mail_settled_total", Help: "Messages handed to a mail server, by outcome."}, []string{"outcome"}),
		received: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "outreach_mail_received_total", Help: "Messages read from mailboxes, by kind."}, []string{"kind"}),
		swept: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "outreach_mail_unknown_total", Help: "Messages whose outcome is unknown because a process died."}),
		late: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "outreach_mail_tick_lateness_seconds", Help: "How late the last tick of a loop began."}, []string{"loop"}),
	}
}

func (m *mailMetrics) hooks() engine.Hooks {
	return engine.Hooks{
		Settled:  func(kind outreach.SendKind) { m.settled.WithLabelValues(string(kind)).Inc() },
		Swept:    func(count int) { m.swept.Add(float64(count)) },
		Ingested: func(kind outreach.ReceivedKind) { m.received.WithLabelValues(string(kind)).Inc() },
		Ticked:   func(loop string, late, _ time.Duration) { m.late.WithLabelValues(loop).Set(late.Seconds()) },
	}
}
