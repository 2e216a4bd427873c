package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/internal/testkit"
)

// schemaOf lists the columns, indexes and constraints of a database, each as one line.
const schemaOf = `
SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default)
FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'events\_%'
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'events\_%'
UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
	WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'events\_%'
UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
	WHERE p.pronamespace = 'public'::regnamespace AND l.lanname <> 'c'
ORDER BY 1`

// rowsOf counts what must survive a migration.
const rowsOf = `
SELECT format('%s %s', 'prospects', count(*)) FROM prospects UNION ALL SELECT format('%s %s', 'companies', count(*)) FROM companies
UNION ALL SELECT format('%s %s', 'campaigns ' || status, count(*)) FROM campaigns GROUP BY status
UNION ALL SELECT format('%s %s', 'enrollments ' || status, count(*)) FROM enrollments GROUP BY status
UNION ALL SELECT format('%s %s', 'messages ' || status, count(*)) FROM messages GROUP BY status
UNION ALL SELECT format('%s %s', 'replies ' || coalesce(interest, ''), count(*)) FROM replies GROUP BY interest
UNION ALL SELECT format('%s %s', 'events ' || type, count(*)) FROM events GROUP BY type
UNION ALL SELECT format('%s %s', 'deliveries ' || status, count(*)) FROM deliveries GROUP BY status
UNION ALL SELECT format('%s %s', 'suppressions ' || reason, count(*)) FROM suppressions GROUP BY reason
ORDER BY 1`

// lines returns the rows of a query, each a text.
func (s *stage) lines(query string) []string {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.vars["DATABASE_URL"])
	testkit.NoError(s.t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(s.t.Context())) }()
	rows, err := conn.Query(s.t.Context(), query)
	testkit.NoError(s.t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	testkit.NoError(s.t, err)
	return lines
}

// load replaces the stage's database by the dump of a release, with its key and its token.
func (s *stage) load(dump string) {
	s.t.Helper()
	file, err := os.Open(dump)
	testkit.NoError(s.t, err)
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	testkit.NoError(s.t, err)
	text, err := io.ReadAll(unpacked)
	testkit.NoError(s.t, err)
	var keys struct {
		Secret string `json:"secret_key"`
		Token  string `json:"api_token"`
	}
	about, err := os.ReadFile(strings.TrimSuffix(dump, ".sql.gz") + ".json")
	testkit.NoError(s.t, err)
	testkit.NoError(s.t, json.Unmarshal(about, &keys))
	s.vars["DATABASE_URL"] = testdb.New(s.t, testdb.Template{Key: "empty", Build: func(context.Context, string) error { return nil }})
	s.vars["OUTREACH_SECRET_KEY"], s.token = keys.Secret, keys.Token
	s.sql(string(text))
}

// The database of each release, as tools/dump wrote it, is migrated: nothing is lost, the schema is
// that of a new database, and the service goes on with it.
func TestReleasesMigrate(t *testing.T) {
	t.Parallel()
	dumps, err := filepath.Glob("testdata/releases/*.sql.gz")
	testkit.NoError(t, err)
	if len(dumps) == 0 {
		t.Fatal("testdata/releases has no dump")
	}
	for _, dump := range dumps {
		t.Run(filepath.Base(dump), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			schema := s.lines(schemaOf)
			s.load(dump)
			before := s.lines(rowsOf)
			self, err := os.Executable()
			testkit.NoError(t, err)
			for _, command := range []string{"migrate", "sending on"} { // sending is off after a restore
				if said, err := s.runBinary(self, strings.Fields(command)...); err != nil {
					t.Fatalf("%s: %v\n%s", command, err, said)
				}
			}
			if diff := cmp.Diff(before, s.lines(rowsOf)); diff != "" {
				t.Errorf("rows before and after (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(schema, s.lines(schemaOf)); diff != "" {
				t.Errorf("schema (-new database +migrated):\n%s", diff)
			}
			s.spawn("worker")
			s.spawn("api")
			s.untilReady()
			for _, path := range []string{
				"/prospects", "/companies", "/campaigns", "/enrollments", "/messages", "/replies", "/deliveries", "/suppressions", "/offers",
				"/mailboxes", "/subscriptions",
			} {
				if len(s.list(path)) == 0 {
					t.Errorf("%s is empty", path)
				}
			}
			campaign, _ := s.slice()
			s.reaches(campaign, "after@customer.example")
		})
	}
}
