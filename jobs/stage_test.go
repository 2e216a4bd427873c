package jobs

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/jobs/queue"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// deadline is how long any wait of a test may take at the very most.
const deadline = 90 * time.Second

// patience is the time limit of an attempt in tests that are not about time limits:
// on a slow machine an attempt at an endpoint that answers must not time out.
const patience = time.Minute

// stage is a database, a Redis and an endpoint, with processes to be started.
type stage struct {
	t     testing.TB
	db    *stores.Stores
	sql   *pgxpool.Pool
	dbURL string
	redis string
	hook  *endpoint
}

func newStage(t testing.TB) *stage {
	t.Helper()
	return newStageAt(t, testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}))
}

// newStageAt returns a stage on a migrated database.
func newStageAt(t testing.TB, url string) *stage {
	t.Helper()
	s := &stage{t: t, dbURL: url, redis: testdb.Redis(t)}
	var err error
	s.db, err = openStore(t.Context(), s.dbURL)
	s.must(err)
	t.Cleanup(s.db.Close)
	s.sql, err = pgxpool.New(t.Context(), s.dbURL)
	s.must(err)
	t.Cleanup(s.sql.Close)
	s.hook = newEndpoint(t)
	return s
}

func openStore(ctx context.Context, url string) (*stores.Stores, error) {
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if err != nil {
		return nil, err
	}
	return stores.Open(ctx, storage.Config{URL: url, Keyring: ring}, webhook.Encode)
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) exec(sql string, args ...any) {
	s.t.Helper()
	_, err := s.sql.Exec(context.Background(), sql, args...)
	s.must(err)
}

func (s *stage) count(sql string, args ...any) (n int) {
	s.t.Helper()
	s.must(s.sql.QueryRow(context.Background(), sql, args...).Scan(&n))
	return n
}

func (s *stage) subscription(url string) outreach.Subscription {
	s.t.Helper()
	workspace := uuid.Must(uuid.NewV7())
	s.exec(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, workspace)
	return s.subscribe(workspace, url)
}

func (s *stage) subscribe(workspace uuid.UUID, url string) outreach.Subscription {
	s.t.Helper()
	made, err := s.db.CreateSubscription(context.Background(), outreach.Subscription{
		WorkspaceID: workspace, URL: url, Events: []outreach.SubscriptionEvent{outreach.OnSent}, Enabled: true,
	}, secretOf(url))
	s.must(err)
	return made.Subscription
}

// secretOf returns a signing secret for each URL.
func secretOf(url string) string { return "whsec_" + url }

// queue adds n deliveries that are due now.
func (s *stage) queue(sub outreach.Subscription, n int) {
	s.t.Helper()
	s.exec(`
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at, created_at)
		SELECT uuid_v7(), $1, $2, 'sent', gen_random_uuid(), 'sent', $3, url_host($3), '{"type":"sent"}', clock_timestamp(), clock_timestamp()
		FROM generate_series(1, $4)`, sub.WorkspaceID, sub.ID, sub.URL, n)
}

// lanes makes n queued deliveries of as many workspaces, with no subscription behind them, that are due
// at the same time.
func (s *stage) lanes(n int, due string) {
	s.t.Helper()
	s.exec(`
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at, created_at)
		SELECT uuid_v7(), gen_random_uuid(), gen_random_uuid(), 'sent', gen_random_uuid(), 'sent', 'https://a.test/', 'a.test' || n,
			'{"type":"sent"}', `+due+`, now()
		FROM generate_series(1, $1) n`, n)
	s.exec(`ANALYZE deliveries`)
}

// settings are those of a demo: a second where production has a minute.
func (s *stage) settings() Config {
	options, err := ParseRedis(s.redis)
	s.must(err)
	return Config{
		Store: s.db, Post: s.hook.post(patience), Redis: options,
		ScanInterval: time.Second, RetryDelay: time.Second, Concurrency: 256, Servers: 4, LeaseTTL: 9 * time.Second,
	}
}

// run starts a process and returns a function that ends it, which the test's end does
// too.
func (s *stage) run(config Config) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, config) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Errorf("run: %v", err)
		}
	})
	s.t.Cleanup(stop)
	return stop
}

// settled waits until nothing is queued.
func (s *stage) settled() {
	s.t.Helper()
	s.eventually("all deliveries are settled", func() bool {
		return s.count(`SELECT count(*) FROM deliveries WHERE status = 'queued'`) == 0
	})
}

