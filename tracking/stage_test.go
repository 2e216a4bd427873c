package tracking_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/tracking"
	"outreach/webhook"
)

const (
	baseURL = "https://app.outreach.test"
	base    = "app.outreach.test"
	browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

// stage is the real handler on a real database, with a clock that the test moves
// and a second way in for what the store has no method for.
type stage struct {
	*stores.Stores
	site *tracking.Site
	sql  *pgxpool.Pool
	keys *outreach.Keyring
	mu   sync.Mutex
	at   time.Time
}

func newStage(t testing.TB) *stage {
	t.Helper()
	return newStageWith(t, func(*tracking.Config) {})
}

func newStageWith(t testing.TB, change func(*tracking.Config)) *stage {
	t.Helper()
	s := openStage(t)
	config := tracking.Config{Store: s.Stores, Keyring: s.keys, BaseURL: baseURL, Now: s.now, Every: 5 * time.Millisecond}
	change(&config)
	s.site = tracking.New(config)
	t.Cleanup(s.site.Close)
	return s
}

func openStage(t testing.TB) *stage {
	t.Helper()
	url := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
	keys, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))))
	must(t, err)
	s := &stage{keys: keys, at: time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC)}
	s.Stores, err = stores.Open(t.Context(), storage.Config{
		URL: url, Keyring: keys, BaseURL: baseURL, Now: s.now, MaxConns: 4,
	}, webhook.Encode)
	must(t, err)
	t.Cleanup(s.Stores.Close)
	s.sql, err = pgxpool.New(context.Background(), url)
	must(t, err)
	t.Cleanup(s.sql.Close)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

func (s *stage) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = s.at.Add(d)
}

func (s *stage) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	_, err := s.sql.Exec(context.Background(), sql, args...)
	must(t, err)
}

