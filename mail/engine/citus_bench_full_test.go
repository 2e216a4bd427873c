//go:build full

package engine_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/jobs/queue"
	"outreach/storage"
	"outreach/storage/distribute"
	"outreach/tracking/hit"
)

// BenchmarkCitus compares a cluster of a coordinator and two servers with one server of the same settings:
// for each kind of work the rate on the cluster over the rate on the server. Except for sending, one caller asks at a
// time, so the ratio contains what the way through the coordinator adds to each statement. All servers share the
// cores of this machine, so it does not show what more machines can do.
func BenchmarkCitus(b *testing.B) {
	url, installed := testdb.StartCitus(b)
	if !installed {
		return
	}
	must(b, storage.Migrate(b.Context(), url))
	must(b, distribute.Run(b.Context(), url, slog.New(slog.DiscardHandler)))
	plain := testdb.NewPostgresGroup(b).Add("plain", "synchronous_commit = off", "wal_level = logical", "max_connections = 200").URL()
	must(b, storage.Migrate(b.Context(), plain))
	worlds := []*citusWork{newCitusWork(b, plain), newCitusWork(b, url)}
	spent := map[string]*[2]time.Duration{}
	for round := range 5 {
		for i := range worlds {
			at := (i + round) % 2 // they take turns in going first
			for kind, work := range worlds[at].kinds() {
				began := time.Now()
				work(round)
				if spent[kind] == nil {
					spent[kind] = &[2]time.Duration{}
				}
				spent[kind][at] += time.Since(began)
			}
		}
	}
	for kind, took := range spent {
		b.ReportMetric(took[0].Seconds()/took[1].Seconds(), kind)
	}
	sent := [2]float64{}
	for i, w := range worlds {
		began := time.Now()
		w.sendAll(citusPeople)
		sent[i] = citusPeople / time.Since(began).Seconds()
		b.Logf("sent %.0f a second", sent[i])
	}
	b.ReportMetric(sent[1]/sent[0], "send")
	took := [2]time.Duration{worlds[0].unsubscribeAndScan(), worlds[1].unsubscribeAndScan()}
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "ingest-and-scan")
	b.ReportMetric(0, "ns/op")
}

const citusPeople = 2000

// citusWork is a world with an active campaign and people who wait for their first mail.
type citusWork struct{ *world }

func newCitusWork(b *testing.B, url string) *citusWork {
	w := &citusWork{newWorldAt(b, url, time.Now().UTC(), time.Millisecond)}
	w.mail = lean(b)
	_, c := w.benchCampaign()
	_, err := w.CreateSubscription(b.Context(), outreach.Subscription{WorkspaceID: w.ws, URL: "https://hooks.test/",
		Events: []outreach.SubscriptionEvent{outreach.OnSent, outreach.OnUnsubscribed}, Enabled: true}, "whsec_x")
	must(b, err)
	w.crowd(c, citusPeople)
	w.exec(`UPDATE mailboxes SET receive_at = now() + interval '1 day'`)
	return w
}

// kinds returns the calls that are repeated in turns.
func (w *citusWork) kinds() map[string]func(round int) {
	return map[string]func(int){
		"list": func(int) {
			for range 100 {
				found, err := w.ListProspects(w.ctx, w.ws, outreach.ProspectFilter{}, outreach.Page{Limit: 50})
				must(w.t, err)
				if len(found.Rows) != 50 {
					w.t.Fatalf("listed %d prospects", len(found.Rows))
				}
			}
		},
		"create": func(round int) {
			for i := range 100 {
				_, err := w.CreateProspect(w.ctx, outreach.Prospect{WorkspaceID: w.ws, Email: fmt.Sprintf("new%d-%d@away.test", round, i)})
				must(w.t, err)
			}
		},
	}
}

// unsubscribeAndScan records an unsubscribed event, with its delivery, for 500 messages, and hands out all deliveries
// to a queue. It returns how long that took.
func (w *citusWork) unsubscribeAndScan() time.Duration {
	messages := rows[uuid.UUID](w.world, `SELECT id FROM messages WHERE workspace_id = $1 LIMIT 500`, w.ws)
	began := time.Now()
	for _, id := range messages {
		must(w.t, w.Unsubscribe(w.ctx, outreach.Ref{WorkspaceID: w.ws, ID: id}, hit.Visitor{At: w.clock.Now()}))
	}
	handed := 0
	for more := true; more; {
		out, err := w.HandOut(w.ctx, queue.Admission{
			Total: 500, PerWorkspace: 10_000, PerHost: 10_000, PerWorkspaceHost: 500, HandoutTTL: time.Hour})
		must(w.t, err)
		handed += len(out.Handed)
		more = len(out.Handed) > 0 && handed < 1500
	}
	if handed == 0 {
		w.t.Error("nothing was handed out")
	}
	return time.Since(began)
}
