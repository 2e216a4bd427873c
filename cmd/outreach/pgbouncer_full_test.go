//go:build full

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/internal/testkit"
)

// The same slice behind PgBouncer itself, in transaction mode.
func TestSliceBehindPgBouncer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.behindPooler(startPgBouncer(t, s.vars["DATABASE_URL"]))
}

// startPgBouncer returns the URL of a PgBouncer in front of a database of the tests, which
// asks for no password, on a port of its own.
func startPgBouncer(t *testing.T, database string) string {
	t.Helper()
	to, err := pgx.ParseConfig(database)
	testkit.NoError(t, err)
	address := testkit.ReserveAddr(t)
	host, port, err := net.SplitHostPort(address)
	testkit.NoError(t, err)
	dir, err := os.MkdirTemp("", "pgbouncer") //nolint:usetesting // t.TempDir is closed to other users
	testkit.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config := filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
outreach = host=%s port=%d user=%s dbname=%s
[pgbouncer]
listen_addr = %s
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
ignore_startup_parameters = extra_float_digits
`, to.Host, to.Port, to.User, to.Database, host, port)
	testkit.NoError(t, os.WriteFile(config, []byte(text), 0o600))
	command := exec.CommandContext(context.WithoutCancel(t.Context()), "pgbouncer", "--quiet", config) // the service stops before it
	command.Stdout, command.Stderr = t.Output(), t.Output()
	if os.Getuid() == 0 { // PgBouncer refuses to run as root; Postgres' own user may enter the folder of its socket
		user := ownerOf(t, to.Host)
		testkit.NoError(t, os.Chown(dir, int(user.Uid), int(user.Gid)))
		testkit.NoError(t, os.Chown(config, int(user.Uid), int(user.Gid)))
		command.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	}
	testkit.NoError(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	url := fmt.Sprintf("postgres://outreach@%s/outreach?sslmode=disable", address)
	wait := stage{t: t}
	wait.eventually(time.Minute, "PgBouncer answers", func() bool {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			return false
		}
		return conn.Close(t.Context()) == nil
	})
	return url
}

// ownerOf returns the user that owns a folder.
func ownerOf(t *testing.T, dir string) *syscall.Credential {
	t.Helper()
	found, err := os.Stat(dir)
	testkit.NoError(t, err)
	owner := found.Sys().(*syscall.Stat_t)
	return &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
}
