package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

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

// Index messages_mailbox has the messages of a mailbox by time, and replies_automatic those that people
// wrote.
var selectActivity = `
SELECT ` + activityColumns.SQL + `
FROM mailboxes b
LEFT JOIN LATERAL (SELECT m.sent_at FROM messages m
	WHERE m.workspace_id = $1 AND m.mailbox_id = b.id AND m.status IN ('sent', 'bounced', 'unknown') AND NOT m.external
	ORDER BY m.sent_at DESC LIMIT 1) l ON true
LEFT JOIN (
	SELECT m.mailbox_id, (m.sent_at AT TIME ZONE 'UTC')::date AS day, count(*) AS attempted, ` + BadCounts + `,
		count(r.message_id) AS replied
	FROM messages m
	LEFT JOIN (SELECT DISTINCT r.message_id FROM replies r
		WHERE r.workspace_id = $1 AND NOT r.automatic AND r.received_at >= $3 AND r.message_id IS NOT NULL) r ON r.message_id = m.id
	WHERE m.workspace_id = $1 AND m.mailbox_id = ANY($2) AND m.sent_at >= $3 AND ` + AttemptedStep + `
	GROUP BY 1, 2) d ON d.mailbox_id = b.id
WHERE b.workspace_id = $1 AND b.id = ANY($2)`

// ActivityOf returns what mailboxes sent over the last days. It leaves out unknown ids.
func (db *DB) ActivityOf(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]outreach.MailboxActivity, error) {
	now := db.Now()
	rows, err := activityColumns.Query(ctx, db.pool, selectActivity, workspace, ids, outreach.ActivitySince(now))
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
