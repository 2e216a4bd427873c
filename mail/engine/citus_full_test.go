//go:build full

package engine_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/storage"
	"outreach/storage/distribute"
)

// On a Citus cluster the ledger holds as on one server: processes die at random instants and
// boundaries, then the shards of the workspace move to the other server and back while mail leaves.
// Each person gets one mail.
func TestLedgerOnCitus(t *testing.T) {
	t.Parallel()
	testLedgerOnCitus(t, 20)
}

func testLedgerOnCitus(t *testing.T, deaths int) {
	t.Helper()
	url, installed := testdb.StartCitus(t)
	if !installed {
		return
	}
	must(t, storage.Migrate(t.Context(), url))
	must(t, distribute.Run(t.Context(), url, slog.New(slog.DiscardHandler)))
	w := newWorldAt(t, url, time.Now().UTC(), time.Millisecond)
	deathRounds(w, deaths, 1)
	w.sendWhile("moving", w.moveShards)
}

// sendWhile writes to new people until do returns, and expects one mail to each.
func (w *world) sendWhile(name string, do func() error) {
	w.t.Helper()
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello"), BodyText: new("Hello")}}
	}, w.mailbox(name+"@acme.test", nil))
	done := make(chan error, 1)
	go func() { done <- do() }()
	var emails []string
	for running := true; running; {
		email := fmt.Sprintf("%s%d@away.test", name, len(emails))
		emails = append(emails, email)
		w.enrollInTurn(c, email)
		w.engine.SendOnce(w.ctx)
		select {
		case err := <-done:
			must(w.t, err)
			running = false
		default:
		}
	}
	w.finish(emails)
	statuses, mails := w.statuses(), w.mailsByAddress()
	for _, email := range emails {
		if statuses[email] != "sent" || mails[email] != 1 {
			w.t.Errorf("%s is %s with %d mails, want sent with 1", email, statuses[email], mails[email])
		}
	}
	w.t.Logf("%d mails meanwhile", len(emails))
}

// moveShards moves the shards of the workspace to the other server and back.
func (w *world) moveShards() error {
	for range 2 {
		began := time.Now()
		_, err := w.sql.Exec(w.ctx, `
SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'force_logical')
FROM citus_shards s
JOIN pg_dist_node n ON n.shouldhaveshards AND n.nodeport <> s.nodeport
WHERE s.shardid = get_shard_id_for_distribution_column('enrollments', $1::uuid)`, w.ws)
		if err != nil {
			return fmt.Errorf("move shards: %w", err)
		}
		w.t.Logf("moved in %s", time.Since(began).Round(time.Millisecond))
		// What was left behind must go before the shards can come back.
		if _, err := w.sql.Exec(w.ctx, `CALL citus_cleanup_orphaned_resources()`); err != nil {
			return fmt.Errorf("drop the shards that were left behind: %w", err)
		}
	}
	return nil
}
