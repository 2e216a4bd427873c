package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// A row is free if its reservation ended without an answer, or if it is a day old. Citus demands that the
// condition reads no clock: the time is that of the new row, subtracted from in UTC.
const reserveKey = `
INSERT INTO idempotency_keys AS k (workspace_id, key, request_hash, claimed_until, created_at)
VALUES ($1, $2, $3, statement_timestamp() + $4, statement_timestamp())
ON CONFLICT (workspace_id, key) DO UPDATE SET request_hash = excluded.request_hash, claimed_until = excluded.claimed_until,
	status = NULL, answer = NULL, created_at = excluded.created_at
WHERE k.answer IS NULL AND k.claimed_until < excluded.created_at
	OR k.created_at AT TIME ZONE 'UTC' < excluded.created_at AT TIME ZONE 'UTC' - $5::interval
RETURNING k.claimed_until`

const selectKey = `SELECT request_hash, answer FROM idempotency_keys WHERE workspace_id = $1 AND key = $2`

// Reserve reserves an Idempotency-Key for a request, or returns the stored answer of the same request
// (outreach.KeyedRequest).
func (db *DB) Reserve(ctx context.Context, workspace uuid.UUID, key string, hash []byte) (*outreach.KeyedRequest, []byte, error) {
	request := &outreach.KeyedRequest{WorkspaceID: workspace, Key: key}
	err := db.pool.QueryRow(ctx, reserveKey, workspace, key, db.keys.MAC(outreach.PurposeIdempotency, hash),
		outreach.IdempotencyLease, outreach.IdempotencyRetention).Scan(&request.Until)
	if err == nil {
		return request, nil, nil
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return nil, nil, fmt.Errorf("reserve idempotency key: %w", err)
	}
	answer, err := db.answered(ctx, request, hash)
	return nil, answer, err
}

func (db *DB) answered(ctx context.Context, request *outreach.KeyedRequest, hash []byte) ([]byte, error) {
	var stored, sealed []byte
	err := db.pool.QueryRow(ctx, selectKey, request.WorkspaceID, request.Key).Scan(&stored, &sealed)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // abandoned meanwhile
		return nil, errKeyRunning
	case err != nil:
		return nil, fmt.Errorf("read idempotency key: %w", err)
	case !db.keys.Verify(outreach.PurposeIdempotency, hash, stored):
		return nil, outreach.Errorf(outreach.CodeIdempotencyReused, "Another request was made under this Idempotency-Key.")
	case sealed == nil:
		return nil, errKeyRunning
	}
	return db.keys.Open(outreach.PurposeIdempotency, keyContext(request), sealed)
}

var errKeyRunning = outreach.Errorf(outreach.CodeIdempotencyRunning, "A request under this Idempotency-Key is still running.")

func keyContext(request *outreach.KeyedRequest) []byte {
	return append(request.WorkspaceID[:], request.Key...)
}

const storeAnswer = `
UPDATE idempotency_keys SET status = $4, answer = $5
WHERE workspace_id = $1 AND key = $2 AND claimed_until = $3 AND answer IS NULL`

// Finish stores the sealed answer and commits it with the effect of the request.
func (db *DB) Finish(ctx context.Context, request *outreach.KeyedRequest, status int, answer []byte) error {
	tx, ok := request.Take().(pgx.Tx)
	if !ok {
		var err error
		if tx, err = db.pool.Begin(ctx); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // has no effect after the commit
	tag, err := tx.Exec(ctx, storeAnswer, request.WorkspaceID, request.Key, request.Until, status,
		db.keys.Seal(outreach.PurposeIdempotency, keyContext(request), answer))
	if err != nil {
		return fmt.Errorf("store answer: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return errKeyRunning
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit answer with its effect: %w", err)
	}
	return nil
}

const freeKey = `DELETE FROM idempotency_keys WHERE workspace_id = $1 AND key = $2 AND claimed_until = $3 AND answer IS NULL`

// Abandon rolls back what the request has kept and frees its key.
func (db *DB) Abandon(ctx context.Context, request *outreach.KeyedRequest) error {
	if open := request.Take(); open != nil {
		if err := open.Rollback(ctx); err != nil {
			return fmt.Errorf("roll back effect: %w", err)
		}
	}
	return Exec(ctx, db.pool, "free idempotency key", freeKey, request.WorkspaceID, request.Key, request.Until)
}

const dropOldKeys = `DELETE FROM idempotency_keys WHERE created_at < statement_timestamp() - $1::interval`

// DropOldKeys deletes the answers that have expired.
func (db *DB) DropOldKeys(ctx context.Context) error {
	return Exec(ctx, db.pool, "drop old idempotency keys", dropOldKeys, outreach.IdempotencyRetention)
}
