package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// claiming is one call of ClaimSend, with what came of it.
type claiming struct {
	box     outreach.Mailbox
	holder  string
	compose func(outreach.Draft) (outreach.Composed, error)
	out     *outreach.Outgoing
}

// claimTogether is commit 1 for several mailboxes. It takes the plain case only:
// somebody is due, nothing stands against it, the message can be composed. Every
// mailbox that it leaves without a message is then served alone.
func (db *DB) claimTogether(ctx context.Context, calls []*oneOf[*claiming]) {
	if len(calls) > 1 {
		of := map[uuid.UUID][]*claiming{}
		for _, call := range calls {
			of[call.item.box.WorkspaceID] = append(of[call.item.box.WorkspaceID], call.item)
		}
		for workspace, some := range of {
			err := db.tx(ctx, func(tx pgx.Tx) error {
				for _, c := range some {
					c.out = nil // of a run that another transaction was in the way of
				}
				many := claimMany{db: db, tx: tx, workspace: workspace, now: db.now()}
				return many.run(ctx, some)
			})
			for _, c := range some {
				if err != nil {
					c.out = nil // rolled back; alone each meets its own trouble
				}
			}
		}
	}
	sideBySide(calls, func(call *oneOf[*claiming]) {
		if c := call.item; c.out == nil {
			c.out, call.err = db.claimAlone(ctx, c.box, c.holder, c.compose)
		}
	})
}

// claimMany is one transaction of claimTogether.
type claimMany struct {
	db        *DB
	tx        pgx.Tx
	workspace uuid.UUID
	now       time.Time
}

// pick is an enrollment that a mailbox is to write to.
type pick struct {
	*claiming
	due
	campaign *outreach.Campaign
	draft    outreach.Draft
	composed outreach.Composed
}

func (m *claimMany) run(ctx context.Context, calls []*claiming) error {
	able, err := m.lock(ctx, calls)
	if err != nil || len(able) == 0 {
		return err
	}
	picks, err := m.pick(ctx, able)
	if err != nil || len(picks) == 0 {
		return err
	}
	if picks, err = m.admit(ctx, picks); err != nil || len(picks) == 0 {
		return err
	}
	if err := m.describe(ctx, picks); err != nil {
		return err
	}
	ready := picks[:0]
	for _, p := range picks {
		if p.composed, err = p.compose(p.draft); err == nil {
			ready = append(ready, p)
		}
	}
	return m.write(ctx, ready)
}

const lockSenders = `
SELECT m.id, c.id FROM mailboxes m CROSS JOIN LATERAL (
	SELECT c.id FROM campaigns c WHERE c.workspace_id = $1 AND c.status = 'active' AND m.id = ANY(c.mailbox_ids)
		AND EXISTS (SELECT FROM enrollments e WHERE e.campaign_id = c.id AND e.workspace_id = $1 AND e.status = 'active' AND e.next_send_at <= $3)
	ORDER BY c.served_at NULLS FIRST, c.id LIMIT 1) c
WHERE m.workspace_id = $1 AND m.id = ANY($2) AND m.status = 'connected' AND (m.next_send_at IS NULL OR m.next_send_at <= $3)
	AND m.daily_limit > 0 AND (m.sent_on IS DISTINCT FROM ($3 AT TIME ZONE 'UTC')::date OR m.sent_count < m.daily_limit)
	AND NOT EXISTS (SELECT FROM messages l WHERE l.mailbox_id = m.id AND l.status = 'claimed' AND l.lease_until < clock_timestamp())
ORDER BY m.id FOR UPDATE OF m SKIP LOCKED`

