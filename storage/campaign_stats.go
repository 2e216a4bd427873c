package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"outreach"
)

// countsAsSent is the condition on messages m of a campaign that count as sent
// (docs/reference.md#statistics). Index messages_campaign has those with the first condition.
const countsAsSent = `m.status IN ('sent', 'bounced', 'unknown') AND m.kind = 'step'`

// Only the figures named in $3 are counted, and $4 are the types of events that they count. The counts
// of enrollments are read from index enrollments_campaign only, which holds the status beside its key.
var statsColumns = NewColumns(func(s *outreach.CampaignStats) []Column {
	return []Column{
		{"c.id", &s.CampaignID},
		{"e.prospects", &s.Prospects},
		{"e.active", &s.Active},
		{"e.held", &s.Held},
		{"e.statuses", &s.Statuses},
		{figure("sent", `(SELECT count(*) FROM messages m
			WHERE m.workspace_id = $1 AND m.campaign_id = c.id AND `+countsAsSent+`)`), &s.Sent},
		{figure("accepted", `ev.sent + (SELECT coalesce(sum(n.count), 0) FROM event_counts n
			WHERE n.workspace_id = $1 AND n.campaign_id = c.id AND n.type = 'sent')`), &s.Accepted},
		{"ev.replied", &s.Replied},
		{figure("positive", `(SELECT count(DISTINCT r.prospect_id) FROM replies r
			WHERE r.workspace_id = $1 AND r.campaign_id = c.id AND r.interest = 'positive' AND NOT r.automatic)`), &s.Positive},
		{"ev.clicked", &s.Clicked},
		{"ev.bounced", &s.Bounced},
		{"ev.unsubscribed", &s.Unsubscribed},
		{figure("opens", `(SELECT coalesce(sum(o.count), 0) FROM opens o
			WHERE o.workspace_id = $1 AND o.campaign_id = c.id)`), &s.Opens},
	}
})

// figure returns the expression of a figure, which is evaluated only if the figure is named in $3.
func figure(name, sql string) string {
	return "CASE WHEN '" + name + "' = ANY($3::text[]) THEN " + sql + " ELSE 0 END"
}

// countedEvents are the types of events that figures count.
var countedEvents = map[string]outreach.EventType{
	"accepted":     outreach.EventSent,
	"replied":      outreach.EventReplied,
	"clicked":      outreach.EventClicked,
	"bounced":      outreach.EventBounced,
	"unsubscribed": outreach.EventUnsubscribed,
}

var selectStats = `
SELECT ` + statsColumns.SQL + `
FROM campaigns c
CROSS JOIN LATERAL (SELECT coalesce(sum(g.prospects), 0)::bigint AS prospects,
	coalesce(sum(g.prospects) FILTER (WHERE g.status = 'active'), 0)::bigint AS active,
	coalesce(sum(g.prospects) FILTER (WHERE g.status = 'held'), 0)::bigint AS held,
	coalesce(jsonb_agg(jsonb_build_object('Status', g.status, 'Prospects', g.prospects) ORDER BY g.status), '[]') AS statuses
	FROM (SELECT e.status, count(*) AS prospects FROM enrollments e WHERE e.workspace_id = $1 AND e.campaign_id = c.id
		AND $3::text[] && '{prospects, active, held, statuses}' GROUP BY e.status) g) e
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE v.type = 'sent') AS sent,
	count(DISTINCT v.prospect_id) FILTER (WHERE v.type = 'replied') AS replied,
	count(DISTINCT v.prospect_id) FILTER (WHERE v.type = 'clicked') AS clicked,
	count(DISTINCT v.prospect_id) FILTER (WHERE v.type = 'bounced') AS bounced,
	count(DISTINCT v.prospect_id) FILTER (WHERE v.type = 'unsubscribed') AS unsubscribed
	FROM (SELECT e.type, e.prospect_id FROM events e
		WHERE e.workspace_id = $1 AND e.campaign_id = c.id AND e.type = ANY($4::text[]) AND e.interest IS DISTINCT FROM 'automatic'
		UNION ALL SELECT p.type, p.prospect_id FROM event_people p
		WHERE p.workspace_id = $1 AND p.campaign_id = c.id AND p.type = ANY($4::text[])) v) ev
WHERE c.workspace_id = $1 AND c.id = ANY($2)`

// CampaignStats counts what a campaign has done so far: those of the figures
// that are named. The others are zero. A figure has the name of its field in the schema.
func (db *DB) CampaignStats(ctx context.Context, workspace, id uuid.UUID, figures []string) (s outreach.CampaignStats, err error) {
	all, err := db.CampaignsStats(ctx, workspace, []uuid.UUID{id}, figures)
	if err != nil {
		return s, err
	}
	if len(all) == 0 {
		return s, outreach.ErrNotFound
	}
	return all[0], nil
}

// CampaignsStats is CampaignStats for those of the campaigns that the workspace has, in any order.
func (db *DB) CampaignsStats(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID,
	figures []string) ([]outreach.CampaignStats, error) {
	types := []outreach.EventType{}
	for _, figure := range figures {
		if counted, ok := countedEvents[figure]; ok {
			types = append(types, counted)
		}
	}
	all, err := statsColumns.Query(ctx, db.pool, selectStats, workspace, ids, figures, types)
	if err != nil {
		return nil, fmt.Errorf("count campaigns: %w", err)
	}
	return all, nil
}
