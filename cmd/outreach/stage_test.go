package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/google/uuid"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/rest"
	"outreach/rest/resttest"
	"outreach/sandbox"
	"outreach/session"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// asProgram makes the test binary behave as the program: the crash tests kill
// real processes, and building a second binary for that would cost a minute.
const asProgram = "OUTREACH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		plantPanics()
		main()
		return
	}
	os.Exit(m.Run())
}

// object is a JSON object.
type object = map[string]any

// stage is everything around the service: databases, mail server, receiver, and
// a workspace with a token.
type stage struct {
	t         *testing.T
	vars      map[string]string
	config    Config
	store     *stores.Stores
	workspace string
	token     string
	email     string
	password  string
	mail      *sandbox.MailServer
	receiver  *sandbox.Receiver
	base      string
	client    *http.Client
	log       *record
}

// record keeps what is logged, and shows it with the test.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
	show io.Writer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text.Write(p)
	return r.show.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, log: &record{show: t.Output()}}
	key := make([]byte, 32)
	rand.Read(key)
	addr := testkit.ReserveAddr(t)
	s.base = "http://" + addr
	s.startSandbox()
	s.vars = map[string]string{
		"DATABASE_URL": testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}), "REDIS_URL": testdb.Redis(t),
		"OUTREACH_ADDR": addr, "OUTREACH_BASE_URL": s.base, "OUTREACH_SECRET_KEY": base64.StdEncoding.EncodeToString(key),
		"OUTREACH_WEBHOOK_SCAN_INTERVAL": "1s", "OUTREACH_WEBHOOK_RETRY_DELAY": "1s", "OUTREACH_SEND_INTERVAL": "1s",
		"OUTREACH_RECEIVE_INTERVAL":       "1s",
		"OUTREACH_WEBHOOK_ALLOW_NETWORKS": "127.0.0.1/32", "OUTREACH_MAIL_ALLOW_NETWORKS": "127.0.0.1/32",
		"OUTREACH_WEBHOOK_CA_FILE": s.receiver.CAFile(), "OUTREACH_LOG_LEVEL": "warn",
		"OUTREACH_DATABASE_CONNECTIONS": "12", "OUTREACH_RATE_LIMIT": "0", "OUTREACH_SHUTDOWN_DELAY": "0s",
	}
	at := s.mail.OpenID()
	s.mail.AllowRedirect(s.base + "/oauth/callback")
	for provider, issuer := range map[string]string{"GOOGLE": at.Google, "MICROSOFT": at.Microsoft} {
		prefix := "OUTREACH_" + provider
		s.vars[prefix+"_CLIENT_ID"], s.vars[prefix+"_CLIENT_SECRET"] = sandbox.ClientID, sandbox.ClientSecret
		s.vars[prefix+"_ISSUER"], s.vars[prefix+"_SMTP"], s.vars[prefix+"_IMAP"] = issuer, "tls://"+at.SMTP, "tls://"+at.IMAP
	}
	s.vars["OUTREACH_MAIL_CA_FILE"] = s.mail.CAFile()
	var err error
	if s.config, err = loadConfig(s.vars); err != nil {
		t.Fatal(err)
	}
	s.makeWorkspace()
	document, err := rest.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	s.client = &http.Client{Transport: resttest.New(t, document).Transport(t, nil), Timeout: time.Minute}
	return s
}

func (s *stage) startSandbox() {
	ctx, dir := context.Background(), s.t.TempDir()
	var err error
	if s.mail, err = sandbox.StartMailServer(ctx, sandbox.Config{Dir: dir, Delay: 50 * time.Millisecond}); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { s.mail.Close() })
	if s.receiver, err = sandbox.StartReceiver(ctx,
		sandbox.ReceiverConfig{Dir: dir, Verify: func(secret, header string, body []byte, now time.Time) error {
			return webhook.Verify(secret, header, body, now, time.Minute)
		}}); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { s.receiver.Close() })
}

func (s *stage) makeWorkspace() {
	ctx := context.Background()
	store, err := openStore(ctx, s.config, nil, time.Now)
	if err != nil {
		s.t.Fatal(err)
	}
	s.store = store
	s.t.Cleanup(store.Close)
	id := s.newWorkspace("Stage")
	s.workspace = id.String()
	s.email, s.password = "owner@stage.test", session.NewPassword()
	if _, err := store.AddUser(ctx, id, s.email, session.HashPassword(s.password), outreach.RoleOwner, true); err != nil {
		s.t.Fatal(err)
	}
}

