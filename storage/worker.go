package storage

import (
	"context"
	"fmt"
	"time"
)

const registerWorker = `
INSERT INTO workers (id, slots, expires_at) VALUES ($1, $2, statement_timestamp() + $3::interval)
ON CONFLICT (id) DO UPDATE SET slots = excluded.slots, expires_at = excluded.expires_at`

const selectAttempts = `SELECT coalesce(sum(slots), 0) FROM workers WHERE expires_at > statement_timestamp()`

const deleteExpiredWorkers = `DELETE FROM workers WHERE expires_at <= statement_timestamp() - interval '1 hour'`

// RegisterWorker adds or renews a process that makes up to attempts webhook attempts at once, and
// returns those of all live processes. The registration ends ttl after the last renewal, by the
// database's clock.
func (db *DB) RegisterWorker(ctx context.Context, id string, attempts int, ttl time.Duration) (total int, err error) {
	if err := Exec(ctx, db.pool, "delete expired workers", deleteExpiredWorkers); err != nil {
		return 0, err
	}
	if err := Exec(ctx, db.pool, "register worker", registerWorker, id, attempts, ttl); err != nil {
		return 0, err
	}
	if err := db.pool.QueryRow(ctx, selectAttempts).Scan(&total); err != nil {
		return 0, fmt.Errorf("count attempts of all workers: %w", err)
	}
	return total, nil
}

// RemoveWorker deletes a registration, if it exists.
func (db *DB) RemoveWorker(ctx context.Context, id string) error {
	return Exec(ctx, db.pool, "remove worker", `DELETE FROM workers WHERE id = $1`, id)
}
