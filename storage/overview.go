package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// overviewDay is a day of the overview.
type overviewDay struct {
	outreach.DayCounts
	clicked, unsubscribed int
}

var overviewDayColumns = NewColumns(func(d *overviewDay) []Column {
	return append([]Column{
		{"coalesce(sum(ev.count) FILTER (WHERE ev.type = 'sent'), 0)", &d.Sent},
		{"coalesce(sum(ev.count) FILTER (WHERE ev.type = 'clicked'), 0)", &d.clicked},
		{"coalesce(sum(ev.count) FILTER (WHERE ev.type = 'unsubscribed'), 0)", &d.unsubscribed},
		{"coalesce((SELECT sum(o.count) FROM opens o WHERE o.workspace_id = $1 AND o.day = d.day::date), 0)", &d.Opens},
	}, dayColumns(&d.DayCounts)...)
})

var selectDays = `
SELECT ` + overviewDayColumns.SQL + `
FROM generate_series($2::date, $3::date, interval '1 day') AS d(day)
LEFT JOIN LATERAL (SELECT e.type, e.interest, 1 AS count FROM events e WHERE e.workspace_id = $1
	AND e.occurred_at >= d.day AT TIME ZONE 'UTC' AND e.occurred_at < (d.day + interval '1 day') AT TIME ZONE 'UTC'
	UNION ALL SELECT n.type, n.interest, n.count FROM event_counts n WHERE n.workspace_id = $1 AND n.day = d.day::date) ev ON true
GROUP BY d.day ORDER BY d.day`

// Overview counts the last days, today included, and as many days before them.
func (db *DB) Overview(ctx context.Context, workspace uuid.UUID, days int) (o outreach.Overview, err error) {
	today := db.Now().Truncate(24 * time.Hour)
	first := today.AddDate(0, 0, 1-2*days)
	all, err := overviewDayColumns.Query(ctx, db.pool, selectDays, workspace, first, today)
	if err != nil {
		return o, fmt.Errorf("count days: %w", err)
	}
	for n, day := range all {
		totals := &o.Previous
		if n >= days {
			totals = &o.Totals
			o.Days = append(o.Days, day.DayCounts)
		}
		totals.Add(day.DayCounts, day.clicked, day.unsubscribed)
	}
	return o, db.completeOverview(ctx, workspace, &o)
}

var setupColumns = NewColumns(func(o *outreach.Overview) []Column {
	return []Column{
		{"EXISTS (SELECT FROM mailboxes WHERE workspace_id = $1)", &o.Setup.Mailbox},
		{"EXISTS (SELECT FROM prospects WHERE workspace_id = $1)", &o.Setup.Prospects},
		{"EXISTS (SELECT FROM campaigns WHERE workspace_id = $1 AND status <> 'draft')", &o.Setup.Campaign},
		{"EXISTS (SELECT FROM tracking_domains WHERE workspace_id = $1 AND status = 'verified')", &o.Setup.TrackingDomain},
		{"EXISTS (SELECT FROM subscriptions WHERE workspace_id = $1 AND deleted_at IS NULL)", &o.Setup.Webhook},
		{`(SELECT count(*) FROM messages m
			WHERE m.workspace_id = $1 AND ` + countsAsSent + ` AND m.sent_at > $2)`, &o.SentLastHour},
		{`(SELECT count(*) FROM (SELECT FROM replies r
			WHERE r.workspace_id = $1 AND NOT r.done AND NOT r.automatic AND r.prospect_id IS NOT NULL LIMIT 1000) waiting)`, &o.UnreadReplies},
	}
})

var selectSetup = "SELECT " + setupColumns.SQL

// maxExplained bounds the active campaigns that an overview reads.
const maxExplained = 100

func (db *DB) completeOverview(ctx context.Context, workspace uuid.UUID, o *outreach.Overview) error {
	found, err := setupColumns.QueryOne(ctx, db.pool, selectSetup, workspace, db.Now().Add(-time.Hour))
	if err != nil {
		return fmt.Errorf("look at set-up: %w", err)
	}
	o.Setup, o.SentLastHour, o.UnreadReplies = found.Setup, found.SentLastHour, found.UnreadReplies
	if o.NotSendingReason, err = db.notSending(ctx, workspace); err != nil {
		return fmt.Errorf("look why nothing is sent: %w", err)
	}
	if o.NotSendingReason == nil && !o.Setup.Campaign {
		reason := "No campaign is active."
		o.NotSendingReason = &reason
	}
	return nil
}

// notSending returns not_sending_reason of the newest active campaign, or nil if any campaign
// sends.
func (db *DB) notSending(ctx context.Context, workspace uuid.UUID) (*string, error) {
	active := outreach.CampaignActive
	rows, err := db.ListCampaigns(ctx, workspace, outreach.CampaignFilter{Status: &active}, outreach.Page{Limit: maxExplained})
	if err != nil || len(rows.Rows) == 0 {
		return nil, err
	}
	for i := range rows.Rows {
		if rows.Rows[i].NotSendingReason == nil {
			return nil, nil
		}
	}
	return new(rows.Rows[0].Name + ": " + *rows.Rows[0].NotSendingReason), nil
}

var problemColumns = NewColumns(func(p *outreach.Problem) []Column {
	return []Column{
		{"a.kind", &p.Kind},
		{"a.id", &p.SubjectID},
		{"a.subject", &p.Subject},
		{"a.state", &p.State},
		{"a.text", &p.Text},
		{"a.count", &p.Count},
		{"a.since", &p.Since},
	}
})

// mailboxFails is the condition on mailboxes m that a person must look at.
const mailboxFails = `(m.status = 'error' OR m.status = 'paused' AND (m.sender_faults > 0 OR m.auto_paused))`

