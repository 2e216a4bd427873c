package graph_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/graph"
	"outreach/graph/exec/stock"
	"outreach/internal/graphstore"
	"outreach/internal/testkit"
	"outreach/session"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// stage is the query layer on a database of its own, asked in process as a token
// of its workspace or over HTTP with a session cookie.
type stage struct {
	t      testing.TB
	db     *stores.Stores
	sql    *pgxpool.Pool
	schema graphql.ExecutableSchema
	stock  graphql.ExecutableSchema // what gqlgen generates of it without tables
	ws     uuid.UUID
	ctx    context.Context // asks as the workspace's token
	ring   *outreach.Keyring
	count  *counter
	log    *bytes.Buffer
	https  bool
	clock  *testkit.Clock // on a slow machine nothing becomes old between two lines of a test
}

func newStage(t testing.TB) *stage {
	t.Helper()
	url := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)))
	must(t, err)
	s := &stage{t: t, ring: ring, count: &counter{}, log: &bytes.Buffer{}, clock: testkit.NewClock(time.Now())}
	s.db, err = stores.Open(t.Context(),
		storage.Config{URL: url, Keyring: ring, BaseURL: "http://127.0.0.1", MaxConns: 4, Tracer: s.count}, webhook.Encode)
	must(t, err)
	t.Cleanup(s.db.Close)
	s.sql, err = pgxpool.New(t.Context(), url)
	must(t, err)
	t.Cleanup(s.sql.Close)
	s.ws, err = s.db.CreateWorkspace(t.Context(), "Acme")
	must(t, err)
	s.ctx = outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: s.ws})
	config := s.config()
	config.Keyring = ring
	s.schema = graph.NewSchema(config)
	s.stock = stock.NewExecutableSchema(stock.Config{Resolvers: stockRoot{graph.NewResolver(config), s.db}})
	return s
}

func (s *stage) sessions() *session.Sessions {
	return &session.Sessions{Store: s.db, Length: time.Hour, Secure: s.https}
}

// config is what resolvers need at least: no limits, and the clock of the stage.
func (s *stage) config() graph.Config {
	return graph.Config{
		Stores: graphstore.New(s.db), Sessions: s.sessions(), Attempts: &guesses{left: 1000},
		Logger: slog.New(slog.NewTextHandler(s.log, nil)), Now: s.clock.Now, Probes: unlimited{}, Tokens: connector{}, Connector: connector{},
	}
}

// unlimited allows every probe.
type unlimited struct{}

func (unlimited) Begin(context.Context, uuid.UUID) (func(), error) { return func() {}, nil }

// connector begins attempts that lead nowhere. It has no provider.
type connector struct{}

func (connector) Servers(outreach.MailProvider) (s outreach.ProviderServers, known bool) {
	return s, false
}

func (connector) Authorize(context.Context, *outreach.Mailbox) error { return nil }

func (connector) AppGrant(context.Context, *outreach.Mailbox) (g outreach.Grant, err error) {
	return g, errors.New("no provider")
}

func (connector) Begin(_ context.Context, c outreach.ConnectionAttempt, _ *uuid.UUID) (outreach.ConnectionAttempt, error) {
	c.ID, c.Status = uuid.New(), outreach.ConnectionPending
	return c, nil
}

func (connector) CheckClient(_ context.Context, c outreach.OAuthClient) string {
	if c.Secret == "wrong" {
		return "The provider refuses the client."
	}
	return ""
}

func (connector) MissingSetting(_ context.Context, _ uuid.UUID, p outreach.MailProvider) (string, error) {
	if p == outreach.ProviderMicrosoft {
		return "Set a client.", nil
	}
	return "", nil
}

// guesses allows a few attempts to sign in from each address.
type guesses struct {
	mu     sync.Mutex
	left   int
	passed int
}

func (g *guesses) Allow(context.Context, string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left--
	return g.left >= 0
}

func (g *guesses) Passed(context.Context, string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.passed++
}

func (g *guesses) AllowCode(ctx context.Context, user uuid.UUID) bool {
	return g.Allow(ctx, user.String())
}

