package sending

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
	"outreach/storage/outbox"
)

// accepted is a message that a server accepted, with the data of its event and what it changes for
// the first time.
type accepted struct {
	InFlight
	response      string
	event         outreach.Event
	first, healed bool
	newDay        bool // the first step that its mailbox sends on this day
}

// The bytes of an answer are kept until it is known to be in the Sent folder.
const markSent = `
UPDATE messages m SET status = 'sent', smtp_response = one.response, sent_at = coalesce(m.sent_at, m.committed_at, $4),
	raw = CASE WHEN m.kind = 'answer' THEN m.raw END, holder = NULL, lease_until = NULL
FROM unnest($2::uuid[], $3::text[]) one(id, response) WHERE m.workspace_id = $1 AND m.id = one.id`

// sentContext is the data that completes the event of a sent message.
type sentContext struct {
	message                uuid.UUID
	prospect, campaignName *string
	company                *uuid.UUID
	first, healed          bool // the first message of its campaign; the mailbox had faults before
	sentOn                 *time.Time
}

var sentContextColumns = storage.NewColumns(func(s *sentContext) []storage.Column {
	return []storage.Column{
		{SQL: "m.id", To: &s.message},
		{SQL: "p.email", To: &s.prospect},
		{SQL: "p.company_id", To: &s.company},
		{SQL: "c.name", To: &s.campaignName},
		{SQL: "coalesce(NOT c.has_sent, false)", To: &s.first},
		{SQL: "coalesce(b.sender_faults > 0, false)", To: &s.healed},
		{SQL: "b.sent_on", To: &s.sentOn},
	}
})

var selectSentContext = `
SELECT ` + sentContextColumns.SQL + `
FROM messages m
	LEFT JOIN prospects p ON p.workspace_id = $1 AND p.id = m.prospect_id
	LEFT JOIN campaigns c ON c.workspace_id = $1 AND c.id = m.campaign_id
	LEFT JOIN mailboxes b ON b.workspace_id = $1 AND b.id = m.mailbox_id
WHERE m.workspace_id = $1 AND m.id = ANY($2)`

// goesOn sets where an enrollment e stands after a step was sent; n is the next step. An absence
// that was found meanwhile stays.
const goesOn = `
	status = CASE WHEN n.id IS NULL AND e.status IN ('active', 'held') THEN 'finished'
		WHEN e.status = 'held' AND e.hold_kind IS DISTINCT FROM 'absence' THEN 'active' ELSE e.status END,
	hold_kind = CASE WHEN ` + staysAway + ` THEN e.hold_kind END, hold_reason = CASE WHEN ` + staysAway + ` THEN e.hold_reason END,
	hold_until = CASE WHEN ` + staysAway + ` THEN e.hold_until END`

const staysAway = `n.id IS NOT NULL AND e.hold_kind = 'absence'`

// The next step is due its delay after the sent one. Without a next step the enrollment is
// finished. An enrollment that ended meanwhile, by a reply for example, stays so; only its last
// sent step is recorded, in case it continues. Times are added in UTC: the sum is then the same on
// every server, as Citus demands of writes. It does what WakeEnded does.
const advance = `
WITH moved AS (
	UPDATE enrollments e SET` + goesOn + `,
		mailbox_id = one.mailbox_id,
		last_step_id = s.id, last_step_at = one.at,
		next_step = CASE WHEN n.id IS NOT NULL AND ` + runs + ` THEN one.step + 1 END,
		next_send_at = CASE WHEN n.id IS NOT NULL AND ` + runs + `
			THEN (one.at AT TIME ZONE 'UTC' + make_interval(mins => n.delay_minutes)) AT TIME ZONE 'UTC' END
	FROM unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::timestamptz[], $7::uuid[]) one(id, campaign_id, run, step, at, mailbox_id)
		LEFT JOIN steps s ON s.workspace_id = $1 AND s.campaign_id = one.campaign_id AND s.position = one.step
		LEFT JOIN steps n ON n.workspace_id = $1 AND n.campaign_id = one.campaign_id AND n.position = one.step + 1
	WHERE e.workspace_id = $1 AND e.id = one.id AND e.run = one.run
		AND (` + runs + ` OR e.last_step_at IS NULL OR e.last_step_at < one.at)
	RETURNING e.status
)
INSERT INTO sender_wakes (workspace_id, id, mailbox_id)
SELECT $1::uuid, uuid_v7(), ` + storage.NoMailbox + `::uuid FROM moved WHERE moved.status NOT IN ('active', 'held', 'paused')
HAVING count(*) > 0`

const runs = `e.status IN ('active', 'held', 'paused')`

const noteContacts = `
UPDATE prospects p SET last_contacted_at = greatest(p.last_contacted_at, one.at), status = ` + storage.DerivedStatus + `
FROM unnest($2::uuid[], $3::timestamptz[]) one(id, at)
WHERE p.workspace_id = $1 AND p.id = one.id`

const noteFirstSent = `UPDATE campaigns SET has_sent = true WHERE workspace_id = $1 AND id = ANY($2) AND NOT has_sent`

const noteHealed = `UPDATE mailboxes SET sender_faults = 0 WHERE workspace_id = $1 AND id = ANY($2) AND sender_faults > 0`

// At most one write for each mailbox and day.
const noteSendingDays = `
UPDATE mailboxes b SET sending_days = b.sending_days + 1, sent_on = one.day FROM unnest($2::uuid[], $3::date[]) one(id, day)
WHERE b.workspace_id = $1 AND b.id = one.id AND (b.sent_on IS NULL OR b.sent_on < one.day)`

