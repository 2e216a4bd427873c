package sending

import (
	"context"
	"fmt"
	"maps"
	"outreach"
	"outreach/storage"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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
func (l *Ledger) claimTogether(ctx context.Context, calls []*oneOf[*claiming]) {
	of := map[uuid.UUID][]*claiming{}
	for _, call := range calls {
		of[call.item.box.WorkspaceID] = append(of[call.item.box.WorkspaceID], call.item)
	}
	for workspace, some := range of {
		err := l.db.GroupTx(ctx, func(tx pgx.Tx) error {
			for _, c := range some {
				c.out = nil // of a run that another transaction was in the way of
			}
			many := claimMany{db: l, tx: tx, workspace: workspace, now: l.db.Now()}
			return many.run(ctx, some)
		})
		for _, c := range some {
			if err != nil {
				c.out = nil // rolled back; alone each meets its own trouble
			}
		}
	}
	for _, call := range calls {
		call.done = call.item.out != nil
	}
}

// claimMany is one transaction of claimTogether.
type claimMany struct {
	db        *Ledger
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
	if err := m.thread(ctx, picks); err != nil {
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

// The active campaigns are read once for all mailboxes.
const lockSenders = `
WITH active AS MATERIALIZED (
	SELECT c.id, c.mailbox_ids, c.served_at FROM campaigns c WHERE c.workspace_id = $1 AND c.status = 'active' AND c.mailbox_ids && $2
)
SELECT m.id, ARRAY(SELECT c.id FROM active c WHERE m.id = ANY(c.mailbox_ids) ORDER BY c.served_at NULLS FIRST, c.id)
FROM mailboxes m
WHERE m.id = ANY($2) AND (m.workspace_id = $1) IS TRUE AND m.status = 'connected' AND (m.next_send_at IS NULL OR m.next_send_at <= $3)
	AND m.daily_limit > 0 AND (m.sent_on IS DISTINCT FROM ($3 AT TIME ZONE 'UTC')::date OR m.sent_count < m.daily_limit)
	AND NOT EXISTS (SELECT FROM messages l WHERE l.mailbox_id = m.id AND l.status = 'claimed' AND l.committed_at IS NULL AND l.lease_until < clock_timestamp())
ORDER BY m.id FOR UPDATE OF m SKIP LOCKED`

// able are mailboxes that may begin something new, by the campaign whose turn it
// is.
type able map[uuid.UUID][]*claiming

// lock keeps the mailboxes to this transaction and finds whose turn it is.
func (m *claimMany) lock(ctx context.Context, calls []*claiming) (able, error) {
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
	turns := map[*claiming][]uuid.UUID{}
	var box uuid.UUID
	var campaigns []uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&box, &campaigns}, func() error {
		turns[of[box]], campaigns = campaigns, nil
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lock mailboxes: %w", err)
	}
	return m.turns(ctx, turns)
}

// turns gives each mailbox the first of its campaigns in which somebody is due. A
// campaign that has no other beside it has its turn in any case.
func (m *claimMany) turns(ctx context.Context, turns map[*claiming][]uuid.UUID) (able, error) {
	var all []uuid.UUID
	for _, campaigns := range turns {
		for _, id := range campaigns {
			if !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	if len(all) > 1 {
		var err error
		if all, err = m.withSomebodyDue(ctx, all); err != nil {
			return nil, err
		}
	}
	out := able{}
	for call, campaigns := range turns {
		at := slices.IndexFunc(campaigns, func(id uuid.UUID) bool { return slices.Contains(all, id) })
		if at >= 0 {
			out[campaigns[at]] = append(out[campaigns[at]], call)
		}
	}
	return out, nil
}

const selectWithSomebodyDue = `
SELECT one.id FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[]) one(id, head_at, head_id)
WHERE EXISTS (SELECT FROM enrollments e WHERE e.campaign_id = one.id AND e.status = 'active' AND e.next_send_at <= $5
	AND (e.next_send_at, e.id) >= (one.head_at, one.head_id) AND (e.workspace_id = $1) IS TRUE AND ` + notOnItsWay + `)`

func (m *claimMany) withSomebodyDue(ctx context.Context, all []uuid.UUID) ([]uuid.UUID, error) {
	var ats []time.Time
	var ids []uuid.UUID
	for _, id := range all {
		head := m.db.heads.of(id, time.Now())
		ats, ids = append(ats, head.at), append(ids, head.id)
	}
	rows, err := m.tx.Query(ctx, selectWithSomebodyDue, m.workspace, all, ats, ids, m.now)
	if err != nil {
		return nil, fmt.Errorf("look for whose turn it is: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// pick gives each mailbox at most one enrollment, one of its own or one that
// belongs to none, against which nothing stands and whose window is open.
func (m *claimMany) pick(ctx context.Context, able able) (picks []*pick, err error) {
	found, err := storage.Campaigns.Many(ctx, m.tx, m.workspace, slices.Collect(maps.Keys(able)))
	if err != nil {
		return nil, fmt.Errorf("read campaigns: %w", err)
	}
	for i := range found {
		campaign := &found[i]
		if campaign.DailyNewLimit != nil {
			continue // the last places of a day are given out one by one
		}
		waiting, err := m.waiting(ctx, campaign, able[campaign.ID])
		if err != nil {
			return nil, err
		}
		picked := m.assign(campaign, able[campaign.ID], waiting)
		m.db.heads.note(campaign.ID, goOnFrom(waiting, picked), time.Now())
		picks = append(picks, picked...)
	}
	return picks, nil
}

// Those against whom something stands are locked and passed over: each of them is
// settled alone. Suppressions are looked up by a scalar, since the planner would
// rather read all of a workspace's once than look for each.
const selectDueMany = `
SELECT d.id, d.next_send_at, d.mailbox_id, d.next_step, d.run, d.forced, (SELECT t.host FROM tracking_domains t WHERE t.workspace_id = $2 AND t.status = 'verified'),
	p.unsubscribed_at IS NULL AND p.bounced_at IS NULL AND (p.replied_at IS NULL OR d.forced OR NOT $3)
		AND (SELECT true FROM suppressions s WHERE s.workspace_id = $2 AND s.email_key = p.email_key) IS NULL
		AND (SELECT true FROM suppressions s WHERE s.workspace_id = $2 AND s.domain = split_part(p.email_key, '@', -1)) IS NULL,
	p.id, p.workspace_id, p.email, p.first_name, p.last_name, p.company_name, p.company_id, p.job_title, p.phone, p.website, p.linkedin_url,
	p.timezone, p.custom_fields
FROM (
	SELECT e.id, e.prospect_id, e.next_send_at, e.mailbox_id, e.next_step, e.run, e.forced FROM enrollments e
	WHERE e.campaign_id = $1 AND (e.workspace_id = $2) IS TRUE AND e.status = 'active' AND e.next_send_at <= $4 AND e.next_step IS NOT NULL
		AND (e.next_send_at, e.id) >= ($8, $9) AND (e.mailbox_id IS NULL OR e.mailbox_id = ANY($5) OR NOT e.mailbox_id = ANY($6))
		AND ` + notOnItsWay + `
	ORDER BY e.next_send_at, e.id LIMIT $7 FOR UPDATE SKIP LOCKED
) d JOIN prospects p ON p.id = d.prospect_id AND (p.workspace_id = $2) IS TRUE
ORDER BY d.next_send_at, d.id`

// waiting gives the enrollments that are due, the longest waiting first.
func (m *claimMany) waiting(ctx context.Context, campaign *outreach.Campaign, calls []*claiming) ([]due, error) {
	var boxes []uuid.UUID
	for _, c := range calls {
		boxes = append(boxes, c.box.ID)
	}
	var head mark
	if len(calls) > 1 { // a single look is cheap enough to begin at the very first
		head = m.db.heads.of(campaign.ID, time.Now())
	}
	rows, err := m.tx.Query(ctx, selectDueMany, campaign.ID, m.workspace, campaign.StopOnReply, m.now, boxes, campaign.MailboxIDs, len(calls), head.at, head.id)
	if err != nil {
		return nil, fmt.Errorf("list due enrollments: %w", err)
	}
	waiting, err := pgx.AppendRows(make([]due, 0, len(calls)), rows, func(row pgx.CollectableRow) (d due, err error) {
		d.WorkspaceID, d.CampaignID, d.prospect = m.workspace, campaign.ID, &outreach.Prospect{}
		p := d.prospect
		err = row.Scan(&d.ID, &d.place.at, &d.MailboxID, &d.NextStep, &d.run, &d.forced, &d.host, &d.free,
			&p.ID, &p.WorkspaceID, &p.Email, &p.FirstName, &p.LastName, &p.CompanyName, &p.CompanyID, &p.JobTitle, &p.Phone, &p.Website, &p.LinkedinURL,
			&p.Timezone, &p.CustomFields)
		d.ProspectID, d.place.id = p.ID, d.ID
		return d, err
	})
	if err != nil {
		return nil, fmt.Errorf("list due enrollments: %w", err)
	}
	return waiting, nil
}

// goOnFrom is where the next look at a queue may begin: at the first that was not
// picked, else at the last. The zero mark says at the very first, since one who is
// bound to a mailbox stands there.
func goOnFrom(waiting []due, picks []*pick) (at mark) {
	if len(waiting) == 0 || waiting[0].MailboxID != nil {
		return mark{}
	}
	for _, d := range waiting {
		at = d.place
		if !slices.ContainsFunc(picks, func(p *pick) bool { return p.ID == d.ID }) {
			break
		}
	}
	return at
}

// assign keeps to each enrollment its mailbox. One prospect is written to once;
// those that cannot be written to now are left to be settled alone.
func (m *claimMany) assign(campaign *outreach.Campaign, calls []*claiming, waiting []due) (picks []*pick) {
	idle := map[uuid.UUID]*claiming{}
	for _, c := range calls {
		idle[c.box.ID] = c
	}
	take := func(c *claiming, d due) {
		p := &pick{claiming: c, due: d, campaign: campaign}
		p.draft = outreach.Draft{ID: storage.NewID(), Mailbox: c.box, Campaign: *campaign, Step: campaign.Steps[*d.NextStep-1],
			Number: *d.NextStep, Prospect: *d.prospect, Date: m.now, TrackingHost: d.host}
		picks = append(picks, p)
		delete(idle, c.box.ID)
	}
	var anybodys []due
	for _, d := range waiting {
		switch {
		case !d.free || *d.NextStep > len(campaign.Steps) || campaign.NextOpening(m.now, d.prospect.Timezone).After(m.now):
		case d.MailboxID == nil || !slices.Contains(campaign.MailboxIDs, *d.MailboxID):
			anybodys = append(anybodys, d)
		case idle[*d.MailboxID] != nil:
			take(idle[*d.MailboxID], d)
		}
	}
	for _, c := range calls {
		if idle[c.box.ID] != nil && len(anybodys) > 0 {
			take(c, anybodys[0])
			anybodys = anybodys[1:]
		}
	}
	return picks
}

const selectThreads = `
SELECT m.enrollment_id, m.message_id, m.subject FROM unnest($2::uuid[], $3::int[]) one(enrollment_id, run)
	JOIN messages m ON m.enrollment_id = one.enrollment_id AND m.run = one.run AND (m.workspace_id = $1) IS TRUE
		AND m.status NOT IN ('not_sent', 'bounced') AND (m.status IN ('sent', 'unknown')) IS TRUE
ORDER BY m.enrollment_id, m.step`

// thread gives the drafts of later steps what they go on from.
func (m *claimMany) thread(ctx context.Context, picks []*pick) error {
	of := map[uuid.UUID]*pick{}
	var ids []uuid.UUID
	var runs []int
	for _, p := range picks {
		if p.draft.Number > 1 {
			of[p.ID], ids, runs = p, append(ids, p.ID), append(runs, p.run)
		}
	}
	if len(ids) == 0 {
		return nil
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

// An enrollment whose step went out before gets no message, and is held when its
// turn comes alone.
const writeClaims = `
WITH one AS MATERIALIZED (
	SELECT * FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::int[], $10::int[], $11::text[], $12::text[], $13::text[],
		$14::text[], $15::bytea[], $16::text[], $17::timestamptz[], $18::text[])
		AS one(id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text, message_id, raw, holder, next, today)
), fresh AS (
	INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text,
		message_id, status, raw, holder, lease_until, tries, counted_on, begun_on, created_at)
	SELECT id, $1, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text,
		message_id, 'claimed', raw, holder, clock_timestamp() + $2, 1, ($3 AT TIME ZONE 'UTC')::date, CASE WHEN step = 1 THEN today::date END, $3
	FROM one
	ON CONFLICT (enrollment_id, run, step) WHERE status NOT IN ('not_sent', 'bounced') DO NOTHING
	RETURNING id
), new AS MATERIALIZED (
	SELECT one.id, campaign_id, mailbox_id, step, next, today::date FROM one JOIN fresh ON fresh.id = one.id
), box AS (
	UPDATE mailboxes m SET sent_count = CASE WHEN sent_on = ($3 AT TIME ZONE 'UTC')::date THEN sent_count + 1 ELSE 1 END,
		sent_on = ($3 AT TIME ZONE 'UTC')::date, next_send_at = new.next
	FROM new WHERE m.id = new.mailbox_id AND (m.workspace_id = $1) IS TRUE
), turn AS (
	UPDATE campaigns c SET served_at = clock_timestamp(),
		new_on = CASE WHEN n.count > 0 THEN n.today ELSE new_on END,
		new_count = CASE WHEN n.count = 0 THEN new_count WHEN new_on = n.today THEN new_count + n.count ELSE n.count END
	FROM (SELECT campaign_id, today, (count(*) FILTER (WHERE step = 1))::int AS count FROM new GROUP BY campaign_id, today) n
	WHERE c.id = n.campaign_id AND (c.workspace_id = $1) IS TRUE
)
SELECT id FROM new`

// claimColumns are the columns of many claims, one slice for each.
type claimColumns struct {
	ids, campaigns, people, boxes, enrollments            []uuid.UUID
	runs, steps                                           []int
	recipients, subjects, texts, headers, holders, todays []string
	raws                                                  [][]byte
	next                                                  []*time.Time
}

func (c *claimColumns) add(p *pick, now time.Time) {
	gap := claim{box: p.box, now: now}
	c.ids, c.campaigns, c.people = append(c.ids, p.draft.ID), append(c.campaigns, p.campaign.ID), append(c.people, p.ProspectID)
	c.boxes, c.enrollments = append(c.boxes, p.box.ID), append(c.enrollments, p.ID)
	c.runs, c.steps = append(c.runs, p.run), append(c.steps, p.draft.Number)
	c.recipients, c.subjects = append(c.recipients, p.prospect.Email), append(c.subjects, p.composed.Subject)
	c.texts, c.headers = append(c.texts, p.composed.Text), append(c.headers, p.composed.MessageID)
	c.holders, c.todays = append(c.holders, p.holder), append(c.todays, p.campaign.Today(now))
	c.raws, c.next = append(c.raws, p.composed.Raw), append(c.next, gap.afterGap())
}

// write inserts the messages, notes the claims and gives them to their callers.
func (m *claimMany) write(ctx context.Context, picks []*pick) error {
	if len(picks) == 0 {
		return nil
	}
	var c claimColumns
	of := map[uuid.UUID]*pick{}
	for _, p := range picks {
		c.add(p, m.now)
		of[p.draft.ID] = p
	}
	rows, err := m.tx.Query(ctx, writeClaims, m.workspace, outreach.LeaseLength, m.now, c.ids, c.campaigns, c.people, c.boxes, c.enrollments,
		c.runs, c.steps, c.recipients, c.subjects, c.texts, c.headers, c.raws, c.holders, c.next, c.todays)
	if err != nil {
		return fmt.Errorf("write claims: %w", err)
	}
	var id uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error {
		p := of[id]
		p.out = &outreach.Outgoing{ID: id, MessageID: p.composed.MessageID, Recipient: p.prospect.Email, Raw: p.composed.Raw, Tries: 1}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write claims: %w", err)
	}
	return nil
}

// ClaimTogether claims for several mailboxes in one transaction per workspace; a
// mailbox that it leaves without a message is then served alone.
func (l *Ledger) ClaimTogether(ctx context.Context, boxes []outreach.Mailbox, holder string, compose func(outreach.Draft) (outreach.Composed, error)) ([]*outreach.Outgoing, error) {
	var calls []*oneOf[*claiming]
	for _, box := range boxes {
		calls = append(calls, &oneOf[*claiming]{item: &claiming{box: box, holder: holder, compose: compose}})
	}
	l.claimTogether(ctx, calls)
	var all []*outreach.Outgoing
	for _, call := range calls {
		if !call.done {
			if err := l.claimAlone(ctx, call.item); err != nil {
				return nil, err
			}
		}
		all = append(all, call.item.out)
	}
	return all, nil
}
