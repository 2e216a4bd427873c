package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const insertInvitation = `
INSERT INTO invitations (workspace_id, id, hash, email, role, invited_by, created_at, expires_at)
VALUES (@workspace, @id, @hash, @email, @role, @by, @now, @expires)`

// An address has at most one invitation: a new one replaces the old one.
const replaceInvitation = `DELETE FROM invitations WHERE workspace_id = $1 AND lower(email) = lower($2)`

const dropOldInvitations = `DELETE FROM invitations WHERE workspace_id = $1 AND expires_at <= $2`

// Invite stores an invitation by the hash of the token in its link. The result does not depend on
// whether the address has an account.
func (db *DB) Invite(ctx context.Context, workspace uuid.UUID, in outreach.Invitation, hash [32]byte) (outreach.Invitation, error) {
	var faults outreach.Faults
	outreach.ValidateEmail(&faults, outreach.At("email"), in.Email)
	if err := faults.Err(); err != nil {
		return in, err
	}
	in.ID, in.CreatedAt = NewID(), db.Now()
	in.ExpiresAt = in.CreatedAt.Add(outreach.InvitationLength)
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		if err := Exec(ctx, tx, "drop old invitations", dropOldInvitations, workspace, in.CreatedAt); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "replace invitation", replaceInvitation, workspace, in.Email); err != nil {
			return err
		}
		if err := quota(ctx, tx, "members", db.quotas.Members, countMembers, workspace, in.CreatedAt); err != nil {
			return err
		}
		args := pgx.NamedArgs{
			"workspace": workspace, "id": in.ID, "hash": hash[:], "email": in.Email, "role": in.Role, "by": in.InvitedBy,
			"now": in.CreatedAt, "expires": in.ExpiresAt,
		}
		return Exec(ctx, tx, "insert invitation", insertInvitation, args)
	})
	return in, err
}

var invitationColumns = NewColumns(func(i *outreach.Invitation) []Column {
	return []Column{
		{"id", &i.ID},
		{"email", &i.Email},
		{"role", &i.Role},
		{"invited_by", &i.InvitedBy},
		{"created_at", &i.CreatedAt},
		{"expires_at", &i.ExpiresAt},
	}
})

var selectInvitations = `
SELECT ` + invitationColumns.SQL + ` FROM invitations
WHERE workspace_id = $1 AND expires_at > $2 ORDER BY created_at, id LIMIT 1000`

// Invitations returns the open invitations of a workspace, oldest first.
func (db *DB) Invitations(ctx context.Context, workspace uuid.UUID) ([]outreach.Invitation, error) {
	open, err := invitationColumns.Query(ctx, db.pool, selectInvitations, workspace, db.Now())
	if err != nil {
		return nil, fmt.Errorf("list invitations: %w", err)
	}
	return open, nil
}

const deleteInvitation = `DELETE FROM invitations WHERE workspace_id = $1 AND id = $2`

// RevokeInvitation deletes an invitation, so that its link stops working.
func (db *DB) RevokeInvitation(ctx context.Context, workspace, id uuid.UUID) error {
	return db.execOneTx(ctx, "revoke invitation", deleteInvitation, workspace, id)
}

const selectOpenInvitation = `
SELECT w.name, i.email, i.role FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
WHERE i.workspace_id = $1 AND i.hash = $2 AND i.expires_at > $3`

// OpenInvitation returns what the holder of a link may see. It returns ErrNotFound if the
// invitation is unknown, revoked, accepted or expired.
func (db *DB) OpenInvitation(ctx context.Context, workspace uuid.UUID, hash [32]byte) (i outreach.OpenInvitation, err error) {
	err = db.pool.QueryRow(ctx, selectOpenInvitation, workspace, hash[:], db.Now()).Scan(&i.WorkspaceName, &i.Email, &i.Role)
	return i, DomainError(err)
}

const takeInvitation = `
DELETE FROM invitations WHERE workspace_id = $1 AND hash = $2 AND expires_at > $3 RETURNING email, role`

const joinMember = `
INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id, user_id) DO NOTHING`

// AcceptInvitation adds a user to the workspace of an invitation and deletes the invitation. user
// is the account of the invited address; if it is uuid.Nil, an account is created with
// passwordHash. It returns ErrNotFound if the invitation is no longer open, and CodeConflict if the
// account was created or deleted meanwhile.
func (db *DB) AcceptInvitation(ctx context.Context, workspace uuid.UUID, hash [32]byte, user uuid.UUID,
	passwordHash string) (uuid.UUID, error) {
	now := db.Now()
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		var email string
		var role outreach.Role
		if err := tx.QueryRow(ctx, takeInvitation, workspace, hash[:], now).Scan(&email, &role); err != nil {
			return err
		}
		if err := quota(ctx, tx, "members", db.quotas.Members, countMembers, workspace, now); err != nil {
			return err
		}
		account, err := db.accountOf(ctx, tx, email, user, passwordHash)
		if err != nil {
			return err
		}
		user = account
		return Exec(ctx, tx, "insert member", joinMember, workspace, user, role, now)
	})
	return user, err
}

// accountOf returns the account of an address. It creates the account if user is uuid.Nil.
func (db *DB) accountOf(ctx context.Context, tx pgx.Tx, email string, user uuid.UUID, passwordHash string) (uuid.UUID, error) {
	expected := user
	if user == uuid.Nil {
		expected = NewID()
		if err := Exec(ctx, tx, "insert user", upsertUser, expected, email, outreach.CanonicalEmail(email),
			passwordHash, false, db.Now()); err != nil {
			return expected, err
		}
	}
	var stored uuid.UUID
	err := tx.QueryRow(ctx, selectUserID, outreach.CanonicalEmail(email)).Scan(&stored)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && stored != expected {
		return expected, outreach.Errorf(outreach.CodeConflict, "The account changed in the meantime. Try again.")
	}
	if err != nil {
		return expected, fmt.Errorf("find user: %w", err)
	}
	return stored, nil
}
