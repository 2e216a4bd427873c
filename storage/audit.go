package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var auditLog = List[outreach.AuditEntry]{
	Reads: NewColumns(func(a *outreach.AuditEntry) []Column {
		return []Column{
			{"a.id", &a.ID},
			{"a.workspace_id", &a.WorkspaceID},
			{"a.at", &a.At},
			{"a.actor", &a.Actor},
			{"a.user_id", &a.UserID},
			{"a.action", &a.Action},
			{"a.subject", &a.Subject},
			{"a.client", &a.Client},
		}
	}),
	From: "audit_log a WHERE a.workspace_id = $1",
	At:   "a.at", ID: "a.id",
	Key: func(a *outreach.AuditEntry) outreach.Key { return outreach.Key{At: a.At, ID: a.ID} },
}

// ListAudit returns one page of a workspace's audit log, newest first.
func (db *DB) ListAudit(ctx context.Context, workspace uuid.UUID, filter outreach.AuditFilter,
	page outreach.Page) (outreach.Rows[outreach.AuditEntry], error) {
	f := InWorkspace(workspace)
	Where(f, "a.action = ?", filter.Action)
	return auditLog.Fetch(ctx, db.pool, f, page)
}

// oldSignIns are the entries that ExpireSignIns deletes.
var oldSignIns = Retained{
	Due: `SELECT id FROM workspaces WHERE sign_ins_from < $1 ORDER BY sign_ins_from LIMIT $2`,
	Remove: `
DELETE FROM audit_log WHERE workspace_id = $1 AND id IN (
	SELECT id FROM audit_log WHERE workspace_id = $1 AND action = 'sign_in_failed' AND at < $2 ORDER BY at, id LIMIT $3)`,
	Oldest: `SELECT at FROM audit_log WHERE workspace_id = $1 AND action = 'sign_in_failed' ORDER BY at, id LIMIT 1`,
	Note:   `UPDATE workspaces SET sign_ins_from = $2 WHERE id = $1`,
}

// ExpireSignIns deletes the entries of failed sign-ins from before the given time, in bounded
// batches, and returns their number. Anyone can cause them without an account; no other entry is
// deleted.
func (db *DB) ExpireSignIns(ctx context.Context, before time.Time) (int, error) {
	total, err := db.RemoveOld(ctx, oldSignIns, before, before)
	if err != nil {
		return total, fmt.Errorf("expire failed sign-ins: %w", err)
	}
	return total, nil
}

const insertAudit = `
INSERT INTO audit_log (workspace_id, id, at, actor, user_id, action, subject, client)
VALUES (@workspace, @id, @at, @actor, @user, @action, @subject, @client)`

// RecordAudit writes an entry for something that changes nothing else, such as a failed sign-in.
func (db *DB) RecordAudit(ctx context.Context, entry outreach.AuditEntry) error {
	return db.Tx(outreach.WithAudit(ctx, entry), func(pgx.Tx) error { return nil })
}

// audited returns fn followed by the entry that the context carries, if any, and a function to call
// once both have succeeded.
func (db *DB) audited(ctx context.Context, fn func(pgx.Tx) error) (run func(pgx.Tx) error, done func()) {
	entry, done, ok := outreach.AuditFrom(ctx)
	if !ok {
		return fn, func() {}
	}
	return func(tx pgx.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		args := pgx.NamedArgs{
			"workspace": entry.WorkspaceID, "id": NewID(), "at": db.Now(), "actor": entry.Actor, "user": entry.UserID,
			"action": entry.Action, "subject": entry.Subject, "client": entry.Client,
		}
		return Exec(ctx, tx, "insert audit entry", insertAudit, args)
	}, done
}
