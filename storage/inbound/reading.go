package inbound

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// Workspaces take turns: the one with the fewest mailboxes being read comes first. One process
// reads at most a share of one workspace at a time, so that a workspace whose servers hang does not
// use all readers.
const selectReaders = `
WITH busy AS (
	SELECT b.workspace_id, count(*) AS n, count(*) FILTER (WHERE b.receive_holder = $2) AS own
	FROM mailboxes b WHERE b.receive_lease >= statement_timestamp() GROUP BY b.workspace_id
)
SELECT due.workspace_id, due.id FROM (
	SELECT d.workspace_id, d.id, d.receive_at,
		coalesce(busy.n, 0) + row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.receive_at, d.id) AS turn,
		coalesce(busy.own, 0) + row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.receive_at, d.id) AS share
	FROM mailboxes d LEFT JOIN busy ON busy.workspace_id = d.workspace_id
	WHERE ` + storage.KnownMailbox + `
		AND d.receive_at <= statement_timestamp() AND (d.receive_lease IS NULL OR d.receive_lease < statement_timestamp())
) due WHERE due.share <= $3 ORDER BY due.turn, due.receive_at LIMIT $1`

// A mailbox that was connected or has sent something recently is due again after an interval, others
// after a longer one. Citus refuses a time in the condition of a write, so the subquery chooses.
const leaseReaders = `
UPDATE mailboxes b SET receive_holder = $3, receive_lease = statement_timestamp() + $4, receive_at = due.next_at
FROM (
	SELECT m.id, CASE WHEN m.last_commit_at > $7 OR m.created_at > $7 OR EXISTS (
		SELECT FROM messages s WHERE s.workspace_id = $1 AND s.mailbox_id = m.id AND s.status IN ('sent', 'bounced', 'unknown')
			AND s.sent_at > $7) THEN wait.next_at ELSE wait.idle_at END AS next_at
	FROM mailboxes m, (SELECT statement_timestamp() + $5::interval AS next_at, statement_timestamp() + $6::interval AS idle_at) wait
	WHERE m.workspace_id = $1 AND m.id = ANY($2) AND m.receive_at <= statement_timestamp()
		AND (m.receive_lease IS NULL OR m.receive_lease < statement_timestamp()) ORDER BY m.id FOR UPDATE OF m SKIP LOCKED
) due
WHERE b.workspace_id = $1 AND b.id = due.id
RETURNING b.workspace_id, b.id`

// lockWait and maxLockWait bound the waits for a mailbox that another transaction has locked.
// Together they are 1.3 seconds, because those locks are short.
const (
	lockWait    = 10 * time.Millisecond
	maxLockWait = 640 * time.Millisecond
)

// Readers leases mailboxes that are due for reading, each to one process. Paused mailboxes are read
// too, because replies to their messages still count. Mailboxes that another process leases at the
// same time are left out. Readers tries a locked mailbox again, because the next tick is an
// interval away.
//
// If the process dies after it, the lease ends and another process reads the mailbox from the
// stored position.
func (b *Inbox) Readers(ctx context.Context, request outreach.ReadRequest) (leased []outreach.MailboxRef, err error) {
	for wait := lockWait; ; wait *= 2 {
		found, mine, err := b.leaseReaders(ctx, request, request.Limit-len(leased))
		leased = append(leased, mine...)
		if err != nil || found == len(mine) || wait > maxLockWait {
			return leased, err
		}
		select {
		case <-ctx.Done():
			return leased, nil
		case <-time.After(wait):
		}
	}
}

// leaseReaders leases up to limit mailboxes and returns how many were due.
func (b *Inbox) leaseReaders(ctx context.Context, request outreach.ReadRequest, limit int) (found int,
	leased []outreach.MailboxRef, err error) {
	due, err := b.db.MailboxRefs(ctx, "list mailboxes to read", selectReaders, limit, request.Holder, request.Share)
	if err != nil {
		return 0, nil, err
	}
	for workspace, some := range storage.ByWorkspace(due, outreach.MailboxRef.Workspace) {
		mine, err := b.db.MailboxRefs(ctx, "lease mailboxes to read", leaseReaders, workspace, idsOf(some), request.Holder,
			outreach.LeaseLength, request.Every, max(request.Every, outreach.IdleReadInterval), outreach.IdleSince(b.db.Now()))
		leased = append(leased, mine...)
		if err != nil {
			return len(due), leased, err
		}
	}
	return len(due), leased, nil
}

