package storage

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Ended is the SET list of an enrollment that has ended, without its status and reason.
const Ended = NotHeld + `, next_step = NULL, next_send_at = NULL`

const endEnrollment = `
UPDATE enrollments SET status = $3, stop_reason = $4, ` + Ended + `
WHERE workspace_id = $1 AND id = $2`

// EndOne ends an enrollment and derives the status of its prospect.
func EndOne(ctx context.Context, tx pgx.Tx, workspace, enrollment, prospect uuid.UUID, end outreach.Ending) error {
	if err := Exec(ctx, tx, "end enrollment", endEnrollment, workspace, enrollment, end.Status,
		end.ReasonOrNil()); err != nil {
		return err
	}
	if err := WakeIfEnded(ctx, tx, workspace, enrollment); err != nil {
		return err
	}
	_, err := RefreshStatus(ctx, tx, workspace, prospect)
	return err
}
