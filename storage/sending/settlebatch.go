package sending

import (
	"context"
	"fmt"
	"maps"
	"outreach"
	"outreach/storage"
	"outreach/storage/outbox"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// committing is one call of CommitMessage.
type committing struct {
	id     uuid.UUID
	holder string
}

// The two statements of commit 2 for many, in one round trip and one transaction.
// The locks come first, so that the second sees what whoever held them has left.
const lockCommitting = `
SELECT FROM messages m JOIN enrollments e ON e.id = m.enrollment_id AND (e.workspace_id = m.workspace_id) IS TRUE
WHERE m.id = ANY($1) ORDER BY m.id FOR UPDATE OF e`

const commitMany = `
UPDATE messages m SET committed_at = $3
FROM unnest($1::uuid[], $2::text[]) one(id, holder), enrollments e, campaigns c, prospects p
WHERE m.id = one.id AND m.holder = one.holder AND (m.status = 'claimed') IS TRUE AND m.committed_at IS NULL AND (m.lease_until > clock_timestamp()) IS TRUE
	AND e.id = m.enrollment_id AND (e.workspace_id = m.workspace_id) IS TRUE AND (e.status = 'active') IS TRUE AND e.run = m.run AND e.next_step = m.step
	AND c.id = e.campaign_id AND (c.status = 'active') IS TRUE AND m.mailbox_id = ANY(c.mailbox_ids)
	AND p.id = m.prospect_id AND (p.workspace_id = m.workspace_id) IS TRUE AND (p.email = m.recipient) IS TRUE AND p.unsubscribed_at IS NULL AND p.bounced_at IS NULL
	AND (p.replied_at IS NULL OR e.forced OR NOT c.stop_on_reply)
	AND NOT EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = m.workspace_id AND s.email_key = p.email_key)
	AND NOT EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = m.workspace_id AND s.domain = split_part(p.email_key, '@', -1))
RETURNING m.id`

// commitTogether is commit 2 for the messages against which nothing stands; each
// of the others is looked at alone, as is each when the transaction fails.
func (l *Ledger) commitTogether(ctx context.Context, calls []*oneOf[committing]) {
	slices.SortFunc(calls, func(a, b *oneOf[committing]) int { return storage.CompareIDs(a.item.id, b.item.id) })
	var ids []uuid.UUID
	var holders []string
	for _, call := range calls {
		ids, holders = append(ids, call.item.id), append(holders, call.item.holder)
	}
	batch := &pgx.Batch{}
	committed := map[uuid.UUID]bool{}
	batch.Queue(lockCommitting, ids)
	batch.Queue(commitMany, ids, holders, l.db.Now()).Query(func(rows pgx.Rows) error {
		var id uuid.UUID
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error { committed[id] = true; return nil })
		return err
	})
	err := l.db.Groups().SendBatch(ctx, batch).Close()
	for _, call := range calls {
		call.done = err == nil && committed[call.item.id]
	}
}

// settling is one call of SettleMessage with SendSent.
type settling struct {
	id       uuid.UUID
	holder   string
	response string
}

// settled is a message that was sent, with what its event tells and what its
// sending changes for the first time.
type settled struct {
	InFlight
	event         outreach.Event
	first, healed bool
}

// settleTogether is commit 3 for messages that were sent. Those that are in
// another state than expected are settled alone, as is each when the transaction
// fails.
func (l *Ledger) settleTogether(ctx context.Context, calls []*oneOf[settling]) {
	slices.SortFunc(calls, func(a, b *oneOf[settling]) int { return storage.CompareIDs(a.item.id, b.item.id) })
	done := map[uuid.UUID]bool{}
	err := l.db.GroupTx(ctx, func(tx pgx.Tx) error {
		clear(done)
		all, err := l.markSent(ctx, tx, calls)
		if err != nil || len(all) == 0 {
			return err
		}
		for _, s := range all {
			done[s.ID] = true
		}
		return l.settleSentMany(ctx, tx, all)
	})
	for _, call := range calls {
		call.done = err == nil && done[call.item.id]
	}
}

const markMany = `
WITH m AS (
	UPDATE messages m SET status = 'sent', smtp_response = one.response, sent_at = coalesce(m.sent_at, m.committed_at, $4), raw = NULL, holder = NULL, lease_until = NULL
	FROM unnest($1::uuid[], $2::text[], $3::text[]) one(id, holder, response)
	WHERE m.id = one.id AND m.holder = one.holder AND (m.status = 'claimed') IS TRUE AND m.committed_at IS NOT NULL
	RETURNING m.id, m.workspace_id, m.campaign_id, m.prospect_id, m.enrollment_id, m.mailbox_id, m.run, m.step, m.message_id, m.committed_at
)
SELECT m.id, m.workspace_id, m.campaign_id, m.prospect_id, m.enrollment_id, m.mailbox_id, m.run, m.step, m.message_id, m.committed_at,
	p.email, p.company_id, c.name, coalesce(NOT c.has_sent, false), coalesce(b.sender_faults > 0, false)
FROM m
	LEFT JOIN prospects p ON p.id = m.prospect_id AND (p.workspace_id = m.workspace_id) IS TRUE
	LEFT JOIN campaigns c ON c.id = m.campaign_id AND (c.workspace_id = m.workspace_id) IS TRUE
	LEFT JOIN mailboxes b ON b.id = m.mailbox_id AND (b.workspace_id = m.workspace_id) IS TRUE`

