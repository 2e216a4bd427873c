// Package bench measures the service against the plainest thing that could do the
// same work, side by side in one run: on a machine that others use too, only
// ratios mean anything.
//
//	make bench PKG=./bench
//	BENCH_PROSPECTS=1000000 BENCH_EVENTS=2000000 make bench PKG=./bench
//
// The filled database stays under .cache/bench for the next run.
package bench

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/bench/data"
	"outreach/devstack"
	"outreach/graph"
	"outreach/graph/exec"
	"outreach/internal/graphstore"
	"outreach/rest"
	"outreach/storage"
	"outreach/storage/stores"
)

// stage is the service's API and the direct handler on one database.
type stage struct {
	sql     *pgxpool.Pool
	db      *stores.Stores
	said    *statements
	service http.Handler
	direct  http.Handler
	bearer  string
}

// newStage joins both on the database at url, which is migrated and filled.
func newStage(tb testing.TB, url string) *stage {
	tb.Helper()
	ctx, s := context.Background(), &stage{said: &statements{}}
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	must(tb, err)
	s.db, err = stores.Open(ctx,
		storage.Config{URL: url, Keyring: ring, BaseURL: "https://outreach.example", Tracer: s.said},
		func(outreach.Event) ([]byte, error) { return []byte(`{}`), nil })
	must(tb, err)
	tb.Cleanup(s.db.Close)
	s.sql, err = pgxpool.New(ctx, url+"&pool_max_conns=20")
	must(tb, err)
	tb.Cleanup(s.sql.Close)
	schema := graph.NewSchema(graph.Config{Stores: graphstore.New(s.db), Keyring: ring})
	queries, err := graph.NewExecutor(schema, rest.Operations())
	must(tb, err)
	s.service, err = rest.New(rest.Config{Schema: exec.NewExecutableSchema(exec.Config{}).Schema(), Queries: queries,
		Tokens: s.db, Idempotency: s.db})
	must(tb, err)
	s.direct = direct{s.sql}.routes()
	token := rest.NewToken()
	must(tb, s.db.SetToken(ctx, data.Workspace, outreach.TokenRecord{Hash: token.Hash(), Prefix: token.Visible()}))
	s.bearer = "Bearer " + string(token)
	return s
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// call sends one request in process.
func (s *stage) call(tb testing.TB, handler http.Handler, target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, rest.Base+target, nil)
	r.Header.Set("Authorization", s.bearer)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		tb.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return w
}

// scale is that of the environment, else one that takes seconds to make.
func scale(tb testing.TB) data.Scale {
	number := func(name string, otherwise int) int {
		text := os.Getenv(name)
		if text == "" {
			return otherwise
		}
		n, err := strconv.Atoi(text)
		must(tb, err)
		return n
	}
	prospects := number("BENCH_PROSPECTS", 100_000)
	return data.Scale{Prospects: prospects, Events: number("BENCH_EVENTS", 2*prospects), Schema: storage.SchemaKey()}
}

var filled struct {
	sync.Once
	postgres *devstack.Postgres
	err      error
}

// bigStage is a stage on the filled database of the scale, which is made once.
func bigStage(b *testing.B) *stage {
	b.Helper()
	size := scale(b)
	filled.Do(func() { filled.postgres, filled.err = fillOnce(size) })
	must(b, filled.err)
	return newStage(b, filled.postgres.URL())
}

// fillOnce starts the Postgres that keeps this scale. What was left half full by
// a run that died, or filled for older tables or too long ago, is emptied first.
func fillOnce(size data.Scale) (*devstack.Postgres, error) {
	ctx := context.Background()
	dir := filepath.Join("..", ".cache", "bench", fmt.Sprintf("%d-%d", size.Prospects, size.Events))
	postgres, err := devstack.StartPostgres(ctx, devstack.PostgresConfig{Dir: dir, Durable: true})
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, postgres.URL())
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if done, err := data.Filled(ctx, conn, size); err != nil || done {
		return postgres, err
	}
	if _, err := conn.Exec(ctx, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"); err != nil {
		return nil, err
	}
	if err := storage.Migrate(ctx, postgres.URL()); err != nil {
		return nil, err
	}
	began := time.Now()
	err = data.Fill(ctx, conn, size, func(string, time.Duration) {})
	fmt.Printf("# filled %d prospects and %d events in %s\n", size.Prospects, size.Events, time.Since(began).Round(time.Second))
	return postgres, err
}

// statements remembers the last statement that the store sent.
type statements struct {
	mu   sync.Mutex
	on   bool
	last pgx.TraceQueryStartData
}

// TraceQueryStart notes the statement while that is asked for.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on {
		s.last = data
	}
	return ctx
}

// TraceQueryEnd has nothing to note.
func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// of returns the statement that f sends last.
func (s *statements) of(f func()) pgx.TraceQueryStartData {
	s.set(true)
	defer s.set(false)
	f()
	return s.last
}

func (s *statements) set(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on = on
}