// lock gives the mailboxes that may begin something new, by the campaign whose
// turn it is.
func (m *claimMany) lock(ctx context.Context, calls []*claiming) (map[uuid.UUID][]*claiming, error) {
	ids, of := []uuid.UUID{}, map[uuid.UUID]*claiming{}
	for _, c := range calls {
		if of[c.box.ID] == nil { // of two callers for one mailbox, one goes alone
			ids, of[c.box.ID] = append(ids, c.box.ID), c
		}
	}
	rows, err := m.tx.Query(ctx, lockSenders, m.workspace, ids, m.now)
	if err != nil {
		return nil, fmt.Errorf("lock mailboxes: %w", err)
	}
	able := map[uuid.UUID][]*claiming{}
	var box, campaign uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&box, &campaign}, func() error {
		able[campaign] = append(able[campaign], of[box])
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lock mailboxes: %w", err)
	}
	return able, nil
}

const selectDueMany = `
SELECT e.id, e.prospect_id, e.mailbox_id, e.next_step, e.run, e.forced FROM enrollments e
WHERE e.campaign_id = $1 AND e.workspace_id = $2 AND e.status = 'active' AND e.next_send_at <= $3 AND e.next_step IS NOT NULL
	AND (e.mailbox_id IS NULL OR e.mailbox_id = ANY($4) OR NOT e.mailbox_id = ANY($5))
ORDER BY e.next_send_at, e.id LIMIT $6 FOR UPDATE SKIP LOCKED`

// pick gives each mailbox at most one enrollment: one of its own, or one that
// belongs to none.
func (m *claimMany) pick(ctx context.Context, able map[uuid.UUID][]*claiming) (picks []*pick, err error) {
	for id, calls := range able {
		campaign, err := campaigns.one(ctx, m.tx, m.workspace, id)
		if err != nil {
			return nil, err
		}
		if campaign.DailyNewLimit != nil {
			continue // the last places of a day are given out one by one
		}
		waiting, err := m.waiting(ctx, &campaign, calls)
		if err != nil {
			return nil, err
		}
		picks = append(picks, assign(&campaign, calls, waiting)...)
	}
	return picks, nil
}

func (m *claimMany) waiting(ctx context.Context, campaign *outreach.Campaign, calls []*claiming) ([]due, error) {
	var boxes []uuid.UUID
	for _, c := range calls {
		boxes = append(boxes, c.box.ID)
	}
	rows, err := m.tx.Query(ctx, selectDueMany, campaign.ID, m.workspace, m.now, boxes, campaign.MailboxIDs, len(calls))
	if err != nil {
		return nil, fmt.Errorf("list due enrollments: %w", err)
	}
	waiting, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d due, err error) {
		d.WorkspaceID, d.CampaignID = m.workspace, campaign.ID
		err = row.Scan(&d.ID, &d.ProspectID, &d.MailboxID, &d.NextStep, &d.run, &d.forced)
		return d, err
	})
	if err != nil {
		return nil, fmt.Errorf("list due enrollments: %w", err)
	}
	return waiting, nil
}

// assign keeps to each enrollment its mailbox. One prospect is written to once.
func assign(campaign *outreach.Campaign, calls []*claiming, waiting []due) (picks []*pick) {
	idle := map[uuid.UUID]*claiming{}
	for _, c := range calls {
		idle[c.box.ID] = c
	}
	var free []due
	for _, d := range waiting {
		switch {
		case *d.NextStep > len(campaign.Steps):
		case d.MailboxID != nil && idle[*d.MailboxID] != nil:
			picks = append(picks, &pick{claiming: idle[*d.MailboxID], due: d, campaign: campaign})
			delete(idle, *d.MailboxID)
		case d.MailboxID == nil:
			free = append(free, d)
		}
	}
	for _, c := range calls {
		if idle[c.box.ID] != nil && len(free) > 0 {
			picks = append(picks, &pick{claiming: c, due: free[0], campaign: campaign})
			free = free[1:]
		}
	}
	return picks
}

