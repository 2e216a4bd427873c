package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// notOnItsWay is true unless a claimed message exists for the step of enrollment e. A claim does not
// change e, which saves a write to all its indexes: the message shows that the step is in progress.
// The condition is a scalar subquery, so that no plan turns it into a join of two whole tables.
const notOnItsWay = `true IS DISTINCT FROM (SELECT l.status = 'claimed' FROM messages l
	WHERE l.workspace_id = $1 AND l.enrollment_id = e.id AND l.run = e.run AND l.step = e.next_step
		AND (l.status NOT IN ('not_sent', 'bounced') OR l.reported))`

// inQueue matches the enrollments e of queue q. Index enrollments_due serves it.
const inQueue = `e.workspace_id = $1 AND e.campaign_id = q.campaign_id AND (e.next_step > 1) = q.followup
	AND coalesce(e.mailbox_id, '00000000-0000-0000-0000-000000000000') = q.mailbox_id AND e.status = 'active'`

// fromHead matches the enrollments e that do not stand before the head of queue q.
const fromHead = `(e.next_send_at, e.id) >= (q.at, q.first)`

// queueOf is a queue with the campaign that it belongs to.
type queueOf struct {
	outreach.Queue
	campaign uuid.UUID
}

var queueColumns = storage.NewColumns(func(q *queueOf) []storage.Column {
	return []storage.Column{
		{SQL: "q.campaign_id", To: &q.campaign},
		{SQL: "q.followup", To: &q.Followup},
		{SQL: "q.mailbox_id", To: &q.Mailbox},
		{SQL: "z.timezone", To: &q.Timezone},
		{SQL: "z.due", To: &q.Due},
		{SQL: "z.id", To: &q.First},
		{SQL: "z.company", To: &q.Company},
		{SQL: "z.contact", To: &q.Contact},
		{SQL: "z.owed", To: &q.Owed},
	}
})

// selectQueues reads the head of each queue and time zone by index, so that its cost does not
// depend on the length of the queues. An empty queue costs one look. Of follow-ups that are bound to a
// mailbox it counts those that fall due until $13, up to the limit of the mailbox, without those whose step
// was removed. $7 to $10 name the queues of a time zone whose head is known; each is read from its head
// on ($11, $12).
//
// $8 and $9 hold one value for all rows; with a constant instead, the planner would not use the index.
var selectQueues = `
SELECT ` + queueColumns.SQL + `
FROM unnest($2::uuid[], $3::bool[], $4::uuid[], $5::int[], $6::int[]) q(campaign_id, followup, mailbox_id, steps, most) CROSS JOIN LATERAL (
	SELECT e.timezone FROM enrollments e WHERE ` + inQueue + ` ORDER BY e.timezone LIMIT 1) lowest CROSS JOIN LATERAL (
	WITH RECURSIVE hop AS (
		SELECT lowest.timezone
		UNION ALL
		SELECT n.timezone FROM hop h CROSS JOIN LATERAL (
			SELECT e.timezone FROM enrollments e WHERE ` + inQueue + ` AND e.timezone > h.timezone ORDER BY e.timezone LIMIT 1) n
	)
	SELECT h.timezone, head.*, CASE WHEN q.most > 0 THEN (SELECT count(*) FROM (SELECT FROM enrollments e WHERE ` + inQueue + `
		AND e.timezone = h.timezone AND e.next_send_at <= $13 AND e.next_step <= q.steps AND ` + notOnItsWay + ` LIMIT q.most) one)
		ELSE 0 END AS owed
	FROM hop h CROSS JOIN LATERAL (
		SELECT ` + headColumns + `
		FROM enrollments e WHERE ` + inQueue + ` AND e.timezone = h.timezone
			AND e.next_send_at IS NOT NULL AND ` + notOnItsWay + ` ORDER BY e.next_send_at, e.id LIMIT 1) head) z
UNION ALL
SELECT ` + queueColumns.SQL + `
FROM unnest($7::uuid[], $8::bool[], $9::uuid[], $10::text[], $11::timestamptz[], $12::uuid[])
	q(campaign_id, followup, mailbox_id, timezone, at, first) CROSS JOIN LATERAL (
	SELECT q.timezone, ` + headColumns + `, 0 AS owed
	FROM enrollments e WHERE ` + inQueue + ` AND e.timezone = q.timezone
		AND ` + fromHead + ` AND ` + notOnItsWay + ` ORDER BY e.next_send_at, e.id LIMIT 1) z`

const headColumns = `e.next_send_at AS due, e.id, e.company_until IS NOT DISTINCT FROM e.next_send_at AS company,
	e.gap_until IS NOT DISTINCT FROM e.next_send_at AS contact`

