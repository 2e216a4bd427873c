package storage_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/storage"
)

// Programs that make partitions beside a dump, which reads events in one long transaction, hold up
// no one: events are stored and read all the while, and the partitions are made.
func TestPartitionsBesideDump(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	later := time.Now().Add(30 * 7 * 24 * time.Hour)
	s.hold(t, `LOCK TABLE events IN ACCESS SHARE MODE`)
	must(t, s.EnsurePartitions(s.ctx, later))
	same(t, "weeks ahead", got(s.PartitionsAhead(s.ctx, later))(t), storage.PartitionWeeks)
	s.storeEventAt(t, later)
	same(t, "events", ask[int](s, `SELECT count(*)::int FROM events`), 1)
}

// While another program holds a lock that partitions need, making them ends after a short wait, and
// events are stored meanwhile. The next call makes them.
func TestPartitionsBesideLock(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	later := time.Now().Add(30 * 7 * 24 * time.Hour)
	release := s.hold(t, `LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE`)
	ended := make(chan error, 1)
	go func() { ended <- s.EnsurePartitions(s.ctx, later) }()
	stored := 0
	for waiting := true; waiting; {
		s.storeEventAt(t, time.Now())
		stored++
		select {
		case err := <-ended:
			if waiting = false; !errors.Is(err, storage.ErrPartitionBusy) {
				t.Fatalf("partitions made beside the lock: %v", err)
			}
		default:
		}
	}
	same(t, "events", ask[int](s, `SELECT count(*)::int FROM events`), stored)
	same(t, "weeks ahead", got(s.PartitionsAhead(s.ctx, later))(t), -1)
	release()
	must(t, s.EnsurePartitions(s.ctx, later))
	same(t, "weeks ahead", got(s.PartitionsAhead(s.ctx, later))(t), storage.PartitionWeeks)
}

// A new database has the partitions of eight weeks and no DEFAULT, and a call adds what is missing.
func TestPartitionsAhead(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	same(t, "default partitions", ask[int](s, `SELECT count(*)::int FROM pg_partitioned_table
		WHERE partrelid = 'events'::regclass AND partdefid <> 0`), 0)
	now := time.Date(2031, 1, 1, 12, 0, 0, 0, time.UTC) // in the first week of 2031 by ISO 8601
	same(t, "weeks ahead", got(s.PartitionsAhead(s.ctx, now))(t), -1)
	must(t, s.EnsurePartitions(s.ctx, now))
	must(t, s.EnsurePartitions(s.ctx, now))
	same(t, "weeks ahead", got(s.PartitionsAhead(s.ctx, now))(t), storage.PartitionWeeks)
	same(t, "the first", ask[string](s,
		`SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'events_2031w01'`),
		"FOR VALUES FROM ('2030-12-30 00:00:00+00') TO ('2031-01-06 00:00:00+00')")
	// The partition has the indexes of the table.
	same(t, "indexes without a parent", ask[int](s, `SELECT count(*)::int FROM pg_index x
		WHERE x.indrelid = 'events_2031w01'::regclass
			AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = x.indexrelid)`), 0)
}

// hold runs a statement in a transaction of another connection, which stays open until release or
// the end of the test.
func (s *stage) hold(t *testing.T, sql string) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(s.ctx, s.url)
	must(t, err)
	tx, err := conn.Begin(s.ctx)
	must(t, err)
	_, err = tx.Exec(s.ctx, sql)
	must(t, err)
	release = func() { _ = conn.Close(context.WithoutCancel(s.ctx)) }
	t.Cleanup(release)
	return release
}

func (s *stage) storeEventAt(t *testing.T, at time.Time) {
	t.Helper()
	s.exec(`INSERT INTO events (id, workspace_id, type, occurred_at) VALUES (gen_random_uuid(), $1, 'sent', $2)`, s.ws, at)
}
