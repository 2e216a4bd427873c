package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const upsertUser = `
INSERT INTO users (id, email, email_key, password_hash, admin, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (email_key) DO NOTHING`

const selectUserID = `SELECT id FROM users WHERE email_key = $1`

const insertMember = `INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`

// AddUser creates a user with a password hash and adds it to a workspace, for the shell. It returns
// CodeConflict if the address has a user, whose password stays.
func (db *DB) AddUser(ctx context.Context, workspace uuid.UUID, email, passwordHash string, role outreach.Role,
	admin bool) (uuid.UUID, error) {
	var faults outreach.Faults
	outreach.ValidateEmail(&faults, outreach.At("email"), email)
	if err := faults.Err(); err != nil {
		return uuid.Nil, err
	}
	id := NewID()
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		if err := Exec(ctx, tx, "insert user", upsertUser, id, email, outreach.CanonicalEmail(email), passwordHash,
			admin, db.Now()); err != nil {
			return err
		}
		var stored uuid.UUID
		if err := tx.QueryRow(ctx, selectUserID, outreach.CanonicalEmail(email)).Scan(&stored); err != nil {
			return fmt.Errorf("find user: %w", err)
		}
		if stored != id {
			return outreach.Errorf(outreach.CodeConflict, "A user with this address already exists.")
		}
		return Exec(ctx, tx, "insert member", insertMember, workspace, id, role, db.Now())
	})
	return id, err
}

const selectOwnAddress = `
SELECT u.email FROM users u JOIN members m ON m.user_id = u.id WHERE m.workspace_id = $1 AND u.email_key = $2
UNION ALL SELECT b.email FROM mailboxes b WHERE b.workspace_id = $1 AND b.email_key = $2
LIMIT 1`

// OwnAddress returns an address as a member or a mailbox of the workspace spells it, or "" if
// neither has it.
func (db *DB) OwnAddress(ctx context.Context, workspace uuid.UUID, email string) (own string, err error) {
	err = db.pool.QueryRow(ctx, selectOwnAddress, workspace, outreach.CanonicalEmail(email)).Scan(&own)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("find own address: %w", DomainError(err))
	}
	return own, nil
}

const setPassword = `UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2`

const endOtherSessions = `DELETE FROM sessions WHERE user_id = $1 AND hash <> $2`

// SetPassword replaces a user's password hash and ends all sessions of the user, in every
// workspace, except the one with the hash here. It returns CodeConflict if the stored hash is not
// from.
func (db *DB) SetPassword(ctx context.Context, user uuid.UUID, from, to string, here [32]byte) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		err := ExecOne(ctx, tx, "set password", setPassword, user, from, to)
		if errors.Is(err, outreach.ErrNotFound) {
			return outreach.Errorf(outreach.CodeConflict, "The password was changed in the meantime.")
		}
		if err != nil {
			return err
		}
		return Exec(ctx, tx, "end other sessions", endOtherSessions, user, here[:])
	})
}