// counter counts the statements that reach the database.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (c *counter) take() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.n
	c.n = 0
	return n
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func (s *stage) exec(sql string, args ...any) {
	s.t.Helper()
	_, err := s.sql.Exec(s.t.Context(), sql, args...)
	must(s.t, err)
}

// run prepares one document and runs it as the workspace's token.
func (s *stage) run(document string, variables map[string]any) ([]byte, error) {
	s.t.Helper()
	return s.runAs(s.ctx, document, variables)
}

// runAs is run for the caller and the workspace of ctx.
func (s *stage) runAs(ctx context.Context, document string, variables map[string]any) ([]byte, error) {
	x, err := graph.NewExecutor(s.schema, map[string]string{"it": document})
	if err != nil {
		return nil, err
	}
	return x.Run(ctx, "it", variables)
}

// field runs a document and returns the bytes below keys.
func (s *stage) field(document string, variables map[string]any, keys ...string) json.RawMessage {
	s.t.Helper()
	data, err := s.run(document, variables)
	if err != nil {
		s.t.Fatalf("%s: %v", document, err)
	}
	raw := json.RawMessage(data)
	for _, key := range keys {
		var object map[string]json.RawMessage
		must(s.t, json.Unmarshal(raw, &object))
		raw = object[key]
	}
	return raw
}

func elements(t testing.TB, raw json.RawMessage) (list []json.RawMessage) {
	t.Helper()
	must(t, json.Unmarshal(raw, &list))
	return list
}

// nasty is a text that tempts every way of quoting.
const nasty = "\"a\\b/\u2028<&>\t\r\n\x01\x1f\x7f é 日本 😀"

// fill puts n of everything into the workspace, with nasty texts and every
// neighbour that a row can have.
func (s *stage) fill(n int) {
	s.t.Helper()
	box := outreach.NewMailbox()
	box.WorkspaceID, box.DisplayName = s.ws, new(nasty)
	box.SMTP = outreach.MailServer{Host: "smtp.test", Port: 465, Username: nasty, Password: "p", Security: outreach.SecurityTLS}
	box.IMAP = box.SMTP
	campaign := outreach.NewCampaign()
	campaign.WorkspaceID, campaign.DailyNewLimit = s.ws, new(9)
	campaign.SendDays, campaign.SendFrom, campaign.SendUntil = outreach.Weekdays, "00:00", "23:59"
	campaign.Steps = []outreach.Step{{Subject: new("Hi"), BodyText: new(nasty)}, {DelayMinutes: 3, BodyHTML: new("<p>" + nasty)}}
	sub, err := s.db.CreateSubscription(s.ctx,
		outreach.Subscription{WorkspaceID: s.ws, URL: "https://h.test/?" + nasty, Events: outreach.SubscriptionEvents, Enabled: true}, "whsec_x")
	must(s.t, err)
	for i := range n {
		box.Email, campaign.Name = fmt.Sprintf("m%d@acme%d.test", i, i), fmt.Sprintf("Campaign %d %s", i, nasty)
		made, err := s.db.CreateMailbox(s.ctx, box)
		must(s.t, err)
		campaign.MailboxIDs = []uuid.UUID{made.ID}
		c, err := s.db.CreateCampaign(s.ctx, campaign)
		must(s.t, err)
		_, err = s.db.ActivateCampaign(s.ctx, s.ws, c.ID)
		must(s.t, err)
		p, err := s.db.CreateProspect(s.ctx,
			outreach.Prospect{WorkspaceID: s.ws, Email: fmt.Sprintf("p%d@c%d.test", i, i), FirstName: new(nasty[:5]),
				CompanyName:  new("Co " + nasty[:3]),
				CustomFields: map[string]any{nasty[:6]: nasty[:9], "n": 1e21, "b": true}, Timezone: new("Asia/Tokyo")})
		must(s.t, err)
		_, err = s.db.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectID: &p.ID})
		must(s.t, err)
		s.correspond(made, i)
		_, err = s.db.CreateOffer(s.ctx,
			outreach.Offer{WorkspaceID: s.ws, Title: nasty, BodyHTML: new(nasty), ProspectID: &p.ID, CampaignID: &c.ID, CompanyID: p.CompanyID})
		must(s.t, err)
		_, err = s.db.CreateSnippet(s.ctx, outreach.Snippet{WorkspaceID: s.ws, Name: fmt.Sprint(i, nasty), BodyHTML: new(nasty)})
		must(s.t, err)
		if i%2 == 1 { // what is left of a deleted prospect
			must(s.t, s.db.DeleteProspect(s.ctx, s.ws, p.ID))
		}
	}
	domains, err := s.db.ListSendingDomains(s.ctx, s.ws, outreach.Page{Limit: 100})
	must(s.t, err)
	check := outreach.RecordCheck{Result: outreach.RecordFail, Detail: nasty, Record: new(nasty),
		Publish: []outreach.DNSRecord{{Type: "TXT", Name: nasty, Value: nasty}}}
	_, err = s.db.NoteDomainCheck(s.ctx, s.ws, domains.Rows[0].ID,
		outreach.DomainCheck{MX: check, SPF: check, DMARC: check, DMARCPolicy: new(nasty)})
	must(s.t, err)
	s.exec(`UPDATE deliveries SET attempt_log = ARRAY[ROW (1, now(), 12, 503, 'http 503')::delivery_attempt]`)
	s.exec(`UPDATE deliveries SET attempt_log = attempt_log || ROW (2, now(), NULL, NULL, NULL)::delivery_attempt WHERE type = 'sent'`)
	must(s.t, s.db.DeleteSubscription(s.ctx, s.ws, sub.ID))
	for range n {
		_, err := s.db.CreateSubscription(s.ctx,
			outreach.Subscription{WorkspaceID: s.ws, URL: "https://h.test/?" + nasty, Events: outreach.SubscriptionEvents}, "whsec_x")
		must(s.t, err)
	}
}

