package outbox

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

var deliveries = storage.List[outreach.Delivery]{
	Reads: storage.NewColumns(func(d *outreach.Delivery) []storage.Column {
		return []storage.Column{
			{SQL: "d.id", To: &d.ID},
			{SQL: "d.workspace_id", To: &d.WorkspaceID},
			{SQL: "d.subscription_id", To: &d.SubscriptionID},
			{SQL: "d.subscription_event", To: &d.SubscriptionEvent},
			{SQL: "d.event_id", To: &d.EventID},
			{SQL: "d.type", To: &d.Type},
			{SQL: "d.url", To: &d.URL},
			{SQL: "d.status", To: &d.Status},
			{SQL: "d.attempts", To: &d.Attempts},
			{SQL: "d.http_status", To: &d.HTTPStatus},
			{SQL: "d.error", To: &d.Error},
			{SQL: "d.next_attempt_at", To: &d.NextAttemptAt},
			{SQL: "d.delivered_at", To: &d.DeliveredAt},
			{SQL: "d.redelivery_of", To: &d.RedeliveryOf},
			{SQL: "d.created_at", To: &d.CreatedAt},
			{SQL: "convert_from(d.body, 'UTF8')", To: &d.Body},
		}
	}),
	From: "deliveries d WHERE d.workspace_id = $1",
	At:   "d.created_at", ID: "d.id",
	Key: func(d *outreach.Delivery) outreach.Key { return outreach.Key{At: d.CreatedAt, ID: d.ID} },
}

// ListDeliveries returns one page of the log, newest first by creation.
func (o *Outbox) ListDeliveries(ctx context.Context, workspace uuid.UUID, filter outreach.DeliveryFilter,
	page outreach.Page) (outreach.Rows[outreach.Delivery], error) {
	f := storage.InWorkspace(workspace)
	storage.Where(f, "d.subscription_id = ?", filter.SubscriptionID)
	storage.Where(f, "d.type = ?", filter.Type)
	storage.Where(f, "d.status = ?", filter.Status)
	storage.Where(f, "d.created_at >= ?", filter.Since)
	return deliveries.Fetch(ctx, o.db.Pool(), f, page)
}

// Delivery returns one delivery.
func (o *Outbox) Delivery(ctx context.Context, workspace, id uuid.UUID) (outreach.Delivery, error) {
	return deliveries.One(ctx, o.db.Pool(), workspace, id)
}

const selectRedelivered = `SELECT DISTINCT redelivery_of FROM deliveries WHERE workspace_id = $1 AND redelivery_of = ANY($2)`

// Redelivered returns those of ids that were queued again, in any order.
func (o *Outbox) Redelivered(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]uuid.UUID, error) {
	return storage.Values[uuid.UUID](ctx, o.db.Pool(), "list redelivered", selectRedelivered, workspace, ids)
}

// The present URL with the old body. A deleted subscription has no URL.
const redeliver = `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body,
	redelivery_of, next_attempt_at, created_at)
SELECT $3, d.workspace_id, d.subscription_id, d.subscription_event, d.event_id, d.type, s.url, s.host, d.body, d.id,
	statement_timestamp(), statement_timestamp()
FROM deliveries d JOIN subscriptions s ON s.workspace_id = d.workspace_id AND s.id = d.subscription_id AND s.deleted_at IS NULL
WHERE d.workspace_id = $1 AND d.id = $2`

// Redeliver queues the body of a delivery again, as a new delivery. It returns CodeInvalidState if
// the subscription is deleted.
func (o *Outbox) Redeliver(ctx context.Context, workspace, id uuid.UUID) (d outreach.Delivery, err error) {
	err = o.db.Tx(ctx, func(tx pgx.Tx) error {
		if _, err := deliveries.One(ctx, tx, workspace, id); err != nil {
			return err
		}
		fresh := storage.NewID()
		tag, err := tx.Exec(ctx, redeliver, workspace, id, fresh)
		if err != nil {
			return fmt.Errorf("redeliver: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return outreach.Errorf(outreach.CodeInvalidState, "The subscription of this delivery was deleted.")
		}
		d, err = deliveries.One(ctx, tx, workspace, fresh)
		return err
	})
	return d, err
}

// Deliveries that failed since a time and were not queued again.
const failedSince = `
FROM deliveries d JOIN subscriptions s ON s.workspace_id = d.workspace_id AND s.id = d.subscription_id AND s.deleted_at IS NULL
WHERE d.workspace_id = $1 AND d.subscription_id = $2 AND d.status = 'failed' AND d.created_at >= $3 AND d.type <> 'test'
	AND NOT EXISTS (SELECT FROM deliveries r WHERE r.workspace_id = $1 AND r.subscription_id = $2 AND r.redelivery_of = d.id)`

const countFailed = `SELECT count(*) ` + failedSince

const redeliverFailed = `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body,
	redelivery_of, next_attempt_at, created_at)
SELECT uuid_v7(), d.workspace_id, d.subscription_id, d.subscription_event, d.event_id, d.type, s.url, s.host, d.body,
	d.id, statement_timestamp(), statement_timestamp() ` + failedSince

// RedeliverFailed queues all failed deliveries of a subscription since a time again, as new
// deliveries. A dry run only counts them. Either all or none are queued, and a second call queues
// only what has failed since.
func (o *Outbox) RedeliverFailed(ctx context.Context, workspace, subscription uuid.UUID, since time.Time,
	dryRun bool) (count int, err error) {
	err = o.db.Tx(ctx, func(tx pgx.Tx) error {
		if _, err := storage.Subscriptions.OneLocked(ctx, tx, workspace, subscription, " FOR UPDATE"); err != nil {
			return err
		}
		if dryRun {
			return tx.QueryRow(ctx, countFailed, workspace, subscription, since).Scan(&count)
		}
		tag, err := tx.Exec(ctx, redeliverFailed, workspace, subscription, since)
		count = int(tag.RowsAffected())
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("redeliver failed deliveries: %w", err)
	}
	return count, nil
}

// loggedAttempt is an attempt with its delivery.
type loggedAttempt struct {
	delivery uuid.UUID
	attempt  outreach.Attempt
}

var loggedColumns = storage.NewColumns(func(a *loggedAttempt) []storage.Column {
	return []storage.Column{
		{SQL: "a.delivery_id", To: &a.delivery},
		{SQL: "a.number", To: &a.attempt.Number},
		{SQL: "a.started_at", To: &a.attempt.StartedAt},
		{SQL: "a.duration_ms", To: &a.attempt.DurationMs},
		{SQL: "a.http_status", To: &a.attempt.HTTPStatus},
		{SQL: "a.error", To: &a.attempt.Error},
	}
})

var selectAttemptsOf = `
SELECT ` + loggedColumns.SQL + `
FROM delivery_attempts a
WHERE a.workspace_id = $1 AND a.delivery_id = ANY($2) ORDER BY a.delivery_id, a.number`

// AttemptsOf returns the attempts of several deliveries, each in order.
func (o *Outbox) AttemptsOf(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (map[uuid.UUID][]outreach.Attempt, error) {
	out := make(map[uuid.UUID][]outreach.Attempt, len(ids))
	add := func(a *loggedAttempt) { out[a.delivery] = append(out[a.delivery], a.attempt) }
	if err := loggedColumns.QueryEach(ctx, o.db.Pool(), add, selectAttemptsOf, workspace, ids); err != nil {
		return nil, fmt.Errorf("list attempts: %w", err)
	}
	return out, nil
}
