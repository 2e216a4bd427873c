package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// PartitionWeeks is how many weeks after the present one have a partition of events.
const PartitionWeeks = 8

// ErrPartitionBusy means that a partition of events was not made because other programs hold locks.
// The next call of EnsurePartitions tries again.
var ErrPartitionBusy = errors.New("other programs hold locks on the table events")

// partitionWait bounds the wait for each lock, and so how long other statements wait for the table
// while a partition is made.
const partitionWait = 500 * time.Millisecond

// lockNotAvailable is the SQLSTATE of a lock timeout.
const lockNotAvailable = "55P03"

const week = 7 * 24 * time.Hour

// weekOf returns the Monday, 00:00 UTC, that begins the week of t.
func weekOf(t time.Time) time.Time {
	t = t.UTC()
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// partitionOf returns the name of the partition of a week.
func partitionOf(monday time.Time) string {
	year, number := monday.ISOWeek()
	return fmt.Sprintf("events_%dw%02d", year, number)
}

const selectPartitions = `
SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'public.events'::regclass AND c.relkind = 'r'`

func partitions(ctx context.Context, q Querier) (map[string]bool, error) {
	names, err := Values[string](ctx, q, "list event partitions", selectPartitions)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	return there, nil
}

// EnsurePartitions makes the missing partitions of events from the week of around to the eighth after
// it. Any process may call it at any time. If other programs hold locks on the
// table, it gives up after partitionWait and returns ErrPartitionBusy.
//
// Each week is a transaction. If the process dies, its partition is there or not there at all.
func (db *DB) EnsurePartitions(ctx context.Context, around time.Time) error {
	there, err := partitions(ctx, db.pool)
	if err != nil {
		return err
	}
	first := weekOf(around)
	for n := range PartitionWeeks + 1 {
		monday := first.Add(time.Duration(n) * week)
		if there[partitionOf(monday)] {
			continue
		}
		if err := db.makePartition(ctx, monday); err != nil {
			return err
		}
	}
	return nil
}

const (
	// Citus runs the statements of this transaction on its other servers under the same timeout.
	spreadSettings = `SET LOCAL citus.propagate_set_commands = 'local'`

	lockPartitions = `SELECT pg_advisory_xact_lock(7243001)`
)

// makePartition makes the table apart, which only reads the definition of events, and attaches it.
// ATTACH takes SHARE UPDATE EXCLUSIVE on events: neither reads nor writes conflict with it.
func (db *DB) makePartition(ctx context.Context, monday time.Time) error {
	const instant = "2006-01-02 15:04:05Z07:00"
	name := partitionOf(monday)
	return db.changePartition(ctx, name, false, partitionWait,
		"CREATE TABLE "+name+" (LIKE events INCLUDING ALL)",
		fmt.Sprintf("ALTER TABLE events ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')", name,
			monday.Format(instant), monday.Add(week).Format(instant)))
}

// changePartition runs statements in one transaction, one process at a time. It waits for each lock no
// longer than wait, and then returns ErrPartitionBusy. It runs them only while the partition is there
// or not there, as given: another process may have changed that meanwhile.
func (db *DB) changePartition(ctx context.Context, name string, there bool, wait time.Duration, statements ...string) error {
	err := pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		return db.changePartitionIn(ctx, tx, name, there, wait, statements)
	})
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == lockNotAvailable {
		return ErrPartitionBusy
	}
	if err != nil {
		return fmt.Errorf("change event partition %s: %w", name, err)
	}
	return nil
}

func (db *DB) changePartitionIn(ctx context.Context, tx pgx.Tx, name string, there bool, wait time.Duration, statements []string) error {
	before := []string{fmt.Sprintf("SET LOCAL lock_timeout = %d", wait.Milliseconds()), lockPartitions}
	if db.distributed {
		before = append([]string{spreadSettings}, before...)
	}
	if err := execAll(ctx, tx, before); err != nil {
		return err
	}
	all, err := partitions(ctx, tx)
	if err != nil || all[name] != there {
		return err
	}
	return execAll(ctx, tx, statements)
}

func execAll(ctx context.Context, tx pgx.Tx, statements []string) error {
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// PartitionsAhead counts the weeks after that of now which have a partition, up to the first that
// has none; -1 if the present week has none.
func (db *DB) PartitionsAhead(ctx context.Context, now time.Time) (int, error) {
	there, err := partitions(ctx, db.pool)
	if err != nil {
		return 0, err
	}
	ahead := -1
	for monday := weekOf(now); there[partitionOf(monday)]; monday = monday.Add(week) {
		ahead++
	}
	return ahead, nil
}
