package storage

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"outreach"
)

// A schema is the same whatever is said about it.
func TestHashOfSQL(t *testing.T) {
	t.Parallel()
	const table = "-- why\nCREATE TABLE a (\n  id int -- what\n);\n"
	for text, same := range map[string]bool{
		"CREATE TABLE a ( id int );": true, "-- other\n\n" + table: true, "CREATE TABLE a (\n  id bigint\n);": false,
		"CREATE TABLE a (id int, b int);": false, "": false,
	} {
		if (hashOfSQL(text) == hashOfSQL(table)) != same {
			t.Errorf("%q is the same: want %v", text, same)
		}
	}
}

// Which schema a program starts on.
func TestJudgeSchema(t *testing.T) {
	t.Parallel()
	own := map[int64]migration{1: {"a", "0.1.0"}, 2: {"b", "0.1.0"}}
	first, second := appliedMigration{1, "a", "0.1.0", "0.1.0"}, appliedMigration{2, "b", "0.1.0", "0.2.0"}
	third := func(oldest string) appliedMigration { return appliedMigration{3, "c", oldest, "0.3.0"} }
	fourth := func(oldest string) appliedMigration { return appliedMigration{4, "d", oldest, "0.4.0"} }
	newer := errors.New("newer")
	for _, c := range []struct {
		name    string
		applied []appliedMigration
		program string
		want    error
	}{
		{"an empty database", nil, "0.2.0", ErrSchemaOlder},
		{"one migration is missing", []appliedMigration{first}, "0.2.0", ErrSchemaOlder},
		{"its own", []appliedMigration{first, second}, "0.2.0", nil},
		{"its own, whatever they allow", []appliedMigration{{1, "a", "9.0.0", "9.0.0"}, second}, "0.2.0", nil},
		{"another text", []appliedMigration{first, {2, "x", "0.1.0", "0.2.0"}}, "0.2.0", ErrSchemaOther},
		{"a newer one that allows it", []appliedMigration{first, second, third("0.2.0")}, "0.2.0", nil},
		{"a newer one that allows its candidate", []appliedMigration{first, second, third("0.2.0")}, "0.2.0-rc.1", nil},
		{"two that allow it", []appliedMigration{first, second, third("0.1.0"), fourth("0.2.0")}, "0.2.0", nil},
		{"a newer one that does not", []appliedMigration{first, second, third("0.3.0")}, "0.2.0", newer},
		{"the second does not", []appliedMigration{first, second, third("0.1.0"), fourth("0.3.0")}, "0.2.0", newer},
		{"the first does not", []appliedMigration{first, second, third("0.3.0"), fourth("0.1.0")}, "0.2.0", newer},
		{"a newer one that says nothing", []appliedMigration{first, second, third("")}, "0.2.0", ErrSchemaOther},
		{"a newer one without its own", []appliedMigration{first, third("0.1.0")}, "0.2.0", ErrSchemaOther},
	} {
		got := judgeSchema(own, c.applied, c.program)
		if _, ok := errors.AsType[*SchemaNewerError](got); ok {
			got = newer
		}
		if !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	got := judgeSchema(own, []appliedMigration{first, second, third("0.3.0"), fourth("0.4.0")}, "0.2.0")
	const want = "this is outreach 0.2.0, and the database schema needs outreach 0.4.0 or newer: outreach 0.4.0 has migrated it; " +
		"start outreach 0.4.0 or newer, or restore a backup from before that migration"
	if got == nil || got.Error() != want {
		t.Errorf("the sentence is %q, want %q", got, want)
	}
}

// The release before a migration runs beside it, so what it allows is older than this program.
func TestMigrationsAllowTheReleaseBefore(t *testing.T) {
	t.Parallel()
	own, err := ownMigrations()
	if err != nil {
		t.Fatal(err)
	}
	this, err := outreach.ParseRelease(program)
	if err != nil {
		t.Fatal(err)
	}
	for version, m := range own {
		oldest, err := outreach.ParseRelease(m.oldest)
		if err != nil {
			t.Fatal(err)
		}
		if version > 1 && !oldest.Before(this) || this.Before(oldest) {
			t.Errorf("migration %d says it runs beside %v; it must allow the release before %v", version, oldest, this)
		}
	}
}

func TestReadMigrations(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"-- +goose Up\n-- beside: 0.1.0\nSELECT 1;": "",
		"-- +goose Up\nSELECT 1;":                   `has no line "-- beside: 0.1.0"`,
		"-- beside: first\nSELECT 1;":               "is not three numbers",
	} {
		_, err := readMigrations(fstest.MapFS{"00002_next.sql": {Data: []byte(text)}})
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}
