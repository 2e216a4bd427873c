package storage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"outreach"
)

// Results of a check of the schema. An older schema can be migrated, any other cannot.
var (
	ErrSchemaOlder = errors.New("the database schema is older than this program: run `outreach migrate`, or start with --migrate")
	ErrSchemaOther = errors.New("the database schema does not belong to this program: a newer or another build of outreach " +
		"made it; run that build, or give this one a database of its own")
)

// SchemaNewerError is the result of a check of a schema with a migration that this program is too
// old for (docs/reference.md#schema-versions).
type SchemaNewerError struct {
	Program   string // the version of this program
	Oldest    string // of the programs that the migration allows
	AppliedBy string // the program that applied it
}

func (e *SchemaNewerError) Error() string {
	return fmt.Sprintf("this is outreach %s, and the database schema needs outreach %s or newer: outreach %s has migrated it; "+
		"start outreach %s or newer, or restore a backup from before that migration", e.Program, e.Oldest, e.AppliedBy, e.Oldest)
}

// CheckSchema checks the database at url. It returns ErrSchemaOlder if migrations are missing,
// SchemaNewerError if one was applied that needs a newer program, and ErrSchemaOther if the applied
// ones are not those of this program.
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

// watchSchemaEvery is how often WatchSchema looks.
const watchSchemaEvery = 5 * time.Second

// WatchSchema returns SchemaNewerError once a migration was applied that this program is too old
// for, and nil when ctx ends. A database that does not answer is asked again.
func (db *DB) WatchSchema(ctx context.Context) error {
	ticker := time.NewTicker(watchSchemaEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if newer, ok := errors.AsType[*SchemaNewerError](checkSchema(ctx, db.pool)); ok {
			return newer
		}
	}
}

// appliedMigration is a migration as the database records it. A field is empty if a program recorded
// the migration that did not know the column.
type appliedMigration struct {
	version int64
	hash    string
	oldest  string // program that may run beside it
	by      string // program that applied it
}

// The error names the last migration that the program is too old for.
const selectApplied = `
SELECT version_id, coalesce(hash, ''), coalesce(oldest_program, ''), coalesce(applied_by, '')
FROM goose_db_version WHERE is_applied AND version_id > 0 ORDER BY version_id`

func checkSchema(ctx context.Context, q Querier) error {
	rows, err := q.Query(ctx, selectApplied, pgx.QueryExecModeExec) // the connection may be a pooler's
	if err != nil {
		return applied(err)
	}
	var all []appliedMigration
	var one appliedMigration
	_, err = pgx.ForEachRow(rows, []any{&one.version, &one.hash, &one.oldest, &one.by}, func() error {
		all = append(all, one)
		return nil
	})
	if err != nil {
		return applied(err)
	}
	own, err := ownMigrations()
	if err != nil {
		return err
	}
	return judgeSchema(own, all, program)
}

// judgeSchema compares the applied migrations, in order, with those of a program. Migrations that
// the program does not have are allowed after all of its own, if they allow the program.
func judgeSchema(own map[int64]migration, applied []appliedMigration, program string) error {
	release, err := outreach.ParseRelease(program)
	if err != nil {
		return fmt.Errorf("this program: %w", err)
	}
	missing := maps.Clone(own)
	var newer *SchemaNewerError
	for _, a := range applied {
		if ours, known := own[a.version]; known {
			if a.hash != ours.hash {
				return ErrSchemaOther
			}
			delete(missing, a.version)
			continue
		}
		if len(missing) > 0 {
			return ErrSchemaOther
		}
		oldest, err := outreach.ParseRelease(a.oldest)
		if err != nil {
			return ErrSchemaOther // recorded by no program that keeps this rule
		}
		if release.Before(oldest) {
			newer = &SchemaNewerError{Program: program, Oldest: a.oldest, AppliedBy: a.by}
		}
	}
	switch {
	case newer != nil:
		return newer
	case len(missing) > 0:
		return ErrSchemaOlder
	}
	return nil
}

// applied interprets an error of reading the applied migrations: without the table, none was
// applied; without a column, they were applied before it was recorded.
func applied(err error) error {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case ok && refused.Code == "42P01":
		return ErrSchemaOlder
	case ok && refused.Code == "42703":
		return ErrSchemaOther
	}
	return fmt.Errorf("look at schema: %w", err)
}

// SchemaKey changes with every migration. Tests name their template database by it.
func SchemaKey() string {
	own, _ := ownMigrations() // a test reads all of them
	var all []string
	for _, version := range slices.Sorted(maps.Keys(own)) {
		all = append(all, strconv.FormatInt(version, 10), own[version].hash, own[version].oldest)
	}
	return hashOfSQL(strings.Join(all, " "))
}

const selectTables = `
SELECT to_regclass('workspaces') IS NOT NULL AND to_regclass('users') IS NOT NULL,
	EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = current_schema())`

const selectOthers = `
SELECT EXISTS (SELECT FROM workspaces) AND NOT EXISTS (SELECT FROM users WHERE email = $1)`

// HoldsOtherData reports whether the database at url holds tables of another program, or workspaces
// and no user with this address.
func HoldsOtherData(ctx context.Context, url, email string) (others bool, err error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return false, fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var ours, tables bool
	if err := conn.QueryRow(ctx, selectTables).Scan(&ours, &tables); err != nil {
		return false, fmt.Errorf("look for tables: %w", err)
	}
	if !ours {
		return tables, nil
	}
	if err := conn.QueryRow(ctx, selectOthers, email).Scan(&others); err != nil {
		return false, fmt.Errorf("look for other workspaces: %w", err)
	}
	return others, nil
}
