package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// Results of a check of the schema. An older schema can be migrated, any other cannot.
var (
	ErrSchemaOlder = errors.New("the database schema is older than this program: run `outreach migrate`, or start with --migrate")
	ErrSchemaOther = errors.New("the database schema does not belong to this program: a newer or another build of outreach " +
		"made it; run that build, or give this one a database of its own")
)

// CheckSchema checks the database at url. It returns ErrSchemaOlder if migrations are missing, and
// ErrSchemaOther if some were applied that this program does not have.
func CheckSchema(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return checkSchema(ctx, conn)
}

// CheckSchema is the function of that name for this database. After the first success the database
// is not asked again.
func (db *DB) CheckSchema(ctx context.Context) error {
	if db.migrated.Load() {
		return nil
	}
	err := checkSchema(ctx, db.pool)
	if err == nil {
		db.migrated.Store(true)
	}
	return err
}

const selectApplied = `SELECT version_id, hash FROM goose_db_version WHERE is_applied AND version_id > 0`

func checkSchema(ctx context.Context, q Querier) error {
	rows, err := q.Query(ctx, selectApplied, pgx.QueryExecModeExec) // the connection may be a pooler's
	if err != nil {
		return applied(err)
	}
	missing := migrationHashes()
	var version int64
	var hash *string
	_, err = pgx.ForEachRow(rows, []any{&version, &hash}, func() error {
		ours, known := missing[version]
		delete(missing, version)
		if !known || hash == nil || *hash != ours {
			return ErrSchemaOther
		}
		return nil
	})
	if err == nil && len(missing) > 0 {
		return ErrSchemaOlder
	}
	return applied(err)
}

// applied interprets an error of reading the applied migrations: without the table, none was
// applied; without the column, they were applied before hashes were stored.
func applied(err error) error {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case ok && refused.Code == "42P01":
		return ErrSchemaOlder
	case ok && refused.Code == "42703":
		return ErrSchemaOther
	case err == nil || errors.Is(err, ErrSchemaOther):
		return err
	}
	return fmt.Errorf("look at schema: %w", err)
}

// hashingStore stores the hash of each migration with its version, in the transaction that applies
// it.
type hashingStore struct{ database.Store }

func newHashingStore() (database.Store, error) {
	plain, err := database.NewStore(database.DialectPostgres, goose.DefaultTablename)
	return hashingStore{plain}, err
}

func (s hashingStore) CreateVersionTable(ctx context.Context, db database.DBTxConn) error {
	if err := s.Store.CreateVersionTable(ctx, db); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "ALTER TABLE "+s.Tablename()+" ADD COLUMN hash text")
	return err
}

func (s hashingStore) Insert(ctx context.Context, db database.DBTxConn, request database.InsertRequest) error {
	if err := s.Store.Insert(ctx, db, request); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "UPDATE "+s.Tablename()+" SET hash = $2 WHERE version_id = $1", request.Version,
		migrationHashes()[request.Version])
	return err
}

// migrationHashes returns the hash of each migration by its version.
func migrationHashes() map[int64]string {
	hashes := map[int64]string{}
	files, _ := fs.Glob(migrationFiles, "migrations/*.sql") // the pattern is valid
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		text, failed := migrationFiles.ReadFile(file)
		if err == nil && failed == nil {
			hashes[version] = hashOfSQL(string(text))
		}
	}
	return hashes
}

var sqlComment = regexp.MustCompile(`--.*`)

// hashOfSQL returns a hash of a text without comments and white space.
func hashOfSQL(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(sqlComment.ReplaceAllString(text, "")), " ")))
	return hex.EncodeToString(sum[:])[:16]
}

// SchemaKey changes with every migration. Tests name their template database by it.
func SchemaKey() string {
	hashes := migrationHashes()
	var all []string
	for _, version := range slices.Sorted(maps.Keys(hashes)) {
		all = append(all, hashes[version])
	}
	return hashOfSQL(strings.Join(all, " "))
}
