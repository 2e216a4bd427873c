package sending

import (
	"context"

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
		for _, id := range ids {
			if err := storage.DropSuppression(ctx, tx, workspace, id, false); err != nil {
				return err
			}
		}
		restored, err = l.restore(ctx, tx, workspace, stopped, outreach.EndSuppressed, outreach.EndSuppressedPaused)
		return err
	})
	return restored, err
}
