package storage

import (
	"context"
	"fmt"
	"outreach"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// An enrollment that was put off, to the next opening of a window or the next
// day, takes its own time again: the delay of its step after the step before or
// after the enrollment. Where the window still is closed it will be put off anew.
// Of a restarted one nobody knows when it began, so a first step's delay runs on.
// Whoever is being looked at by a sender is due already, hence no waiting for it.
const itsOwnTime = ` enrollments e SET next_send_at = w.at FROM (
	SELECT e.id, make_interval(mins => s.delay_minutes) + CASE
		WHEN e.next_step > 1 THEN (SELECT max(m.sent_at) FROM messages m WHERE m.workspace_id = e.workspace_id AND m.prospect_id = e.prospect_id
			AND m.enrollment_id = e.id AND m.run = e.run AND m.step = e.next_step - 1 AND m.status IN ('sent', 'bounced', 'unknown'))
		WHEN e.run = 1 OR s.delay_minutes = 0 THEN e.created_at END AS at
	FROM enrollments e JOIN steps s ON s.campaign_id = e.campaign_id AND s.position = e.next_step
	WHERE e.workspace_id = $1 AND e.status IN ('active', 'held', 'paused') AND e.next_send_at > $3`

const keepEarlier = ` FOR UPDATE OF e SKIP LOCKED) w WHERE e.id = w.id AND w.at < e.next_send_at`

const (
	replanCampaign  = "UPDATE" + itsOwnTime + " AND e.campaign_id = $2" + keepEarlier
	replanProspects = "UPDATE" + itsOwnTime + " AND e.prospect_id = ANY($2)" + keepEarlier
)

// replan runs one of the two, for a campaign or for prospects, after what decides
// about the window has changed.
func replan(ctx context.Context, tx pgx.Tx, sql string, workspace uuid.UUID, whose any, now time.Time) error {
	if _, err := tx.Exec(ctx, sql, workspace, whose, now); err != nil {
		return fmt.Errorf("plan enrollments anew: %w", err)
	}
	return nil
}

// otherHours reports whether the two differ in when they send.
func otherHours(a, b *outreach.Campaign) bool {
	return a.Timezone != b.Timezone || !slices.Equal(a.SendDays, b.SendDays) || a.SendFrom != b.SendFrom || a.SendUntil != b.SendUntil ||
		!SameValue(a.DailyNewLimit, b.DailyNewLimit)
}
