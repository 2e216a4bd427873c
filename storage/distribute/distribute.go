// Package distribute moves the rows of a database to the servers of a Citus cluster.
package distribute

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/storage"
)

// Reasons why a database cannot be distributed.
var (
	ErrNoCitus = errors.New("the database has no extension citus: run CREATE EXTENSION citus on each server, then " +
		"citus_add_node on the coordinator")
	ErrNoWorkers = errors.New("the cluster has no server that takes rows: run citus_add_node on the coordinator")
	ErrInUse     = errors.New("other programs are connected to the database: stop all processes of the service first")
)

// distributing is one Run.
type distributing struct {
	conn *pgx.Conn
	log  *slog.Logger
}

// Run distributes the tables of workspaces over the servers of a Citus cluster by workspace, and
// copies the tables of the installation to each server. url is the URL of the coordinator, whose
// database has the schema and may hold rows. All processes of the service must be stopped.
//
// Each step is a transaction and is skipped if it was done before: a run that was interrupted is
// continued by the next. Foreign keys are recorded in a table before they are dropped, and are
// added again at the end.
func Run(ctx context.Context, url string, log *slog.Logger) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	d := distributing{conn: conn, log: log}
	if err := d.check(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{d.dropKeys, d.spreadFunctions, d.copyTables, d.spreadTables, d.addKeys} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

const (
	selectCitus = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`

	selectServers = `SELECT count(*) FROM pg_dist_node WHERE isactive AND noderole = 'primary' AND shouldhaveshards`

	selectOthers = `
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name NOT LIKE 'citus%'`
)

func (d *distributing) check(ctx context.Context) error {
	var there bool
	if err := d.conn.QueryRow(ctx, selectCitus).Scan(&there); err != nil {
		return fmt.Errorf("look for citus: %w", err)
	}
	if !there {
		return ErrNoCitus
	}
	var servers int
	if err := d.conn.QueryRow(ctx, selectServers).Scan(&servers); err != nil {
		return fmt.Errorf("look for servers: %w", err)
	}
	if servers == 0 {
		return ErrNoWorkers
	}
	return d.waitAlone(ctx)
}

// patience is how long waitAlone waits: Postgres lists a connection for a moment after its program
// has closed it.
const patience = 10 * time.Second

// waitAlone returns ErrInUse if other programs stay connected to the database.
func (d *distributing) waitAlone(ctx context.Context) error {
	for began := time.Now(); ; {
		var others int
		if err := d.conn.QueryRow(ctx, selectOthers).Scan(&others); err != nil {
			return fmt.Errorf("look for other programs: %w", err)
		}
		switch {
		case others == 0:
			return nil
		case time.Since(began) > patience:
			return ErrInUse
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

const (
	createKeyTable = `CREATE TABLE IF NOT EXISTS distribution_keys (relation text, name text, definition text, PRIMARY KEY (relation, name))`

	noteKeys = `
INSERT INTO distribution_keys
SELECT k.conrelid::regclass::text, k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k
WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = 'public'::regnamespace ON CONFLICT DO NOTHING`

	selectKeys = `SELECT relation, name, definition FROM distribution_keys ORDER BY relation, name`
)

// heldKey is a recorded foreign key.
type heldKey struct{ Table, Name, Definition string }

func (d *distributing) keys(ctx context.Context, q storage.Querier) ([]heldKey, error) {
	return storage.Collect(ctx, q, "list foreign keys", pgx.RowToStructByPos[heldKey], selectKeys)
}

// dropKeys records and drops all foreign keys, because tables cannot be distributed while they have
// them. It does nothing once all tables are distributed: the keys that exist then were added again.
func (d *distributing) dropKeys(ctx context.Context) error {
	left, err := d.tablesLeft(ctx)
	if err != nil || left == 0 {
		return err
	}
	return pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
		for _, sql := range []string{createKeyTable, noteKeys} {
			if err := storage.Exec(ctx, tx, "note foreign keys", sql); err != nil {
				return err
			}
		}
		keys, err := d.keys(ctx, tx)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if _, err := tx.Exec(ctx, "ALTER TABLE "+k.Table+" DROP CONSTRAINT IF EXISTS "+pgx.Identifier{k.Name}.Sanitize()); err != nil {
				return fmt.Errorf("drop foreign key %s: %w", k.Name, err)
			}
		}
		return nil
	})
}

// Tables of the installation are small, or are read without a workspace.
var installationTables = []string{
	"workspaces", "users", "recovery_codes", "members", "sessions", "tokens", "tracking_domains", "leases", "workers",
	"installation", "goose_db_version",
}

const (
	selectUndistributed = `
SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'distribution_keys'
	AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
	AND NOT EXISTS (SELECT FROM pg_depend x WHERE x.objid = c.oid AND x.deptype = 'e')
	AND (c.relname = ANY($1)) = $2
ORDER BY c.relname <> 'companies', array_position($1, c.relname::text), c.relname`

	copyTable = `SELECT create_reference_table($1::text::regclass)`

	// All rows of one workspace are on one server.
	spreadTable = `
SELECT create_distributed_table($1::text::regclass, 'workspace_id', colocate_with => CASE $1
	WHEN 'companies' THEN 'none' ELSE 'companies' END)`

	clearLocal = `SELECT truncate_local_data_after_distributing_table($1::text::regclass)`
)

func (d *distributing) undistributed(ctx context.Context, installation bool) ([]string, error) {
	return storage.Values[string](ctx, d.conn, "list tables", selectUndistributed, installationTables, installation)
}

func (d *distributing) tablesLeft(ctx context.Context) (int, error) {
	copied, err := d.undistributed(ctx, true)
	if err != nil {
		return 0, err
	}
	spread, err := d.undistributed(ctx, false)
	return len(copied) + len(spread), err
}

// copyTables copies the tables of the installation to each server.
func (d *distributing) copyTables(ctx context.Context) error {
	return d.move(ctx, true, copyTable)
}

// spreadTables moves the rows of workspaces to their servers.
func (d *distributing) spreadTables(ctx context.Context) error {
	return d.move(ctx, false, spreadTable)
}

// move distributes tables. If the process dies, each table is either unchanged or distributed. The
// local copy of its rows is removed in the same transaction.
func (d *distributing) move(ctx context.Context, installation bool, sql string) error {
	tables, err := d.undistributed(ctx, installation)
	if err != nil {
		return err
	}
	for _, table := range tables {
		err := pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, sql, table); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, clearLocal, table)
			return err
		})
		if err != nil {
			return fmt.Errorf("distribute %s: %w", table, err)
		}
		d.log.InfoContext(ctx, "table distributed", slog.String("table", table))
	}
	return nil
}

// The functions that statements call must exist on each server.
const selectFunctions = `
SELECT p.oid::regprocedure::text FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace AND p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql')
	AND NOT EXISTS (SELECT FROM pg_depend x WHERE x.objid = p.oid AND x.deptype = 'e')
	AND NOT EXISTS (SELECT FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)`

func (d *distributing) spreadFunctions(ctx context.Context) error {
	functions, err := storage.Values[string](ctx, d.conn, "list functions", selectFunctions)
	if err != nil {
		return err
	}
	for _, function := range functions {
		if _, err := d.conn.Exec(ctx, `SELECT create_distributed_function($1::text::regprocedure)`, function); err != nil {
			return fmt.Errorf("distribute function %s: %w", function, err)
		}
	}
	return nil
}

// addKeys adds the foreign keys again that dropKeys has recorded.
func (d *distributing) addKeys(ctx context.Context) error {
	var noted bool
	if err := d.conn.QueryRow(ctx, `SELECT to_regclass('distribution_keys') IS NOT NULL`).Scan(&noted); err != nil || !noted {
		return err
	}
	keys, err := d.keys(ctx, d.conn)
	if err != nil {
		return err
	}
	for _, k := range keys {
		err := pgx.BeginFunc(ctx, d.conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "ALTER TABLE "+k.Table+" ADD CONSTRAINT "+pgx.Identifier{k.Name}.Sanitize()+" "+k.Definition); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `DELETE FROM distribution_keys WHERE relation = $1 AND name = $2`, k.Table, k.Name)
			return err
		})
		if err != nil {
			return fmt.Errorf("add foreign key %s of %s: %w", k.Name, k.Table, err)
		}
	}
	return storage.Exec(ctx, d.conn, "forget foreign keys", `DROP TABLE distribution_keys`)
}