const selectFree = `
SELECT e.id FROM enrollments e JOIN prospects p ON p.id = e.prospect_id AND p.workspace_id = $1 JOIN campaigns c ON c.id = e.campaign_id
WHERE e.workspace_id = $1 AND e.id = ANY($2) AND p.unsubscribed_at IS NULL AND p.bounced_at IS NULL
	AND (p.replied_at IS NULL OR e.forced OR NOT c.stop_on_reply)
	AND NOT EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $1
		AND (s.email_key = p.email_key OR s.domain = split_part(p.email_key, '@', -1)))`

// admit keeps those against which nothing stands and whose window is open.
func (m *claimMany) admit(ctx context.Context, picks []*pick) ([]*pick, error) {
	var enrollments, people []uuid.UUID
	for _, p := range picks {
		enrollments, people = append(enrollments, p.ID), append(people, p.ProspectID)
	}
	rows, err := m.tx.Query(ctx, selectFree, m.workspace, enrollments)
	if err != nil {
		return nil, fmt.Errorf("look for obstacles: %w", err)
	}
	free, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("look for obstacles: %w", err)
	}
	found, err := prospects.many(ctx, m.tx, m.workspace, people)
	if err != nil {
		return nil, fmt.Errorf("read prospects: %w", err)
	}
	isFree, byID := map[uuid.UUID]bool{}, map[uuid.UUID]*outreach.Prospect{}
	for _, id := range free {
		isFree[id] = true
	}
	for i := range found {
		byID[found[i].ID] = &found[i]
	}
	kept := picks[:0]
	for _, p := range picks {
		p.prospect = byID[p.ProspectID]
		if isFree[p.ID] && p.prospect != nil && !p.campaign.NextOpening(m.now, p.prospect.Timezone).After(m.now) {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

const selectThreads = `
SELECT m.enrollment_id, m.message_id, m.subject FROM messages m JOIN unnest($2::uuid[], $3::int[]) one(enrollment_id, run)
	ON m.enrollment_id = one.enrollment_id AND m.run = one.run
WHERE m.workspace_id = $1 AND m.status IN ('sent', 'unknown') ORDER BY m.enrollment_id, m.step`

// describe makes the drafts.
func (m *claimMany) describe(ctx context.Context, picks []*pick) error {
	var host *string
	err := m.tx.QueryRow(ctx, selectVerifiedHost, m.workspace).Scan(&host)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("read tracking domain: %w", err)
	}
	of := map[uuid.UUID]*pick{}
	var ids []uuid.UUID
	var runs []int
	for _, p := range picks {
		p.draft = outreach.Draft{ID: newID(), Mailbox: p.box, Campaign: *p.campaign, Step: p.campaign.Steps[*p.NextStep-1],
			Number: *p.NextStep, Prospect: *p.prospect, Date: m.now, TrackingHost: host}
		of[p.ID], ids, runs = p, append(ids, p.ID), append(runs, p.run)
	}
	rows, err := m.tx.Query(ctx, selectThreads, m.workspace, ids, runs)
	if err != nil {
		return fmt.Errorf("read threads: %w", err)
	}
	var id uuid.UUID
	var header, subject string
	_, err = pgx.ForEachRow(rows, []any{&id, &header, &subject}, func() error {
		of[id].draft.Thread, of[id].draft.ThreadSubject = append(of[id].draft.Thread, header), subject
		return nil
	})
	if err != nil {
		return fmt.Errorf("read threads: %w", err)
	}
	return nil
}

const insertMessages = `
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text,
	message_id, status, raw, holder, lease_until, tries, created_at)
SELECT one.id, $1, one.campaign_id, one.prospect_id, one.mailbox_id, one.enrollment_id, one.run, one.step, one.recipient, one.subject, one.body_text,
	one.message_id, 'claimed', one.raw, one.holder, clock_timestamp() + $2, 1, $3
FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::int[], $10::int[], $11::text[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::text[])
	AS one(id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text, message_id, raw, holder)
ON CONFLICT (enrollment_id, run, step) WHERE status NOT IN ('not_sent', 'bounced') DO NOTHING
RETURNING id`

// write inserts the messages and notes the claims. An enrollment whose step went
// out before gets none, and is held when its turn comes alone.
func (m *claimMany) write(ctx context.Context, picks []*pick) error {
	if len(picks) == 0 {
		return nil
	}
	var ids, campaigns, people, boxes, enrollments []uuid.UUID
	var runs, steps []int
	var recipients, subjects, texts, headers, holders []string
	var raws [][]byte
	for _, p := range picks {
		ids, campaigns, people = append(ids, p.draft.ID), append(campaigns, p.campaign.ID), append(people, p.ProspectID)
		boxes, enrollments = append(boxes, p.box.ID), append(enrollments, p.ID)
		runs, steps, recipients = append(runs, p.run), append(steps, p.draft.Number), append(recipients, p.prospect.Email)
		subjects, texts, headers = append(subjects, p.composed.Subject), append(texts, p.composed.Text), append(headers, p.composed.MessageID)
		raws, holders = append(raws, p.composed.Raw), append(holders, p.holder)
	}
	rows, err := m.tx.Query(ctx, insertMessages, m.workspace, outreach.LeaseLength, m.now, ids, campaigns, people, boxes, enrollments,
		runs, steps, recipients, subjects, texts, headers, raws, holders)
	if err != nil {
		return fmt.Errorf("insert messages: %w", err)
	}
	inserted, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("insert messages: %w", err)
	}
	in := map[uuid.UUID]bool{}
	for _, id := range inserted {
		in[id] = true
	}
	return m.note(ctx, picks, in)
}

