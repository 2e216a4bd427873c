package oauth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/mail"
	"outreach/mail/engine"
	"outreach/oauth"
	"outreach/sandbox"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// stage is a service with a database, mail servers and identity servers of its own, and
// a clock that the test moves.
type stage struct {
	t       *testing.T
	ctx     context.Context
	db      *stores.Stores
	sql     *pgxpool.Pool
	ws      uuid.UUID
	sandbox *sandbox.MailServer
	service *oauth.Service
	web     *httptest.Server
	clock   *clock
	log     *log
	answers *answers
	viewer  *outreach.Viewer // who is signed in, for every request
}

type clock struct {
	mu     sync.Mutex
	passed time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.passed)
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passed += d
}

// log keeps all that is logged.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// answers changes what the service gets from token endpoints.
type answers struct {
	mu     sync.Mutex
	change func(answer map[string]any) (status int)
}

func (a *answers) set(change func(answer map[string]any) int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.change = change
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	change := a.change
	a.mu.Unlock()
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || change == nil || !strings.HasSuffix(r.URL.Path, "/token") {
		return response, err
	}
	defer response.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	response.StatusCode = change(answer)
	text, err := json.Marshal(answer)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return response, err
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, ctx: t.Context(), clock: &clock{}, log: &log{}, answers: &answers{}}
	key := make([]byte, 32)
	rand.Read(key)
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(key))
	must(t, err)
	database := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
	s.db, err = stores.Open(s.ctx, storage.Config{URL: database, Keyring: ring, Now: s.clock.now, MaxConns: 8}, webhook.Encode)
	must(t, err)
	t.Cleanup(s.db.Close)
	s.sql, err = pgxpool.New(s.ctx, database)
	must(t, err)
	t.Cleanup(s.sql.Close)
	s.ws, err = s.db.CreateWorkspace(s.ctx, "Acme")
	must(t, err)
	s.sandbox, err = sandbox.StartMailServer(context.Background(), sandbox.Config{Dir: t.TempDir(), Now: s.clock.now})
	must(t, err)
	t.Cleanup(func() { _ = s.sandbox.Close() })
	s.web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		if s.viewer != nil {
			ctx = outreach.WithActor(ctx, outreach.Actor{WorkspaceID: s.viewer.WorkspaceID, User: s.viewer})
		}
		s.service.Handler().ServeHTTP(w, r.WithContext(ctx))
	}))
	t.Cleanup(s.web.Close)
	s.service = s.process(s.db)
	s.sandbox.AllowRedirect(s.web.URL + oauth.CallbackPath)
	return s
}

// process is the service of one more process on the same store.
func (s *stage) process(store oauth.Store) *oauth.Service {
	s.t.Helper()
	return oauth.New(oauth.Config{
		Store: store, Mail: engine.Prober{Network: s.network()}, BaseURL: s.web.URL, Now: s.clock.now, Providers: s.providers(),
		Client: &http.Client{Timeout: 20 * time.Second, Transport: s.answers}, Logger: slog.New(slog.NewTextHandler(s.log, nil)),
	})
}

func (s *stage) network() mail.Network {
	roots := x509.NewCertPool()
	text, err := os.ReadFile(s.sandbox.CAFile())
	must(s.t, err)
	roots.AppendCertsFromPEM(text)
	return mail.Network{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Roots: roots}
}

