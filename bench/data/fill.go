// Package data fills a database with a workspace of any size, for measurements. Postgres itself
// makes the rows, so that a million take a minute or two. It must not know the code that reads the
// tables.
package data

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Scale sets the number of prospects and events. The other numbers follow from them: one company
// for twenty prospects, an enrollment and a message for every second prospect, a reply for twenty
// events and a delivery for four. Rows are stored in another order than lists show, as in tables
// that several workspaces share and updates have reordered.
type Scale struct {
	Prospects, Events int
	// Schema names the version of the tables that are filled.
	Schema string
}

// Workspace is the one that everything belongs to.
var Workspace = uuid.MustParse("00000000-0000-7000-8000-000000000001")

//go:embed fill.sql
var script string

// Filled reports whether a Fill of this scale was completed in the database, for these tables and
// within the last three days, so that all its events still count for the temperature of companies.
func Filled(ctx context.Context, conn *pgx.Conn, scale Scale) (bool, error) {
	var there bool
	err := conn.QueryRow(ctx, `SELECT to_regclass('bench_filled') IS NOT NULL`).Scan(&there)
	if err != nil || !there {
		return false, err
	}
	err = conn.QueryRow(ctx, `
SELECT EXISTS (SELECT FROM bench_filled WHERE prospects = $1 AND events = $2 AND schema = $3 AND filled_at > now() - interval '3 days')`,
		scale.Prospects, scale.Events, scale.Schema).Scan(&there)
	return there, err
}

// Fill makes the rows in a migrated database that holds none yet. Every statement is its own
// transaction: if the process dies, the database is half full, Filled returns false, and the
// database must be dropped. told is called for each kind of row with the time that it took.
func Fill(ctx context.Context, conn *pgx.Conn, scale Scale, told func(what string, took time.Duration)) error {
	text := strings.NewReplacer(":prospects", fmt.Sprint(scale.Prospects), ":events", fmt.Sprint(scale.Events),
		":workspace", "'"+Workspace.String()+"'::uuid", ":schema", "'"+scale.Schema+"'").Replace(script)
	for statement := range strings.SplitSeq(text, ";\n") {
		if statement = strings.TrimSpace(statement); statement == "" {
			continue
		}
		began := time.Now()
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("fill by %q: %w", firstLine(statement), err)
		}
		told(firstLine(statement), time.Since(began))
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