// correspond sends the first step, and ingests a reply to it.
func (s *stage) correspond(box outreach.Mailbox, i int) {
	s.t.Helper()
	out, err := s.db.ClaimSend(s.ctx, box, "me", func(d outreach.Draft) (outreach.Composed, error) {
		return outreach.Composed{MessageID: "<" + d.ID.String() + ">", Subject: nasty, Text: nasty}, nil
	})
	must(s.t, err)
	must(s.t, s.db.CommitMessage(s.ctx, out.Ref(), "me"))
	must(s.t, s.db.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: nasty}))
	in := outreach.Received{Key: uuid.NewString(), Kind: outreach.ReceivedReply, From: nasty, Subject: new(nasty),
		Text: nasty, References: []string{out.MessageID},
		Interest: new(outreach.InterestPositive), Reason: new(nasty)}
	if i%3 == 1 {
		in.Kind, in.Interest, in.Reason, in.Subject = outreach.ReceivedAutomatic, nil, nil, nil
	}
	_, err = s.db.Ingest(s.ctx, box, []outreach.Received{in}, outreach.FolderPosition{Folder: "inbox", UIDValidity: 1, UID: 1})
	must(s.t, err)
	_, err = s.db.CreateSuppression(s.ctx,
		outreach.Suppression{WorkspaceID: s.ws, Domain: new(fmt.Sprintf("d%d.test", i)), Note: new(nasty)})
	must(s.t, err)
}

// answer is what came back over HTTP.
type answer struct {
	Status int
	Header http.Header
	Data   map[string]any
	Errors []struct {
		Message    string
		Extensions map[string]any
	}
}

// post asks /graphql as a browser with cookies would.
func (s *stage) post(handler http.Handler, document string, change func(*http.Request)) answer {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"query": document})
	must(s.t, err)
	r := httptest.NewRequest("POST", "http://outreach.test/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	out := answer{Status: w.Code, Header: w.Result().Header}
	raw, err := io.ReadAll(w.Result().Body)
	must(s.t, err)
	if strings.HasPrefix(strings.TrimSpace(string(raw)), "{") {
		must(s.t, json.Unmarshal(raw, &out))
	}
	return out
}

// handler is /graphql behind the session cookie.
func (s *stage) handler(config graph.HandlerConfig) http.Handler {
	config.Logger = slog.New(slog.NewTextHandler(s.log, nil))
	config.RequestID = func(context.Context) string { return "req-1" }
	return s.sessions().Middleware(graph.NewHandler(s.schema, config))
}
