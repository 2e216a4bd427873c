package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// committing is one call of CommitMessage.
type committing struct {
	id     uuid.UUID
	holder string
}

// The two statements of commit 2 for many. The locks come first, so that the
// second sees what whoever held them has left.
const lockCommitting = `
SELECT FROM messages m JOIN enrollments e ON e.id = m.enrollment_id AND e.workspace_id = m.workspace_id
WHERE m.id = ANY($1) ORDER BY m.id FOR UPDATE OF m, e`

const commitMany = `
UPDATE messages m SET status = 'committing', committed_at = $3, sent_at = $3
FROM unnest($1::uuid[], $2::text[]) one(id, holder), enrollments e, campaigns c, prospects p
WHERE m.id = one.id AND m.holder = one.holder AND m.status = 'claimed' AND m.lease_until > clock_timestamp()
	AND e.id = m.enrollment_id AND e.workspace_id = m.workspace_id AND e.status IN ('active', 'held') AND e.run = m.run
	AND c.id = e.campaign_id AND c.status = 'active'
	AND p.id = m.prospect_id AND p.workspace_id = m.workspace_id AND p.unsubscribed_at IS NULL AND p.bounced_at IS NULL
	AND (p.replied_at IS NULL OR e.forced OR NOT c.stop_on_reply)
	AND NOT EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = m.workspace_id
		AND (s.email_key = p.email_key OR s.domain = split_part(p.email_key, '@', -1)))
RETURNING m.id`

// commitTogether is commit 2 for the messages against which nothing stands; each
// of the others is looked at alone, as is each when the transaction fails.
func (db *DB) commitTogether(ctx context.Context, calls []*oneOf[committing]) {
	var ids []uuid.UUID
	var holders []string
	for _, call := range calls {
		ids, holders = append(ids, call.item.id), append(holders, call.item.holder)
	}
	committed := map[uuid.UUID]bool{}
	err := db.tx(ctx, func(tx pgx.Tx) error {
		clear(committed)
		if _, err := tx.Exec(ctx, lockCommitting, ids); err != nil {
			return fmt.Errorf("lock messages: %w", err)
		}
		rows, err := tx.Query(ctx, commitMany, ids, holders, db.now())
		if err != nil {
			return fmt.Errorf("commit messages: %w", err)
		}
		var id uuid.UUID
		_, err = pgx.ForEachRow(rows, []any{&id}, func() error { committed[id] = true; return nil })
		return err
	})
	sideBySide(calls, func(call *oneOf[committing]) {
		if err != nil || !committed[call.item.id] {
			call.err = db.commitAlone(ctx, call.item.id, call.item.holder)
		}
	})
}

// settling is one call of SettleMessage with SendSent.
type settling struct {
	id       uuid.UUID
	holder   string
	response string
}

const lockSettling = `
SELECT m.id, m.workspace_id, m.campaign_id, m.prospect_id, m.enrollment_id, m.mailbox_id, m.run, m.step, m.message_id, m.committed_at,
	one.response, p.email, p.company_id, c.name
FROM unnest($1::uuid[], $2::text[], $3::text[]) one(id, holder, response) JOIN messages m ON m.id = one.id
	LEFT JOIN prospects p ON p.workspace_id = m.workspace_id AND p.id = m.prospect_id
	LEFT JOIN campaigns c ON c.workspace_id = m.workspace_id AND c.id = m.campaign_id
WHERE m.status = 'committing' AND m.holder = one.holder ORDER BY m.id FOR UPDATE OF m`

// settled is a message that was sent, with what its event tells.
type settled struct {
	inFlight
	response string
	event    outreach.Event
	body     []byte
}

// settleTogether is commit 3 for messages that were sent. Those that are in
// another state than expected are settled alone, as is each when the transaction
// fails.
func (db *DB) settleTogether(ctx context.Context, calls []*oneOf[settling]) {
	done := map[uuid.UUID]bool{}
	err := db.tx(ctx, func(tx pgx.Tx) error {
		clear(done)
		all, err := db.lockSettling(ctx, tx, calls)
		if err != nil || len(all) == 0 {
			return err
		}
		for _, s := range all {
			done[s.id] = true
		}
		return db.settleSentMany(ctx, tx, all)
	})
	sideBySide(calls, func(call *oneOf[settling]) {
		if err != nil || !done[call.item.id] {
			call.err = db.settleAlone(ctx, call.item.id, call.item.holder, outreach.SendResult{Kind: outreach.SendSent, Response: call.item.response})
		}
	})
}

