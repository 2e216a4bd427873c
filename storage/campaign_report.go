package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// What became of the messages of each step. Clicks of scanners do not count, nor
// do automatic replies.
const selectStepCounts = `
SELECT m.step, count(*), count(*) FILTER (WHERE m.status = 'bounced'),
	count(*) FILTER (WHERE EXISTS (SELECT FROM hits h
		WHERE h.message_id = m.id AND h.workspace_id = $1 AND h.kind = 'click' AND h.scanner IS NULL)),
	count(*) FILTER (WHERE r.replied), count(*) FILTER (WHERE r.positive),
	count(*) FILTER (WHERE EXISTS (SELECT FROM hits h
		WHERE h.message_id = m.id AND h.workspace_id = $1 AND h.kind = 'unsubscribe'))
FROM messages m
LEFT JOIN (SELECT message_id, true AS replied, bool_or(interest IS NOT DISTINCT FROM 'positive') AS positive
	FROM replies WHERE workspace_id = $1 AND campaign_id = $2 AND NOT automatic AND message_id IS NOT NULL
	GROUP BY message_id) r ON r.message_id = m.id
WHERE m.workspace_id = $1 AND m.campaign_id = $2 AND m.status IN ('sent', 'bounced', 'unknown') AND m.step IS NOT NULL
GROUP BY m.step ORDER BY m.step`

const selectContacted = `
SELECT count(DISTINCT m.prospect_id) FROM messages m
WHERE m.workspace_id = $1 AND m.campaign_id = $2 AND m.status IN ('sent', 'bounced', 'unknown')`

const selectCampaignDays = `
SELECT d.day::date::text,
	count(ev.*) FILTER (WHERE ev.type = 'sent'), count(ev.*) FILTER (WHERE ev.type = 'replied'),
	count(ev.*) FILTER (WHERE ev.type = 'replied' AND ev.interest = 'positive'), count(ev.*) FILTER (WHERE ev.type = 'bounced'),
	coalesce((SELECT sum(o.count) FROM opens o WHERE o.workspace_id = $1 AND o.campaign_id = $4 AND o.day = d.day::date), 0)
FROM generate_series($2::date, $3::date, interval '1 day') AS d(day)
LEFT JOIN LATERAL (SELECT e.type, e.interest FROM events e WHERE e.workspace_id = $1 AND e.campaign_id = $4
	AND e.occurred_at >= d.day AT TIME ZONE 'UTC' AND e.occurred_at < (d.day + interval '1 day') AT TIME ZONE 'UTC') ev ON true
GROUP BY d.day ORDER BY d.day`

// CampaignReport counts a campaign by step, and by day over the last days, today
// included. A campaign of another workspace is outreach.ErrNotFound.
func (db *DB) CampaignReport(ctx context.Context, workspace, id uuid.UUID, days int) (r outreach.CampaignReport, err error) {
	if _, err := db.Campaign(ctx, workspace, id); err != nil {
		return r, err
	}
	if err := db.pool.QueryRow(ctx, selectContacted, workspace, id).Scan(&r.Contacted); err != nil {
		return r, fmt.Errorf("count people written to: %w", err)
	}
	rows, err := db.pool.Query(ctx, selectStepCounts, workspace, id)
	if err != nil {
		return r, fmt.Errorf("count steps: %w", err)
	}
	r.Steps, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (s outreach.StepCounts, err error) {
		err = row.Scan(&s.Step, &s.Sent, &s.Bounced, &s.Clicked, &s.Replied, &s.Positive, &s.Unsubscribed)
		return s, err
	})
	if err != nil {
		return r, fmt.Errorf("count steps: %w", err)
	}
	today := db.Now().Truncate(24 * time.Hour)
	rows, err = db.pool.Query(ctx, selectCampaignDays, workspace, today.AddDate(0, 0, 1-days), today, id)
	if err != nil {
		return r, fmt.Errorf("count days of a campaign: %w", err)
	}
	r.Days, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (d outreach.DayCounts, err error) {
		err = row.Scan(&d.Date, &d.Sent, &d.Replied, &d.Positive, &d.Bounced, &d.Opens)
		return d, err
	})
	if err != nil {
		return r, fmt.Errorf("count days of a campaign: %w", err)
	}
	return r, nil
}
