// Package testdb provides each test with its own database and its own Redis. Databases are cloned
// from a template that is built once per key and kept between runs; all test processes of a user
// share one private Postgres, which devstack starts and stops. With DATABASE_URL set that server is
// used instead, and a test fails if it cannot be reached.
//
// Without any database the test fails with an error that lists what the user can do; no test is
// skipped. The package must not know the schema.
package testdb

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9/logging"

	"outreach/devstack"
)

// A test binary has no main of ours that could call RunIfSupervisor, and it may be the first to
// need the server, so importing the package calls it. The Redis client writes no log, as in the
// program.
func init() { //nolint:gochecknoinits // see above
	devstack.RunIfSupervisor()
	logging.Disable()
}

// linger keeps the server for the next package of one `go test ./...`.
const linger = time.Second

// setupLimit bounds New, including a download and the build of a template.
const setupLimit = 3 * time.Minute

// Template describes the content of a new database.
type Template struct {
	// Key identifies the content, for example a hash of the migrations. Equal keys mean equal
	// templates, in every package and every run.
	Key string
	// Build fills the empty database at url. It must close its connections. It runs again if an
	// earlier Build failed or was interrupted.
	Build func(ctx context.Context, url string) error
}

// New returns the URL of a database cloned from the template. Only this test uses it. It is dropped
// in the background after the test, and connections that are still open then are closed.
func New(t testing.TB, template Template) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), setupLimit)
	defer cancel()
	url, name, err := shared.clone(ctx, template)
	if err != nil {
		t.Fatalf("create test database: %v", err)
	}
	t.Cleanup(func() { shared.drop(name) })
	return url
}

// shared is the connection of the process to the server, which all tests of a binary use.
var shared = &pool{getenv: os.Getenv}

// pool opens the server at the first use and keeps it until the process ends.
type pool struct {
	getenv func(string) string
	once   sync.Once
	err    error
	server *server
	// held keeps the private server running: if it were garbage collected, its connection to the
	// supervisor would be closed.
	held *devstack.Postgres
}

func (p *pool) open(ctx context.Context) (*server, error) {
	p.once.Do(func() {
		var url string
		if url, p.err = p.serverURL(ctx); p.err == nil {
			p.server, p.err = openServer(ctx, url)
		}
	})
	return p.server, p.err
}

func (p *pool) clone(ctx context.Context, template Template) (url, name string, err error) {
	server, err := p.open(ctx)
	if err != nil {
		return "", "", err
	}
	return server.clone(ctx, template)
}

func (p *pool) drop(name string) { p.server.dropLater(name) }

// serverURL returns DATABASE_URL, or the address of the shared private server.
// That one is never closed: its supervisor notices when this process ends.
func (p *pool) serverURL(ctx context.Context) (string, error) {
	if url := p.getenv("DATABASE_URL"); url != "" {
		return url, nil
	}
	dir, err := devstack.SharedFolder("testdb")
	if err != nil {
		return "", err
	}
	postgres, err := devstack.StartPostgres(ctx, devstack.PostgresConfig{
		Dir: dir, Disposable: true, Linger: linger,
		BinDir: p.getenv("PGBIN"), Registry: devstack.NPMRegistry(p.getenv),
	})
	if err != nil {
		return "", fmt.Errorf("start private postgres: %w", err)
	}
	p.held = postgres
	return postgres.URL(), nil
}
