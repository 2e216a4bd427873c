package testdb

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// clean removes what earlier processes left, then drops the databases of tests that are over. It
// ignores failures, and the next sweep tries again, because the result of a test must not depend on
// the cleaning after another.
func (s *server) clean(conn *pgx.Conn) {
	ctx := context.Background()
	sweep(ctx, conn, time.Now())
	for name := range s.drops {
		drop(ctx, conn, name)
	}
}

// sweep drops old templates and the databases of processes that have ended, whose lock is free.
func sweep(ctx context.Context, conn *pgx.Conn, now time.Time) {
	rows, err := conn.Query(ctx, `SELECT datname, coalesce(shobj_description(oid, 'pg_database'), '')
		FROM pg_database WHERE datname LIKE 'outreach\_%'`)
	if err != nil {
		return
	}
	type database struct{ Name, Comment string }
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[database])
	if err != nil {
		return
	}
	for _, d := range all {
		if strings.HasPrefix(d.Name, templatePrefix) && isOld(d.Comment, now) {
			drop(ctx, conn, d.Name)
		}
		if owner, ok := ownerOf(d.Name); ok {
			dropOrphan(ctx, conn, d.Name, owner)
		}
	}
}

func isOld(comment string, now time.Time) bool {
	built, err := strconv.ParseInt(comment, 10, 64)
	return err == nil && now.Sub(time.Unix(built, 0)) > templateAge
}

// ownerOf reads the token in the name of a test's or a half-built database.
func ownerOf(name string) (uint32, bool) {
	rest, isTest := strings.CutPrefix(name, testPrefix)
	if !isTest {
		var isHalf bool
		if rest, isHalf = strings.CutPrefix(name, halfPrefix); !isHalf {
			return 0, false
		}
	}
	text, _, _ := strings.Cut(rest, "_")
	token, err := strconv.ParseUint(text, 16, 32)
	return uint32(token), err == nil
}

func dropOrphan(ctx context.Context, conn *pgx.Conn, name string, owner uint32) {
	var free bool
	err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1::int, $2::int)", ownerClass, int32(owner)).Scan(&free)
	if err != nil || !free {
		return
	}
	drop(ctx, conn, name)
	_, _ = conn.Exec(ctx, "SELECT pg_advisory_unlock($1::int, $2::int)", ownerClass, int32(owner))
}

func drop(ctx context.Context, conn *pgx.Conn, name string) {
	_, _ = conn.Exec(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)")
}
