package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const insertWake = `INSERT INTO sender_wakes (workspace_id, id) VALUES ($1, $2)`

// Wake makes the mailboxes of a workspace due for a check at the next tick. Call it in each
// transaction that may make an enrollment due earlier. It waits for no lock.
func Wake(ctx context.Context, tx pgx.Tx, workspace uuid.UUID) error {
	if _, err := tx.Exec(ctx, insertWake, workspace, NewID()); err != nil {
		return fmt.Errorf("wake mailboxes: %w", err)
	}
	return nil
}
