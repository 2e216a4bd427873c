package sending

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"outreach"
)

const selectDuePlacements = `
SELECT p.workspace_id, p.id FROM placement_checks p
WHERE p.look_at <= $1 AND (p.sent_at IS NOT NULL OR $3::boolean)
ORDER BY p.look_at LIMIT $2`

// ClaimPlacementChecks returns up to most checks that are due, each for one process. A
// process that dies before NotePlacement leaves them due again after the lease. While
// sending is off it returns only checks whose mail may have been sent before.
func (l *Ledger) ClaimPlacementChecks(ctx context.Context, most int) (claimed []outreach.PlacementCheck, err error) {
	may, err := l.guard.mayClaim(l.db.Pool().QueryRow(ctx, selectGate)) // so that checks that must wait take no places
	if err != nil {
		return nil, err
	}
	due, err := l.db.MailboxRefs(ctx, "list due placement checks", selectDuePlacements, l.db.Now(), most, may)
	if err != nil {
		return nil, err
	}
	for _, ref := range due {
		check := outreach.Ref(ref)
		mine, err := l.claimPlacement(ctx, check)
		if err != nil {
			return claimed, err
		}
		if !mine {
			continue // another process was first, or sending went off
		}
		c, err := l.db.PlacementCheck(ctx, check.WorkspaceID, check.ID)
		if errors.Is(err, outreach.ErrNotFound) {
			continue // its mailbox was deleted
		}
		if err != nil {
			return claimed, err
		}
		claimed = append(claimed, c)
	}
	return claimed, nil
}

const claimPlacement = `
UPDATE placement_checks SET look_at = $4
WHERE workspace_id = $1 AND id = $2 AND look_at <= $3 AND (sent_at IS NOT NULL OR $5::boolean)`

// claimPlacement reports whether this process gets a due check.
func (l *Ledger) claimPlacement(ctx context.Context, check outreach.Ref) (mine bool, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		may, err := l.guard.mayClaim(tx.QueryRow(ctx, selectGate))
		if err != nil {
			return err
		}
		now := l.db.Now()
		tag, err := tx.Exec(ctx, claimPlacement, check.WorkspaceID, check.ID, now, now.Add(outreach.PlacementLease), may)
		if err != nil {
			return fmt.Errorf("claim placement check: %w", err)
		}
		mine = tag.RowsAffected() == 1
		return nil
	})
	return mine, err
}
