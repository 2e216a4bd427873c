package storage

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// GroupConns is the number of connections for statements on many rows at once. Of
// the commits of mail, claims take one and the other two take turns on a second,
// and the tick's looks have a third; of deliveries two batches may begin, two end
// and one return while the scan hands out and leases are renewed.
const GroupConns = 10

// Statements on many messages or deliveries name each row by its id. They are planned once per
// connection, for any values, and only ever go by index: a plan made while a
// table was small, or seemed so, must still do when it has grown
// (docs/decisions/0019-one-task.md). On Citus they are planned as any others are:
// it refuses to route what is planned for any values.
const setPlanning = `
SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET enable_sort = off; SET jit = off`

// prepareGroups is prepareConn for connections of groups.
func (db *DB) prepareGroups(ctx context.Context, conn *pgx.Conn) error {
	if !db.distributed {
		if _, err := conn.Exec(ctx, setPlanning); err != nil {
			return fmt.Errorf("set planning: %w", err)
		}
	}
	return prepareConn(ctx, conn)
}

// Distributed reports whether the database is spread over several servers by Citus
// (outreach migrate --distribute). A statement then either names one workspace or only
// looks for rows.
func (db *DB) Distributed() bool { return db.distributed }

const selectDistributed = `SELECT to_regclass('pg_dist_partition') IS NOT NULL`
