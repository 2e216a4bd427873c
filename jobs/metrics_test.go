package jobs

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"outreach"
	"outreach/jobs/queue"
)

func TestMetricsTellWhatBecame(t *testing.T) {
	t.Parallel()
	m := NewMetrics()
	words, fine := "timeout", queue.Answer{}
	failed := queue.Answer{Error: &words}
	m.recorded(queue.Recorded{Status: outreach.DeliveryDelivered}, fine)
	m.recorded(queue.Recorded{Status: outreach.DeliveryQueued}, failed)
	m.recorded(queue.Recorded{Status: outreach.DeliveryFailed}, failed)
	m.recorded(queue.Recorded{Lost: true}, fine)
	m.count(outcomeOverCap)
	m.handed(7)
	m.scanned(1500 * time.Millisecond)
	want := `
# HELP outreach_webhook_failures_total Failed attempts by recorded reason.
# TYPE outreach_webhook_failures_total counter
outreach_webhook_failures_total{reason="timeout"} 2
# HELP outreach_webhook_handed_out_total Deliveries that this process handed to the queue.
# TYPE outreach_webhook_handed_out_total counter
outreach_webhook_handed_out_total 7
# HELP outreach_webhook_outcomes_total Tasks by outcome.
# TYPE outreach_webhook_outcomes_total counter
outreach_webhook_outcomes_total{outcome="delivered"} 1
outreach_webhook_outcomes_total{outcome="failed"} 1
outreach_webhook_outcomes_total{outcome="lost"} 1
outreach_webhook_outcomes_total{outcome="over_cap"} 1
outreach_webhook_outcomes_total{outcome="retry"} 1
# HELP outreach_webhook_scan_lateness_seconds How late the last scan of this process began.
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

func gathered(t *testing.T, q *QueueMetrics) map[string]float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(q)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		values[family.GetName()] = family.GetMetric()[0].GetGauge().GetValue()
	}
	return values
}

// Scrapes show the last count, however often they come and whether or not the
// database answers.
func TestQueueMetricsAnswerAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stats, away, takes, counts := queue.Stats{Queued: 9, Due: 4, InFlight: 2, OldestDue: 90 * time.Second},
			error(nil), time.Millisecond, 0
		q := NewQueueMetrics(func(ctx context.Context) (queue.Stats, error) {
			counts++
			select {
			case <-time.After(takes):
				return stats, away
			case <-ctx.Done():
				return queue.Stats{}, ctx.Err()
			}
		})
		first := map[string]float64{"outreach_webhook_queued": 9, "outreach_webhook_due": 4,
			"outreach_webhook_in_flight": 2, "outreach_webhook_oldest_due_seconds": 90, "outreach_database_up": 1}
		if diff := cmp.Diff(first, gathered(t, q)); diff != "" {
			t.Errorf("first scrape (-want +got):\n%s", diff)
		}
		stats.Queued, takes = 10, time.Hour // the database hangs
		time.Sleep(statsInterval)
		for range 10 {
			began := time.Now()
			if diff := cmp.Diff(first, gathered(t, q)); diff != "" || time.Since(began) > 0 {
				t.Errorf("a scrape beside a database that hangs took %s (-want +got):\n%s", time.Since(began), diff)
			}
		}
		time.Sleep(statsTimeout)
		synctest.Wait() // the count ends in the same instant as the sleep
		first["outreach_database_up"] = 0
		if diff := cmp.Diff(first, gathered(t, q)); diff != "" {
			t.Errorf("after the count was given up (-want +got):\n%s", diff)
		}
		takes = time.Millisecond
		time.Sleep(statsInterval)
		gathered(t, q)
		time.Sleep(time.Second)
		if got := gathered(t, q); got["outreach_webhook_queued"] != 10 || got["outreach_database_up"] != 1 {
			t.Errorf("after the database came back: %v", got)
		}
		if counts != 3 {
			t.Errorf("the database counted %d times, want 3", counts)
		}
	})
}

func TestQueueMetricsOfADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	q := NewQueueMetrics(func(context.Context) (queue.Stats, error) { return queue.Stats{}, errors.New("away") })
	if diff := cmp.Diff(map[string]float64{"outreach_database_up": 0}, gathered(t, q)); diff != "" {
		t.Errorf("scrape (-want +got):\n%s", diff)
	}
}
