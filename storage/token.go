package storage

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const upsertToken = `
INSERT INTO tokens (workspace_id, hash, prefix, created_by, created_at)
VALUES (@workspace, @hash, @prefix, @created_by, @now)
ON CONFLICT (workspace_id) DO UPDATE SET hash = excluded.hash, prefix = excluded.prefix,
	created_by = excluded.created_by, created_at = excluded.created_at, last_used_at = NULL`

// SetToken stores the hash of a workspace's new token. The former token stops working with this
// statement.
func (db *DB) SetToken(ctx context.Context, workspace uuid.UUID, token outreach.TokenRecord) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{
			"workspace": workspace, "hash": token.Hash[:], "prefix": token.Prefix, "created_by": token.CreatedBy, "now": db.Now(),
		}
		return Exec(ctx, tx, "store token", upsertToken, args)
	})
}

const deleteToken = `DELETE FROM tokens WHERE workspace_id = $1`

// RevokeToken deletes the token of a workspace, if it has one.
func (db *DB) RevokeToken(ctx context.Context, workspace uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		return Exec(ctx, tx, "delete token", deleteToken, workspace)
	})
}

const selectToken = `SELECT workspace_id, hash, last_used_at FROM tokens WHERE hash = $1`

const touchToken = `
UPDATE tokens SET last_used_at = $2 WHERE hash = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`

// WorkspaceByToken returns the workspace of a token's hash, with the stored hash for the caller's
// constant-time comparison, or ErrNotFound. It stores the last-used date at most once a minute.
func (db *DB) WorkspaceByToken(ctx context.Context, hash [32]byte) (workspace uuid.UUID, stored []byte, err error) {
	var used *time.Time
	err = db.pool.QueryRow(ctx, selectToken, hash[:]).Scan(&workspace, &stored, &used)
	if errors.Is(err, pgx.ErrNoRows) {
		return workspace, nil, outreach.ErrNotFound
	}
	if err != nil {
		return workspace, nil, DomainError(err)
	}
	now := db.Now()
	if used == nil || now.Sub(*used) >= time.Minute {
		if err := Exec(ctx, db.pool, "note use of token", touchToken, hash[:], now, now.Add(-time.Minute)); err != nil {
			return workspace, nil, err
		}
	}
	return workspace, stored, nil
}