const noteMailboxes = `
UPDATE mailboxes m SET sent_count = CASE WHEN sent_on = ($3 AT TIME ZONE 'UTC')::date THEN sent_count + 1 ELSE 1 END,
	sent_on = ($3 AT TIME ZONE 'UTC')::date, next_send_at = one.next
FROM unnest($2::uuid[], $4::timestamptz[]) one(id, next) WHERE m.workspace_id = $1 AND m.id = one.id`

const noteTurn = `
UPDATE campaigns SET served_at = clock_timestamp(),
	new_on = CASE WHEN $3::int > 0 THEN $4::date ELSE new_on END,
	new_count = CASE WHEN $3::int = 0 THEN new_count WHEN new_on = $4::date THEN new_count + $3::int ELSE $3::int END
WHERE workspace_id = $1 AND id = $2`

const noteEnrollments = `
UPDATE enrollments e SET mailbox_id = one.mailbox_id, next_send_at = NULL
FROM unnest($2::uuid[], $3::uuid[]) one(id, mailbox_id) WHERE e.workspace_id = $1 AND e.id = one.id`

// note is noteClaim for all that were inserted, and gives them to their callers.
func (m *claimMany) note(ctx context.Context, picks []*pick, inserted map[uuid.UUID]bool) error {
	var boxes, enrollments []uuid.UUID
	var next []*time.Time
	fresh, of := map[uuid.UUID]int{}, map[uuid.UUID]*outreach.Campaign{}
	for _, p := range picks {
		if !inserted[p.draft.ID] {
			continue
		}
		gap := claim{box: p.box, now: m.now}
		boxes, enrollments, next = append(boxes, p.box.ID), append(enrollments, p.ID), append(next, gap.afterGap())
		of[p.campaign.ID] = p.campaign
		if p.draft.Number == 1 {
			fresh[p.campaign.ID]++
		}
		p.out = &outreach.Outgoing{ID: p.draft.ID, MessageID: p.composed.MessageID, Recipient: p.prospect.Email, Raw: p.composed.Raw, Tries: 1}
	}
	batch := &pgx.Batch{}
	batch.Queue(noteMailboxes, m.workspace, boxes, m.now, next)
	batch.Queue(noteEnrollments, m.workspace, enrollments, boxes)
	for id, campaign := range of {
		batch.Queue(noteTurn, m.workspace, id, fresh[id], campaign.Today(m.now))
	}
	if err := m.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("note claims: %w", err)
	}
	return nil
}
