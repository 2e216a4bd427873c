package rest_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/graph"
	"outreach/internal/graphstore"
	"outreach/mail/engine"
	"outreach/oauth"
	"outreach/rest"
	"outreach/rest/resttest"
	"outreach/storage"
	"outreach/storage/stores"
)

// probes is the list that only tests have.
const probes = `query probes($limit: Int!, $cursor: String, $status: CampaignStatus, $created_since: Time) {
  page: campaigns(first: $limit, after: $cursor, status: $status, createdSince: $created_since) {
    data: nodes { id created_at: createdAt }
    next_cursor: nextCursor
  }
}`

// stage is the API on the real query layer and a database of its own.
type stage struct {
	t        *testing.T
	handler  http.Handler // as it is
	checked  http.Handler // every answer held to the OpenAPI document
	db       *stores.Stores
	sql      *pgxpool.Pool
	bearers  map[uuid.UUID]string
	keepList map[string][]uuid.UUID // rows that other rows lead to, by kind and workspace
	sent     *atomic.Int64          // statements of the store so far
	hooks    *hooks
	// executable is the query layer without REST
	executable graphql.ExecutableSchema
	ahead      *atomic.Int64 // by how many nanoseconds the store's clock is ahead
}

// nameServers find nothing.
type nameServers struct{}

func (nameServers) CheckDomain(context.Context, outreach.DomainQuestion) outreach.DomainCheck {
	none := outreach.RecordCheck{Result: outreach.RecordNone, Detail: "There is no record."}
	return outreach.DomainCheck{MX: none, SPF: none, DMARC: none}
}

// newStage makes one; change may set what the API is made of.
func newStage(t *testing.T, change ...func(*rest.Config)) *stage {
	t.Helper()
	return newStageOn(t, testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}), change...)
}

// counter counts what the store asks of Postgres.
type counter struct{ n *atomic.Int64 }

// TraceQueryStart counts one.
func (c counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

// TraceQueryEnd has nothing to count.
func (counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func newStageOn(t *testing.T, url string, change ...func(*rest.Config)) *stage {
	t.Helper()
	var sent, ahead atomic.Int64
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	must(t, err)
	db, err := stores.Open(t.Context(), storage.Config{URL: url, Keyring: ring, BaseURL: "https://outreach.example",
		Tracer: counter{&sent}, Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }},
		func(outreach.Event) ([]byte, error) { return []byte(`{}`), nil })
	must(t, err)
	t.Cleanup(db.Close)
	sql, err := pgxpool.New(t.Context(), url)
	must(t, err)
	t.Cleanup(sql.Close)
	documents := maps.Clone(rest.Operations())
	documents["probes"] = probes
	hooks := newHooks(db)
	composer := &engine.Composer{Keyring: ring}
	executable := graph.NewSchema(graph.Config{Stores: graphstore.New(db), Keyring: ring, Mail: prober, Probes: unlimited{}, Webhooks: hooks,
		Templates: composer, AnswerMail: composer,
		Tokens: providers(db), Connector: providers(db), DNS: nameServers{}})
	queries, err := graph.NewExecutor(executable, documents)
	must(t, err)
	config := rest.Config{Schema: schema(t), Queries: queries, Tokens: db, Idempotency: db, Files: &engine.Originals{Store: db}}
	for _, f := range change {
		f(&config)
	}
	handler, err := rest.NewWithList(config, "/probes", "probes", probes)
	must(t, err)
	return &stage{t: t, handler: handler, checked: validator(t).Handler(t, handler), db: db, sql: sql,
		bearers: map[uuid.UUID]string{}, keepList: map[string][]uuid.UUID{}, sent: &sent, ahead: &ahead, hooks: hooks, executable: executable}
}

// unlimited allows every probe.
type unlimited struct{}

func (unlimited) Begin(context.Context, uuid.UUID) (func(), error) { return func() {}, nil }

// providers are Google with a client, and Microsoft without one. Beginning to connect
// a mailbox asks neither of them.
func providers(db *stores.Stores) *oauth.Service {
	return oauth.New(
		oauth.Config{Store: db, BaseURL: "https://outreach.example", Client: &http.Client{Timeout: time.Second}, Providers: []oauth.Provider{
			{Name: outreach.ProviderGoogle, Client: outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: "id", Secret: "secret"}},
			{Name: outreach.ProviderMicrosoft},
		}})
}

var (
	theValidator *resttest.Validator
	readDocument sync.Once
)

// validator reads the document once for all stages.
func validator(t *testing.T) *resttest.Validator {
	t.Helper()
	readDocument.Do(func() {
		document, err := rest.OpenAPI()
		must(t, err)
		theValidator = resttest.New(t, document)
	})
	return theValidator
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func schema(t *testing.T) *ast.Schema {
	t.Helper()
	text, err := os.ReadFile("../schema.graphqls")
	must(t, err)
	return gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
}

// workspace makes a workspace with a token.
func (s *stage) workspace() uuid.UUID {
	s.t.Helper()
	id := uuid.New()
	s.exec(`INSERT INTO workspaces (id, name) VALUES ($1, 'A workspace')`, id)
	token := rest.NewToken()
	must(s.t, s.db.SetToken(s.t.Context(), id, outreach.TokenRecord{Hash: token.Hash(), Prefix: token.Visible()}))
	s.bearers[id] = string(token)
	return id
}

func (s *stage) exec(sql string, args ...any) {
	s.t.Helper()
	_, err := s.sql.Exec(s.t.Context(), sql, args...)
	must(s.t, err)
}

func (s *stage) count(sql string, args ...any) (n int) {
	s.t.Helper()
	must(s.t, s.sql.QueryRow(s.t.Context(), sql, args...).Scan(&n))
	return n
}

// call sends one request as a workspace.
func (s *stage) call(handler http.Handler, ws uuid.UUID, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, rest.Base+target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.bearers[ws])
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// envelope is a page as a client reads it.
type envelope struct {
	Data       []map[string]any `json:"data"`
	NextCursor *string          `json:"next_cursor"`
}

func readPage(t *testing.T, w *httptest.ResponseRecorder) (p envelope) {
	t.Helper()
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	decoder := json.NewDecoder(w.Body)
	decoder.DisallowUnknownFields()
	must(t, decoder.Decode(&p))
	return p
}