func (s *stage) providers() []oauth.Provider {
	at := s.sandbox.OpenID()
	server := func(address string) outreach.MailServer {
		where := netip.MustParseAddrPort(address)
		return outreach.MailServer{Host: where.Addr().String(), Port: int(where.Port()), Security: outreach.SecurityTLS}
	}
	servers := outreach.ProviderServers{SMTP: server(at.SMTP), IMAP: server(at.IMAP)}
	client := outreach.OAuthClient{ClientID: sandbox.ClientID, Secret: sandbox.ClientSecret}
	one, two := client, client
	one.Provider, two.Provider, two.Tenant = outreach.ProviderGoogle, outreach.ProviderMicrosoft, "organizations"
	return []oauth.Provider{
		{Name: outreach.ProviderGoogle, Issuer: at.Google, Servers: servers, Client: one},
		{Name: outreach.ProviderMicrosoft, Issuer: at.Microsoft, Servers: servers, Client: two},
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// browser keeps cookies and follows nothing by itself.
type browser struct {
	s    *stage
	http *http.Client
}

func (s *stage) browser() *browser {
	jar, _ := cookiejar.New(nil)
	return &browser{s, &http.Client{Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// page is what a browser got.
type page struct {
	status   int
	text     string
	location string
	header   http.Header
}

func (b *browser) send(method, address string, form url.Values, change func(*http.Request)) page {
	b.s.t.Helper()
	r, err := http.NewRequestWithContext(b.s.ctx, method, address, strings.NewReader(form.Encode()))
	must(b.s.t, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if change != nil {
		change(r)
	}
	response, err := b.http.Do(r)
	must(b.s.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(b.s.t, err)
	return page{response.StatusCode, string(text), response.Header.Get("Location"), response.Header}
}

func (b *browser) get(address string) page { return b.send(http.MethodGet, address, nil, nil) }

// toProvider opens a link, agrees, and returns the address of the consent page.
func (b *browser) toProvider(link string) string {
	b.s.t.Helper()
	if asked := b.get(link); asked.status != http.StatusOK || !strings.Contains(asked.text, "Connect your mailbox to Acme?") {
		b.s.t.Fatalf("the link answers %d: %s", asked.status, asked.text)
	}
	led := b.send(http.MethodPost, link, nil, nil)
	if led.status != http.StatusSeeOther {
		b.s.t.Fatalf("agreeing answers %d: %s", led.status, led.text)
	}
	return led.location
}

// choose picks an account on the consent page and returns the address of the callback.
func (b *browser) choose(consent, account string) string {
	b.s.t.Helper()
	if shown := b.get(consent); shown.status != http.StatusOK || !strings.Contains(shown.text, "Choose an account") {
		b.s.t.Fatalf("the consent page answers %d: %s", shown.status, shown.text)
	}
	chosen := b.send(http.MethodPost, consent, url.Values{"account": {account}}, nil)
	if chosen.status != http.StatusSeeOther {
		b.s.t.Fatalf("the consent page answers %d: %s", chosen.status, chosen.text)
	}
	return chosen.location
}

func (s *stage) begin(c outreach.ConnectionAttempt) outreach.ConnectionAttempt {
	s.t.Helper()
	c.WorkspaceID = s.ws
	begun, err := s.service.Begin(s.ctx, c, nil)
	must(s.t, err)
	return begun
}

// connect goes all the way and returns the mailbox.
func (s *stage) connect(c outreach.ConnectionAttempt, account string) outreach.Mailbox {
	s.t.Helper()
	begun, b := s.begin(c), s.browser()
	done := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), account))
	if done.status != http.StatusOK || !strings.Contains(done.text, account+" is connected to Acme.") {
		s.t.Fatalf("the callback answers %d: %s", done.status, done.text)
	}
	after := s.attempt(begun.ID)
	if after.Status != outreach.ConnectionConnected || after.MailboxID == nil {
		s.t.Fatalf("the attempt is %+v", after)
	}
	return s.box(*after.MailboxID)
}

func (s *stage) attempt(id uuid.UUID) outreach.ConnectionAttempt {
	s.t.Helper()
	c, err := s.db.Connection(s.ctx, s.ws, id)
	must(s.t, err)
	return c
}

func (s *stage) box(id uuid.UUID) outreach.Mailbox {
	s.t.Helper()
	m, err := s.db.MailboxWithPasswords(s.ctx, s.ws, id)
	must(s.t, err)
	return m
}

var codeInURL = regexp.MustCompile(`code=([^&]+)`)
