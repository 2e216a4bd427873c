package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var memberColumns = NewColumns(func(m *outreach.Member) []Column {
	return []Column{
		{"u.id", &m.ID},
		{"u.email", &m.Email},
		{"m.role", &m.Role},
		{"m.created_at", &m.CreatedAt},
		{"coalesce(t.created_by = u.id, false)", &m.CreatedToken},
		{"u.totp_confirmed", &m.TOTP},
	}
})

var selectMembers = `
SELECT ` + memberColumns.SQL + `
FROM members m
JOIN users u ON u.id = m.user_id
LEFT JOIN tokens t ON t.workspace_id = m.workspace_id
WHERE m.workspace_id = $1 ORDER BY m.created_at, u.id LIMIT 1000`

// Members returns the users of a workspace, oldest first.
func (db *DB) Members(ctx context.Context, workspace uuid.UUID) ([]outreach.Member, error) {
	members, err := memberColumns.Query(ctx, db.pool, selectMembers, workspace)
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	return members, nil
}

const deleteMember = `DELETE FROM members WHERE workspace_id = $1 AND user_id = $2`

const deleteTokenOf = `DELETE FROM tokens WHERE workspace_id = $1 AND created_by = $2`

// With the link of an open invitation a removed owner could join again.
const deleteInvitationsOf = `
DELETE FROM invitations WHERE workspace_id = $1 AND invited_by = (SELECT u.email FROM users u WHERE u.id = $2)`

const unassignMember = `UPDATE replies SET assigned_to = NULL WHERE workspace_id = $1 AND assigned_to = $2`

const endSessionsOf = `DELETE FROM sessions WHERE workspace_id = $1 AND user_id = $2`

const deleteUserWithoutWorkspace = `
DELETE FROM users u
WHERE u.id = $1 AND NOT u.admin AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id)`

// RemoveMember removes a user from a workspace, ends the user's sessions there, removes the user's
// assignments and revokes the API token and the invitations that the user created. A user without a
// workspace is deleted.
func (db *DB) RemoveMember(ctx context.Context, workspace, user uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "remove member", deleteMember, workspace, user); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "revoke token", deleteTokenOf, workspace, user); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "revoke invitations", deleteInvitationsOf, workspace, user); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "unassign replies", unassignMember, workspace, user); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "end sessions", endSessionsOf, workspace, user); err != nil {
			return err
		}
		return Exec(ctx, tx, "delete user", deleteUserWithoutWorkspace, user)
	})
}

const lockWorkspace = `SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE`

const countMailboxes = `SELECT count(*) FROM mailboxes WHERE workspace_id = $1`

const countSubscriptions = `SELECT count(*) FROM subscriptions WHERE workspace_id = $1 AND deleted_at IS NULL`

const countMembers = `
SELECT (SELECT count(*) FROM members WHERE workspace_id = $1)
	+ (SELECT count(*) FROM invitations WHERE workspace_id = $1 AND expires_at > $2)`

// quota returns an error if a workspace already has limit things of a kind; 0 means no limit. It
// locks the workspace until the transaction ends, so that two concurrent additions cannot both
// pass.
func quota(ctx context.Context, tx pgx.Tx, what string, limit int, count string, workspace uuid.UUID, args ...any) error {
	if limit == 0 {
		return nil
	}
	if err := Exec(ctx, tx, "lock workspace", lockWorkspace, workspace); err != nil {
		return err
	}
	var n int
	if err := tx.QueryRow(ctx, count, append([]any{workspace}, args...)...).Scan(&n); err != nil {
		return fmt.Errorf("count %s: %w", what, err)
	}
	if n >= limit {
		return outreach.Errorf(outreach.CodeQuotaReached, "A workspace can have at most %d %s.", limit, what)
	}
	return nil
}

const selectWorkspacesOf = `
SELECT w.id, w.name, m.role FROM members m JOIN workspaces w ON w.id = m.workspace_id
WHERE m.user_id = $1 ORDER BY w.name, w.id LIMIT 1000`

// WorkspacesOf returns the workspaces of a user by name.
func (db *DB) WorkspacesOf(ctx context.Context, user uuid.UUID) ([]outreach.Workspace, error) {
	return Collect(ctx, db.pool, "list workspaces", func(row pgx.CollectableRow) (w outreach.Workspace, err error) {
		err = row.Scan(&w.ID, &w.Name, &w.Role)
		return w, err
	}, selectWorkspacesOf, user)
}

const switchSession = `
UPDATE sessions s SET workspace_id = $3
WHERE s.user_id = $1 AND s.id = $2 AND EXISTS (SELECT FROM members m WHERE m.workspace_id = $3 AND m.user_id = $1)`

// SwitchSession opens another workspace in a session. It returns ErrNotFound if the user is not a
// member of it.
func (db *DB) SwitchSession(ctx context.Context, user, session, workspace uuid.UUID) error {
	return db.execOneTx(ctx, "switch workspace", switchSession, user, session, workspace)
}
