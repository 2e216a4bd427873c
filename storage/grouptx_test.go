package storage_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/storage"
)

// A transaction of a group whose last statements are sent with COMMIT stores everything, or nothing if one of
// them fails; its connection goes on.
func TestCommitWith(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	name := func(ctx context.Context, name string, last ...string) error {
		return s.GroupTx(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `UPDATE workspaces SET name = $2 WHERE id = $1`, s.ws, name); err != nil {
				return err
			}
			batch := &pgx.Batch{}
			for _, sql := range last {
				batch.Queue(sql, s.ws)
			}
			return storage.CommitWith(ctx, tx, batch)
		})
	}
	const longer, fails = `UPDATE workspaces SET name = name || '!' WHERE id = $1`, `SELECT 1 / 0 FROM workspaces WHERE id = $1`
	is := func(want string) {
		t.Helper()
		same(t, "name", ask[string](s, `SELECT name FROM workspaces WHERE id = $1`, s.ws), want)
	}
	must(t, name(s.ctx, "one"))
	is("one")
	must(t, name(s.ctx, "two", longer))
	is("two!")
	for _, last := range [][]string{{fails}, {longer, fails}, {fails, longer}} {
		if err := name(s.ctx, "three", last...); err == nil {
			t.Errorf("%v was committed", last)
		}
		is("two!")
	}
	must(t, name(s.ctx, "four", longer))
	is("four!")
	err := s.Tx(s.ctx, func(tx pgx.Tx) error { return storage.CommitWith(s.ctx, tx, &pgx.Batch{}) })
	if err == nil {
		t.Error("a transaction of no group was committed")
	}
}
