package storage

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// GroupConns is the number of connections for statements on many rows: one for claims, one shared
// by the two other commits of mail, one for the queries of a tick; for deliveries two batches of
// attempts that begin, two of attempts that end, one of deliveries that are given back, the scan and the
// renewal of leases.
const GroupConns = 10

// Statements on many messages or deliveries name each row by its id. They are planned once for each
// connection, for any values, and only use indexes: a plan that was made while a table was small,
// or seemed small, must still be good when it has grown (docs/decisions/0019-one-task.md). On Citus
// they are planned like any others, because Citus does not route generic plans. Behind a pooler they
// are too, each time anew: a SET would reach the transactions of others.
const setPlanning = `
SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET jit = off`

// prepareGroups is prepareConn for the connections for many rows.
func (db *DB) prepareGroups(ctx context.Context, conn *pgx.Conn) error {
	if !db.distributed && !db.pooled {
		if err := Exec(ctx, conn, "set planning", setPlanning); err != nil {
			return err
		}
	}
	return prepareConn(ctx, conn)
}

// Distributed reports whether Citus distributes the database over several servers (outreach migrate
// --distribute). Each statement then names one workspace or only finds rows.
func (db *DB) Distributed() bool { return db.distributed }

const selectDistributed = `SELECT to_regclass('pg_dist_partition') IS NOT NULL`