const renewReaders = `
UPDATE mailboxes SET receive_lease = statement_timestamp() + $4
WHERE workspace_id = $1 AND id = ANY($2) AND receive_holder = $3 AND receive_lease IS NOT NULL`

// RenewReaders renews the leases of mailboxes that this process is reading.
func (b *Inbox) RenewReaders(ctx context.Context, boxes []outreach.MailboxRef, holder string) error {
	batch := &pgx.Batch{}
	for workspace, some := range storage.ByWorkspace(boxes, outreach.MailboxRef.Workspace) {
		batch.Queue(renewReaders, workspace, idsOf(some), holder, outreach.LeaseLength)
	}
	if err := b.db.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("renew leases of mailboxes: %w", err)
	}
	return nil
}

func idsOf(boxes []outreach.MailboxRef) []uuid.UUID {
	ids := make([]uuid.UUID, len(boxes))
	for i, box := range boxes {
		ids[i] = box.ID
	}
	return ids
}

// A mailbox in error becomes connected when it could be read, and looks for what it may send.
// Refusals that it met when sending are not changed.
const doneReading = `
UPDATE mailboxes SET receive_lease = NULL, receive_holder = NULL, last_checked_at = $4,
	look_at = CASE WHEN $5::text IS NULL AND status = 'error' THEN least(look_at, $4) ELSE look_at END,
	last_error = CASE WHEN $5::text IS NULL AND (sender_faults > 0 OR auto_paused) THEN last_error ELSE $5 END,
	status = CASE WHEN status NOT IN ('connected', 'error') THEN status WHEN $5::text IS NULL THEN 'connected' ELSE 'error' END
WHERE workspace_id = $1 AND id = $2 AND receive_holder = $3`

const leaveReading = `
UPDATE mailboxes SET receive_lease = NULL, receive_holder = NULL, receive_at = statement_timestamp()
WHERE workspace_id = $1 AND id = $2 AND receive_holder = $3`

// LeaveReading releases a mailbox whose reading was interrupted. Another process may read it at
// once.
func (b *Inbox) LeaveReading(ctx context.Context, workspace, id uuid.UUID, holder string) error {
	return storage.Exec(ctx, b.db.Pool(), "leave mailbox", leaveReading, workspace, id, holder)
}

// DoneReading releases a mailbox. failure is a text for its owner, nil if it could be read.
func (b *Inbox) DoneReading(ctx context.Context, workspace, id uuid.UUID, holder string, failure *string) error {
	return storage.Exec(ctx, b.db.Pool(), "give mailbox back", doneReading, workspace, id, holder, b.db.Now(), failure)
}

const wakeReader = `
UPDATE mailboxes SET receive_at = statement_timestamp() WHERE workspace_id = $1 AND id = $2 AND receive_at > statement_timestamp()`

// WakeReader makes a mailbox due for reading now, because its server has announced a new message.
func (b *Inbox) WakeReader(ctx context.Context, mailbox outreach.MailboxRef) error {
	return storage.Exec(ctx, b.db.Pool(), "wake reader", wakeReader, mailbox.WorkspaceID, mailbox.ID)
}

const selectPositions = `
SELECT f.folder, f.uid_validity, f.last_uid FROM mailbox_folders f WHERE f.workspace_id = $1 AND f.mailbox_id = $2`

// Positions returns where reading of each folder of a mailbox stopped.
func (b *Inbox) Positions(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.FolderPosition, error) {
	return storage.Collect(ctx, b.db.Pool(), "read positions", func(row pgx.CollectableRow) (p outreach.FolderPosition, err error) {
		var validity, uid int64
		err = row.Scan(&p.Folder, &validity, &uid)
		p.UIDValidity, p.UID = uint32(validity), uint32(uid)
		return p, err
	}, selectPositions, mailbox.WorkspaceID, mailbox.ID)
}

const upsertPosition = `
INSERT INTO mailbox_folders (workspace_id, mailbox_id, folder, uid_validity, last_uid)
SELECT m.workspace_id, m.id, $3, $4, $5 FROM mailboxes m WHERE m.workspace_id = $1 AND m.id = $2
ON CONFLICT (workspace_id, mailbox_id, folder) DO UPDATE SET uid_validity = excluded.uid_validity, last_uid = excluded.last_uid`

// storePosition stores where reading of a folder continues.
func storePosition(ctx context.Context, q storage.Querier, mailbox outreach.MailboxRef, p outreach.FolderPosition) error {
	return storage.Exec(ctx, q, "store position", upsertPosition, mailbox.WorkspaceID, mailbox.ID, p.Folder,
		int64(p.UIDValidity), int64(p.UID))
}