func (db *DB) lockSettling(ctx context.Context, tx pgx.Tx, calls []*oneOf[settling]) ([]settled, error) {
	var ids []uuid.UUID
	var holders, responses []string
	for _, call := range calls {
		ids, holders, responses = append(ids, call.item.id), append(holders, call.item.holder), append(responses, call.item.response)
	}
	rows, err := tx.Query(ctx, lockSettling, ids, holders, responses)
	if err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s settled, err error) {
		err = row.Scan(&s.id, &s.workspace, &s.campaign, &s.prospect, &s.enrollment, &s.mailbox, &s.run, &s.step, &s.header, &s.committed,
			&s.response, &s.event.ProspectEmail, &s.event.CompanyID, &s.event.CampaignName)
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	for i := range all {
		if err := db.describe(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// describe completes the event of a sent message.
func (db *DB) describe(s *settled) (err error) {
	s.event.ID, s.event.WorkspaceID, s.event.Type, s.event.OccurredAt = newID(), s.workspace, outreach.EventSent, db.now()
	s.event.ProspectID, s.event.CampaignID = &s.prospect, &s.campaign
	if s.committed != nil {
		s.event.OccurredAt = *s.committed
	}
	s.event.Metadata = outreach.SentMetadata{Step: s.step, MessageID: s.header}
	if s.body, err = db.payload(s.event); err != nil {
		return fmt.Errorf("write payload: %w", err)
	}
	return nil
}

const markMany = `
UPDATE messages m SET status = 'sent', smtp_response = one.response, sent_at = coalesce(m.sent_at, one.at), raw = NULL, holder = NULL, lease_until = NULL
FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) one(id, response, at) WHERE m.id = one.id`

const recordMany = `
WITH one AS (
	SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::bytea[])
		AS one(id, workspace_id, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, metadata, body)
), event AS (
	INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, metadata)
	SELECT id, workspace_id, 'sent', occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, metadata::jsonb FROM one
)
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, body, next_attempt_at, created_at)
SELECT uuid_v7(), s.workspace_id, s.id, 'sent', one.id, 'sent', s.url, one.body, clock_timestamp(), clock_timestamp()
FROM one JOIN subscriptions s ON s.workspace_id = one.workspace_id
WHERE s.enabled AND s.deleted_at IS NULL AND 'sent' = ANY(s.events)`

const advanceMany = `
UPDATE enrollments e SET
	status = CASE WHEN n.id IS NULL AND e.status IN ('active', 'held') THEN 'finished' WHEN e.status = 'held' THEN 'active' ELSE e.status END,
	hold_reason = NULL, hold_until = NULL,
	next_step = CASE WHEN n.id IS NOT NULL THEN one.step + 1 END,
	next_send_at = CASE WHEN n.id IS NOT NULL THEN one.at + make_interval(mins => n.delay_minutes) END
FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::timestamptz[]) one(id, campaign_id, run, step, at)
	LEFT JOIN steps n ON n.campaign_id = one.campaign_id AND n.position = one.step + 1
WHERE e.id = one.id AND e.run = one.run AND e.status IN ('active', 'held', 'paused')`

const noteSentMany = `
WITH one AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) one(prospect_id, campaign_id, mailbox_id, at)),
	c AS (UPDATE campaigns SET has_sent = true WHERE id IN (SELECT campaign_id FROM one) AND NOT has_sent),
	m AS (UPDATE mailboxes SET sender_faults = 0 WHERE id IN (SELECT mailbox_id FROM one) AND sender_faults > 0)
UPDATE prospects p SET last_contacted_at = greatest(p.last_contacted_at, l.at)
FROM (SELECT prospect_id, max(at) AS at FROM one GROUP BY prospect_id) l WHERE p.id = l.prospect_id`

// columns of many settled messages, one slice for each.
type sentColumns struct {
	messages, events, workspaces, prospects, enrollments, campaigns, mailboxes []uuid.UUID
	companies                                                                  []*uuid.UUID
	responses, metadata                                                        []string
	emails, names                                                              []*string
	runs, steps                                                                []int
	at, occurred                                                               []time.Time
	bodies                                                                     [][]byte
}

func (c *sentColumns) add(s *settled, now time.Time) error {
	metadata, err := json.Marshal(metadataColumns(s.event.Metadata))
	if err != nil {
		return fmt.Errorf("write metadata: %w", err)
	}
	c.messages, c.events, c.workspaces = append(c.messages, s.id), append(c.events, s.event.ID), append(c.workspaces, s.workspace)
	c.prospects, c.enrollments = append(c.prospects, s.prospect), append(c.enrollments, s.enrollment)
	c.campaigns, c.mailboxes = append(c.campaigns, s.campaign), append(c.mailboxes, s.mailbox)
	c.companies, c.responses, c.metadata = append(c.companies, s.event.CompanyID), append(c.responses, s.response), append(c.metadata, string(metadata))
	c.emails, c.names = append(c.emails, s.event.ProspectEmail), append(c.names, s.event.CampaignName)
	c.runs, c.steps = append(c.runs, s.run), append(c.steps, s.step)
	c.at, c.occurred, c.bodies = append(c.at, now), append(c.occurred, s.event.OccurredAt), append(c.bodies, s.body)
	return nil
}

// settleSentMany is settleSent for many messages at once.
func (db *DB) settleSentMany(ctx context.Context, tx pgx.Tx, all []settled) error {
	var c sentColumns
	now, of := db.now(), map[uuid.UUID][]uuid.UUID{}
	for i := range all {
		if err := c.add(&all[i], now); err != nil {
			return err
		}
		of[all[i].workspace] = append(of[all[i].workspace], all[i].prospect)
	}
	batch := &pgx.Batch{}
	batch.Queue(markMany, c.messages, c.responses, c.at)
	batch.Queue(recordMany, c.events, c.workspaces, c.occurred, c.prospects, c.emails, c.companies, c.campaigns, c.names, c.metadata, c.bodies)
	batch.Queue(advanceMany, c.enrollments, c.campaigns, c.runs, c.steps, c.occurred)
	batch.Queue(noteSentMany, c.prospects, c.campaigns, c.mailboxes, c.occurred)
	for workspace, prospects := range of {
		batch.Queue(refreshProspectStatus, workspace, prospects)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle messages: %w", err)
	}
	return nil
}
