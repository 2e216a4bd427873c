package testdb

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/internal/testkit"
)

// BackendTime returns how much CPU time Postgres has spent on the sessions of the database at url
// that are open now. Linux counts it in nanoseconds for each process, so other work on the machine
// does not count.
func BackendTime(t testing.TB, url string) (total time.Duration) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, url)
	testkit.NoError(t, err)
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	testkit.NoError(t, err)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	testkit.NoError(t, err)
	for _, pid := range pids {
		times, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/schedstat") // "on CPU, waiting, slices"
		if err != nil {
			continue // the session has ended
		}
		spent, err := strconv.ParseInt(strings.Fields(string(times))[0], 10, 64)
		testkit.NoError(t, err)
		total += time.Duration(spent)
	}
	return total
}