func (s *stage) eventually(what string, holds func() bool) {
	s.t.Helper()
	end := time.Now().Add(deadline)
	for !holds() {
		if time.Now().After(end) {
			s.t.Fatalf("never came true: %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// visit is one request that the endpoint saw.
type visit struct {
	began, ended time.Time
	signed       bool
}

// endpoint is an https receiver that writes down every request. What it answers
// is decided by a function of the path's first element.
type endpoint struct {
	server *httptest.Server
	roots  *x509.CertPool
	policy *webhook.Policy

	mu      sync.Mutex
	visits  map[string][]visit // by delivery id
	answers map[string]answerer
	// secret overrides what the signature is checked with.
	secret func(path string, nth int) string
}

// answerer writes the answer to the nth request of a delivery, from 1.
type answerer func(w http.ResponseWriter, r *http.Request, nth int)

func newEndpoint(t testing.TB) *endpoint {
	return newEndpointOver(t, func(server *httptest.Server) { server.EnableHTTP2 = true })
}

func newEndpointOver(t testing.TB, configure func(*httptest.Server)) *endpoint {
	e := &endpoint{visits: map[string][]visit{}, answers: map[string]answerer{}}
	e.server = httptest.NewUnstartedServer(http.HandlerFunc(e.serve))
	configure(e.server)
	e.server.Config.ErrorLog = discardLog()
	e.server.StartTLS()
	t.Cleanup(func() { e.server.CloseClientConnections(); e.server.Close() })
	e.trust(e.server.Certificate())
	return e
}

func (e *endpoint) trust(certificate *x509.Certificate) {
	e.roots = x509.NewCertPool()
	e.roots.AddCert(certificate)
	e.policy = webhook.NewPolicy([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, nil)
}

// on sets what is answered below /name and returns the URL for it.
func (e *endpoint) on(name string, answer answerer) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers[name] = answer
	return e.server.URL + "/" + name
}

func (e *endpoint) serve(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	body, cut := io.ReadAll(r.Body)
	id := r.Header.Get("X-Service-Delivery")
	name := strings.Trim(r.URL.Path, "/")
	e.mu.Lock()
	nth, answer := len(e.visits[id])+1, e.answers[name]
	secret := secretOf(e.server.URL + r.URL.Path)
	if e.secret != nil {
		secret = e.secret(name, nth)
	}
	// A request that the client cut short has no whole body to verify.
	signed := cut != nil || webhook.Verify(secret, r.Header.Get("X-Service-Signature"), body, time.Now(), time.Minute) == nil
	e.visits[id] = append(e.visits[id], visit{began: began, signed: signed})
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.visits[id][nth-1].ended = time.Now()
	}()
	answer(w, r, nth)
}

// requests returns a copy of what was seen, by delivery.
func (e *endpoint) requests() map[string][]visit {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make(map[string][]visit, len(e.visits))
	for id, visits := range e.visits {
		out[id] = append([]visit(nil), visits...)
	}
	return out
}

// total counts all requests.
func (e *endpoint) total() (n int) {
	for _, visits := range e.requests() {
		n += len(visits)
	}
	return n
}

// post attempts over the real client.
func (e *endpoint) post(timeout time.Duration) Post {
	client, err := webhook.NewClient(webhook.ClientConfig{Policy: e.policy, Roots: e.roots, Timeout: timeout})
	if err != nil {
		panic(err)
	}
	return posting(client)
}

// posting joins the two packages, as the program does.
func posting(client *webhook.Client) Post {
	return func(ctx context.Context, a queue.Attempt) queue.Answer {
		r := client.Post(ctx, webhook.Request{URL: a.URL, EventType: a.Type, DeliveryID: a.ID, Secret: a.Secret, Body: a.Body})
		return queue.Answer{Duration: r.Duration, HTTPStatus: r.HTTPStatus, Error: r.Error}
	}
}

// status answers with a code, always.
func status(code int) answerer {
	return func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(code) }
}

// failing answers with 500 so many times, then with 200.
func failing(times int) answerer {
	return func(w http.ResponseWriter, _ *http.Request, nth int) {
		if nth <= times {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
}

// checkPace fails where two attempts at one delivery were closer than delay,
// from the end of one to the start of the next.
func (s *stage) checkPace(delay time.Duration) {
	s.t.Helper()
	for id, visits := range s.hook.requests() {
		for i := 1; i < len(visits); i++ {
			if gap := visits[i].began.Sub(visits[i-1].ended); gap < delay {
				s.t.Errorf("delivery %s: attempt %d began %s after the one before ended, want %s", id, i+1, gap, delay)
			}
		}
	}
}

func TestMain(m *testing.M) {
	if os.Getenv(workerVariable) != "" {
		if err := runWorkerProcess(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// These tests wait more than they work.
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
