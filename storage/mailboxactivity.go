package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// activityDay is one day of a mailbox; its day is empty if the mailbox sent nothing.
type activityDay struct {
	id         uuid.UUID
	lastSentAt *time.Time
	outreach.ActivityDay
}

var activityColumns = NewColumns(func(d *activityDay) []Column {
	return []Column{
		{"b.id", &d.id},
		{"l.sent_at", &d.lastSentAt},
		{"coalesce(d.day::text, '')", &d.Date},
		{"coalesce(d.attempted, 0)", &d.Attempted},
		{"coalesce(d.bounced, 0)", &d.Bounced},
		{"coalesce(d.complained, 0)", &d.Complained},
		{"coalesce(d.replied, 0)", &d.Replied},
	}
})

// What was sent is counted in the index messages_mailbox alone, and the answers among it are taken off.
// Index messages_bad has what came back, and replies_order the replies, whose messages are few. That
// reads a fifth of what reading each message does.
var selectActivity = `
SELECT ` + activityColumns.SQL + `
FROM mailboxes b
LEFT JOIN LATERAL (SELECT m.sent_at FROM messages m
	WHERE m.workspace_id = $1 AND m.mailbox_id = b.id AND m.status IN ('sent', 'bounced', 'unknown') AND NOT m.external
	ORDER BY m.sent_at DESC LIMIT 1) l ON true
LEFT JOIN (
	SELECT c.mailbox_id, c.day, sum(c.attempted)::int AS attempted, sum(c.bounced)::int AS bounced,
		sum(c.complained)::int AS complained, sum(c.replied)::int AS replied
	FROM (
		SELECT m.mailbox_id, ` + activityDate + ` AS day, count(*) AS attempted, 0 AS bounced, 0 AS complained, 0 AS replied
		FROM messages m
		WHERE m.workspace_id = $1 AND m.mailbox_id = ANY($2) AND m.sent_at >= $3 AND m.status IN ('sent', 'bounced', 'unknown')
		GROUP BY 1, 2
		UNION ALL
		SELECT m.mailbox_id, ` + activityDate + `, -count(*), 0, 0, 0
		FROM messages m
		WHERE m.workspace_id = $1 AND m.mailbox_id = ANY($2) AND m.sent_at >= $3 AND m.kind = 'answer'
			AND m.status IN ('sent', 'bounced', 'unknown')
		GROUP BY 1, 2
		UNION ALL
		SELECT bad.mailbox_id, bad.day, 0, bad.bounced, bad.complained, 0
		FROM (SELECT m.mailbox_id, ` + activityDate + ` AS day, ` + BadCounts + `
			FROM messages m
			WHERE m.workspace_id = $1 AND m.mailbox_id = ANY($2) AND m.sent_at >= $3 AND ` + AttemptedStep + ` AND ` + BadStep + `
			GROUP BY 1, 2) bad
		UNION ALL
		SELECT m.mailbox_id, ` + activityDate + `, 0, 0, 0, count(*)
		FROM (SELECT DISTINCT r.message_id FROM replies r
			WHERE r.workspace_id = $1 AND NOT r.automatic AND r.received_at >= $3 AND r.message_id IS NOT NULL) r
		JOIN messages m ON m.workspace_id = $1 AND m.id = r.message_id
		WHERE m.mailbox_id = ANY($2) AND m.sent_at >= $3 AND ` + AttemptedStep + `
		GROUP BY 1, 2) c
	GROUP BY 1, 2) d ON d.mailbox_id = b.id
WHERE b.workspace_id = $1 AND b.id = ANY($2)`

// activityDate is the day in UTC on which a message m was sent.
const activityDate = `(m.sent_at AT TIME ZONE 'UTC')::date`

// ActivityOf returns what mailboxes sent over the last days. It leaves out unknown ids.
func (db *DB) ActivityOf(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]outreach.MailboxActivity, error) {
	now := db.Now()
	// Planned at each call: a plan for any time reads the messages instead of the index.
	rows, err := activityColumns.Query(ctx, db.pool, selectActivity, pgx.QueryExecModeCacheDescribe, workspace, ids,
		outreach.ActivitySince(now))
	if err != nil {
		return nil, fmt.Errorf("count activity of mailboxes: %w", err)
	}
	last, days := map[uuid.UUID]*time.Time{}, map[uuid.UUID]map[string]outreach.ActivityCounts{}
	for _, row := range rows {
		last[row.id] = row.lastSentAt
		if days[row.id] == nil {
			days[row.id] = map[string]outreach.ActivityCounts{}
		}
		days[row.id][row.Date] = row.ActivityCounts
	}
	all := make(map[uuid.UUID]outreach.MailboxActivity, len(days))
	for id, sent := range days {
		all[id] = outreach.NewMailboxActivity(now, last[id], sent)
	}
	return all, nil
}
