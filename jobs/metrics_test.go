package jobs

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"outreach"
	"outreach/jobs/carry"
)

func TestMetricsTellWhatBecame(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	words, fine := "timeout", carry.Answer{}
	failed := carry.Answer{Error: &words}
	m.recorded(carry.Recorded{Status: outreach.DeliveryDelivered}, fine)
	m.recorded(carry.Recorded{Status: outreach.DeliveryQueued}, failed)
	m.recorded(carry.Recorded{Status: outreach.DeliveryFailed}, failed)
	m.recorded(carry.Recorded{Lost: true}, fine)
	m.turned(outcomeOverCap)
	m.handed(7)
	m.scanned(1500 * time.Millisecond)
	want := `
# HELP outreach_webhook_failures_total Failed attempts by the words that are recorded.
# TYPE outreach_webhook_failures_total counter
outreach_webhook_failures_total{reason="timeout"} 2
# HELP outreach_webhook_handed_out_total Deliveries that this process handed to the queue.
# TYPE outreach_webhook_handed_out_total counter
outreach_webhook_handed_out_total 7
# HELP outreach_webhook_outcomes_total Tasks by what became of them.
# TYPE outreach_webhook_outcomes_total counter
outreach_webhook_outcomes_total{outcome="delivered"} 1
outreach_webhook_outcomes_total{outcome="failed"} 1
outreach_webhook_outcomes_total{outcome="lost"} 1
outreach_webhook_outcomes_total{outcome="over_cap"} 1
outreach_webhook_outcomes_total{outcome="retry"} 1
# HELP outreach_webhook_scan_lateness_seconds How long after its time the last scan of this process began.
# TYPE outreach_webhook_scan_lateness_seconds gauge
outreach_webhook_scan_lateness_seconds 1.5
# HELP outreach_webhook_scans_total Scans that this process led.
# TYPE outreach_webhook_scans_total counter
outreach_webhook_scans_total 1
`
	err := testutil.CollectAndCompare(m, strings.NewReader(want), "outreach_webhook_failures_total", "outreach_webhook_handed_out_total",
		"outreach_webhook_outcomes_total", "outreach_webhook_scan_lateness_seconds", "outreach_webhook_scans_total")
	if err != nil {
		t.Error(err)
	}
}

func TestQueueMetricsAskTheDatabase(t *testing.T) {
	t.Parallel()
	stats := carry.QueueStats{Queued: 9, Due: 4, InFlight: 2, OldestDue: 90 * time.Second}
	q := NewQueueMetrics(func(context.Context) (carry.QueueStats, error) { return stats, nil })
	want := `
# HELP outreach_webhook_due Deliveries that are due and in nobody's hands.
# TYPE outreach_webhook_due gauge
outreach_webhook_due 4
# HELP outreach_webhook_in_flight Deliveries that are being attempted.
# TYPE outreach_webhook_in_flight gauge
outreach_webhook_in_flight 2
# HELP outreach_webhook_oldest_due_seconds How long the oldest due delivery has been waiting.
# TYPE outreach_webhook_oldest_due_seconds gauge
outreach_webhook_oldest_due_seconds 90
# HELP outreach_webhook_queued Deliveries that are not settled.
# TYPE outreach_webhook_queued gauge
outreach_webhook_queued 9
`
	if err := testutil.CollectAndCompare(q, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
	broken := NewQueueMetrics(func(context.Context) (carry.QueueStats, error) { return stats, errors.New("away") })
	registry := prometheus.NewRegistry()
	registry.MustRegister(broken, NewMetrics())
	if _, err := registry.Gather(); err == nil {
		t.Error("a scrape hides that the database is away")
	}
}
