package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// queueDeliveries is the outbox: one queued delivery for each enabled
// subscription that asks for the kind, body, URL and type frozen as of now.
const queueDeliveries = `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at, created_at)
SELECT uuid_v7(), s.workspace_id, s.id, $2, $3, $4, s.url, s.host, $5, clock_timestamp(), clock_timestamp()
FROM subscriptions s
WHERE s.workspace_id = $1 AND s.enabled AND s.deleted_at IS NULL AND $2::text = ANY(s.events)`

// recordEvent writes a fact and its outbox in one statement: both exist or
// neither (contract, section 6). The process may die at any instant: before the
// commit nothing has happened, after it the scan finds the deliveries.
const recordEvent = `
WITH event AS (
	INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata)
	VALUES ($3, $1, $4, $6, $7, $8, $9, $10, $11, $12, $13)
)` + queueDeliveries + ` AND $5::bytea IS NOT NULL`

// record stores an event and queues its deliveries.
func (db *DB) record(ctx context.Context, tx pgx.Tx, event outreach.Event) error {
	args, err := db.recordArgs(event)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, recordEvent, args...); err != nil {
		return fmt.Errorf("record %s event: %w", event.Type, err)
	}
	return nil
}

const recordMany = `
WITH one AS MATERIALIZED (
	SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::uuid[], $8::uuid[], $9::text[], $10::text[],
		$11::jsonb[], $12::bytea[])
		AS one(id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata, body)
), event AS (
	INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata)
	SELECT id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata FROM one
)
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at, created_at)
SELECT uuid_v7(), s.workspace_id, s.id, one.type, one.id, one.type, s.url, s.host, one.body, clock_timestamp(), clock_timestamp()
FROM one JOIN subscriptions s ON s.workspace_id = one.workspace_id
WHERE s.enabled AND s.deleted_at IS NULL AND one.type = ANY(s.events)`

// eventColumns are the columns of many events that webhooks tell of, one slice for
// each.
type eventColumns struct {
	ids, workspaces                 []uuid.UUID
	types                           []outreach.EventType
	occurred                        []time.Time
	prospects, companies, campaigns []*uuid.UUID
	emails, names                   []*string
	interests                       []*outreach.Interest
	metadata                        []map[string]any
	bodies                          [][]byte
}

func (c *eventColumns) add(db *DB, e outreach.Event) error {
	body, err := db.payload(e)
	if err != nil {
		return fmt.Errorf("write payload: %w", err)
	}
	c.ids, c.workspaces, c.types, c.occurred = append(c.ids, e.ID), append(c.workspaces, e.WorkspaceID), append(c.types, e.Type), append(c.occurred, e.OccurredAt)
	c.prospects, c.companies, c.campaigns = append(c.prospects, e.ProspectID), append(c.companies, e.CompanyID), append(c.campaigns, e.CampaignID)
	c.emails, c.names, c.interests = append(c.emails, e.ProspectEmail), append(c.names, e.CampaignName), append(c.interests, e.Interest)
	c.metadata, c.bodies = append(c.metadata, metadataColumns(e.Metadata)), append(c.bodies, body)
	return nil
}

// args are those of recordMany.
func (c *eventColumns) args() []any {
	return []any{c.ids, c.workspaces, c.types, c.occurred, c.prospects, c.emails, c.companies, c.campaigns, c.names, c.interests, c.metadata, c.bodies}
}

// recordArgs are those of recordEvent.
func (db *DB) recordArgs(event outreach.Event) ([]any, error) {
	var body []byte
	if _, internal := internalEvents[event.Type]; !internal {
		var err error
		if body, err = db.payload(event); err != nil {
			return nil, fmt.Errorf("write payload: %w", err)
		}
	}
	return []any{event.WorkspaceID, string(event.Type), event.ID, event.Type, body,
		event.OccurredAt, event.ProspectID, event.ProspectEmail, event.CompanyID, event.CampaignID, event.CampaignName,
		event.Interest, metadataColumns(event.Metadata)}, nil
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
