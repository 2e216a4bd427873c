package sending

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// most bounds the enrollments that one query returns.
const most = 1000

const selectBack = `SELECT workspace_id, id FROM enrollments WHERE hold_until <= $1 ORDER BY hold_until LIMIT $2`

// An enrollment that has ended may keep its hold, for a reply that is marked as automatic later (RestoreReplied).
const endAbsences = `
UPDATE enrollments SET ` + storage.EndHold + ` WHERE workspace_id = $1 AND id = ANY($2) AND hold_until <= $3
RETURNING status IN ('active', 'paused')`

// completeCampaigns completes campaigns whose enrollments have all ended. A campaign without
// enrollments is not completed. Each check reads one row of an index.
const completeCampaigns = `
UPDATE campaigns c SET status = 'completed'
WHERE c.workspace_id = $1 AND c.status = 'active' AND CASE
	WHEN (SELECT true FROM enrollments e WHERE e.workspace_id = $1 AND e.campaign_id = c.id AND e.status = 'active'
		ORDER BY e.workspace_id, e.campaign_id, (e.next_step > 1) LIMIT 1) THEN false
	WHEN (SELECT true FROM enrollments e WHERE e.workspace_id = $1 AND e.campaign_id = c.id AND e.status IN ('held', 'paused')
		ORDER BY e.workspace_id, e.campaign_id, e.status LIMIT 1) THEN false
	ELSE (SELECT true FROM enrollments e WHERE e.workspace_id = $1 AND e.campaign_id = c.id
		ORDER BY e.workspace_id, e.campaign_id, e.prospect_id LIMIT 1) END`

// reopenCampaigns opens completed campaigns with an enrollment that is due: a prospect may have been
// added while the campaign completed.
const reopenCampaigns = `
UPDATE campaigns c SET status = 'active'
WHERE c.workspace_id = $1 AND c.status = 'completed'
	AND (SELECT true FROM enrollments e WHERE e.workspace_id = $1 AND e.campaign_id = c.id AND e.status = 'active'
	ORDER BY e.workspace_id, e.campaign_id, (e.next_step > 1) LIMIT 1)`

// RefreshCampaigns ends holds that are over, and checks the mailboxes and campaigns of workspaces in
// which something has changed. It can be interrupted and repeated at any time. Its queries use the
// connections of DB.Groups: a plan that was made while these tables were small would read whole tables.
func (l *Ledger) RefreshCampaigns(ctx context.Context) error {
	if err := l.endAbsences(ctx); err != nil {
		return fmt.Errorf("end absences: %w", err)
	}
	return l.wake(ctx)
}

func (l *Ledger) endAbsences(ctx context.Context) error {
	now := l.db.Now()
	back, err := storage.Refs(ctx, l.db.Groups(), "look who is back", selectBack, now, most)
	if err != nil {
		return err
	}
	for workspace, some := range storage.ByWorkspace(back, outreach.Ref.Workspace) {
		err := l.db.GroupTx(ctx, func(tx pgx.Tx) error {
			running, err := storage.Values[bool](ctx, tx, "end absences", endAbsences, workspace, storage.InOrder(outreach.IDsOf(some)), now)
			if err != nil || !slices.Contains(running, true) {
				return err
			}
			return storage.Wake(ctx, tx, workspace)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkCampaigns completes the campaigns of a workspace that are over, and opens those again that
// are not.
//
// A prospect may be added to a campaign while this transaction completes it. Neither sees the other,
// and the check that the new enrollment asks for may be over before this commit. So a completed
// campaign is checked once more. The mailboxes of a reopened campaign look.
func checkCampaigns(ctx context.Context, tx pgx.Tx, workspace uuid.UUID) error {
	completed, err := tx.Exec(ctx, completeCampaigns, workspace)
	if err != nil {
		return fmt.Errorf("complete campaigns: %w", err)
	}
	reopened, err := tx.Exec(ctx, reopenCampaigns, workspace)
	if err != nil {
		return fmt.Errorf("reopen campaigns: %w", err)
	}
	switch {
	case reopened.RowsAffected() > 0:
		return storage.Wake(ctx, tx, workspace)
	case completed.RowsAffected() > 0:
		return storage.WakeCampaigns(ctx, tx, workspace)
	}
	return nil
}
