package devstack

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestPostgresKeepsItsDataFromStopToStart(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	first, err := StartPostgres(t.Context(), PostgresConfig{Dir: dir, Durable: true})
	if err != nil {
		t.Fatal(err)
	}
	left := processes(t, dir)
	query(t, first.URL(), "CREATE TABLE kept AS SELECT 'Prospect'::text AS word")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if line := commandLine(left[0]); line != "" {
		t.Fatalf("after Close the server runs: %s", line)
	}
	second := startPostgres(t, dir)
	if got := query(t, second.URL(), "SELECT word FROM kept"); got != "Prospect" {
		t.Errorf("kept word = %q", got)
	}
}

func TestPostgresRestartKeepsAddressAndData(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	postgres := startPostgres(t, dir)
	before := processes(t, dir)
	query(t, postgres.URL(), "CREATE TABLE kept AS SELECT 'Prospect'::text AS word")
	if err := postgres.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := processes(t, dir); after[0] == before[0] || after[1] != before[1] {
		t.Errorf("processes before %v, after %v: want a new server, the same supervisor", before, after)
	}
	if got := query(t, postgres.URL(), "SELECT word FROM kept"); got != "Prospect" {
		t.Errorf("kept word = %q", got)
	}
}

func TestSupervisorThatIsKilledTakesItsServerAlong(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	orphaned := startPostgres(t, dir)
	query(t, orphaned.URL(), "CREATE TABLE kept AS SELECT 'Prospect'::text AS word")
	left := processes(t, dir)
	if err := syscall.Kill(left[1], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	// The next start clears up, whether the kernel was faster or not.
	postgres := startPostgres(t, dir)
	awaitEnd(t, left[0])
	if got := query(t, postgres.URL(), "SELECT word FROM kept"); got != "Prospect" {
		t.Errorf("kept word = %q", got)
	}
}

func TestPostgresSettings(t *testing.T) {
	t.Parallel()
	// The usual port may be taken or not: it must not matter.
	if taken, err := net.Listen("tcp", "127.0.0.1:5432"); err == nil {
		t.Cleanup(func() { _ = taken.Close() })
	}
	url := startPostgres(t, folder(t)).URL()
	for setting, want := range map[string]string{
		"listen_addresses": "", "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
		"max_connections": "200", "server_encoding": "UTF8", "TimeZone": "UTC",
	} {
		if got := query(t, url, "SHOW "+pgx.Identifier{setting}.Sanitize()); got != want {
			t.Errorf("%s = %q, want %q", setting, got, want)
		}
	}
	if got := query(t, url, "SELECT lower('ÄRGER')"); got != "ärger" {
		t.Errorf("lower('ÄRGER') = %q: letters outside ASCII have no case", got)
	}
	if got := query(t, url, "SELECT current_setting('server_version_num')"); len(got) != 6 || got < "150000" {
		t.Errorf("version = %s, want 15 or newer", got)
	}
}

func TestPostgresSocketIsPrivate(t *testing.T) {
	t.Parallel()
	config, err := pgx.ParseConfig(startPostgres(t, folder(t)).URL())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("mode of the socket's folder = %o, want 700", got)
	}
	if socket := filepath.Join(config.Host, ".s.PGSQL.5432"); len(socket) >= socketLimit {
		t.Errorf("%s measures %d bytes", socket, len(socket))
	}
}

func TestDisposableClusterIsDroppedWhenInDoubt(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	open := func() *Postgres {
		postgres, err := StartPostgres(t.Context(), PostgresConfig{Dir: dir, Disposable: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = postgres.Close() })
		return postgres
	}
	const tables = "SELECT count(*)::text FROM pg_class WHERE relname = 'kept'"
	first := open()
	query(t, first.URL(), "CREATE TABLE kept AS SELECT 1 AS n")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := open()
	if got := query(t, second.URL(), tables); got != "1" {
		t.Errorf("after a clean stop there are %s tables, want 1", got)
	}
	if err := syscall.Kill(processes(t, dir)[1], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := query(t, open().URL(), tables); got != "0" {
		t.Errorf("after a crash there are %s tables, want 0", got)
	}
}

func TestStartNamesWhatWentWrong(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	broken := folder(t)
	for name, script := range map[string]string{
		"postgres": "#!/bin/sh\ncase $1 in --version) echo 'postgres (PostgreSQL) 16.1';; esac\n",
		"initdb":   "#!/bin/sh\necho no space on this disk >&2\nexit 1\n",
	} {
		if err := os.WriteFile(filepath.Join(broken, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		config PostgresConfig
		want   string
	}{
		"no folder":     {PostgresConfig{}, "no folder was given"},
		"folder a file": {PostgresConfig{Dir: filepath.Join(dir, "file")}, "not a directory"},
		"initdb fails":  {PostgresConfig{Dir: filepath.Join(dir, "new"), BinDir: broken}, "no space on this disk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			postgres, err := StartPostgres(t.Context(), test.config)
			if err == nil {
				_ = postgres.Close()
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want it to say %q", err, test.want)
			}
		})
	}
}
