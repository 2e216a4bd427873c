package sending

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// UndoSuppressions deletes suppressions and, in the same transaction, restores those of the
// enrollments stopped that a suppression stopped and that nothing else keeps from continuing:
// active, paused, or held with their cause. It returns how many were restored. A suppression that a
// person asked for is refused as in DeleteSuppression.
func (l *Ledger) UndoSuppressions(ctx context.Context, workspace uuid.UUID, ids, stopped []uuid.UUID) (restored int, err error) {
	ids = storage.InOrder(ids)
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		restored = 0
		for _, id := range ids {
			if err := storage.DropSuppression(ctx, tx, workspace, id, false); err != nil {
				return err
			}
		}
		campaigns, err := storage.Values[uuid.UUID](ctx, tx, "find campaigns", campaignsOfStopped, workspace, stopped)
		if err != nil {
			return err
		}
		for _, campaign := range campaigns {
			n, err := l.restoreIn(ctx, tx, workspace, campaign, stopped)
			if err != nil {
				return err
			}
			restored += n
		}
		return nil
	})
	return restored, err
}

const campaignsOfStopped = `
SELECT DISTINCT e.campaign_id FROM enrollments e WHERE e.workspace_id = $1 AND e.id = ANY($2) ORDER BY e.campaign_id`

const peopleOfStopped = `
SELECT e.prospect_id FROM enrollments e WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.campaign_id = $3`

var lockStopped = `
SELECT ` + haltedColumns.SQL + ` FROM enrollments e
WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.campaign_id = $3 AND e.status = 'stopped' AND e.stop_reason = ANY($4)
ORDER BY e.id FOR UPDATE`

// What was unknown may have been resolved since.
const endResolvedHolds = `
UPDATE enrollments e SET ` + storage.NotHeld + `
WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.hold_kind = 'unknown'
	AND NOT EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = e.id AND m.run = e.run AND m.status = 'unknown')`

const restoreEnrollments = `
UPDATE enrollments e SET status = CASE WHEN e.stop_reason = $5 THEN 'paused' WHEN e.hold_kind IS NOT NULL THEN 'held' ELSE 'active' END,
	stop_reason = NULL, next_step = one.step, next_send_at = one.due
FROM unnest($2::uuid[], $3::int[], $4::timestamptz[]) one(id, step, due)
WHERE e.workspace_id = $1 AND e.id = one.id`

// restoreIn restores the enrollments of one campaign. The locks are those of resumeEnded.
func (l *Ledger) restoreIn(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID, stopped []uuid.UUID) (int, error) {
	if _, err := tx.Exec(ctx, lockCampaignState, workspace, campaign); err != nil {
		return 0, fmt.Errorf("lock campaign: %w", err)
	}
	g := &goingOn{ledger: l, now: l.db.Now()}
	var err error
	if g.campaign, err = storage.Campaigns.One(ctx, tx, workspace, campaign); err != nil {
		return 0, err
	}
	if g.campaign.Status == outreach.CampaignArchived {
		return 0, nil
	}
	people, err := storage.Values[uuid.UUID](ctx, tx, "find people", peopleOfStopped, workspace, stopped, campaign)
	if err != nil {
		return 0, err
	}
	if _, err := lockProspects(ctx, tx, workspace, people); err != nil {
		return 0, err
	}
	paused := outreach.EndSuppressedPaused.Ending().Reason
	list, err := haltedColumns.Query(ctx, tx, lockStopped, workspace, stopped, campaign,
		[]string{outreach.EndSuppressed.Ending().Reason, paused})
	if err != nil {
		return 0, fmt.Errorf("lock stopped enrollments: %w", err)
	}
	c, _, err := g.judge(ctx, tx, list)
	if err != nil || len(c.enrollments) == 0 {
		return 0, err
	}
	if _, err := tx.Exec(ctx, endResolvedHolds, workspace, c.enrollments); err != nil {
		return 0, fmt.Errorf("end resolved holds: %w", err)
	}
	if _, err := tx.Exec(ctx, restoreEnrollments, workspace, c.enrollments, c.steps, c.due, paused); err != nil {
		return 0, fmt.Errorf("restore enrollments: %w", err)
	}
	return len(c.enrollments), g.reopen(ctx, tx, c)
}
