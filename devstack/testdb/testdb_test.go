package testdb_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
)

func open(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func run(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, sql)
	return err
}

var builds atomic.Int32

var numbers = testdb.Template{Key: "numbers-1", Build: func(ctx context.Context, url string) error {
	builds.Add(1)
	return run(ctx, url, "CREATE TABLE numbers AS SELECT generate_series(1, 3) AS n")
}}

func TestEachTestHasItsOwnCopyOfTheTemplate(t *testing.T) {
	t.Parallel()
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			conn := open(t, testdb.New(t, numbers))
			var sum int
			if err := conn.QueryRow(t.Context(), "INSERT INTO numbers VALUES (10) RETURNING (SELECT sum(n) FROM numbers)").Scan(&sum); err != nil {
				t.Fatal(err)
			}
			if sum != 6 {
				t.Errorf("sum of the fresh table = %d, want 6", sum)
			}
		})
	}
	if n := builds.Load(); n > 1 {
		t.Errorf("the template was built %d times", n)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		testdb.New(b, numbers)
	}
}
