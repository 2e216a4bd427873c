package devstack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// oldestMajor is the oldest Postgres that the service supports.
const oldestMajor = 15

// ErrNoPostgres is in the chain of the error if no Postgres is available.
var ErrNoPostgres = errors.New(`no Postgres 15 or newer is available; do one of these:
  - set DATABASE_URL to an empty database of a server that you run
  - install Postgres from your distribution or Homebrew, or set PGBIN to the folder that holds postgres and initdb
  - run "make services", which as root installs it with apt-get
  - let this machine reach an npm registry, so that a private copy can be downloaded`)

// installation is a folder with postgres and initdb of one version.
type installation struct {
	dir   string
	major int
}

// findPostgres returns the first usable installation, but prefers one whose version already has
// data in dir, so that an upgrade of the machine does not hide the data. If none is usable, it
// downloads one.
func findPostgres(ctx context.Context, dir string, config PostgresConfig) (installation, error) {
	who, err := serverAccount()
	if err != nil {
		return installation{}, err
	}
	found := installations(ctx, postgresFolders(config.BinDir), who)
	if len(found) > 0 {
		return preferKept(found, dir), nil
	}
	got, err := fetchPostgres(ctx, fetchConfig{who: who, registry: config.Registry, logger: config.logger()})
	if err != nil {
		return installation{}, fmt.Errorf("%w\n(the download failed: %w)", ErrNoPostgres, err)
	}
	return got, nil
}

// FindPostgres returns the folder of a Postgres that StartPostgres would use without a new
// download, or "".
func FindPostgres(ctx context.Context, config PostgresConfig) string {
	who, err := serverAccount()
	if err != nil {
		return ""
	}
	if found := installations(ctx, postgresFolders(config.BinDir), who); len(found) > 0 {
		return found[0].dir
	}
	cached, err := cachedPostgres(ctx, who)
	if err != nil {
		return ""
	}
	return cached.dir
}

func preferKept(found []installation, dir string) installation {
	for _, candidate := range found {
		for _, home := range []string{dir, keptElsewhere(dir)} {
			if _, err := os.Stat(filepath.Join(home, "pg"+strconv.Itoa(candidate.major))); err == nil {
				return candidate
			}
		}
	}
	return found[0]
}

// postgresFolders returns the folders where Postgres may be, best first: the caller's folder, the
// PATH, then the packages of distributions (newest first) and Homebrew.
func postgresFolders(first string) []string {
	var folders []string
	if first != "" {
		folders = append(folders, first)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		// The PATH may have only a link to postgres; initdb is in the folder of its target.
		if target, err := filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(target))
		}
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*",
		"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
		"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin", "/Library/PostgreSQL/*/bin",
	} {
		matches, _ := filepath.Glob(pattern)
		slices.Sort(matches)
		slices.Reverse(matches)
		folders = append(folders, matches...)
	}
	return append(folders, "/opt/homebrew/bin", "/usr/local/pgsql/bin", "/usr/local/bin", "/usr/bin")
}

// installations returns the folders whose Postgres runs as the account and is new enough, at most
// three.
func installations(ctx context.Context, folders []string, who *account) []installation {
	var found []installation
	seen := map[string]bool{}
	for _, folder := range folders {
		target, err := filepath.EvalSymlinks(folder)
		if err != nil || seen[target] || len(found) == 3 {
			continue
		}
		seen[target] = true
		if got, err := inspect(ctx, target, who); err == nil {
			found = append(found, got)
		}
	}
	return found
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// inspect runs `postgres --version` as the account that will run the server.
func inspect(ctx context.Context, folder string, who *account) (installation, error) {
	program := filepath.Join(folder, "postgres")
	for _, path := range []string{program, filepath.Join(folder, "initdb")} {
		if _, err := os.Stat(path); err != nil {
			return installation{}, fmt.Errorf("look for programs: %w", err)
		}
	}
	if !who.reaches(folder) {
		return installation{}, fmt.Errorf("%s: %w", folder, fs.ErrPermission)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", cleanEnvironment(), who.attributes()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return installation{}, fmt.Errorf("run %s --version: %w: %s", program, err, out)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return installation{}, fmt.Errorf("%s has no version that we can read", program)
	}
	major, _ := strconv.Atoi(string(match[1]))
	if major < oldestMajor {
		return installation{}, fmt.Errorf("%s is version %d, older than %d", program, major, oldestMajor)
	}
	return installation{dir: folder, major: major}, nil
}

// Prefetch makes sure that later starts have a Postgres. It downloads one if none is installed, and
// returns the folder of its programs.
func Prefetch(ctx context.Context, config PostgresConfig) (string, error) {
	if dir := FindPostgres(ctx, config); dir != "" {
		config.logger().DebugContext(ctx, "postgres is there", slog.String("folder", dir))
		return dir, nil
	}
	got, err := findPostgres(ctx, "", config)
	return got.dir, err
}
