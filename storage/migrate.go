package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/stdlib" // the driver that goose talks through
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migrate brings the schema of the database at url to the newest version.
// Several processes may call it at once: one works, the others wait. A process
// that dies in it leaves a whole number of migrations applied.
func Migrate(ctx context.Context, url string) error {
	conn, err := sql.Open("pgx", url)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	provider, err := migrations(conn)
	if err != nil {
		return err
	}
	defer func() { _ = provider.Close() }()
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	return nil
}

// CheckSchema fails when migrations are missing in the database at url.
func CheckSchema(ctx context.Context, url string) error {
	conn, err := sql.Open("pgx", url)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	return checkSchema(ctx, conn)
}

// CheckSchema fails when migrations are missing. What was applied stays so: after
// the first success nobody asks the database again.
func (db *DB) CheckSchema(ctx context.Context) error {
	if db.migrated.Load() {
		return nil
	}
	err := checkSchema(ctx, stdlib.OpenDBFromPool(db.pool))
	if err == nil {
		db.migrated.Store(true)
	}
	return err
}

func checkSchema(ctx context.Context, conn *sql.DB) error {
	provider, err := migrations(conn)
	if err != nil {
		return err
	}
	defer func() { _ = provider.Close() }()
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return fmt.Errorf("look at schema version: %w", err)
	}
	if pending {
		return errors.New("the database schema is older than this program: run `outreach migrate`, or start with --migrate")
	}
	return nil
}

// migrations takes conn over: it is closed with the provider.
func migrations(conn *sql.DB) (*goose.Provider, error) {
	provider, err := newProvider(conn)
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, nil
}

func newProvider(conn *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(locker))
}

// SchemaKey changes whenever a migration does; tests name their template
// database by it.
func SchemaKey() string {
	hash := sha256.New()
	_ = fs.WalkDir(migrationFiles, "migrations", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := migrationFiles.ReadFile(path)
		hash.Write(text)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil))[:16]
}
