package sending

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// most bounds the campaigns, or enrollments, that one query returns.
const most = 1000

const selectBack = `SELECT workspace_id, id FROM enrollments WHERE hold_until <= $1 ORDER BY hold_until LIMIT $2`

const endAbsences = `UPDATE enrollments SET ` + storage.EndHold + ` WHERE workspace_id = $1 AND id = ANY($2) AND hold_until <= $3`

// Campaigns whose enrollments have all ended. A campaign without enrollments is not completed. Each
// check reads one row of an index: a join would read all enrollments each minute.
const selectOver = `
SELECT c.workspace_id, c.id FROM campaigns c
WHERE c.status = 'active' AND CASE
	WHEN (SELECT true FROM enrollments e WHERE e.workspace_id = c.workspace_id AND e.campaign_id = c.id AND e.status = 'active'
		ORDER BY e.workspace_id, e.campaign_id, (e.next_step > 1) LIMIT 1) THEN false
	WHEN (SELECT true FROM enrollments e WHERE e.workspace_id = c.workspace_id AND e.campaign_id = c.id AND e.status IN ('held', 'paused')
		ORDER BY e.workspace_id, e.campaign_id, e.status LIMIT 1) THEN false
	ELSE (SELECT true FROM enrollments e WHERE e.workspace_id = c.workspace_id AND e.campaign_id = c.id
		ORDER BY e.workspace_id, e.campaign_id, e.prospect_id LIMIT 1) END
LIMIT $1`

const completeCampaigns = `UPDATE campaigns SET status = 'completed' WHERE workspace_id = $1 AND id = ANY($2) AND status = 'active'`

// Completed campaigns with an enrollment that is due: a prospect may have been added while the
// campaign completed. The check is one index lookup for each completed campaign.
const selectReopened = `
SELECT c.workspace_id, c.id FROM campaigns c
WHERE c.status = 'completed'
	AND (SELECT true FROM enrollments e WHERE e.workspace_id = c.workspace_id AND e.campaign_id = c.id AND e.status = 'active'
	ORDER BY e.workspace_id, e.campaign_id, (e.next_step > 1) LIMIT 1)
LIMIT $1`

const reopenCampaigns = `UPDATE campaigns SET status = 'active' WHERE workspace_id = $1 AND id = ANY($2) AND status = 'completed'`

// RefreshCampaigns updates what depends on time alone: holds that are over end, and campaigns
// complete. Repeating it, or dying in it, changes nothing. Its queries are planned like statements
// of groups: a plan that was made while these tables were small would read them from end to end.
func (l *Ledger) RefreshCampaigns(ctx context.Context) error {
	if err := l.endAbsences(ctx); err != nil {
		return fmt.Errorf("end absences: %w", err)
	}
	if err := l.refresh(ctx, selectOver, completeCampaigns, false); err != nil {
		return fmt.Errorf("complete campaigns: %w", err)
	}
	if err := l.refresh(ctx, selectReopened, reopenCampaigns, true); err != nil {
		return fmt.Errorf("reopen campaigns: %w", err)
	}
	return nil
}

func (l *Ledger) endAbsences(ctx context.Context) error {
	now := l.db.Now()
	rows, err := l.db.Groups().Query(ctx, selectBack, now, most)
	if err != nil {
		return err
	}
	back, err := pgx.CollectRows(rows, pgx.RowToStructByPos[outreach.Ref])
	if err != nil {
		return err
	}
	return storage.ByWorkspace(back, outreach.Ref.Workspace, func(workspace uuid.UUID, some []outreach.Ref) error {
		return l.db.GroupTx(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, endAbsences, workspace, storage.InOrder(outreach.IDsOf(some)), now); err != nil {
				return err
			}
			return storage.Wake(ctx, tx, workspace)
		})
	})
}

// refresh runs change for the campaigns that find returns. wake reports that an enrollment may be
// due afterwards.
func (l *Ledger) refresh(ctx context.Context, find, change string, wake bool) error {
	rows, err := l.db.Groups().Query(ctx, find, most)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[outreach.Ref])
	if err != nil {
		return err
	}
	return storage.ByWorkspace(found, outreach.Ref.Workspace, func(workspace uuid.UUID, some []outreach.Ref) error {
		return l.db.GroupTx(ctx, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, change, workspace, outreach.IDsOf(some))
			if err != nil || !wake || tag.RowsAffected() == 0 {
				return err
			}
			return storage.Wake(ctx, tx, workspace)
		})
	})
}
