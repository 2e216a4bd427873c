package inbound

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// Workspaces take turns: first comes who has the fewest mailboxes being read. One
// process reads no more than a share of one workspace at a time, so that one whose
// servers all hang leaves readers to the others.
const claimReaders = `
WITH clock AS MATERIALIZED (SELECT statement_timestamp() AS now),
busy AS (
	SELECT b.workspace_id, count(*) AS n, count(*) FILTER (WHERE b.receive_holder = $2) AS own
	FROM mailboxes b, clock WHERE b.receive_lease >= clock.now GROUP BY b.workspace_id
),
due AS MATERIALIZED (
	SELECT d.id, coalesce(busy.n, 0) + row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.receive_at, d.id) AS turn,
		coalesce(busy.own, 0) + row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.receive_at, d.id) AS share
	FROM clock, mailboxes d LEFT JOIN busy USING (workspace_id)
	WHERE d.receive_at <= clock.now AND (d.receive_lease IS NULL OR d.receive_lease < clock.now)
)
UPDATE mailboxes m SET receive_holder = $2, receive_lease = statement_timestamp() + $3, receive_at = statement_timestamp() + $4
WHERE m.id IN (SELECT r.id FROM mailboxes r JOIN due USING (id)
	WHERE due.share <= $5 AND r.receive_at <= statement_timestamp() AND (r.receive_lease IS NULL OR r.receive_lease < statement_timestamp())
	ORDER BY due.turn, r.receive_at LIMIT $1 FOR UPDATE OF r SKIP LOCKED)
RETURNING m.workspace_id, m.id`

// Readers claims mailboxes that are due for reading, each for one process. Paused
// ones are read too: what they have sent is still answered.
//
// A process that dies after this leaves a lease: the mailbox is read by another
// when it is over, from where reading had stopped.
func (b *Inbox) Readers(ctx context.Context, claim outreach.ReadClaim) ([]outreach.MailboxRef, error) {
	return b.db.MailboxRefs(ctx, "claim mailboxes to read", claimReaders, claim.Limit, claim.Holder, outreach.LeaseLength, claim.Every, claim.Share)
}

const renewReaders = `UPDATE mailboxes SET receive_lease = statement_timestamp() + $3 WHERE id = ANY($1) AND receive_holder = $2 AND receive_lease IS NOT NULL`

// RenewReaders keeps the leases of mailboxes that this process is reading.
func (b *Inbox) RenewReaders(ctx context.Context, ids []uuid.UUID, holder string) error {
	if _, err := b.db.Pool().Exec(ctx, renewReaders, ids, holder, outreach.LeaseLength); err != nil {
		return fmt.Errorf("renew leases of mailboxes: %w", err)
	}
	return nil
}

// A mailbox in error is connected again as soon as it could be read. That says
// nothing of the refusals it met when sending.
const doneReading = `
UPDATE mailboxes SET receive_lease = NULL, receive_holder = NULL, last_checked_at = $4,
	last_error = CASE WHEN $5::text IS NULL AND sender_faults > 0 THEN last_error ELSE $5 END,
	status = CASE WHEN status = 'paused' THEN status WHEN $5::text IS NULL THEN 'connected' ELSE 'error' END
WHERE workspace_id = $1 AND id = $2 AND receive_holder = $3`

const leaveReading = `
UPDATE mailboxes SET receive_lease = NULL, receive_holder = NULL, receive_at = statement_timestamp()
WHERE workspace_id = $1 AND id = $2 AND receive_holder = $3`

// LeaveReading gives a mailbox back whose reading was broken off, so that another
// process goes on with it at once.
func (b *Inbox) LeaveReading(ctx context.Context, workspace, id uuid.UUID, holder string) error {
	if _, err := b.db.Pool().Exec(ctx, leaveReading, workspace, id, holder); err != nil {
		return fmt.Errorf("leave mailbox: %w", err)
	}
	return nil
}

// DoneReading gives a mailbox back; failure is words for its owner, nil when it
// could be read.
func (b *Inbox) DoneReading(ctx context.Context, workspace, id uuid.UUID, holder string, failure *string) error {
	if _, err := b.db.Pool().Exec(ctx, doneReading, workspace, id, holder, b.db.Now(), failure); err != nil {
		return fmt.Errorf("give mailbox back: %w", err)
	}
	return nil
}

const wakeReader = `UPDATE mailboxes SET receive_at = statement_timestamp() WHERE id = $1 AND receive_at > statement_timestamp()`

// WakeReader makes a mailbox due for reading now, since its server has announced
// something new.
func (b *Inbox) WakeReader(ctx context.Context, mailbox uuid.UUID) error {
	if _, err := b.db.Pool().Exec(ctx, wakeReader, mailbox); err != nil {
		return fmt.Errorf("wake reader: %w", err)
	}
	return nil
}

const selectPositions = `
SELECT f.folder, f.uid_validity, f.last_uid
FROM mailboxes m JOIN mailbox_folders f ON f.workspace_id = m.workspace_id AND f.mailbox_id = m.id
WHERE m.id = $1`

// Positions gives where reading stopped in each folder of a mailbox.
func (b *Inbox) Positions(ctx context.Context, mailbox uuid.UUID) ([]outreach.FolderPosition, error) {
	rows, err := b.db.Pool().Query(ctx, selectPositions, mailbox)
	if err != nil {
		return nil, fmt.Errorf("read positions: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p outreach.FolderPosition, err error) {
		var validity, uid int64
		err = row.Scan(&p.Folder, &validity, &uid)
		p.UIDValidity, p.UID = uint32(validity), uint32(uid)
		return p, err
	})
}

const upsertPosition = `
INSERT INTO mailbox_folders (workspace_id, mailbox_id, folder, uid_validity, last_uid)
SELECT m.workspace_id, m.id, $2, $3, $4 FROM mailboxes m WHERE m.id = $1
ON CONFLICT (workspace_id, mailbox_id, folder) DO UPDATE SET uid_validity = excluded.uid_validity, last_uid = excluded.last_uid`

// storePosition notes where reading goes on.
func storePosition(ctx context.Context, q storage.Querier, mailbox uuid.UUID, p outreach.FolderPosition) error {
	if _, err := q.Exec(ctx, upsertPosition, mailbox, p.Folder, int64(p.UIDValidity), int64(p.UID)); err != nil {
		return fmt.Errorf("store position: %w", err)
	}
	return nil
}
