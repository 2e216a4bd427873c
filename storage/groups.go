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
// table was small, or seemed so, must still do when it has grown. What binds such
// a statement to a workspace is written (x.workspace_id = $1) IS TRUE, which no
// index is chosen by.
const setPlanning = `
SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET enable_sort = off; SET jit = off`

// prepareGroups is prepareConn for connections of groups.
func prepareGroups(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, setPlanning); err != nil {
		return fmt.Errorf("set planning: %w", err)
	}
	return prepareConn(ctx, conn)
}
