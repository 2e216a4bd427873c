package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// The steps m that count for the health of a mailbox (docs/reference.md#auto-pause): AttemptedStep
// chooses all of them, BadStep those that came back or were reported as spam, and BadCounts counts
// both kinds.
const (
	AttemptedStep = `m.kind = 'step' AND m.status IN ('sent', 'bounced', 'unknown')`
	BadStep       = `m.kind = 'step' AND (m.fault = 'recipient' OR m.complained)`
	BadCounts     = `count(*) FILTER (WHERE m.fault = 'recipient') AS bounced, count(*) FILTER (WHERE m.complained) AS complained`
)

// mailboxDay is one day of a mailbox; its day is empty if the mailbox sent nothing.
type mailboxDay struct {
	id     uuid.UUID
	status outreach.MailboxStatus
	outreach.HealthDay
}

var mailboxDayColumns = NewColumns(func(d *mailboxDay) []Column {
	return []Column{
		{"b.id", &d.id},
		{"b.status", &d.status},
		{"coalesce(d.day::text, '')", &d.Date},
		{"coalesce(d.attempted, 0)", &d.Attempted},
		{"coalesce(d.bounced, 0)", &d.Bounced},
		{"coalesce(d.complained, 0)", &d.Complained},
	}
})

var selectHealth = `
SELECT ` + mailboxDayColumns.SQL + `
FROM mailboxes b
LEFT JOIN LATERAL (
	SELECT (m.sent_at AT TIME ZONE 'UTC')::date AS day, count(*) AS attempted, ` + BadCounts + `
	FROM messages m
	WHERE m.workspace_id = $1 AND m.mailbox_id = b.id AND m.sent_at > greatest($3, b.resumed_at) AND ` + AttemptedStep + `
	GROUP BY 1) d ON true
WHERE b.workspace_id = $1 AND b.id = ANY($2)`

// HealthOf returns the health of mailboxes. It leaves out unknown ids.
func (db *DB) HealthOf(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]outreach.MailboxHealth, error) {
	now := db.Now()
	rows, err := mailboxDayColumns.Query(ctx, db.pool, selectHealth, workspace, ids, outreach.HealthSince(now, nil))
	if err != nil {
		return nil, fmt.Errorf("count outcomes of mailboxes: %w", err)
	}
	boxes, days := map[uuid.UUID]mailboxDay{}, map[uuid.UUID]map[string]outreach.HealthDay{}
	for _, row := range rows {
		boxes[row.id] = row
		if days[row.id] == nil {
			days[row.id] = map[string]outreach.HealthDay{}
		}
		days[row.id][row.Date] = row.HealthDay
	}
	all := make(map[uuid.UUID]outreach.MailboxHealth, len(boxes))
	for id, box := range boxes {
		all[id] = outreach.NewMailboxHealth(now, box.status, days[id])
	}
	return all, nil
}

// nearBound is a mailbox with bounces or complaints.
type nearBound struct {
	id    uuid.UUID
	email string
	since time.Time
	outreach.SenderHealth
}

var nearBoundColumns = NewColumns(func(n *nearBound) []Column {
	return []Column{
		{"b.id", &n.id},
		{"b.email", &n.email},
		{"bad.since", &n.since},
		{"bad.bounced", &n.Bounced},
		{"bad.complained", &n.Complained},
		{"(SELECT count(*) FROM (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.mailbox_id = b.id" +
			" AND m.sent_at > greatest($2, b.resumed_at) AND " + AttemptedStep + " LIMIT $3) one)", &n.Attempted},
	}
})

// Few mailboxes have bounces, and the index messages_bad has these alone.
var selectNearBound = `
SELECT ` + nearBoundColumns.SQL + `
FROM mailboxes b
CROSS JOIN LATERAL (
	SELECT ` + BadCounts + `, max(m.sent_at) AS since
	FROM messages m
	WHERE m.workspace_id = $1 AND m.mailbox_id = b.id AND m.sent_at > greatest($2, b.resumed_at) AND ` + BadStep + `) bad
WHERE b.workspace_id = $1 AND b.status = 'connected' AND (bad.bounced > 1 OR bad.complained > 0)
ORDER BY bad.complained DESC, bad.bounced DESC, b.id LIMIT 50`

// maxAttempts bounds the attempts that are counted for a warning. With more in seven days, a
// mailbox is far beyond every limit of a provider.
const maxAttempts = 20_000

// warnings returns the mailboxes that have half of the bounces or complaints at which they are
// paused.
func (db *DB) warnings(ctx context.Context, workspace uuid.UUID) (all []outreach.Attention, err error) {
	near, err := nearBoundColumns.Query(ctx, db.pool, selectNearBound, workspace, outreach.HealthSince(db.Now(), nil), maxAttempts)
	if err != nil {
		return nil, fmt.Errorf("list mailboxes near a bound: %w", err)
	}
	for _, n := range near {
		if why := n.Warning(); why != "" {
			all = append(all, outreach.Attention{Kind: outreach.AttentionMailboxWarning, SubjectID: n.id,
				Title: n.Fact() + " on " + n.email, Detail: why, Since: n.since})
		}
	}
	return all, nil
}
