package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// The outcomes of the messages of each step, without clicks of scanners and automatic replies.
var stepColumns = NewColumns(func(s *outreach.StepCounts) []Column {
	return []Column{
		{"m.step", &s.Step},
		{"count(*)", &s.Sent},
		{"count(*) FILTER (WHERE m.status = 'bounced')", &s.Bounced},
		{"count(*) FILTER (WHERE m.clicked)", &s.Clicked},
		{"count(*) FILTER (WHERE r.replied)", &s.Replied},
		{"count(*) FILTER (WHERE r.positive)", &s.Positive},
		{`count(*) FILTER (WHERE EXISTS (SELECT FROM hits h
			WHERE h.message_id = m.id AND h.workspace_id = $1 AND h.kind = 'unsubscribe'))`, &s.Unsubscribed},
	}
})

var selectStepCounts = `
SELECT ` + stepColumns.SQL + `
FROM messages m
LEFT JOIN (SELECT message_id, true AS replied, bool_or(interest IS NOT DISTINCT FROM 'positive') AS positive
	FROM replies WHERE workspace_id = $1 AND campaign_id = $2 AND NOT automatic AND message_id IS NOT NULL
	GROUP BY message_id) r ON r.message_id = m.id
WHERE m.workspace_id = $1 AND m.campaign_id = $2 AND ` + countsAsSent + `
GROUP BY m.step ORDER BY m.step`

const selectContacted = `
SELECT count(DISTINCT m.prospect_id) FROM messages m
WHERE m.workspace_id = $1 AND m.campaign_id = $2 AND ` + countsAsSent

// dayColumns count the events ev of a day d. One row stands for ev.count events.
func dayColumns(d *outreach.DayCounts) []Column {
	return []Column{
		{"d.day::date::text", &d.Date},
		{"coalesce(sum(ev.count) FILTER (WHERE ev.type = 'replied' AND ev.interest IS DISTINCT FROM 'automatic'), 0)", &d.Replied},
		{"coalesce(sum(ev.count) FILTER (WHERE ev.type = 'replied' AND ev.interest = 'positive'), 0)", &d.Positive},
		{"coalesce(sum(ev.count) FILTER (WHERE ev.type = 'bounced'), 0)", &d.Bounced},
	}
}

var campaignDayColumns = NewColumns(func(d *outreach.DayCounts) []Column {
	return append([]Column{
		{`(SELECT count(*) FROM messages m WHERE m.workspace_id = $1 AND m.campaign_id = $4 AND m.sent_at >= d.day AT TIME ZONE 'UTC'
			AND m.sent_at < (d.day + interval '1 day') AT TIME ZONE 'UTC' AND ` + countsAsSent + `)`, &d.Sent},
		{`coalesce((SELECT sum(o.count) FROM opens o
			WHERE o.workspace_id = $1 AND o.campaign_id = $4 AND o.day = d.day::date), 0)`, &d.Opens},
	}, dayColumns(d)...)
})

var selectCampaignDays = `
SELECT ` + campaignDayColumns.SQL + `
FROM generate_series($2::date, $3::date, interval '1 day') AS d(day)
LEFT JOIN LATERAL (SELECT e.type, e.interest, 1 AS count FROM events e WHERE e.workspace_id = $1 AND e.campaign_id = $4
	AND e.occurred_at >= d.day AT TIME ZONE 'UTC' AND e.occurred_at < (d.day + interval '1 day') AT TIME ZONE 'UTC'
	UNION ALL SELECT n.type, n.interest, n.count FROM event_counts n
	WHERE n.workspace_id = $1 AND n.campaign_id = $4 AND n.day = d.day::date) ev ON true
GROUP BY d.day ORDER BY d.day`

// CampaignReport counts a campaign by step, and by day over the last days, today included. It
// returns outreach.ErrNotFound for a campaign of another workspace.
func (db *DB) CampaignReport(ctx context.Context, workspace, id uuid.UUID, days int) (r outreach.CampaignReport, err error) {
	if _, err := db.Campaign(ctx, workspace, id); err != nil {
		return r, err
	}
	if err := db.pool.QueryRow(ctx, selectContacted, workspace, id).Scan(&r.Contacted); err != nil {
		return r, fmt.Errorf("count people written to: %w", err)
	}
	if r.Steps, err = stepColumns.Query(ctx, db.pool, selectStepCounts, workspace, id); err != nil {
		return r, fmt.Errorf("count steps: %w", err)
	}
	today := db.Now().Truncate(24 * time.Hour)
	r.Days, err = campaignDayColumns.Query(ctx, db.pool, selectCampaignDays, workspace, today.AddDate(0, 0, 1-days), today, id)
	if err != nil {
		return r, fmt.Errorf("count days of a campaign: %w", err)
	}
	return r, nil
}