// listedAbove is the condition on held enrollments e whose cause is a problem of its own: the mailbox,
// or the message of which it is unknown whether it was sent.
const listedAbove = `(CASE e.hold_kind
	WHEN 'sender' THEN EXISTS (SELECT FROM mailboxes m WHERE m.workspace_id = $1 AND m.id = e.mailbox_id AND ` + mailboxFails + `)
	WHEN 'unknown' THEN EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = e.id AND m.run = e.run
		AND m.step = e.next_step AND (m.status NOT IN ('not_sent', 'bounced') OR m.reported) AND m.status = 'unknown')
	ELSE false END)`

var selectAttention = `
SELECT ` + problemColumns.SQL + ` FROM (
(SELECT 'mailbox_error' AS kind, m.id, m.email AS subject, CASE WHEN m.auth_error IS NOT NULL THEN m.provider
	WHEN m.auto_paused THEN 'auto_paused' ELSE m.status END AS state, coalesce(m.auth_error, m.last_error, '') AS text, 0 AS count,
	coalesce(m.last_checked_at, m.created_at) AS since
	FROM mailboxes m WHERE m.workspace_id = $1 AND ` + mailboxFails + ` ORDER BY since DESC LIMIT 50)
UNION ALL
(SELECT 'oauth_client_refused', f.id, f.provider, '', f.detail, 0, f.since
	FROM oauth_faults f WHERE f.workspace_id = $1)
UNION ALL
(SELECT 'sending_domain_failing', d.id, d.domain,
	CASE WHEN d.spf->>'result' IN ('fail', 'none') THEN 'SPF' ELSE 'DMARC' END,
	CASE WHEN d.spf->>'result' IN ('fail', 'none') THEN d.spf->>'detail' ELSE d.dmarc->>'detail' END, 0, d.failing_since
	FROM sending_domains d WHERE d.workspace_id = $1 AND d.state = 'failing' AND d.failing_since <= $4 ORDER BY d.failing_since LIMIT 50)
UNION ALL
(SELECT 'endpoint_failing', s.id, s.url, '', coalesce(f.error, ''), f.failed, f.since
	FROM subscriptions s CROSS JOIN LATERAL (
		SELECT count(*) AS failed, max(d.created_at) AS since, (array_agg(d.error ORDER BY d.created_at DESC))[1] AS error
		FROM deliveries d WHERE d.workspace_id = $1 AND d.subscription_id = s.id AND d.status = 'failed' AND d.created_at > $2) f
	WHERE s.workspace_id = $1 AND s.deleted_at IS NULL AND f.failed > 0 LIMIT 50)
UNION ALL
(SELECT 'message_unknown', m.id, m.recipient, '', '', 0, m.sent_at
	FROM messages m WHERE m.workspace_id = $1 AND m.status = 'unknown' ORDER BY m.sent_at DESC LIMIT 50)
UNION ALL
(SELECT 'enrollment_held', g.newest, coalesce(p.email, ''), c.name, g.reason, g.n, g.since
	FROM (SELECT h.campaign_id, h.reason, count(*) AS n, max(h.since) AS since,
			(array_agg(h.id ORDER BY h.created_at DESC, h.id DESC))[1] AS newest,
				(array_agg(h.prospect_id ORDER BY h.created_at DESC, h.id DESC))[1] AS prospect_id
		FROM (SELECT e.id, e.campaign_id, e.prospect_id, e.created_at, coalesce(e.hold_reason, '') AS reason,
			coalesce(e.next_send_at, e.created_at) AS since
			FROM enrollments e WHERE e.workspace_id = $1 AND e.status = 'held' AND e.hold_until IS NULL AND NOT ` + listedAbove + `
			ORDER BY e.created_at DESC, e.id DESC LIMIT $3) h
		GROUP BY h.campaign_id, h.reason) g
	JOIN campaigns c ON c.workspace_id = $1 AND c.id = g.campaign_id LEFT JOIN prospects p ON p.id = g.prospect_id
		AND p.workspace_id = $1 ORDER BY g.since DESC LIMIT 50)
) a LIMIT 50`

// Attention returns the problems that a person must solve, most urgent first. Of the newest thousand
// held enrollments, those of one campaign with one reason are one problem. Those whose cause is listed
// itself are not listed again.
func (db *DB) Attention(ctx context.Context, workspace uuid.UUID) ([]outreach.Attention, error) {
	now := db.Now()
	problems, err := problemColumns.Query(ctx, db.pool, selectAttention, workspace, now.Add(-24*time.Hour), outreach.MaxHeldCounted,
		now.Add(-outreach.DomainFailingAllowed))
	if err != nil {
		return nil, fmt.Errorf("list attention: %w", err)
	}
	all := make([]outreach.Attention, len(problems))
	for i, problem := range problems {
		all[i] = problem.Attention()
	}
	warnings, err := db.warnings(ctx, workspace)
	return outreach.MostUrgent(append(warnings, all...)), err
}

const countWaiting = `
SELECT count(*) FROM (SELECT FROM replies r WHERE r.workspace_id = $1 AND NOT r.done AND NOT r.automatic AND r.prospect_id IS NOT NULL
	AND (r.snoozed_until IS NULL OR r.snoozed_until <= $2) LIMIT 100) waiting`

// WaitingReplies counts the replies of people that are neither done nor snoozed, up to 100. It
// reads the index replies_waiting only.
func (db *DB) WaitingReplies(ctx context.Context, workspace uuid.UUID) (n int, err error) {
	if err := db.pool.QueryRow(ctx, countWaiting, workspace, db.Now()).Scan(&n); err != nil {
		return 0, fmt.Errorf("count waiting replies: %w", err)
	}
	return n, nil
}
