package storage_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/storage"
)

var (
	writes = regexp.MustCompile(`\b(INSERT INTO|UPDATE|DELETE FROM)\s`)
	// columnTime is arithmetic on a column of time, such as e.last_step_at + s.delay.
	columnTime = regexp.MustCompile(`\b(([a-z]+\.)?[a-z_]+_(at|until)\)?|[a-z]+\.(at|now))\s*[-+]\s`)
)

// Citus refuses writes whose time is read while they run, and arithmetic on a column of
// time in UPDATE. The time of a write is a parameter or statement_timestamp(), which is
// the same in every shard.
func TestWritesTakeTheirTime(t *testing.T) {
	t.Parallel()
	for where, sql := range statementsOf(t) {
		if !writes.MatchString(sql) {
			continue
		}
		if strings.Contains(sql, "clock_timestamp()") {
			t.Errorf("%s: a write reads clock_timestamp(): use a parameter or statement_timestamp()", where)
		}
		if found := columnTime.FindString(sql); found != "" {
			t.Errorf("%s: a write has arithmetic on a column of time (%q): compute it before", where, found)
		}
	}
}

// keysWithoutWorkspace are the keys of tables of a workspace that do not name it, each
// with the reason.
var keysWithoutWorkspace = map[string]string{
	"sessions_pkey":   "a reference table: a cookie is found by its hash",
	"tokens_hash_key": "a reference table: a token is found by its hash",
}

// Tables of a workspace can be distributed by workspace_id: every primary key, unique
// index and foreign key between them has it.
func TestKeysNameTheWorkspace(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows, err := conn.Query(t.Context(), selectKeysWithoutWorkspace)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, key := range keys {
		met[key] = true
		if keysWithoutWorkspace[key] == "" {
			t.Errorf("%s does not contain workspace_id", key)
		}
	}
	for key := range keysWithoutWorkspace {
		if !met[key] {
			t.Errorf("%s needs no exception", key)
		}
	}
}

// The unique indexes and foreign keys of tables that have a column workspace_id, where
// none of their own columns is it. A foreign key to workspaces names it.
const selectKeysWithoutWorkspace = `
WITH tenant AS (
	SELECT c.oid, c.relname, a.attnum FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
	WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
)
SELECT i.relname::text FROM tenant t JOIN pg_index x ON x.indrelid = t.oid AND x.indisunique JOIN pg_class i ON i.oid = x.indexrelid
WHERE NOT t.attnum = ANY(x.indkey::int2[])
UNION ALL
SELECT k.conname::text FROM tenant t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
WHERE NOT t.attnum = ANY(k.conkey) AND k.confrelid <> 'users'::regclass
ORDER BY 1`

var (
	scanLine = regexp.MustCompile(`Index (?:Only )?Scan(?: Backward)? using (\w+) on `)
	keysOf   = `SELECT i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
		JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
		WHERE a.attname = 'workspace_id' AND x.indnatts > 1`
)

// wholeIndex are the statements that serve all workspaces at once, with the index.
var wholeIndex = map[string]string{
	"outbox/handout.go deliveries_due":           "what is due in any workspace of a cluster",
	"sending/settle.go messages_open":            "messages on their way in any workspace, which are few",
	"sending/refresh.go campaigns_status":        "completed campaigns of all workspaces",
	"sending/answerledger.go messages_scheduled": "answers that are due in any workspace",
}

// name returns the file of a place.
func name(where string) string { return where[:strings.IndexByte(where, ':')] }

// A statement that looks up a row in an index that begins with the workspace names the workspace.
// Without it the whole index would be read.
func TestIndexesAreReadByWorkspace(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows, err := conn.Query(t.Context(), keysOf)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range []string{"plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_bitmapscan = off"} {
		if _, err := conn.Exec(t.Context(), "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	for where, sql := range statementsOf(t) {
		sql, _, err := pgx.NamedArgs{}.RewriteQuery(t.Context(), conn, sql, nil)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		if strings.HasPrefix(strings.TrimSpace(sql), "SET ") {
			continue
		}
		lines := strings.Split(planOf(t, conn, "x.stmt", sql), "\n")
		for i, line := range lines {
			used := scanLine.FindStringSubmatch(line)
			if used == nil || !slices.Contains(names, used[1]) || i+1 == len(lines) {
				continue
			}
			condition := lines[i+1]
			if wholeIndex[name(where)+" "+used[1]] == "" && strings.Contains(condition, "Index Cond:") &&
				!strings.Contains(condition, "workspace_id") {
				t.Errorf("%s reads %s without the workspace: %s\n%s", where, used[1], strings.TrimSpace(condition), sql)
			}
		}
	}
}
