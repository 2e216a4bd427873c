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

// What a look at the schema of a database may find. An older one can be migrated;
// of any other nobody knows what it lacks.
var (
	ErrSchemaOlder = errors.New("the database schema is older than this program: run `outreach migrate`, or start with --migrate")
	ErrSchemaOther = errors.New("the database schema is not one of this program: a newer or another build of outreach " +
		"made it; run that build, or give this one a database of its own")
)

// CheckSchema looks at the database at url: ErrSchemaOlder when migrations are
// missing there, ErrSchemaOther when some were applied that are not ours.
func CheckSchema(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return checkSchema(ctx, conn)
}

// CheckSchema is the function of that name for this store. What was applied stays
// so: after the first success nobody asks the database again.
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
	rows, err := q.Query(ctx, selectApplied)
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

// applied says what it means that what was applied cannot be read: no table, that
// nothing was; no column, that it was before hashes were kept.
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

// hashingStore keeps, with the version of each migration, the hash of its text, in
// the transaction that applies it.
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

// migrationHashes gives the hash of each migration by its version.
func migrationHashes() map[int64]string {
	hashes := map[int64]string{}
	files, _ := fs.Glob(migrationFiles, "migrations/*.sql") // the pattern is right
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

// hashOfSQL changes with a text unless only its comments and blanks do.
func hashOfSQL(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(sqlComment.ReplaceAllString(text, "")), " ")))
	return hex.EncodeToString(sum[:])[:16]
}

// SchemaKey changes whenever a migration does; tests name their template
// database by it.
func SchemaKey() string {
	hashes := migrationHashes()
	var all []string
	for _, version := range slices.Sorted(maps.Keys(hashes)) {
		all = append(all, hashes[version])
	}
	return hashOfSQL(strings.Join(all, " "))
}
