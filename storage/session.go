package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// viewerColumns are the columns of a user u as a member m of a workspace w.
func viewerColumns(v *outreach.Viewer) []Column {
	return []Column{
		{"u.id", &v.ID},
		{"u.email", &v.Email},
		{"u.admin", &v.Admin},
		{"m.role", &v.Role},
		{"w.id", &v.WorkspaceID},
		{"w.name", &v.WorkspaceName},
		{"u.totp_confirmed", &v.TOTP},
		{"w.totp_required", &v.TOTPRequired},
	}
}

// loginRow is a Login with a sealed secret.
type loginRow struct {
	outreach.Login
	sealed []byte
}

var loginColumns = NewColumns(func(l *loginRow) []Column {
	return append([]Column{
		{"u.password_hash", &l.PasswordHash},
		{"u.totp_secret", &l.sealed},
	}, viewerColumns(&l.Viewer)...)
})

var selectLogin = `
SELECT ` + loginColumns.SQL + `
FROM users u
JOIN members m ON m.user_id = u.id AND m.role IN ('owner', 'member')
JOIN workspaces w ON w.id = m.workspace_id
WHERE u.email_key = $1
ORDER BY (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id AND s.workspace_id = w.id) DESC NULLS LAST,
	m.created_at
LIMIT 1`

// Login returns the user of an address with what sign-in must check, in the user's last workspace,
// or ErrNotFound.
func (db *DB) Login(ctx context.Context, email string) (outreach.Login, error) {
	l, err := loginColumns.QueryOne(ctx, db.pool, selectLogin, outreach.CanonicalEmail(email))
	if err == nil && l.Viewer.TOTP {
		l.TOTPSecret, err = db.keys.Open(outreach.PurposeTOTP, l.Viewer.ID[:], l.sealed)
	}
	return l.Login, DomainError(err)
}

// The lock keeps the password from changing before the session is stored, so that a change ends it.
const lockPassword = `SELECT FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE`

const insertSession = `
INSERT INTO sessions (hash, id, user_id, workspace_id, client, agent, created_at, confirmed_at, last_seen_at, expires_at)
VALUES (@hash, @id, @user, @workspace, @client, @agent, @now, @now, @now, @expires)`

const dropOldSessions = `DELETE FROM sessions WHERE user_id = $1 AND (expires_at < $2 OR last_seen_at < $3)`

// StartSession stores the hash of a session's cookie. It returns ErrNotFound if the user's password
// hash has changed.
func (db *DB) StartSession(ctx context.Context, s outreach.NewSession) error {
	now := db.Now()
	return db.Tx(ctx, func(tx pgx.Tx) error {
		if err := ExecOne(ctx, tx, "lock password", lockPassword, s.User, s.PasswordHash); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "drop old sessions", dropOldSessions, s.User, now,
			now.Add(-outreach.SessionIdle)); err != nil {
			return err
		}
		args := pgx.NamedArgs{
			"hash": s.Hash[:], "id": NewID(), "user": s.User, "workspace": s.Workspace, "client": s.Client, "agent": s.Agent,
			"now": now, "expires": now.Add(outreach.SessionLength),
		}
		return Exec(ctx, tx, "insert session", insertSession, args)
	})
}

// sessionRow is a session with its user.
type sessionRow struct {
	viewer outreach.Viewer
	seen   time.Time
}

var sessionColumns = NewColumns(func(s *sessionRow) []Column {
	return append([]Column{
		{"s.id", &s.viewer.SessionID},
		{"s.confirmed_at", &s.viewer.ConfirmedAt},
		{"s.last_seen_at", &s.seen},
	}, viewerColumns(&s.viewer)...)
})

// The join leaves out removed members, whatever the cookie says, and those with a role that a newer
// program has added: what it allows is not known here.
var selectSession = `
SELECT ` + sessionColumns.SQL + `
FROM sessions s
JOIN users u ON u.id = s.user_id
JOIN workspaces w ON w.id = s.workspace_id
JOIN members m ON m.user_id = u.id AND m.workspace_id = w.id AND m.role IN ('owner', 'member')
WHERE s.hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3`

const touchSession = `UPDATE sessions SET last_seen_at = $2 WHERE hash = $1 AND last_seen_at <= $3`

// ViewerBySession returns the user of a session, or nil if the session is unknown, over or idle for
// too long. It stores when the session was last used, at most once a minute.
func (db *DB) ViewerBySession(ctx context.Context, hash [32]byte) (*outreach.Viewer, error) {
	now := db.Now()
	s, err := sessionColumns.QueryOne(ctx, db.pool, selectSession, hash[:], now, now.Add(-outreach.SessionIdle))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	if now.Sub(s.seen) >= time.Minute {
		if err := Exec(ctx, db.pool, "note use of session", touchSession, hash[:], now,
			now.Add(-time.Minute)); err != nil {
			return nil, err
		}
	}
	return &s.viewer, nil
}

const endSession = `DELETE FROM sessions WHERE hash = $1`

// EndSession deletes the session of a cookie.
func (db *DB) EndSession(ctx context.Context, hash [32]byte) error {
	return Exec(ctx, db.pool, "end session", endSession, hash[:])
}

const confirmSession = `UPDATE sessions SET confirmed_at = $3 WHERE user_id = $1 AND id = $2`

// ConfirmSession records that the user has entered the password in a session.
func (db *DB) ConfirmSession(ctx context.Context, user, session uuid.UUID) error {
	return db.execOneTx(ctx, "confirm session", confirmSession, user, session, db.Now())
}

const selectSessions = `
SELECT id, client, agent, created_at, last_seen_at FROM sessions
WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3
ORDER BY last_seen_at DESC, id LIMIT 100`

// SessionsOf returns the sessions of a user in all workspaces, last used first.
func (db *DB) SessionsOf(ctx context.Context, user uuid.UUID) ([]outreach.Session, error) {
	now := db.Now()
	return Collect(ctx, db.pool, "list sessions", func(row pgx.CollectableRow) (s outreach.Session, err error) {
		err = row.Scan(&s.ID, &s.Client, &s.Agent, &s.CreatedAt, &s.LastSeenAt)
		return s, err
	}, selectSessions, user, now, now.Add(-outreach.SessionIdle))
}

const endSessionByID = `DELETE FROM sessions WHERE user_id = $1 AND id = $2`

// EndSessionByID ends one session of a user. It returns ErrNotFound if the user has no session with
// this id.
func (db *DB) EndSessionByID(ctx context.Context, user, session uuid.UUID) error {
	return db.execOneTx(ctx, "end session", endSessionByID, user, session)
}
