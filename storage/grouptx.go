package storage

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// GroupTx is Tx on a connection for statements on many rows. BEGIN shares the round trip of the first
// batch. A caller that reads the results of that batch itself also reads the one of BEGIN, so callers
// let the functions of the queued statements read them. CommitWith saves the round trip of COMMIT.
func (db *DB) GroupTx(ctx context.Context, fn func(tx pgx.Tx) error) (err error) {
	for range maxTxRuns {
		if err = pgx.BeginFunc(ctx, groupPool{db.groups}, fn); !isConflict(err) {
			break
		}
	}
	return DomainError(err)
}

// groupPool begins transactions without a round trip.
type groupPool struct{ pool *pgxpool.Pool }

// Begin takes a connection.
func (p groupPool) Begin(ctx context.Context) (pgx.Tx, error) {
	conn, err := p.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &groupTx{conn: conn}, nil
}

// groupTx is a transaction whose BEGIN is sent with its first statement.
type groupTx struct {
	conn        *pgxpool.Conn
	begun, over bool
	committed   bool // by CommitWith
}

var errNotInGroup = errors.New("a transaction of a group has neither nested transactions nor large objects")

var errNotGroup = errors.New("CommitWith needs a transaction of GroupTx")

const beginGroup = "begin"

// begin sends BEGIN before a statement that is not in a batch.
func (t *groupTx) begin(ctx context.Context) error {
	if t.over {
		return pgx.ErrTxClosed
	}
	if t.begun {
		return nil
	}
	t.begun = true
	_, err := t.conn.Exec(ctx, beginGroup)
	return err
}

func (t *groupTx) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if t.begun {
		return t.conn.SendBatch(ctx, batch)
	}
	t.begun = true
	first := &pgx.Batch{}
	first.Queue(beginGroup)
	first.QueuedQueries = append(first.QueuedQueries, batch.QueuedQueries...)
	return t.conn.SendBatch(ctx, first)
}

func (t *groupTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if err := t.begin(ctx); err != nil {
		return pgconn.CommandTag{}, err
	}
	return t.conn.Exec(ctx, sql, args...)
}

func (t *groupTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	return t.conn.Query(ctx, sql, args...)
}

func (t *groupTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if err := t.begin(ctx); err != nil {
		return failedRow{err}
	}
	return t.conn.QueryRow(ctx, sql, args...)
}

// failedRow is the row of a statement that was not sent.
type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

func (t *groupTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := t.begin(ctx); err != nil {
		return 0, err
	}
	return t.conn.CopyFrom(ctx, table, columns, rows)
}

func (t *groupTx) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return t.conn.Conn().Prepare(ctx, name, sql)
}

func (t *groupTx) Conn() *pgx.Conn { return t.conn.Conn() }

func (t *groupTx) Begin(context.Context) (pgx.Tx, error) { return nil, errNotInGroup }

func (t *groupTx) LargeObjects() pgx.LargeObjects { panic(errNotInGroup) }

// Commit returns pgx.ErrTxCommitRollback if a statement had failed.
func (t *groupTx) Commit(ctx context.Context) error {
	tag, err := t.end(ctx, "commit")
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	return err
}

func (t *groupTx) Rollback(ctx context.Context) error {
	_, err := t.end(ctx, "rollback")
	return err
}

// CommitWith runs the last statements of a transaction of GroupTx and commits it in the same round trip. If a
// statement fails, Postgres skips those after it, COMMIT too.
func CommitWith(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) error {
	t, ok := tx.(*groupTx)
	if !ok {
		return errNotGroup
	}
	batch.Queue("commit").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() == "ROLLBACK" {
			return pgx.ErrTxCommitRollback
		}
		t.committed = true
		return nil
	})
	return tx.SendBatch(ctx, batch).Close()
}

// end ends the transaction and returns the connection. The pool closes a connection that is still in a
// transaction.
func (t *groupTx) end(ctx context.Context, sql string) (tag pgconn.CommandTag, err error) {
	if t.over {
		return tag, pgx.ErrTxClosed
	}
	t.over = true
	defer t.conn.Release()
	if t.begun && !t.committed {
		tag, err = t.conn.Exec(ctx, sql)
	}
	return tag, err
}
