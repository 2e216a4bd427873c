package devstack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// databaseName is the name of the role and of the database that we create.
const databaseName = "outreach"

// freshFor is how long a disposable cluster can be used after its last stop. Systems delete old
// files in temporary folders one by one, which damages an old cluster.
const freshFor = 24 * time.Hour

// postgresServer runs one cluster in Dir/pg<major>.
type postgresServer struct {
	plan
	who     *account
	log     *os.File
	sockets string
	data    string
}

func newPostgresServer(p plan, run string, who *account, log *os.File) *postgresServer {
	return &postgresServer{plan: p, who: who, log: log, sockets: filepath.Join(run, "pg")}
}

func (p *postgresServer) prepare(ctx context.Context) error {
	if err := p.makeFolder(p.sockets); err != nil {
		return err
	}
	home, err := dataHome(p.Dir, p.who, p.bases())
	if err != nil {
		return err
	}
	p.data = filepath.Join(home, "pg"+strconv.Itoa(p.Major))
	if err := p.distrust(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(p.data, "PG_VERSION")); err == nil {
		return nil
	}
	return p.initialise(ctx, home)
}

// bases are the folders for data that cannot be in Dir, best first.
func (p *postgresServer) bases() []string {
	bases := []string{"/var/lib/outreach", "/var/tmp/outreach-root", filepath.Join(os.TempDir(), "outreach-root")}
	if p.Disposable {
		slices.Reverse(bases)
	}
	return bases
}

// distrust deletes a disposable cluster that was not stopped cleanly (it runs without fsync) or
// that was not used for freshFor.
func (p *postgresServer) distrust() error {
	if !p.Disposable {
		return nil
	}
	info, err := os.Stat(p.stamp())
	if err == nil && time.Since(info.ModTime()) < freshFor {
		return os.Remove(p.stamp())
	}
	if err := os.RemoveAll(p.data); err != nil {
		return fmt.Errorf("delete old test cluster: %w", err)
	}
	return nil
}

// stamp is a file that exists while the cluster is stopped cleanly.
func (p *postgresServer) stamp() string { return p.data + ".stopped" }

func (p *postgresServer) stopped() {
	_ = os.WriteFile(p.stamp(), nil, 0o600)
}

// initialise creates the cluster under another name and renames it when it is complete. If the
// process dies before the rename, the next start begins again.
func (p *postgresServer) initialise(ctx context.Context, home string) error {
	halves, _ := filepath.Glob(filepath.Join(home, "init-*"))
	for _, half := range halves {
		_ = os.RemoveAll(half)
	}
	fresh, err := os.MkdirTemp(home, "init-")
	if err != nil {
		return fmt.Errorf("create cluster folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := p.who.own(fresh); err != nil {
		return err
	}
	if err := p.initdb(ctx, fresh); err != nil {
		return err
	}
	if err := os.Rename(fresh, p.data); err != nil {
		return fmt.Errorf("put cluster in its place: %w", err)
	}
	return nil
}

// initdb tries the locales from best to worst: letters outside ASCII should
// have upper and lower case, and sorting should be by code point everywhere.
func (p *postgresServer) initdb(ctx context.Context, folder string) error {
	locales := [][]string{
		{"--locale=C", "--lc-ctype=C.UTF-8"},
		{"--locale=C", "--lc-ctype=en_US.UTF-8"},
		{"--locale=C"},
	}
	if p.Major >= 17 {
		locales = [][]string{{"--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"}}
	}
	var failures []error
	for _, locale := range locales {
		err := p.initdbWith(ctx, folder, locale)
		if err == nil {
			return nil
		}
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

func (p *postgresServer) initdbWith(ctx context.Context, folder string, locale []string) error {
	args := append([]string{
		"--pgdata=" + folder, "--username=" + databaseName, "--encoding=UTF8",
		// Only the owner can enter the folder of the socket, and the server does not listen on TCP.
		// If it did, it would require a password.
		"--auth-local=trust", "--auth-host=scram-sha-256", "--no-instructions",
	}, locale...)
	if !p.Durable {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(p.Program, "initdb"), args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = p.sockets, cleanEnvironment(), p.who.attributes()
	tieToParent(cmd.SysProcAttr, syscall.SIGKILL)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

func (p *postgresServer) makeFolder(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil {
		return fmt.Errorf("create socket folder: %w", err)
	}
	return p.who.own(path)
}

func (p *postgresServer) command() *exec.Cmd {
	args := []string{"-D", p.data, "-k", p.sockets}
	for _, setting := range p.settings() {
		args = append(args, "-c", setting)
	}
	cmd := exec.Command(filepath.Join(p.Program, "postgres"), args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = p.sockets, cleanEnvironment(), p.who.attributes()
	return cmd
}

func (p *postgresServer) settings() []string {
	settings := []string{
		"listen_addresses=", "port=5432", "unix_socket_permissions=0700",
		"max_connections=200", "shared_buffers=96MB", "jit=off",
		"timezone=UTC", "log_timezone=UTC", "lc_messages=C",
	}
	if !p.Durable {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	if p.Disposable {
		settings = append(settings, "autovacuum=off", "wal_level=minimal", "max_wal_senders=0")
	}
	return settings
}

// probe connects, and creates our database if it is missing.
func (p *postgresServer) probe(ctx context.Context) error {
	conn, err := pgconn.Connect(ctx, p.urlOf("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "CREATE DATABASE "+databaseName).ReadAll()
	var problem *pgconn.PgError
	if errors.As(err, &problem) && problem.Code == "42P04" { // duplicate_database
		return nil
	}
	return err
}

// stopSignal is Postgres' "fast shutdown": sessions end, data is written.
func (p *postgresServer) stopSignal() syscall.Signal { return syscall.SIGINT }

func (p *postgresServer) url() string { return p.urlOf(databaseName) }

func (p *postgresServer) urlOf(database string) string {
	query := url.Values{"host": {p.sockets}, "port": {"5432"}, "user": {databaseName}, "sslmode": {"disable"}}
	return "postgres:///" + database + "?" + query.Encode()
}

// cleanEnvironment returns our environment without the variables that change the behaviour of
// Postgres' programs and without locales that initdb would use.
func cleanEnvironment() []string {
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "PG") || strings.HasPrefix(name, "LC_") || name == "LANG" || name == "DATABASE_URL" {
			continue
		}
		env = append(env, entry)
	}
	return append(env, "LC_ALL=C")
}
