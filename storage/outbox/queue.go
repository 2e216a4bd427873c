package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/jobs/queue"
	"outreach/storage"
)

// A test is never scheduled: next_attempt_at is null, so no scan finds it.
const insertTest = `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body,
	lease_until, attempt_started_at, created_at)
SELECT $1, $2, $3, $4, $5, $4, $6, url_host($6), $7, now + $8::interval, now, now FROM statement_timestamp() AS now
RETURNING attempt_started_at, host`

// StartTest stores a delivery of a test event for one subscription, whether or not it is enabled
// and whatever its events are. Its only attempt has begun and is leased for ttl.
//
// If the process dies before the commit, there is no test; after it, SettleTests records the test
// as interrupted when the lease has ended.
func (o *Outbox) StartTest(ctx context.Context, workspace, subscription uuid.UUID, ttl time.Duration) (a queue.Attempt, err error) {
	err = o.db.Tx(ctx, func(tx pgx.Tx) error {
		s, err := storage.Subscriptions.One(ctx, tx, workspace, subscription)
		if err != nil {
			return err
		}
		event := outreach.Event{ID: storage.NewID(), WorkspaceID: workspace, Type: outreach.EventTest,
			OccurredAt: o.db.Now(), Metadata: outreach.TestMetadata{}}
		body, err := o.payload(event)
		if err != nil {
			return fmt.Errorf("write payload: %w", err)
		}
		a, err = o.startTest(ctx, tx, s, event, body, ttl)
		return err
	})
	return a, err
}

func (o *Outbox) startTest(ctx context.Context, tx pgx.Tx, s outreach.Subscription, event outreach.Event, body []byte,
	ttl time.Duration) (queue.Attempt, error) {
	a := queue.Attempt{
		AttemptKey: queue.AttemptKey{WorkspaceID: s.WorkspaceID, ID: storage.NewID(), Number: 1}, Verdict: queue.Begun,
		Type: event.Type, URL: s.URL, Body: body,
	}
	var sealed []byte
	if err := tx.QueryRow(ctx, storage.SelectSecret, s.WorkspaceID, s.ID).Scan(&sealed); err != nil {
		return a, fmt.Errorf("read sealed secret: %w", err)
	}
	var err error
	if a.Secret, err = o.openSecret(s.ID, sealed); err != nil {
		return a, err
	}
	err = tx.QueryRow(ctx, insertTest, a.ID, s.WorkspaceID, s.ID, event.Type, event.ID, s.URL, body, ttl).Scan(&a.StartedAt, &a.Host)
	if err != nil {
		return a, fmt.Errorf("insert test delivery: %w", err)
	}
	return a, nil
}

const selectStaleTests = `
SELECT workspace_id, id FROM deliveries
WHERE status = 'queued' AND next_attempt_at IS NULL AND lease_until <= statement_timestamp()
ORDER BY id LIMIT 1000`

const settleTests = `
UPDATE deliveries d SET status = 'failed', attempts = 1, error = 'interrupted', lease_until = NULL, attempt_started_at = NULL,
	attempt_log = ARRAY[ROW (1, d.attempt_started_at,
		least(extract(epoch FROM statement_timestamp() - d.attempt_started_at) * 1000, 2147483647)::int,
		NULL, 'interrupted')::delivery_attempt]
WHERE d.workspace_id = $1 AND d.id = ANY($2) AND d.status = 'queued' AND d.next_attempt_at IS NULL
	AND d.lease_until <= statement_timestamp()`

// SettleTests records tests whose process died in the attempt as failed, and returns their number.
// It can be repeated.
func (o *Outbox) SettleTests(ctx context.Context) (int, error) {
	stale, err := storage.Refs(ctx, o.db.Pool(), "look for tests that broke off", selectStaleTests)
	if err != nil {
		return 0, err
	}
	settled := 0
	for workspace, some := range storage.ByWorkspace(stale, outreach.Ref.Workspace) {
		tag, err := o.db.Pool().Exec(ctx, settleTests, workspace, outreach.IDsOf(some))
		if err != nil {
			return settled, fmt.Errorf("settle tests: %w", err)
		}
		settled += int(tag.RowsAffected())
	}
	return settled, nil
}

const queueStats = `
WITH clock AS MATERIALIZED (SELECT statement_timestamp() AS now),
queued AS (
	SELECT next_attempt_at AS at, lease_until > now AS running,
		next_attempt_at <= now AND (handed_until <= now OR handed_until IS NULL) AND (lease_until <= now OR lease_until IS NULL) AS due
	FROM deliveries, clock WHERE status = 'queued' LIMIT 100000
)
SELECT count(*), count(*) FILTER (WHERE due), count(*) FILTER (WHERE running),
	coalesce((SELECT now FROM clock) - min(at) FILTER (WHERE due), interval '0')
FROM queued`

// QueueStats counts the queue of all workspaces. It reads at most 100,000 deliveries: a longer
// queue counts as that many.
func (o *Outbox) QueueStats(ctx context.Context) (s queue.Stats, err error) {
	err = o.db.Pool().QueryRow(ctx, queueStats).Scan(&s.Queued, &s.Due, &s.InFlight, &s.OldestDue)
	if err != nil {
		return s, fmt.Errorf("count queue: %w", err)
	}
	return s, nil
}

// oldDeliveries are the deliveries that Retention deletes.
var oldDeliveries = storage.Retained{
	Due: `SELECT id FROM workspaces WHERE deliveries_from < $1 ORDER BY deliveries_from LIMIT $2`,
	Remove: `
WITH old AS MATERIALIZED (
	SELECT id FROM deliveries
	WHERE workspace_id = $1 AND created_at < $2 AND status IN ('delivered', 'failed') ORDER BY created_at, id LIMIT $3
	FOR UPDATE SKIP LOCKED
)
DELETE FROM deliveries d USING old WHERE d.workspace_id = $1 AND d.id = old.id`,
	Oldest: `
SELECT created_at FROM deliveries WHERE workspace_id = $1 AND status IN ('delivered', 'failed')
ORDER BY created_at, id LIMIT 1`,
	Note: `UPDATE workspaces SET deliveries_from = $2 WHERE id = $1`,
}

// Retention deletes settled deliveries that are older than olderThan, with their attempts, in
// bounded batches, and returns their number. Queued ones stay; one that was queued when the
// workspace was looked at goes at the next look. It stops between batches when ctx ends; the next
// call continues.
func (o *Outbox) Retention(ctx context.Context, olderThan time.Duration) (int, error) {
	var now time.Time
	if err := o.db.Pool().QueryRow(ctx, `SELECT statement_timestamp()`).Scan(&now); err != nil {
		return 0, fmt.Errorf("retire deliveries: %w", err)
	}
	cutoff := now.Add(-olderThan)
	total, err := o.db.RemoveOld(ctx, oldDeliveries, cutoff, cutoff)
	if err != nil {
		return total, fmt.Errorf("retire deliveries: %w", err)
	}
	return total, nil
}
