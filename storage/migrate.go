package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "github.com/jackc/pgx/v5/stdlib" // driver for goose
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

// Migrate migrates the schema of the database at url to the newest version. It changes nothing if
// the schema is that of another or a newer program. Several processes may call it at once: one
// works, the others wait. If it dies, each migration is applied either fully or not at all.
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
	files, err := migrationFolder()
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	plain, err := database.NewStore(database.DialectPostgres, goose.DefaultTablename)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectCustom, conn, files, goose.WithStore(recordingStore{plain}), goose.WithSessionLocker(locker))
}

// recordingStore records with each migration its hash, the oldest program that may run beside it
// and the program that applies it, in the transaction that applies it.
type recordingStore struct{ database.Store }

func (s recordingStore) CreateVersionTable(ctx context.Context, db database.DBTxConn) error {
	if err := s.Store.CreateVersionTable(ctx, db); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "ALTER TABLE "+s.Tablename()+
		" ADD COLUMN hash text, ADD COLUMN oldest_program text, ADD COLUMN applied_by text")
	return err
}

func (s recordingStore) Insert(ctx context.Context, db database.DBTxConn, request database.InsertRequest) error {
	if err := s.Store.Insert(ctx, db, request); err != nil {
		return err
	}
	own, err := ownMigrations()
	if err != nil {
		return err
	}
	applied := own[request.Version]
	_, err = db.ExecContext(ctx, "UPDATE "+s.Tablename()+" SET hash = $2, oldest_program = $3, applied_by = $4 WHERE version_id = $1",
		request.Version, applied.hash, applied.oldest, program)
	return err
}