// ask reads one value.
func ask[T any](t testing.TB, s *stage, sql string, args ...any) T {
	t.Helper()
	rows, err := s.sql.Query(context.Background(), sql, args...)
	must(t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	must(t, err)
	return value
}

// house is a workspace with a verified tracking domain, a campaign, a prospect in
// it, and a subscription to everything.
type house struct {
	id, campaign uuid.UUID
	host         string
	prospect     outreach.Prospect
}

func (s *stage) house(t testing.TB, title string) house {
	t.Helper()
	ctx := context.Background()
	name := strings.NewReplacer(" ", "-", ",", "").Replace(strings.ToLower(title))
	id, err := s.CreateWorkspace(ctx, title)
	must(t, err)
	h := house{id: id, campaign: uuid.Must(uuid.NewV7()), host: "links." + name + ".test"}
	must(t, s.SetTrackingDomain(ctx, id, h.host, outreach.TrackingDomainVerified))
	s.exec(t, `INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply,
		stop_company_on_reply, track_clicks, track_opens)
		VALUES ($1, $2, 'Autumn', 'active', 'UTC', '{mon}', '09:00', '17:00', true, false, true, true)`,
		h.campaign, id)
	h.prospect, err = s.CreateProspect(ctx, outreach.Prospect{WorkspaceID: id, Email: "Ann@customer-of-" + name + ".test"})
	must(t, err)
	_, err = s.CreateSubscription(ctx, outreach.Subscription{
		WorkspaceID: id, URL: "https://hooks.test/" + name, Enabled: true,
		Events: []outreach.SubscriptionEvent{outreach.OnClicked, outreach.OnUnsubscribed},
	}, "whsec_test")
	must(t, err)
	return h
}

// message stores one that was sent to the prospect of the house.
func (s *stage) message(t testing.TB, h house) outreach.Ref {
	t.Helper()
	id, enrollment := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	s.exec(t, `INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, status, next_step, next_send_at)
		VALUES ($1, $2, $3, $4, 'active', 2, now()) ON CONFLICT DO NOTHING`, enrollment, h.id, h.campaign, h.prospect.ID)
	s.exec(t, `
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
	subject, body_text, message_id, status, sent_at)
		VALUES ($1, $2, $3, $4, $5, $6, 1, 1, $7, 'Hello', 'text', $8, 'sent', now())`,
		id, h.id, h.campaign, h.prospect.ID, uuid.New(), enrollment, h.prospect.Email, header(id))
	return outreach.Ref{WorkspaceID: h.id, ID: id}
}

func header(message uuid.UUID) string { return "<" + message.String() + "@mail.test>" }

// links writes addresses on a host.
func (s *stage) links(host string) outreach.Links {
	return outreach.Links{Keyring: s.keys, Origin: "https://" + host}
}

// send returns the answer to a request of a browser; each change edits the request.
func (s *stage) send(method, url string, change ...func(*http.Request)) *http.Response {
	r := httptest.NewRequest(method, url, nil)
	if method == http.MethodPost {
		r = httptest.NewRequest(method, url, strings.NewReader("List-Unsubscribe=One-Click"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.RemoteAddr = "198.51.100.7:50000"
	r.Header.Set("User-Agent", browser)
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.site.ServeHTTP(w, r)
	return w.Result()
}

func (s *stage) get(url string, change ...func(*http.Request)) *http.Response {
	return s.send(http.MethodGet, url, change...)
}

func wantStatus(t testing.TB, response *http.Response, want int) *http.Response {
	t.Helper()
	if response.StatusCode != want {
		t.Errorf("status %d, want %d", response.StatusCode, want)
	}
	return response
}

func body(t testing.TB, response *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	return string(text)
}

// judged lets the window of all clicks pass and waits until all are judged.
func (s *stage) judged(t testing.TB) {
	t.Helper()
	s.pass(30 * time.Second)
	s.eventually(t, "clicks are judged", func() bool {
		return ask[int](t, s, `SELECT count(*) FROM hits WHERE scanner = 'held'`) == 0
	})
}

func (s *stage) eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("not in time: %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// payload is what a webhook was given to carry.
type payload struct {
	Type          string            `json:"type"`
	OccurredAt    string            `json:"occurred_at"`
	WorkspaceID   uuid.UUID         `json:"workspace_id"`
	ProspectID    *uuid.UUID        `json:"prospect_id"`
	ProspectEmail *string           `json:"prospect_email"`
	CampaignID    *uuid.UUID        `json:"campaign_id"`
	CampaignName  *string           `json:"campaign_name"`
	Metadata      map[string]string `json:"metadata"`
}

// told returns the payloads that wait for delivery, in the order of their events.
func (s *stage) told(t testing.TB, h house) (all []payload) {
	t.Helper()
	rows, err := s.sql.Query(context.Background(), `SELECT d.body FROM deliveries d JOIN events e ON e.id = d.event_id
		WHERE d.workspace_id = $1 ORDER BY e.occurred_at, e.id`, h.id)
	must(t, err)
	bodies, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	must(t, err)
	for _, b := range bodies {
		var p payload
		must(t, json.Unmarshal(b, &p))
		all = append(all, p)
	}
	return all
}

// hits returns why each hit of a kind in a workspace did not come from a person, "" for a person,
// oldest first.
func (s *stage) hits(t testing.TB, h house, kind string) []string {
	t.Helper()
	return ask[[]string](t, s, `
SELECT coalesce(array_agg(coalesce(scanner, '') ORDER BY occurred_at, id), '{}') FROM hits WHERE workspace_id = $1
	AND kind = $2`, h.id, kind)
}

func agent(name string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("User-Agent", name) }
}

func from(address string) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = address }
}

func language(accept string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Accept-Language", accept) }
}

func on(host string) func(*http.Request) {
	return func(r *http.Request) { r.Host = host }
}

func mustKeys(t testing.TB, letter string) *outreach.Keyring {
	t.Helper()
	keys, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, 32))))
	must(t, err)
	return keys
}
