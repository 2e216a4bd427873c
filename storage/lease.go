package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Citus demands that the condition reads no clock: now is the new end minus $3.
const acquireLease = `
INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, statement_timestamp() + $3::interval)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
WHERE leases.holder = excluded.holder OR leases.expires_at AT TIME ZONE 'UTC' <= excluded.expires_at AT TIME ZONE 'UTC' - $3::interval
RETURNING true`

// AcquireLease acquires or renews the lease called name for holder, and reports whether holder has
// it now. It ends ttl after the last renewal, by the database's clock.
//
// If the holder dies, the lease expires: until then no process does the work, and two processes
// never do it at once.
func (db *DB) AcquireLease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	var held bool
	err := db.pool.QueryRow(ctx, acquireLease, name, holder, ttl).Scan(&held)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("acquire lease %s: %w", name, err)
	}
	return held, nil
}

// ReleaseLease releases the lease, so that another process need not wait for its end. It does
// nothing if holder does not have it.
func (db *DB) ReleaseLease(ctx context.Context, name, holder string) error {
	return Exec(ctx, db.pool, "release lease "+name, `DELETE FROM leases WHERE name = $1 AND holder = $2`, name, holder)
}
