// Package storage reads and writes the aggregates in Postgres: one file for each, with its SQL as
// constants above the methods that run it. Every statement names a workspace. Workflows over
// several aggregates are in the sub-packages: outbox (events and deliveries), sending (the ledger
// of a message) and inbound (incoming mail). They use the exported parts of this package; this
// package imports none of them. It must not know HTTP, GraphQL, queues or mail servers.
package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
)

// Config holds the settings of a DB.
type Config struct {
	URL     string
	Keyring *outreach.Keyring
	// BaseURL is the public URL of the service. Links to public pages begin with it.
	BaseURL string
	// Quotas bound what one workspace may hold.
	Quotas outreach.Quotas
	// Now is the clock of all recorded times; time.Now if nil. Leases and the schedule of
	// deliveries use the database's clock instead, which all processes share.
	Now func() time.Time
	// MaxConns bounds the pool; 20 if zero. Statements on many rows use up to GroupConns more.
	MaxConns int32
	// Pooled means that a pooler in transaction mode is between the store and Postgres: each
	// transaction may be on another connection. Nothing is kept in a session then, and statements
	// are prepared anew each time.
	Pooled bool
	Logger *slog.Logger
	// Tracer is called for every statement if it is set: for tests that count statements, and for
	// traces.
	Tracer pgx.QueryTracer
}

// DB is the store. Its methods are safe for concurrent use.
type DB struct {
	pool    *pgxpool.Pool
	groups  *pgxpool.Pool // for statements on many rows
	keys    *outreach.Keyring
	baseURL string
	quotas  outreach.Quotas
	clock   func() time.Time
	log     *slog.Logger

	distributed  bool        // by Citus
	pooled       bool        // see Config.Pooled
	migrated     atomic.Bool // set once the schema was seen
	temperatures snapshots
	explain      Explain // set by OnCampaigns
	unfollow     func()  // set where the URL names several servers
}

// CheckURL validates the URL of a database. The error does not quote the URL, which may hold a
// password.
func CheckURL(url string) error {
	if _, err := pgconn.ParseConfig(url); err != nil {
		return errors.New("no Postgres address such as postgres://user:password@host/db")
	}
	return nil
}

// IsUnreachable reports whether err means that no database answers.
func IsUnreachable(err error) bool {
	_, away := errors.AsType[*pgconn.ConnectError](err)
	return away
}

// idleInTransaction is how long a transaction may wait for its next statement. It frees
// the locks of a process that hangs, or whose machine is gone, before TCP notices.
const idleInTransaction = "60s"

// Open connects to Postgres. It returns an error if no server answers within 10 seconds.
func Open(ctx context.Context, config Config) (*DB, error) {
	options, err := pgxpool.ParseConfig(config.URL)
	if err != nil {
		return nil, fmt.Errorf("read database URL: %w", err)
	}
	options.MaxConns = 20
	if config.MaxConns > 0 {
		options.MaxConns = config.MaxConns
	}
	options.AfterConnect = prepareConn
	if config.Pooled {
		options.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	} else { // a pooler refuses the parameter, and has a limit of its own
		options.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = idleInTransaction
	}
	options.ConnConfig.Tracer = config.Tracer
	// Days are in UTC, whatever the time zone of the server.
	options.ConnConfig.RuntimeParams["timezone"] = "UTC"
	db := newDB(config)
	if hasSeveralServers(options.ConnConfig) {
		db.unfollow = startPrimary(options.ConnConfig, db.log)
	}
	if err := db.connect(ctx, options); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// connect makes the pools.
func (db *DB) connect(ctx context.Context, options *pgxpool.Config) (err error) {
	if db.pool, err = pgxpool.NewWithConfig(ctx, options); err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	ping, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := db.pool.Ping(ping); err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	if err := db.pool.QueryRow(ping, selectDistributed).Scan(&db.distributed); err != nil {
		return fmt.Errorf("look for Citus: %w", err)
	}
	options.MaxConns, options.AfterConnect = GroupConns, db.prepareGroups
	if db.groups, err = pgxpool.NewWithConfig(ctx, options); err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	return nil
}

func newDB(config Config) *DB {
	db := &DB{keys: config.Keyring, baseURL: config.BaseURL, quotas: config.Quotas,
		clock: config.Now, log: config.Logger, pooled: config.Pooled}
	if db.clock == nil {
		db.clock = time.Now
	}
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	return db
}

// prepareConn reads times in UTC and passes ids without conversion.
func prepareConn(_ context.Context, conn *pgx.Conn) error {
	registerUUID(conn.TypeMap())
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

// Close waits for running statements and closes all connections.
func (db *DB) Close() {
	for _, pool := range []*pgxpool.Pool{db.groups, db.pool} {
		if pool != nil { // nil where Open has failed
			pool.Close()
		}
	}
	if db.unfollow != nil {
		db.unfollow()
	}
}

// Explain returns not_sending_reason of active campaigns. Campaigns that send are missing.
type Explain func(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]string, error)

// OnCampaigns sets the function that computes NotSendingReason when active campaigns are read;
// package sending has it. Call it before the store is used.
func (db *DB) OnCampaigns(explain Explain) { db.explain = explain }

// Pool returns the connections for statements on few rows.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// Groups returns the connections for statements on many rows, which are planned as prepareGroups
// says.
func (db *DB) Groups() *pgxpool.Pool { return db.groups }

// Keys returns the keys that seal passwords and secrets.
func (db *DB) Keys() *outreach.Keyring { return db.keys }

// Log returns the logger of the store.
func (db *DB) Log() *slog.Logger { return db.log }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.pool.Ping(ctx) }