func (l *Ledger) markSent(ctx context.Context, tx pgx.Tx, calls []*oneOf[settling]) ([]settled, error) {
	var ids []uuid.UUID
	var holders, responses []string
	for _, call := range calls {
		ids, holders, responses = append(ids, call.item.id), append(holders, call.item.holder), append(responses, call.item.response)
	}
	rows, err := tx.Query(ctx, markMany, ids, holders, responses, l.db.Now())
	if err != nil {
		return nil, fmt.Errorf("mark messages sent: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s settled, err error) {
		err = row.Scan(&s.ID, &s.Workspace, &s.Campaign, &s.Prospect, &s.Enrollment, &s.mailbox, &s.run, &s.step, &s.header, &s.committed,
			&s.event.ProspectEmail, &s.event.CompanyID, &s.event.CampaignName, &s.first, &s.healed)
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("mark messages sent: %w", err)
	}
	for i := range all {
		l.describe(&all[i])
	}
	return all, nil
}

// describe completes the event of a sent message.
func (l *Ledger) describe(s *settled) {
	s.event.ID, s.event.WorkspaceID, s.event.Type, s.event.OccurredAt = storage.NewID(), s.Workspace, outreach.EventSent, l.db.Now()
	s.event.ProspectID, s.event.CampaignID = &s.Prospect, &s.Campaign
	if s.committed != nil {
		s.event.OccurredAt = *s.committed
	}
	s.event.Metadata = outreach.SentMetadata{Step: s.step, MessageID: s.header}
}

const advanceMany = `
UPDATE enrollments e SET` + goesOn + `,
	mailbox_id = one.mailbox_id,
	next_step = CASE WHEN n.id IS NOT NULL THEN one.step + 1 END,
	next_send_at = CASE WHEN n.id IS NOT NULL THEN one.at + make_interval(mins => n.delay_minutes) END
FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::timestamptz[], $6::uuid[]) one(id, campaign_id, run, step, at, mailbox_id)
	LEFT JOIN steps n ON n.campaign_id = one.campaign_id AND n.position = one.step + 1
WHERE e.id = one.id AND e.run = one.run AND (e.status IN ('active', 'held', 'paused')) IS TRUE`

const noteSentMany = `
UPDATE prospects p SET last_contacted_at = greatest(p.last_contacted_at, one.at), status = ` + storage.DerivedStatus + `
FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) one(workspace_id, id, at)
WHERE p.id = one.id AND (p.workspace_id = one.workspace_id) IS TRUE`

const noteFirstSent = `UPDATE campaigns SET has_sent = true WHERE id = ANY($1) AND NOT has_sent`

const noteHealed = `UPDATE mailboxes SET sender_faults = 0 WHERE id = ANY($1) AND sender_faults > 0`

// sentColumns are the columns of many settled messages, one slice for each.
type sentColumns struct {
	events             outbox.EventColumns
	enrollments, boxes []uuid.UUID
	runs, steps        []int
	first, healed      []uuid.UUID // campaigns, mailboxes
}

func (c *sentColumns) add(l *Ledger, s *settled) error {
	if err := c.events.Add(l.outbox, s.event); err != nil {
		return err
	}
	c.enrollments, c.boxes = append(c.enrollments, s.Enrollment), append(c.boxes, s.mailbox)
	c.runs, c.steps = append(c.runs, s.run), append(c.steps, s.step)
	if s.first {
		c.first = append(c.first, s.Campaign)
	}
	if s.healed {
		c.healed = append(c.healed, s.mailbox)
	}
	return nil
}

// contacts are the prospects of settled messages in the order in which their rows
// are locked, each once, with the time of the last message to them.
func contacts(all []settled) (workspaces, ids []uuid.UUID, at []time.Time) {
	last := map[uuid.UUID]*settled{}
	for i := range all {
		s := &all[i]
		if known := last[s.Prospect]; known == nil || known.event.OccurredAt.Before(s.event.OccurredAt) {
			last[s.Prospect] = s
		}
	}
	ids = slices.SortedFunc(maps.Keys(last), storage.CompareIDs)
	for _, id := range ids {
		workspaces, at = append(workspaces, last[id].Workspace), append(at, last[id].event.OccurredAt)
	}
	return workspaces, ids, at
}

// settleSentMany is settleSent for many messages at once, already marked.
func (l *Ledger) settleSentMany(ctx context.Context, tx pgx.Tx, all []settled) error {
	var c sentColumns
	for i := range all {
		if err := c.add(l, &all[i]); err != nil {
			return err
		}
	}
	batch := &pgx.Batch{}
	batch.Queue(outbox.RecordMany, c.events.Args()...)
	batch.Queue(advanceMany, c.enrollments, c.events.Campaigns, c.runs, c.steps, c.events.Occurred, c.boxes)
	workspaces, people, at := contacts(all)
	batch.Queue(noteSentMany, workspaces, people, at)
	if len(c.first) > 0 {
		batch.Queue(noteFirstSent, c.first)
	}
	if len(c.healed) > 0 {
		batch.Queue(noteHealed, c.healed)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle messages: %w", err)
	}
	return nil
}
