package testdb

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"outreach/internal/testkit"
)

// DebianPostgres is the folder of the programs of Debian's postgresql-15.
const DebianPostgres = "/usr/lib/postgresql/15/bin"

// PostgresGroup is a folder with Postgres servers that belong to one test.
type PostgresGroup struct {
	t          testing.TB
	folder     string
	attributes *syscall.SysProcAttr
}

// PostgresNode is a server of a group.
type PostgresNode struct {
	// Host is its host and port.
	Host string

	group  *PostgresGroup
	folder string
}

// NewPostgresGroup returns a group without a server.
func NewPostgresGroup(t testing.TB) *PostgresGroup {
	t.Helper()
	folder, err := os.MkdirTemp("", "postgres") //nolint:usetesting // the path of a socket has to be short
	testkit.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	g := &PostgresGroup{t: t, folder: folder, attributes: &syscall.SysProcAttr{}}
	if os.Getuid() == 0 { // Postgres refuses root
		as, err := user.Lookup("postgres")
		testkit.NoError(t, err)
		uid, _ := strconv.Atoi(as.Uid)
		gid, _ := strconv.Atoi(as.Gid)
		testkit.NoError(t, os.Chown(folder, uid, gid))
		g.attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return g
}

// run runs a program of Postgres and waits for its end.
func (g *PostgresGroup) run(ctx context.Context, program string, args ...string) {
	command := exec.CommandContext(ctx, DebianPostgres+"/"+program, args...)
	command.SysProcAttr, command.Dir = g.attributes, g.folder
	command.Env = []string{"HOME=" + g.folder, "LC_ALL=C.UTF-8"}
	if err := command.Run(); err != nil { // a server would keep the pipe of its output open
		g.t.Errorf("%s %v: %v", program, args, err)
	}
}

// Add starts a new server with lines for its configuration.
func (g *PostgresGroup) Add(name string, settings ...string) *PostgresNode {
	g.t.Helper()
	n := g.node(name)
	g.run(g.t.Context(), "initdb", "-A", "trust", "-U", "postgres", "-D", n.folder)
	n.start(append([]string{"listen_addresses = '127.0.0.1'", "unix_socket_directories = '" + g.folder + "'",
		"fsync = off", "full_page_writes = off", "shared_buffers = 32MB"}, settings...)...)
	return n
}

// AddStandby starts a server that follows another as a hot standby of this name.
func (g *PostgresGroup) AddStandby(name string, of *PostgresNode) *PostgresNode {
	g.t.Helper()
	n := g.node(name)
	host, port, _ := net.SplitHostPort(of.Host)
	g.run(g.t.Context(), "pg_basebackup", "--write-recovery-conf", "--checkpoint=fast", "-D", n.folder,
		"-d", fmt.Sprintf("host=%s port=%s user=postgres application_name=%s", host, port, name))
	n.start()
	return n
}

func (g *PostgresGroup) node(name string) *PostgresNode {
	return &PostgresNode{Host: testkit.ReserveAddr(g.t), group: g, folder: filepath.Join(g.folder, name)}
}

func (n *PostgresNode) start(settings ...string) {
	_, port, _ := net.SplitHostPort(n.Host)
	n.Set(append(settings, "port = "+port)...)
	n.group.run(n.group.t.Context(), "pg_ctl", "-D", n.folder, "-l", n.folder+".log", "-w", "start")
	n.group.t.Cleanup(func() {
		n.Fail(syscall.SIGCONT)
		n.Fail(syscall.SIGKILL)
	})
}

// Set adds lines to the configuration, for the next start or Reload.
func (n *PostgresNode) Set(settings ...string) {
	file, err := os.OpenFile(n.folder+"/postgresql.conf", os.O_APPEND|os.O_WRONLY, 0)
	testkit.NoError(n.group.t, err)
	_, err = file.WriteString("\n" + strings.Join(settings, "\n") + "\n")
	testkit.NoError(n.group.t, err)
	testkit.NoError(n.group.t, file.Close())
}

// Reload makes the server read its configuration again.
func (n *PostgresNode) Reload() { n.group.run(n.group.t.Context(), "pg_ctl", "-D", n.folder, "reload") }

// Promote makes a standby the primary, and returns when it takes writes.
func (n *PostgresNode) Promote() {
	n.group.run(n.group.t.Context(), "pg_ctl", "-D", n.folder, "-w", "promote")
}

// URL is the address of its database postgres.
func (n *PostgresNode) URL() string { return "postgres://postgres@" + n.Host + "/postgres" }

// Fail sends a signal to all processes of the server at once: SIGKILL for a crash, SIGSTOP for a
// machine that hangs.
func (n *PostgresNode) Fail(signal syscall.Signal) {
	text, err := os.ReadFile(n.folder + "/postmaster.pid")
	if err != nil { // stopped already
		return
	}
	first, _, _ := strings.Cut(string(text), "\n")
	main, err := strconv.Atoi(first)
	if err != nil {
		return
	}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", main, main))
	_ = syscall.Kill(main, signal) // first: it starts no other child
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			_ = syscall.Kill(pid, signal)
		}
	}
}

// StartAgain starts the server if it has stopped.
func (n *PostgresNode) StartAgain() {
	status := exec.CommandContext(n.group.t.Context(), DebianPostgres+"/pg_ctl", "-D", n.folder, "status")
	status.SysProcAttr = n.group.attributes
	if status.Run() != nil {
		n.group.run(n.group.t.Context(), "pg_ctl", "-D", n.folder, "-l", n.folder+".log", "-w", "start")
	}
}