// Now returns the service's time in the precision of Postgres.
func (db *DB) Now() time.Time { return db.clock().UTC().Truncate(time.Microsecond) }

// NewID returns a UUID of version 7.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Querier is what a pool and a transaction have in common.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// Exec runs a statement. The text of an error begins with doing.
func Exec(ctx context.Context, q Querier, doing, sql string, args ...any) error {
	if _, err := q.Exec(ctx, sql, args...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// ExecOne runs a statement that changes exactly one row of the workspace. It returns ErrNotFound if
// it changed none.
func ExecOne(ctx context.Context, tx Querier, doing, sql string, args ...any) error {
	tag, err := tx.Exec(ctx, sql, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if tag.RowsAffected() == 0 {
		return outreach.ErrNotFound
	}
	return nil
}

// Values returns the rows of a statement with one column.
func Values[T any](ctx context.Context, q Querier, doing, sql string, args ...any) ([]T, error) {
	return Collect(ctx, q, doing, pgx.RowTo[T], sql, args...)
}

// Refs returns the rows of a statement whose columns are the workspace and the id.
func Refs(ctx context.Context, q Querier, doing, sql string, args ...any) ([]outreach.Ref, error) {
	return Collect(ctx, q, doing, pgx.RowToStructByPos[outreach.Ref], sql, args...)
}

// Collect returns the rows of a statement, each read by to.
func Collect[T any](ctx context.Context, q Querier, doing string, to pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	all, err := pgx.CollectRows(rows, to)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return all, nil
}

// ForEach runs a statement and calls visit for each row, after its columns were read into targets.
func ForEach(ctx context.Context, q Querier, doing, sql string, args, targets []any, visit func()) error {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if err := EachRow(targets, visit)(rows); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// EachRow is ForEach for a statement of a batch: it returns a function for pgx.QueuedQuery.Query.
func EachRow(targets []any, visit func()) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, targets, func() error { visit(); return nil })
		return err
	}
}

// Tx runs fn in one transaction. If the process dies before the commit, nothing of fn has happened.
// Under an idempotency key the commit waits for the answer (outreach.KeyedRequest), so that
// both commit together.
//
// If Postgres aborts the transaction because of a concurrent one, fn runs again.
//
// In a context without effect the transaction is rolled back.
func (db *DB) Tx(ctx context.Context, fn func(tx pgx.Tx) error) (err error) {
	if !outreach.EffectAllowed(ctx) {
		fn = withoutEffect(fn)
	}
	fn, done := db.audited(ctx, fn)
	for range maxTxRuns {
		if request, ok := outreach.KeyedRequestFrom(ctx); ok {
			err = db.keyedTx(ctx, request, fn)
		} else {
			err = pgx.BeginFunc(ctx, db.pool, fn)
		}
		if !isConflict(err) {
			break
		}
	}
	if err == nil {
		done()
	}
	return DomainError(err)
}

// execOneTx is ExecOne in a transaction of its own, under the rules of Tx.
func (db *DB) execOneTx(ctx context.Context, doing, sql string, args ...any) error {
	return db.Tx(ctx, func(tx pgx.Tx) error { return ExecOne(ctx, tx, doing, sql, args...) })
}

// withoutEffect returns an error after fn has succeeded, so that the transaction is rolled back.
func withoutEffect(fn func(tx pgx.Tx) error) func(tx pgx.Tx) error {
	return func(tx pgx.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return outreach.ErrWithoutEffect
	}
}

// maxTxRuns bounds how often one transaction is run.
const maxTxRuns = 5

// ErrWentAway reports that a row was deleted, or was created by another call, between two
// statements. Tx then runs again.
var ErrWentAway = errors.New("a row went away between two statements")

// isConflict reports whether err is caused by a concurrent transaction: a deadlock (40P01), an
// address that was taken between check and write, or a deleted row.
func isConflict(err error) bool {
	if errors.Is(err, ErrWentAway) {
		return true
	}
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (refused.Code == "40P01" || refused.ConstraintName == "prospects_email")
}

func (db *DB) keyedTx(ctx context.Context, request *outreach.KeyedRequest, fn func(tx pgx.Tx) error) error {
	if before := request.Take(); before != nil {
		if err := before.Commit(ctx); err != nil {
			return fmt.Errorf("commit the step before: %w", err)
		}
	}
	tx, err := db.pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	kept := false
	defer func() {
		if !kept { // after an error of fn, which is returned, or a panic
			_ = tx.Rollback(context.WithoutCancel(ctx))
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	kept = true
	request.Keep(tx)
	return nil
}

// DomainError converts errors of Postgres that clients may know to outreach.Error, and returns
// other errors unchanged.
func DomainError(err error) error {
	switch refused, ok := errors.AsType[*pgconn.PgError](err); {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return outreach.ErrNotFound
	case ok && refused.ConstraintName == "mailboxes_email":
		return outreach.Errorf(outreach.CodeMailboxExists, "A mailbox with this address is already connected.")
	case ok && refused.ConstraintName == "snippets_name":
		return outreach.Errorf(outreach.CodeSnippetExists, "A snippet with this name already exists.")
	case ok && refused.Code == "22P05", ok && refused.Code == "22021":
		return outreach.Errorf(outreach.CodeValidation, "A text contains a character that cannot be stored.")
	}
	return err
}