// newWorkspace makes a workspace, as whose token the stage calls the API from now on.
func (s *stage) newWorkspace(name string) uuid.UUID {
	s.t.Helper()
	ctx := context.Background()
	id, err := s.store.CreateWorkspace(ctx, name)
	if err != nil {
		s.t.Fatal(err)
	}
	token := rest.NewToken()
	if err := s.store.SetToken(ctx, id, outreach.TokenRecord{Hash: token.Hash(), Prefix: token.Visible()}); err != nil {
		s.t.Fatal(err)
	}
	s.token = string(token)
	return id
}

// start runs the real program in this process and waits until it is ready.
func (s *stage) start() {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, s.config, options{roles: []string{"api", "worker"}, log: s.log})
	}()
	s.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			s.t.Errorf("run: %v", err)
		}
	})
	s.untilReady()
}

func (s *stage) untilReady() {
	s.t.Helper()
	s.eventually(30*time.Second, "the service is ready", func() bool {
		response, err := http.Get(s.base + "/readyz")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}

// eventually polls until ok or fails the test.
func (s *stage) eventually(most time.Duration, what string, ok func() bool) {
	s.t.Helper()
	deadline := time.Now().Add(most)
	for !ok() {
		if time.Now().After(deadline) {
			s.t.Fatalf("after %s still not: %s", most, what)
		}
		<-time.After(50 * time.Millisecond)
	}
}

// try makes one API call.
func (s *stage) try(method, path string, body any) (int, map[string]any, error) {
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, s.base+"/api/v1"+path, reader)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, err
	}
	var out map[string]any
	if len(text) > 0 {
		if err := json.Unmarshal(text, &out); err != nil {
			s.t.Fatalf("%s %s answered no JSON: %s", method, path, text)
		}
	}
	return response.StatusCode, out, nil
}

// call makes one API call that has to give want.
func (s *stage) call(want int, method, path string, body any) map[string]any {
	s.t.Helper()
	status, out, err := s.try(method, path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if status != want {
		s.t.Fatalf("%s %s answered %d, want %d: %v", method, path, status, want, out)
	}
	return out
}

func (s *stage) list(path string) []map[string]any {
	s.t.Helper()
	var rows []map[string]any
	for _, row := range s.call(http.StatusOK, http.MethodGet, path, nil)["data"].([]any) {
		rows = append(rows, row.(map[string]any))
	}
	return rows
}

// slice makes mailbox, campaign of two steps and subscription, and gives the
// campaign's id and the subscription's secret.
func (s *stage) slice() (campaign, secret string) {
	s.t.Helper()
	box := mailboxOf(s.mail.Mailbox(), "Stage")
	mailbox := s.call(http.StatusCreated, http.MethodPost, "/mailboxes", box)
	made := s.call(http.StatusCreated, http.MethodPost, "/campaigns", object{
		"name": "Stage", "send_days": outreach.Weekdays, "send_from": "00:00", "send_until": "23:59", "mailbox_ids": []any{mailbox["id"]},
		"steps": []object{
			{"subject": `Hello {{ first_name | default: "there" }}`, "body_text": "Would a call suit you?"},
			{"delay_minutes": 60 * 24, "body_text": "Did you see my note?"},
		},
	})
	campaign = made["id"].(string)
	s.call(http.StatusOK, http.MethodPost, "/campaigns/"+campaign+"/activate", nil)
	subscription := s.call(http.StatusCreated, http.MethodPost, "/subscriptions", object{"url": s.receiver.URL(), "events": []string{"sent"}})
	secret = subscription["secret"].(string)
	if err := s.receiver.SetSecret(secret); err != nil {
		s.t.Fatal(err)
	}
	return campaign, secret
}

// inbox reads over IMAP what prospects have got.
func (s *stage) inbox() []string {
	s.t.Helper()
	account := s.mail.Prospects()
	client, err := imapclient.DialInsecure(net.JoinHostPort(account.IMAP.Host, itoa(account.IMAP.Port)), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	if err := client.Login(account.IMAP.Username, account.IMAP.Password).Wait(); err != nil {
		s.t.Fatal(err)
	}
	if _, err := client.Select("INBOX", nil).Wait(); err != nil {
		s.t.Fatal(err)
	}
	whole := &imap.FetchItemBodySection{Peek: true}
	messages, err := client.Fetch(imap.UIDSet{imap.UIDRange{Start: 1, Stop: 0}},
		&imap.FetchOptions{BodySection: []*imap.FetchItemBodySection{whole}}).Collect()
	if err != nil {
		s.t.Fatal(err)
	}
	var texts []string
	for _, message := range messages {
		texts = append(texts, strings.ReplaceAll(string(message.FindBodySection(whole)), "\r\n", "\n"))
	}
	return texts
}
