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

	"github.com/jackc/pgx/v5"

	"outreach/internal/testkit"
)

// The same slice behind PgBouncer itself, in transaction mode.
func TestSliceBehindPgBouncer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.behindPooler(newPgBouncer(t, s.vars["DATABASE_URL"]).url)
}

// pgBouncer is a PgBouncer in front of a database of the tests, which asks for no password,
// on a port of its own.
type pgBouncer struct {
	t       *testing.T
	url     string
	config  string
	user    *syscall.Credential // nil: the user of the tests
	process *exec.Cmd
}

func newPgBouncer(t *testing.T, database string) *pgBouncer {
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
	p := &pgBouncer{t: t, url: fmt.Sprintf("postgres://outreach@%s/outreach?sslmode=disable", address), config: config}
	if os.Getuid() == 0 { // PgBouncer refuses to run as root; Postgres' own user may enter the folder of its socket
		p.user = ownerOf(t, to.Host)
		testkit.NoError(t, os.Chown(dir, int(p.user.Uid), int(p.user.Gid)))
		testkit.NoError(t, os.Chown(config, int(p.user.Uid), int(p.user.Gid)))
	}
	p.start()
	t.Cleanup(p.kill)
	return p
}

// start returns when PgBouncer answers.
func (p *pgBouncer) start() {
	p.t.Helper()
	p.process = exec.CommandContext(context.WithoutCancel(p.t.Context()), "pgbouncer", "--quiet", p.config) // the service stops before it
	p.process.Stdout, p.process.Stderr = p.t.Output(), p.t.Output()
	p.process.SysProcAttr = &syscall.SysProcAttr{Credential: p.user}
	testkit.NoError(p.t, p.process.Start())
	testkit.Eventually(p.t, "PgBouncer answers", func() bool {
		conn, err := pgx.Connect(p.t.Context(), p.url)
		if err != nil {
			return false
		}
		return conn.Close(p.t.Context()) == nil
	})
}

func (p *pgBouncer) kill() {
	_ = p.process.Process.Kill()
	_ = p.process.Wait()
}

// ownerOf returns the user that owns a folder.
func ownerOf(t *testing.T, dir string) *syscall.Credential {
	t.Helper()
	found, err := os.Stat(dir)
	testkit.NoError(t, err)
	owner := found.Sys().(*syscall.Stat_t)
	return &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
}
