package storage

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// replanCampaign derives the due times of all waiting enrollments of a campaign after a change of its
// steps. The delay of a step counts from the step before it, that of the first step from the start of the
// run. Times are added in UTC: the sum is then the same on every server, as Citus demands of
// writes.
const replanCampaign = `
UPDATE enrollments e SET next_send_at = (coalesce(e.last_step_at,
	e.begun_at) AT TIME ZONE 'UTC' + make_interval(mins => s.delay_minutes)) AT TIME ZONE 'UTC'
FROM steps s
WHERE s.workspace_id = $1 AND s.campaign_id = $2 AND s.position = e.next_step
	AND e.workspace_id = $1 AND e.campaign_id = $2 AND e.status IN ('active', 'held', 'paused') AND e.next_send_at IS NOT NULL`

// otherDelays reports whether the due times of two lists of steps differ.
func otherDelays(a, b *outreach.Campaign) bool {
	return !slices.EqualFunc(a.Steps, b.Steps, func(x, y outreach.Step) bool { return x.ID == y.ID && x.DelayMinutes == y.DelayMinutes })
}

const moveTimezones = `
UPDATE enrollments e SET timezone = coalesce(one.timezone, '') FROM unnest($2::uuid[], $3::text[]) one(prospect_id, timezone)
WHERE e.workspace_id = $1 AND e.prospect_id = one.prospect_id AND e.timezone <> coalesce(one.timezone, '')`

// moveEnrollments plans the enrollments of prospects in a new time zone.
func moveEnrollments(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospects []uuid.UUID, timezones []*string) error {
	if err := Exec(ctx, tx, "move enrollments to a time zone", moveTimezones, workspace, prospects,
		timezones); err != nil {
		return err
	}
	return Wake(ctx, tx, workspace)
}
