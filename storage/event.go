package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// recordEvent writes a fact and, in the same statement, one queued delivery for
// each enabled subscription that asks for it: either both exist or neither
// (contract, section 6). Body, URL and type are frozen here.
//
// The process may die at any instant: before the commit nothing has happened,
// after it the scan finds the deliveries.
const recordEvent = `
WITH event AS (
	INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
)
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, body, next_attempt_at, created_at)
SELECT uuid_v7(), $2, s.id, $12, $13, $14, s.url, $15, clock_timestamp(), clock_timestamp()
FROM subscriptions s
WHERE s.workspace_id = $2 AND s.enabled AND s.deleted_at IS NULL AND $12::text = ANY(s.events) AND $15::bytea IS NOT NULL`

// record stores event and queues its deliveries under the event's own type.
func (db *DB) record(ctx context.Context, tx pgx.Tx, event outreach.Event) error {
	return db.recordAs(ctx, tx, event, event, string(event.Type))
}

// recordAs stores stored and queues told, the event as receivers see it, for the
// subscriptions that ask for kind. The two differ for a positive reply, which is
// kept as interest_marked and told as replied under the reply's id.
func (db *DB) recordAs(ctx context.Context, tx pgx.Tx, stored, told outreach.Event, kind string) error {
	var body []byte
	if _, internal := internalEvents[told.Type]; !internal {
		var err error
		if body, err = db.payload(told); err != nil {
			return fmt.Errorf("write payload: %w", err)
		}
	}
	_, err := tx.Exec(ctx, recordEvent, stored.ID, stored.WorkspaceID, stored.Type, stored.OccurredAt, stored.ProspectID,
		stored.ProspectEmail, stored.CompanyID, stored.CampaignID, stored.CampaignName, stored.Interest,
		metadataColumns(stored.Metadata), kind, told.ID, told.Type, body)
	if err != nil {
		return fmt.Errorf("record %s event: %w", stored.Type, err)
	}
	return nil
}

var internalEvents = map[outreach.EventType]struct{}{
	outreach.EventOfferRead:      {},
	outreach.EventInterestMarked: {},
}

// metadataColumns spells metadata for the column that the history shows.
func metadataColumns(metadata any) map[string]any {
	switch m := metadata.(type) {
	case outreach.SentMetadata:
		return map[string]any{"step": m.Step, "messageId": m.MessageID}
	case outreach.RepliedMetadata:
		return map[string]any{"replyId": m.ReplyID, "from": m.From}
	case outreach.ClickedMetadata:
		return map[string]any{"url": m.URL, "messageId": m.MessageID, "via": "redirect"}
	case outreach.BouncedMetadata:
		return map[string]any{"error": m.Error, "step": m.Step}
	case outreach.UnsubscribedMetadata:
		return map[string]any{"via": "one-click"}
	case outreach.OfferReadMetadata:
		return map[string]any{"offerId": m.OfferID, "again": m.Again}
	case outreach.InterestMarkedMetadata:
		return map[string]any{"replyId": m.ReplyID, "interest": m.Interest}
	}
	return map[string]any{}
}

const eventContext = `
SELECT p.email, p.company_id, c.name
FROM (SELECT 1) one
LEFT JOIN prospects p ON p.workspace_id = $1 AND p.id = $2
LEFT JOIN campaigns c ON c.workspace_id = $1 AND c.id = $3`

// eventOf begins an event about a prospect: the address is looked up now, so it
// is nil when the prospect was deleted (specification, section 2.4).
func (db *DB) eventOf(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospect uuid.UUID, campaign *uuid.UUID, kind outreach.EventType) (outreach.Event, error) {
	event := outreach.Event{
		ID: newID(), WorkspaceID: workspace, Type: kind, OccurredAt: db.now(),
		ProspectID: &prospect, CampaignID: campaign,
	}
	err := tx.QueryRow(ctx, eventContext, workspace, prospect, campaign).
		Scan(&event.ProspectEmail, &event.CompanyID, &event.CampaignName)
	if err != nil {
		return event, fmt.Errorf("look up event context: %w", err)
	}
	return event, nil
}

// EnsurePartitions makes the event partitions of the coming weeks. Safe to call
// from any process at any time.
func (db *DB) EnsurePartitions(ctx context.Context, around time.Time) error {
	if _, err := db.pool.Exec(ctx, "SELECT ensure_event_partitions($1)", around); err != nil {
		return fmt.Errorf("make event partitions: %w", err)
	}
	return nil
}

var history = list[outreach.History]{
	columns: "e.id, e.type, e.occurred_at, e.campaign_id, e.campaign_name, e.metadata",
	from:    "events e WHERE e.workspace_id = $1",
	at:      "e.occurred_at", id: "e.id",
	scan: func(row pgx.CollectableRow) (h outreach.History, err error) {
		err = row.Scan(&h.ID, &h.Type, &h.OccurredAt, &h.CampaignID, &h.CampaignName, &h.Metadata)
		return h, err
	},
	key: func(h *outreach.History) outreach.Key { return outreach.Key{At: h.OccurredAt, ID: h.ID} },
}

// ListHistory gives what happened with one prospect, newest first.
func (db *DB) ListHistory(ctx context.Context, workspace, prospect uuid.UUID, page outreach.Page) (outreach.Rows[outreach.History], error) {
	f := inWorkspace(workspace)
	f.add("e.prospect_id = ?", prospect)
	rows, err := history.fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, fmt.Errorf("list history: %w", err)
	}
	return rows, nil
}