const selectNew = `
SELECT c.id
FROM unnest($2::uuid[], $3::text[]) AS limited(id, today)
JOIN campaigns c ON c.workspace_id = $1 AND c.id = limited.id
WHERE c.new_on = limited.today::date AND c.new_count >= c.daily_new_limit`

// readQueues reads the queues of active campaigns for those of the senders that they send from.
// known is where the campaigns' queues of new prospects begin, as far as that is known; found is
// where they begin now.
func readQueues(ctx context.Context, q storage.Querier, workspace uuid.UUID, campaigns []*outreach.Campaign,
	senders map[uuid.UUID]*sender, now time.Time, known headsOf) (queues []outreach.Queue, found headsOf, err error) {
	var ids, boxes, begun, none, firsts []uuid.UUID
	var followups, news []bool
	var steps, most []int
	var zones []string
	var ats []time.Time
	of := make(map[uuid.UUID]*outreach.Campaign, len(campaigns))
	found = make(headsOf, len(campaigns))
	for _, c := range campaigns {
		of[c.ID] = c
		add := func(box uuid.UUID, followup bool, limit int) {
			ids, boxes, followups = append(ids, c.ID), append(boxes, box), append(followups, followup)
			steps, most = append(steps, len(c.Steps)), append(most, limit)
		}
		for _, box := range c.MailboxIDs {
			if s := senders[box]; s != nil {
				add(box, true, s.Mailbox.LimitOn(now))
				add(box, false, 0)
			}
		}
		add(uuid.Nil, true, 0)
		start, ok := known[c.ID]
		if !ok {
			add(uuid.Nil, false, 0)
		}
		for _, h := range start.heads {
			begun, news, none = append(begun, c.ID), append(news, false), append(none, uuid.Nil)
			zones, ats, firsts = append(zones, h.zone), append(ats, h.at), append(firsts, h.id)
		}
		found[c.ID] = begin{until: start.until}
	}
	full, err := fullCampaigns(ctx, q, workspace, campaigns, now)
	if err != nil {
		return nil, nil, err
	}
	err = queueColumns.QueryEach(ctx, q, func(one *queueOf) {
		one.Campaign, one.NewFull = of[one.campaign], full[one.campaign]
		queues = append(queues, one.Queue)
		if !one.Followup && one.Mailbox == uuid.Nil {
			b := found[one.campaign]
			b.heads = append(b.heads, head{one.Timezone, one.Due, one.First})
			found[one.campaign] = b
		}
	}, selectQueues, workspace, ids, followups, boxes, steps, most, begun, news, none, zones, ats, firsts, now.Add(day))
	if err != nil {
		return nil, nil, fmt.Errorf("read queues: %w", err)
	}
	return queues, found, nil
}

// fullCampaigns returns the campaigns that have reached their daily_new_limit today.
func fullCampaigns(ctx context.Context, q storage.Querier, workspace uuid.UUID, campaigns []*outreach.Campaign,
	now time.Time) (map[uuid.UUID]bool, error) {
	var ids []uuid.UUID
	var today []string
	for _, c := range campaigns {
		if c.DailyNewLimit != nil {
			ids, today = append(ids, c.ID), append(today, c.Today(now))
		}
	}
	full := map[uuid.UUID]bool{}
	if len(ids) == 0 {
		return full, nil
	}
	reached, err := storage.Values[uuid.UUID](ctx, q, "look at limit of new prospects", selectNew, workspace, ids, today)
	if err != nil {
		return nil, err
	}
	for _, id := range reached {
		full[id] = true
	}
	return full, nil
}

// selectActive reads the active campaigns that send from any of mailboxes $2.
var selectActive = storage.Campaigns.Select() + ` AND c.status = 'active' AND c.mailbox_ids && $2 ORDER BY c.created_at DESC, c.id DESC`

// selectTurns reads when each mailbox last claimed a step of each kind for each campaign.
const selectTurns = `SELECT mailbox_id, campaign_id, followup, served_at FROM turns WHERE workspace_id = $1 AND mailbox_id = ANY($2)`

// readTurns collects the rows of selectTurns.
func readTurns(rows pgx.Rows) (map[uuid.UUID]map[outreach.Line]time.Time, error) {
	served := map[uuid.UUID]map[outreach.Line]time.Time{}
	var mailbox uuid.UUID
	var line outreach.Line
	var at time.Time
	_, err := pgx.ForEachRow(rows, []any{&mailbox, &line.Campaign, &line.Followup, &at}, func() error {
		if served[mailbox] == nil {
			served[mailbox] = map[outreach.Line]time.Time{}
		}
		served[mailbox][line] = at
		return nil
	})
	return served, err
}
