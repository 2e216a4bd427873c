package storage_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/storage"
)

// A look at the schema goes through the store's own connections, and there is
// none after one that found everything applied.
func TestCheckSchema(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.exec(`UPDATE goose_db_version SET version_id = -version_id WHERE version_id > 0`)
	if err := s.CheckSchema(s.ctx); !errors.Is(err, storage.ErrSchemaOlder) {
		t.Errorf("an empty schema: %v", err)
	}
	s.exec(`UPDATE goose_db_version SET version_id = -version_id WHERE version_id < 0`)
	for _, asks := range []bool{true, false} {
		s.said.take()
		must(t, s.CheckSchema(s.ctx))
		if said := s.said.take(); (len(said) > 0) != asks {
			t.Errorf("statements %v, want some: %v", said, asks)
		}
	}
	must(t, storage.CheckSchema(s.ctx, s.url))
}

// Where a schema is not ours, nothing is touched.
func TestSchemaOfAnother(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"an edited migration":            `UPDATE goose_db_version SET hash = 'other' WHERE version_id = 1`,
		"a migration of no program":      `UPDATE goose_db_version SET hash = NULL WHERE version_id = 1`,
		"made before hashes were kept":   `ALTER TABLE goose_db_version DROP COLUMN hash`,
		"a newer migration":              `INSERT INTO goose_db_version (version_id, is_applied, hash) VALUES (99, true, 'newer')`,
		"a newer one, and an edited one": `UPDATE goose_db_version SET version_id = 99, hash = 'other' WHERE version_id = 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.exec(change)
			before := ask[int](s, `SELECT count(*)::int FROM goose_db_version`)
			for what, err := range map[string]error{
				"check": storage.CheckSchema(s.ctx, s.url), "check of the store": s.CheckSchema(s.ctx), "migrate": storage.Migrate(s.ctx, s.url),
			} {
				if !errors.Is(err, storage.ErrSchemaOther) {
					t.Errorf("%s: %v", what, err)
				}
			}
			same(t, "migrations", ask[int](s, `SELECT count(*)::int FROM goose_db_version`), before)
		})
	}
}

// A newer schema is used as it is, by a program that it allows. Migrate leaves it alone.
func TestNewerSchema(t *testing.T) {
	t.Parallel()
	for oldest, allowed := range map[string]bool{"0.1.0": true, "99.0.0": false} {
		t.Run(oldest, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.exec(`INSERT INTO goose_db_version (version_id, is_applied, hash, oldest_program, applied_by)
				VALUES (99, true, 'newer', $1, '99.1.0')`, oldest)
			for what, err := range map[string]error{
				"check": storage.CheckSchema(s.ctx, s.url), "check of the store": s.CheckSchema(s.ctx), "migrate": storage.Migrate(s.ctx, s.url),
			} {
				newer, refused := errors.AsType[*storage.SchemaNewerError](err)
				if refused == allowed || err != nil && newer == nil {
					t.Errorf("%s: %v, want allowed: %v", what, err, allowed)
				}
				if refused && (newer.Oldest != oldest || newer.AppliedBy != "99.1.0" || newer.Program != storage.Program()) {
					t.Errorf("%s: %+v", what, newer)
				}
			}
		})
	}
}

// A running program learns that a migration no longer allows it, and only that.
func TestWatchSchema(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	watched := make(chan error, 1)
	go func() { watched <- s.WatchSchema(s.ctx) }()
	s.exec(`INSERT INTO goose_db_version (version_id, is_applied, hash, oldest_program, applied_by)
		VALUES (99, true, 'newer', '99.0.0', '99.0.0')`)
	if err, ok := errors.AsType[*storage.SchemaNewerError](<-watched); !ok {
		t.Errorf("it ended with %v, want SchemaNewerError", err)
	}
	ended, end := context.WithCancel(s.ctx)
	end()
	must(t, s.WatchSchema(ended))
}

// A database that is empty is older, until it is migrated; twice is once.
func TestMigrateFromNothing(t *testing.T) {
	t.Parallel()
	url := testdb.New(t, testdb.Template{Key: "empty", Build: func(context.Context, string) error { return nil }})
	if err := storage.CheckSchema(t.Context(), url); !errors.Is(err, storage.ErrSchemaOlder) {
		t.Errorf("an empty database: %v", err)
	}
	failed := make(chan error)
	for range 3 {
		go func() { failed <- storage.Migrate(t.Context(), url) }()
	}
	for range 3 {
		must(t, <-failed)
	}
	must(t, storage.CheckSchema(t.Context(), url))
	must(t, storage.Migrate(t.Context(), url))
	conn := got(pgx.Connect(t.Context(), url))(t)
	defer conn.Close(context.WithoutCancel(t.Context()))
	var oldest, by string
	must(t, conn.QueryRow(t.Context(), `SELECT oldest_program, applied_by FROM goose_db_version WHERE version_id = 1`).Scan(&oldest, &by))
	same(t, "the oldest program and the one that migrated", oldest+" "+by, "0.1.0 "+storage.Program())
}
