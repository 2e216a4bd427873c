package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var placements = List[outreach.PlacementCheck]{
	Reads: NewColumns(func(c *outreach.PlacementCheck) []Column {
		return []Column{
			{"p.id", &c.ID},
			{"p.workspace_id", &c.WorkspaceID},
			{"p.mailbox_id", &c.MailboxID},
			{"p.to_mailbox_id", &c.ToMailboxID},
			{"p.status", &c.Status},
			{"p.folder", &c.Folder},
			{"p.authentication", &c.Authentication},
			{"p.seconds", &c.Seconds},
			{"p.detail", &c.Detail},
			{"p.looks", &c.Looks},
			{"p.sent_at", &c.SentAt},
			{"p.created_at", &c.CreatedAt},
		}
	}),
	From: "placement_checks p WHERE p.workspace_id = $1",
	At:   "p.created_at", ID: "p.id",
	Key: func(c *outreach.PlacementCheck) outreach.Key { return outreach.Key{At: c.CreatedAt, ID: c.ID} },
}

// maxPlacements is how many checks a workspace may begin in a day.
const maxPlacements = 100

const countPlacements = `SELECT count(*) FROM placement_checks WHERE workspace_id = $1 AND created_at > $2`

const dropOldPlacements = `DELETE FROM placement_checks WHERE workspace_id = $1 AND created_at < $2`

const waitingPlacement = `
SELECT EXISTS (SELECT FROM placement_checks WHERE workspace_id = $1 AND mailbox_id = $2 AND status = 'waiting')`

const insertPlacement = `
INSERT INTO placement_checks (workspace_id, id, mailbox_id, to_mailbox_id, status, look_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)`

// CreatePlacementCheck stores a check that is due at once. The sending mailbox has one
// that waits at a time.
func (db *DB) CreatePlacementCheck(ctx context.Context, c outreach.PlacementCheck) (outreach.PlacementCheck, error) {
	c.ID, c.CreatedAt, c.Status = NewID(), db.Now(), outreach.PlacementWaiting
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		if err := checkPlacement(ctx, tx, c); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "drop old placement checks", dropOldPlacements, c.WorkspaceID,
			c.CreatedAt.Add(-outreach.PlacementKept)); err != nil {
			return err
		}
		dayAgo := c.CreatedAt.AddDate(0, 0, -1)
		if err := quota(ctx, tx, "placement checks in a day", maxPlacements, countPlacements, c.WorkspaceID, dayAgo); err != nil {
			return err
		}
		var waiting bool
		if err := tx.QueryRow(ctx, waitingPlacement, c.WorkspaceID, c.MailboxID).Scan(&waiting); err != nil {
			return fmt.Errorf("look for a placement check: %w", err)
		}
		if waiting {
			return outreach.Errorf(outreach.CodeInvalidState, "A placement check of this mailbox is under way.")
		}
		return Exec(ctx, tx, "insert placement check", insertPlacement, c.WorkspaceID, c.ID, c.MailboxID,
			c.ToMailboxID, c.Status, c.CreatedAt)
	})
	return c, err
}

// checkPlacement refuses a check between mailboxes that the workspace does not have. The
// locks keep both from being deleted until the transaction ends.
func checkPlacement(ctx context.Context, tx pgx.Tx, c outreach.PlacementCheck) error {
	if _, err := Mailboxes.OneLocked(ctx, tx, c.WorkspaceID, c.MailboxID, " FOR KEY SHARE"); err != nil {
		return err
	}
	_, err := Mailboxes.OneLocked(ctx, tx, c.WorkspaceID, c.ToMailboxID, " FOR KEY SHARE")
	if outreach.CodeOf(err) == outreach.CodeNotFound {
		return UnknownReference(outreach.At("to_mailbox_id"))
	}
	return err
}

// PlacementCheck returns one check.
func (db *DB) PlacementCheck(ctx context.Context, workspace, id uuid.UUID) (outreach.PlacementCheck, error) {
	return placements.One(ctx, db.pool, workspace, id)
}

var selectLastPlacements = `
SELECT ` + placements.Reads.SQL + `
FROM mailboxes m CROSS JOIN LATERAL (
	SELECT * FROM placement_checks c
	WHERE c.workspace_id = $1 AND c.mailbox_id = m.id
	ORDER BY c.created_at DESC, c.id DESC LIMIT 1) p
WHERE m.workspace_id = $1`

// LastPlacementChecks returns the newest check of each mailbox that has one, in any
// order.
func (db *DB) LastPlacementChecks(ctx context.Context, workspace uuid.UUID) ([]outreach.PlacementCheck, error) {
	all, err := placements.Reads.Query(ctx, db.pool, selectLastPlacements, workspace)
	if err != nil {
		return nil, fmt.Errorf("list last placement checks: %w", err)
	}
	return all, nil
}

const commitPlacement = `
UPDATE placement_checks SET sent_at = $3
WHERE workspace_id = $1 AND id = $2 AND sent_at IS NULL AND status = 'waiting'`

// CommitPlacement records that the final dot of a check's mail is about to be sent. It
// fails with ErrNotFound if that was recorded before, or the check is over: no mail goes
// out twice.
func (db *DB) CommitPlacement(ctx context.Context, check outreach.Ref, at time.Time) error {
	return ExecOne(ctx, db.pool, "commit placement check", commitPlacement, check.WorkspaceID, check.ID, at)
}

const notePlacement = `
UPDATE placement_checks
SET status = @status, folder = @folder, authentication = @authentication, seconds = @seconds, detail = @detail,
	looks = @looks, look_at = @next
WHERE workspace_id = @workspace AND id = @id`

const noteDKIM = `UPDATE sending_domains SET dkim = $3 WHERE workspace_id = $1 AND domain = $2`

// NotePlacement records what one attempt on a check found. The DKIM verdict of a receiver of
// another domain counts for the sending domain. A check that is over stays as it is.
func (db *DB) NotePlacement(ctx context.Context, check outreach.Ref, r outreach.PlacementResult) (c outreach.PlacementCheck, err error) {
	now := db.Now()
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		c, err = placements.OneLocked(ctx, tx, check.WorkspaceID, check.ID, " FOR UPDATE")
		if err != nil || c.Status != outreach.PlacementWaiting {
			return err
		}
		c.Note(r, now)
		var next *time.Time
		if c.Status == outreach.PlacementWaiting {
			next = new(now.Add(c.NextLook()))
		}
		err := ExecOne(ctx, tx, "note placement check", notePlacement, pgx.NamedArgs{
			"workspace": c.WorkspaceID, "id": c.ID, "status": c.Status, "folder": c.Folder, "authentication": c.Authentication,
			"seconds": c.Seconds, "detail": c.Detail, "looks": c.Looks, "next": next,
		})
		if err != nil || r.Domain == "" || c.Status != outreach.PlacementArrived {
			return err
		}
		return Exec(ctx, tx, "note DKIM of domain", noteDKIM, c.WorkspaceID, r.Domain, outreach.DKIMSeen(r.Domain,
			r.Authentication))
	})
	return c, err
}
