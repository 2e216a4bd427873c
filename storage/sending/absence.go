package sending

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach/storage"
)

// Only enrollments of campaign $3 that have just begun or continued are held: a person may have
// resumed others by hand.
const joinAbsences = `
UPDATE enrollments e SET status = 'held', hold_kind = 'absence', hold_reason = away.hold_reason, hold_until = away.hold_until
FROM (SELECT DISTINCT ON (o.prospect_id) o.prospect_id, o.hold_reason, o.hold_until FROM enrollments o
	WHERE o.workspace_id = $1 AND o.prospect_id = ANY($2) AND o.status IN ('held', 'paused') AND o.hold_kind = 'absence' AND o.hold_until > $4
	ORDER BY o.prospect_id, o.hold_until DESC) away
WHERE e.workspace_id = $1 AND e.campaign_id = $3 AND e.prospect_id = away.prospect_id AND e.status = 'active'`

// joinAbsence holds the enrollments of a campaign that begin or continue while their prospects are
// out of office: an absence applies to every campaign.
func joinAbsence(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID, prospects []uuid.UUID, now time.Time) error {
	return storage.Exec(ctx, tx, "hold for absences", joinAbsences, workspace, prospects, campaign, now)
}
