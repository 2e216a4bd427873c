//go:build soak && full

package jobs

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/storage"
	"outreach/storage/distribute"
)

// Two processes deliver 10,000 webhooks of ten workspaces whose rows a Citus cluster of
// a coordinator and two servers keeps. Each arrives once.
func TestSoakWebhooksOnCitus(t *testing.T) {
	url, installed := testdb.StartCitus(t)
	if !installed {
		return
	}
	if err := storage.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	if err := distribute.Run(t.Context(), url, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	s := newStageAt(t, url)
	answer := s.hook.on("citus", func(http.ResponseWriter, *http.Request, int) {})
	var subs []outreach.Subscription
	for range 10 {
		workspace := uuid.Must(uuid.NewV7())
		s.exec(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, workspace)
		subs = append(subs, s.subscribe(workspace, answer))
	}
	for range 2 {
		s.process()
	}
	began := time.Now()
	for range 10 {
		for _, sub := range subs {
			s.queue(sub, 100)
		}
	}
	s.settled()
	took := time.Since(began)
	t.Logf("10,000 were settled after %s, %.0f a second", took.Round(time.Millisecond), 10_000/took.Seconds())
	s.eachOnce(10_000)
}
