package sending

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// The lock serialises concurrent bounces of one mailbox.
const lockHealth = `SELECT status, resumed_at FROM mailboxes WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`

const selectBad = `
SELECT ` + storage.BadCounts + `
FROM messages m
WHERE m.workspace_id = $1 AND m.mailbox_id = $2 AND m.sent_at > $3 AND ` + storage.BadStep

const countAttempts = `
SELECT count(*) FROM (SELECT FROM messages m
	WHERE m.workspace_id = $1 AND m.mailbox_id = $2 AND m.sent_at > $3 AND ` + storage.AttemptedStep + `
	LIMIT $4) one`

const pauseForHealth = `UPDATE mailboxes SET status = 'paused', auto_paused = true, last_error = $3
WHERE workspace_id = $1 AND id = $2 AND status IN ('connected', 'error')`

// judge pauses the mailbox of a message that bounced or was complained about if it has reached a
// bound. It runs in the transaction that records the fact, so a process that dies before the end
// has recorded neither.
func (l *Ledger) judge(ctx context.Context, tx pgx.Tx, f InFlight) error {
	var status outreach.MailboxStatus
	var resumed *time.Time
	err := tx.QueryRow(ctx, lockHealth, f.Workspace, f.mailbox).Scan(&status, &resumed)
	if errors.Is(err, pgx.ErrNoRows) || status == outreach.MailboxPaused {
		return nil
	}
	if err != nil {
		return fmt.Errorf("lock mailbox: %w", err)
	}
	var h outreach.SenderHealth
	since := outreach.HealthSince(l.db.Now(), resumed)
	if err := tx.QueryRow(ctx, selectBad, f.Workspace, f.mailbox, since).Scan(&h.Bounced, &h.Complained); err != nil {
		return fmt.Errorf("count bounces: %w", err)
	}
	if err := tx.QueryRow(ctx, countAttempts, f.Workspace, f.mailbox, since, h.EnoughAttempts()).Scan(&h.Attempted); err != nil {
		return fmt.Errorf("count attempts: %w", err)
	}
	if why := h.Pauses(); why != "" {
		if err := storage.Exec(ctx, tx, "pause mailbox", pauseForHealth, f.Workspace, f.mailbox, why); err != nil {
			return err
		}
	}
	return nil
}

const noteComplaint = `UPDATE messages SET complained = true WHERE workspace_id = $1 AND id = $2`

// Complained records that a step was reported as spam. It does nothing for an answer.
func (l *Ledger) Complained(ctx context.Context, tx pgx.Tx, f InFlight) error {
	if f.Answer {
		return nil
	}
	if err := storage.Exec(ctx, tx, "note complaint", noteComplaint, f.Workspace, f.ID); err != nil {
		return err
	}
	return l.judge(ctx, tx, f)
}