// sentColumns holds settled messages as columns.
type sentColumns struct {
	events             outbox.EventColumns
	enrollments, boxes []uuid.UUID
	runs, steps        []int
	first, healed      []uuid.UUID             // campaigns, mailboxes
	days               map[uuid.UUID]time.Time // mailboxes with a new day
}

func (c *sentColumns) add(l *Ledger, s *accepted) error {
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
	if day := outreach.UTCDay(s.event.OccurredAt); s.newDay && day.After(c.days[s.mailbox]) {
		c.days[s.mailbox] = day
	}
	return nil
}

// contactsOf returns the prospects of settled messages, each once, in lock order, with the time of
// the last message to them.
func contactsOf(all []accepted) (ids []uuid.UUID, at []time.Time) {
	last := map[uuid.UUID]*accepted{}
	for i := range all {
		s := &all[i]
		if known := last[s.Prospect]; known == nil || known.event.OccurredAt.Before(s.event.OccurredAt) {
			last[s.Prospect] = s
		}
	}
	ids = slices.SortedFunc(maps.Keys(last), storage.CompareIDs)
	for _, id := range ids {
		at = append(at, last[id].event.OccurredAt)
	}
	return ids, at
}

// settleSent settles accepted messages of a workspace.
func (l *Ledger) settleSent(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, all []accepted) error {
	ids := make([]uuid.UUID, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	contexts, batch := sentContexts{}, &pgx.Batch{}
	contexts.queue(batch, workspace, ids)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("look up event context: %w", err)
	}
	batch = &pgx.Batch{}
	if err := l.queueSent(batch, workspace, all, contexts); err != nil {
		return err
	}
	return send(ctx, tx, batch)
}

// send runs the statements of queueSent.
func send(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) error {
	if batch.Len() == 0 {
		return nil
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("settle messages: %w", err)
	}
	return nil
}

// queueSent adds the statements that settle accepted messages whose contexts are known: they write the events,
// the next steps of the enrollments, and the dates of prospects, campaigns and mailboxes. Every message that
// becomes sent passes here.
func (l *Ledger) queueSent(batch *pgx.Batch, workspace uuid.UUID, all []accepted, contexts sentContexts) error {
	if len(all) == 0 {
		return nil
	}
	c := sentColumns{days: map[uuid.UUID]time.Time{}}
	var responses []string
	var ids []uuid.UUID
	for i := range all {
		l.describe(&all[i], contexts[all[i].ID])
		if err := c.add(l, &all[i]); err != nil {
			return err
		}
		ids, responses = append(ids, all[i].ID), append(responses, all[i].response)
	}
	batch.Queue(markSent, workspace, ids, responses, l.db.Now())
	for i := range all {
		if all[i].uncounted() {
			batch.Queue(countOne, workspace, all[i].mailbox)
		}
	}
	batch.Queue(outbox.RecordMany, c.events.Args(workspace)...)
	batch.Queue(advance, workspace, c.enrollments, c.events.Campaigns, c.runs, c.steps, c.events.Occurred, c.boxes)
	people, at := contactsOf(all)
	batch.Queue(noteContacts, workspace, people, at)
	if len(c.first) > 0 {
		batch.Queue(noteFirstSent, workspace, c.first)
	}
	if len(c.healed) > 0 {
		batch.Queue(noteHealed, workspace, c.healed)
	}
	if len(c.days) > 0 {
		boxes := slices.SortedFunc(maps.Keys(c.days), storage.CompareIDs)
		days := make([]time.Time, len(boxes))
		for i, box := range boxes {
			days[i] = c.days[box]
		}
		batch.Queue(noteSendingDays, workspace, boxes, days)
	}
	return nil
}

// sentContexts holds contexts by message.
type sentContexts map[uuid.UUID]sentContext

// queue adds a statement that reads the contexts of messages.
func (c sentContexts) queue(batch *pgx.Batch, workspace uuid.UUID, ids []uuid.UUID) {
	batch.Queue(selectSentContext, workspace, ids).Query(func(rows pgx.Rows) error {
		return sentContextColumns.Each(rows, func(one *sentContext) { c[one.message] = *one })
	})
}

// describe completes the event of a sent message.
func (l *Ledger) describe(s *accepted, c sentContext) {
	s.event = outreach.Event{ID: storage.NewID(), WorkspaceID: s.Workspace, Type: outreach.EventSent, OccurredAt: l.db.Now(),
		ProspectID: &s.Prospect, ProspectEmail: c.prospect, CompanyID: c.company, CampaignID: &s.Campaign, CampaignName: c.campaignName,
		Metadata: outreach.SentMetadata{Step: s.step, MessageID: s.header}}
	if s.committed != nil {
		s.event.OccurredAt = *s.committed
	}
	s.first, s.healed = c.first, c.healed
	s.newDay = c.sentOn == nil || c.sentOn.Before(outreach.UTCDay(s.event.OccurredAt))
}

// moveOn moves an enrollment past a step that was not delivered.
func moveOn(ctx context.Context, tx pgx.Tx, f InFlight, at time.Time) error {
	_, err := tx.Exec(ctx, advance, f.Workspace, []uuid.UUID{f.Enrollment}, []uuid.UUID{f.Campaign}, []int{f.run},
		[]int{f.step}, []time.Time{at}, []uuid.UUID{f.mailbox})
	if err != nil {
		return fmt.Errorf("advance enrollment: %w", err)
	}
	return nil
}
