package storage

import (
	"context"
	"errors"
	"fmt"
	"outreach"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// SessionLength is how long a sign-in lasts.
const SessionLength = 30 * 24 * time.Hour

const upsertUser = `
INSERT INTO users (id, email, email_key, password_hash, admin, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (email_key) DO NOTHING`

const selectUserID = `SELECT id FROM users WHERE email_key = $1`

const insertMember = `INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`

// AddUser makes a user with a password hash and puts the user into a workspace.
// CodeConflict when the address has a user already: passwords are not replaced
// on the way.
func (db *DB) AddUser(ctx context.Context, workspace uuid.UUID, email, passwordHash string, role outreach.Role, admin bool) (uuid.UUID, error) {
	var faults outreach.Faults
	outreach.ValidateEmail(&faults, outreach.At("email"), email)
	if err := faults.Err(); err != nil {
		return uuid.Nil, err
	}
	id := NewID()
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, upsertUser, id, email, outreach.FoldEmail(email), passwordHash, admin, db.Now()); err != nil {
			return fmt.Errorf("insert user: %w", err)
		}
		var stored uuid.UUID
		if err := tx.QueryRow(ctx, selectUserID, outreach.FoldEmail(email)).Scan(&stored); err != nil {
			return fmt.Errorf("find user: %w", err)
		}
		if stored != id {
			return outreach.Errorf(outreach.CodeConflict, "A user with this address is there already.")
		}
		if _, err := tx.Exec(ctx, insertMember, workspace, id, role, db.Now()); err != nil {
			return fmt.Errorf("insert member: %w", err)
		}
		return nil
	})
	return id, err
}

const selectMembers = `
SELECT u.id, u.email, m.role, m.created_at FROM members m JOIN users u ON u.id = m.user_id
WHERE m.workspace_id = $1 ORDER BY m.created_at, u.id LIMIT 1000`

// Members gives the users of a workspace, oldest first.
func (db *DB) Members(ctx context.Context, workspace uuid.UUID) ([]outreach.Member, error) {
	rows, err := db.pool.Query(ctx, selectMembers, workspace)
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (m outreach.Member, err error) {
		err = row.Scan(&m.ID, &m.Email, &m.Role, &m.CreatedAt)
		return m, err
	})
}

const selectOwnAddress = `
SELECT u.email FROM users u JOIN members m ON m.user_id = u.id WHERE m.workspace_id = $1 AND u.email_key = $2
UNION ALL SELECT b.email FROM mailboxes b WHERE b.workspace_id = $1 AND b.email_key = $2
LIMIT 1`

// OwnAddress gives an address as a member or a mailbox of the workspace has it;
// empty when it is neither's.
func (db *DB) OwnAddress(ctx context.Context, workspace uuid.UUID, email string) (own string, err error) {
	err = db.pool.QueryRow(ctx, selectOwnAddress, workspace, outreach.FoldEmail(email)).Scan(&own)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("find own address: %w", DomainError(err))
	}
	return own, nil
}

const deleteMember = `DELETE FROM members WHERE workspace_id = $1 AND user_id = $2`

const endSessionsOf = `DELETE FROM sessions WHERE workspace_id = $1 AND user_id = $2`

const deleteLonelyUser = `DELETE FROM users u WHERE u.id = $1 AND NOT u.admin AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id)`

// RemoveMember takes a user out of a workspace and ends the sessions there. A
// user who is in no workspace any more is gone.
func (db *DB) RemoveMember(ctx context.Context, workspace, user uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "remove member", deleteMember, workspace, user); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, endSessionsOf, workspace, user); err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
		if _, err := tx.Exec(ctx, deleteLonelyUser, user); err != nil {
			return fmt.Errorf("delete user: %w", err)
		}
		return nil
	})
}

const setPassword = `UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2`

const endOtherSessions = `DELETE FROM sessions WHERE user_id = $1 AND hash <> $2`

// SetPassword replaces a user's password hash and ends all sessions of the user,
// in every workspace, but the one with the hash here. CodeConflict when the hash
// is no longer the one it is to be replaced from.
func (db *DB) SetPassword(ctx context.Context, user uuid.UUID, from, to string, here [32]byte) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		err := ExecOne(ctx, tx, "set password", setPassword, user, from, to)
		if errors.Is(err, outreach.ErrNotFound) {
			return outreach.Errorf(outreach.CodeConflict, "The password has been changed meanwhile.")
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, endOtherSessions, user, here[:]); err != nil {
			return fmt.Errorf("end other sessions: %w", err)
		}
		return nil
	})
}

const selectLogin = `
SELECT u.id, u.email, u.admin, u.password_hash, m.role, w.id, w.name
FROM users u JOIN members m ON m.user_id = u.id JOIN workspaces w ON w.id = m.workspace_id
WHERE u.email_key = $1 ORDER BY m.created_at LIMIT 1`

// Login gives the user of an address with the password hash, in the workspace
// that the user joined first; ErrNotFound when there is none.
func (db *DB) Login(ctx context.Context, email string) (v outreach.Viewer, passwordHash string, err error) {
	err = db.pool.QueryRow(ctx, selectLogin, outreach.FoldEmail(email)).
		Scan(&v.ID, &v.Email, &v.Admin, &passwordHash, &v.Role, &v.WorkspaceID, &v.WorkspaceName)
	return v, passwordHash, DomainError(err)
}

// Nobody changes the password until the session is there to be ended with it.
const holdPassword = `SELECT FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE`

const insertSession = `INSERT INTO sessions (hash, user_id, workspace_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`

const dropOldSessions = `DELETE FROM sessions WHERE user_id = $1 AND expires_at < $2`

// StartSession stores the hash of a session's cookie; ErrNotFound when the user's
// password hash is another by now.
func (db *DB) StartSession(ctx context.Context, hash [32]byte, v outreach.Viewer, passwordHash string) error {
	now := db.Now()
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "hold password", holdPassword, v.ID, passwordHash); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, dropOldSessions, v.ID, now); err != nil {
			return fmt.Errorf("drop old sessions: %w", err)
		}
		if _, err := tx.Exec(ctx, insertSession, hash[:], v.ID, v.WorkspaceID, now, now.Add(SessionLength)); err != nil {
			return fmt.Errorf("insert session: %w", err)
		}
		return nil
	})
}

// A member who was removed has no session, whatever the cookie says.
const selectSession = `
SELECT u.id, u.email, u.admin, m.role, w.id, w.name
FROM sessions s JOIN users u ON u.id = s.user_id JOIN workspaces w ON w.id = s.workspace_id
JOIN members m ON m.user_id = u.id AND m.workspace_id = w.id
WHERE s.hash = $1 AND s.expires_at > $2`

// ViewerBySession gives who a session belongs to; nil when it is unknown or over.
func (db *DB) ViewerBySession(ctx context.Context, hash [32]byte) (*outreach.Viewer, error) {
	var v outreach.Viewer
	err := db.pool.QueryRow(ctx, selectSession, hash[:], db.Now()).Scan(&v.ID, &v.Email, &v.Admin, &v.Role, &v.WorkspaceID, &v.WorkspaceName)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	return &v, nil
}

const endSession = `DELETE FROM sessions WHERE hash = $1`

// EndSession forgets a session.
func (db *DB) EndSession(ctx context.Context, hash [32]byte) error {
	if _, err := db.pool.Exec(ctx, endSession, hash[:]); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}
