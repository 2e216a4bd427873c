package storage

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const selectWrittenTo = `SELECT DISTINCT m.recipient FROM messages m WHERE m.workspace_id = $1 AND m.prospect_id = $2`

const selectAddress = `SELECT p.email FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2 FOR UPDATE`

const selectHasReplies = `SELECT EXISTS (SELECT FROM replies r WHERE r.workspace_id = $1 AND r.prospect_id = $2)`

// EraseProspect deletes a prospect with the texts of all mail from and to them, and the record that
// the addresses replied and were enrolled. Counts and suppressions stay. It works for a deleted prospect as long as
// mail of theirs is stored.
func (db *DB) EraseProspect(ctx context.Context, workspace, id uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		addresses, err := Values[string](ctx, tx, "look for mail to erase", selectAddress, workspace, id)
		if err != nil {
			return err
		}
		there := len(addresses) > 0
		written, err := Values[string](ctx, tx, "look for mail to erase", selectWrittenTo, workspace, id)
		if err != nil {
			return err
		}
		replied, err := Values[bool](ctx, tx, "look for mail to erase", selectHasReplies, workspace, id)
		if err != nil {
			return err
		}
		if !there && len(written) == 0 && !replied[0] {
			return outreach.ErrNotFound
		}
		if there {
			if err := dropProspect(ctx, tx, workspace, id); err != nil {
				return err
			}
		}
		return eraseMail(ctx, tx, workspace, id, slices.Concat(addresses, written))
	})
}

const (
	forgetReplied = `DELETE FROM former_replies WHERE workspace_id = $1 AND email_key = ANY($2)`

	forgetEnrolled = `DELETE FROM former_enrollments WHERE workspace_id = $1 AND email_key = ANY($2)`

	// Scheduled answers are deleted. The bytes of a message in progress are deleted when the server
	// has answered.
	eraseBodies = `
UPDATE messages SET body_text = '', body_html = NULL,
	status = CASE WHEN status = 'scheduled' AND committed_at IS NULL THEN 'not_sent' ELSE status END,
	raw = CASE WHEN status IN ('claimed', 'scheduled') AND committed_at IS NOT NULL THEN raw END
WHERE workspace_id = $1 AND prospect_id = $2`

	eraseDrafts = `
DELETE FROM answer_drafts d WHERE d.workspace_id = $1
	AND d.reply_id IN (SELECT r.id FROM replies r WHERE r.workspace_id = $1 AND r.prospect_id = $2)`

	eraseReplies = `DELETE FROM replies WHERE workspace_id = $1 AND prospect_id = $2`
)

// eraseMail deletes what was written to and by a prospect.
func eraseMail(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID, addresses []string) error {
	keys := make([]string, len(addresses))
	for i, address := range addresses {
		keys[i] = outreach.CanonicalEmail(address)
	}
	batch := &pgx.Batch{}
	batch.Queue(forgetReplied, workspace, keys)
	batch.Queue(forgetEnrolled, workspace, keys)
	batch.Queue(eraseBodies, workspace, id)
	batch.Queue(eraseDrafts, workspace, id)
	batch.Queue(eraseReplies, workspace, id)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("erase mail of a prospect: %w", err)
	}
	return nil
}
