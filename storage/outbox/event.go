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

// QueueDeliveries inserts one queued delivery for each enabled subscription that asks for the kind.
// Body, URL and type are frozen.
const QueueDeliveries = `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at, created_at)
SELECT uuid_v7(), s.workspace_id, s.id, $2, $3, $4, s.url, s.host, $5, statement_timestamp(), statement_timestamp()
FROM subscriptions s
WHERE s.workspace_id = $1 AND s.enabled AND s.deleted_at IS NULL AND $2::text = ANY(s.events)`

// recordEvent stores an event and its deliveries in one statement: both or neither
// (docs/reference.md#events). If the process dies before the commit, nothing has happened; after
// it, the scan finds the deliveries.
const recordEvent = `
WITH event AS (
	INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id,
		campaign_name, interest, metadata)
	VALUES ($3, $1, $4, $6, $7, $8, $9, $10, $11, $12, $13)
)` + QueueDeliveries + ` AND $5::bytea IS NOT NULL`

// Record stores an event and queues its deliveries.
func (o *Outbox) Record(ctx context.Context, tx pgx.Tx, event outreach.Event) error {
	args, err := o.recordArgs(event)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, recordEvent, args...); err != nil {
		return fmt.Errorf("record %s event: %w", event.Type, err)
	}
	return nil
}

// RecordMany is Record for events as columns; see EventColumns.
const RecordMany = `
WITH one AS MATERIALIZED (
	SELECT * FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::uuid[], $6::text[], $7::uuid[], $8::uuid[], $9::text[], $10::text[],
		$11::jsonb[], $12::bytea[])
		AS one(id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata, body)
), event AS (
	INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id,
		campaign_name, interest, metadata)
	SELECT id, $1, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata FROM one
)
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at, created_at)
SELECT uuid_v7(), $1, s.id, one.type, one.id, one.type, s.url, s.host, one.body, statement_timestamp(), statement_timestamp()
FROM one JOIN subscriptions s ON s.workspace_id = $1
WHERE s.enabled AND s.deleted_at IS NULL AND one.type = ANY(s.events)`

// EventColumns holds events of one workspace that webhooks deliver, as columns.
type EventColumns struct {
	ids                             []uuid.UUID
	types                           []outreach.EventType
	Occurred                        []time.Time
	prospects, companies, Campaigns []*uuid.UUID
	emails, names                   []*string
	interests                       []*outreach.Interest
	metadata                        []map[string]any
	bodies                          [][]byte
}

// Add adds an event that webhooks deliver.
func (c *EventColumns) Add(o *Outbox, e outreach.Event) error {
	body, err := o.payload(e)
	if err != nil {
		return fmt.Errorf("write payload: %w", err)
	}
	c.ids, c.types, c.Occurred = append(c.ids, e.ID), append(c.types, e.Type), append(c.Occurred, e.OccurredAt)
	c.prospects, c.companies, c.Campaigns = append(c.prospects, e.ProspectID), append(c.companies, e.CompanyID),
		append(c.Campaigns, e.CampaignID)
	c.emails, c.names, c.interests = append(c.emails, e.ProspectEmail), append(c.names, e.CampaignName), append(c.interests, e.Interest)
	c.metadata, c.bodies = append(c.metadata, metadataColumns(e.Metadata)), append(c.bodies, body)
	return nil
}

// Args returns the arguments of RecordMany.
func (c *EventColumns) Args(workspace uuid.UUID) []any {
	return []any{workspace, c.ids, c.types, c.Occurred, c.prospects, c.emails, c.companies, c.Campaigns, c.names,
		c.interests, c.metadata, c.bodies}
}

// recordArgs returns the arguments of recordEvent.
func (o *Outbox) recordArgs(event outreach.Event) ([]any, error) {
	var body []byte
	if _, internal := internalEvents[event.Type]; !internal {
		var err error
		if body, err = o.payload(event); err != nil {
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

// metadataColumns converts metadata for the column that the history shows.
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

// EventOf returns a new event about a prospect with its present address, which is nil if the
// prospect is deleted (docs/reference.md#events).
func (o *Outbox) EventOf(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospect uuid.UUID, campaign *uuid.UUID,
	kind outreach.EventType) (outreach.Event, error) {
	event := outreach.Event{
		ID: storage.NewID(), WorkspaceID: workspace, Type: kind, OccurredAt: o.db.Now(),
		ProspectID: &prospect, CampaignID: campaign,
	}
	err := tx.QueryRow(ctx, eventContext, workspace, prospect, campaign).
		Scan(&event.ProspectEmail, &event.CompanyID, &event.CampaignName)
	if err != nil {
		return event, fmt.Errorf("look up event context: %w", err)
	}
	return event, nil
}

// DeliveryArgs returns the arguments of QueueDeliveries for an event that is not stored in events,
// for the subscriptions that ask for on.
func (o *Outbox) DeliveryArgs(on outreach.SubscriptionEvent, event outreach.Event) ([]any, error) {
	body, err := o.payload(event)
	if err != nil {
		return nil, fmt.Errorf("write payload: %w", err)
	}
	return []any{event.WorkspaceID, string(on), event.ID, event.Type, body}, nil
}
