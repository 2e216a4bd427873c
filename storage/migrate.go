package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that goose talks through
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migrate brings the schema of the database at url to the newest version.
// Several processes may call it at once: one works, the others wait. A process
// that dies in it leaves a whole number of migrations applied.
func Migrate(ctx context.Context, url string) error {
	provider, done, err := migrations(url)
	if err != nil {
		return err
	}
	defer done()
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	return nil
}

// CheckSchema fails when migrations are missing.
func CheckSchema(ctx context.Context, url string) error {
	provider, done, err := migrations(url)
	if err != nil {
		return err
	}
	defer done()
	pending, err := provider.HasPending(ctx)
	if err != nil {
		return fmt.Errorf("look at schema version: %w", err)
	}
	if pending {
		return fmt.Errorf("the database schema is older than this program: run `outreach migrate`, or start with --migrate")
	}
	return nil
}

func migrations(url string) (*goose.Provider, func(), error) {
	conn, err := sql.Open("pgx", url)
	if err != nil {
		return nil, nil, fmt.Errorf("open database: %w", err)
	}
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, nil, fmt.Errorf("read migrations: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, nil, fmt.Errorf("make migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, files, goose.WithSessionLocker(locker))
	if err != nil {
		conn.Close()
		return nil, nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, func() { provider.Close() }, nil
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
