package storage

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	_ "github.com/jackc/pgx/v5/stdlib" // driver for goose
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migrate migrates the schema of the database at url to the newest version. It changes nothing if
// the schema is ErrSchemaOther. Several processes may call it at once: one works, the others wait.
// If it dies, each migration is applied either fully or not at all.
func Migrate(ctx context.Context, url string) error {
	if err := CheckSchema(ctx, url); !errors.Is(err, ErrSchemaOlder) {
		return err
	}
	conn, err := sql.Open("pgx", url)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = conn.Close() }()
	provider, err := newProvider(conn)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("apply migrations: %w", err)
	}
	return nil
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
	store, err := newHashingStore()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectCustom, conn, files, goose.WithStore(store), goose.WithSessionLocker(locker))
}
