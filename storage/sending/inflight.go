package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// InFlight is a message between commit 1 and commit 3.
type InFlight struct {
	ID, Workspace, Campaign, Prospect, mailbox, Enrollment uuid.UUID
	run, step                                              int
	Status                                                 outreach.MessageStatus
	Recipient, header                                      string
	holder                                                 *string
	tries                                                  int
	committed                                              *time.Time
}

const inFlightColumns = `m.id, m.workspace_id, m.campaign_id, m.prospect_id, m.mailbox_id, m.enrollment_id, m.run, m.step,
	CASE WHEN m.status = 'claimed' AND m.committed_at IS NOT NULL THEN 'committing' ELSE m.status END, m.recipient, m.message_id,
	m.holder, m.tries, m.committed_at`

const lockMessages = `SELECT ` + inFlightColumns + ` FROM messages m WHERE m.id = ANY($1) ORDER BY m.id FOR UPDATE`

// lockInFlight locks messages in the order of their ids and reads what decides about
// them. Those that are gone are missing.
func lockInFlight(ctx context.Context, tx pgx.Tx, ids []uuid.UUID) ([]InFlight, error) {
	rows, err := tx.Query(ctx, lockMessages, ids)
	if err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f InFlight, err error) {
		err = row.Scan(&f.ID, &f.Workspace, &f.Campaign, &f.Prospect, &f.mailbox, &f.Enrollment, &f.run, &f.step,
			&f.Status, &f.Recipient, &f.header, &f.holder, &f.tries, &f.committed)
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	return all, nil
}

// LockInFlight locks a message and reads what decides about it; ErrNotFound when it
// is gone.
func LockInFlight(ctx context.Context, tx pgx.Tx, id uuid.UUID) (InFlight, error) {
	all, err := lockInFlight(ctx, tx, []uuid.UUID{id})
	if err == nil && len(all) == 0 {
		err = outreach.ErrNotFound
	}
	if err != nil {
		return InFlight{}, storage.DomainError(err)
	}
	return all[0], nil
}

// open reports whether the fate of a message is still to be settled.
func (f InFlight) open() bool {
	return f.Status == outreach.MessageClaimed || f.Status == outreach.MessageCommitting || f.Status == outreach.MessageUnknown
}

// Provable reports whether something that refers to the message tells anything new.
func (f InFlight) Provable() bool { return f.open() || f.Status == outreach.MessageNotSent }
