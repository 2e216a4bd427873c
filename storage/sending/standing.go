package sending

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// standingColumns are what decides whether a prospect p may be written to, in the
// order of scanStanding. The suppression of an address and that of a domain are
// each found by a unique key, so that the number of suppressions does not matter.
const standingColumns = `
	p.unsubscribed_at IS NOT NULL, p.bounced_at IS NOT NULL, p.replied_at IS NOT NULL,
	coalesce((SELECT s.reason FROM suppressions s WHERE s.workspace_id = p.workspace_id AND s.email_key = p.email_key), ''),
	coalesce((SELECT s.reason FROM suppressions s WHERE s.workspace_id = p.workspace_id AND s.domain = split_part(p.email_key, '@', -1)), '')`

// standingTargets are the scan targets of standingColumns.
func standingTargets(s *outreach.Standing) []any {
	return []any{&s.Unsubscribed, &s.Bounced, &s.Replied, &s.Address, &s.Domain}
}

const selectStandings = `
SELECT p.id, EXISTS (SELECT FROM companies own JOIN companies k ON k.workspace_id = $1 AND k.site = own.site
	JOIN prospects q ON q.workspace_id = $1 AND q.company_id = k.id
	WHERE own.workspace_id = $1 AND own.id = p.company_id AND q.replied_at IS NOT NULL AND q.id <> p.id),` + standingColumns + `
FROM prospects p WHERE p.workspace_id = $1 AND p.id = ANY($2)`

// standings reads what decides about several prospects. Those that are gone are
// missing.
func standings(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospects []uuid.UUID) (map[uuid.UUID]outreach.Standing, error) {
	rows, err := tx.Query(ctx, selectStandings, workspace, prospects)
	if err != nil {
		return nil, fmt.Errorf("read standings: %w", err)
	}
	of := make(map[uuid.UUID]outreach.Standing, len(prospects))
	var id uuid.UUID
	var s outreach.Standing
	_, err = pgx.ForEachRow(rows, append([]any{&id, &s.Company}, standingTargets(&s)...), func() error {
		of[id] = s
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read standings: %w", err)
	}
	return of, nil
}

// deleted is how an enrollment ends whose prospect is gone.
func deleted() ending {
	return ending{outreach.EnrollmentStopped, "the prospect was deleted"}
}

// ending is how an enrollment ends.
type ending struct {
	status outreach.EnrollmentStatus
	reason string
}

// endingOf is how an enrollment ends that an obstacle stands against.
func endingOf(o outreach.Obstacle) ending {
	switch o {
	case outreach.ObstacleUnsubscribed:
		return ending{outreach.EnrollmentUnsubscribed, "the prospect unsubscribed"}
	case outreach.ObstacleBounced:
		return ending{outreach.EnrollmentBounced, "mail to the prospect bounces"}
	case outreach.ObstacleReplied:
		return ending{outreach.EnrollmentReplied, "the prospect replied"}
	}
	return ending{outreach.EnrollmentStopped, "the address is suppressed"}
}
