package testdb

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/internal/testkit"
)

// StartCitus starts a Citus cluster of a coordinator and two workers. It returns the URL of an empty
// database on the coordinator, or false if Citus is not installed, which it logs. `make tools` says
// how to get Citus.
func StartCitus(t testing.TB) (url string, ok bool) {
	t.Helper()
	if !hasCitus(t) {
		return "", false
	}
	group := NewPostgresGroup(t)
	var nodes []*PostgresNode
	for _, name := range []string{"coordinator", "one", "two"} {
		node := group.Add(name, "shared_preload_libraries = 'citus'", "synchronous_commit = off", "wal_level = logical",
			"max_connections = 200", "max_prepared_transactions = 200")
		Exec(t, node.URL(), `CREATE EXTENSION citus`)
		nodes = append(nodes, node)
	}
	at := func(node *PostgresNode) string {
		host, port, _ := net.SplitHostPort(node.Host)
		return fmt.Sprintf("('%s', %s)", host, port)
	}
	Exec(t, nodes[0].URL(), `SELECT citus_set_coordinator_host`+at(nodes[0]))
	for _, node := range nodes[1:] {
		Exec(t, nodes[0].URL(), `SELECT citus_add_node`+at(node))
	}
	return nodes[0].URL(), true
}

func hasCitus(t testing.TB) bool {
	t.Helper()
	library, err := exec.CommandContext(t.Context(), DebianPostgres+"/pg_config", "--pkglibdir").Output()
	if err != nil {
		t.Log("left out: Debian's postgresql-15 is missing, which Citus needs; see make tools")
		return false
	}
	if _, err := os.Stat(filepath.Join(strings.TrimSpace(string(library)), "citus.so")); err != nil {
		t.Log("left out: Citus is not installed; see make tools")
		return false
	}
	return true
}

// Exec runs one statement on the database at url.
func Exec(t testing.TB, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	testkit.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	_, err = conn.Exec(t.Context(), sql)
	testkit.NoError(t, err)
}
