package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"outreach/internal/testkit"
)

// Metrics and traces of a real run: what operators are promised is there.
func TestMetricsAndTraces(t *testing.T) {
	t.Parallel()
	spans := newCollector(t)
	s := newStage(t)
	s.config.TraceEndpoint = spans.URL
	s.config.MetricsAddr = testkit.ReserveAddr(t)
	s.start()
	campaign, _ := s.slice()
	s.call(http.StatusCreated, http.MethodPost, "/enrollments",
		object{"campaign_id": campaign, "prospect": object{"email": "ada@customer.example"}})
	for _, series := range []string{
		`outreach_http_request_duration_seconds_count{method="POST",route="/api/v1/enrollments",status="201"} 1`,
		`outreach_http_request_duration_seconds_count{method="POST",route="/api/v1/campaigns/{id}/activate",status="200"} 1`,
		`outreach_mail_settled_total{outcome="sent"} 1`, `outreach_mail_tick_lateness_seconds{loop="send"}`, `go_goroutines`, `delivered`,
	} {
		s.eventually(30*time.Second, "metrics hold "+series,
			func() bool { return strings.Contains(get(t, "http://"+s.config.MetricsAddr+"/metrics"), series) })
	}
	get(t, s.base+"/u/token-of-somebody?also=this")
	get(t, s.base+"/o/token-of-somebody")
	s.eventually(30*time.Second, "spans arrive", func() bool {
		return spans.has("POST /api/v1/enrollments") && spans.has("webhook attempt") && spans.has("GET /u/") && spans.has("GET /o/")
	})
	if spans.has("token-of-somebody") || spans.has("also=this") || spans.has(s.token) {
		t.Error("a collector is told the token of a link, or of the API")
	}
}

// What one visitor can make the service hold, or repeat, is bounded.
func TestRequestsAreBounded(t *testing.T) {
	t.Parallel()
	server := newServer(http.NotFoundHandler())
	if server.ReadHeaderTimeout == 0 || server.ReadTimeout == 0 || server.WriteTimeout == 0 || server.IdleTimeout == 0 {
		t.Errorf("a client can hold a connection for ever: %+v", server)
	}
	s := newStage(t)
	s.start()
	ask := func(header string) (int, string) {
		request, _ := http.NewRequest(http.MethodGet, s.base+"/healthz", nil)
		request.Header.Set("X-Request-Id", header)
		response, err := s.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode, response.Header.Get("X-Request-Id")
	}
	if status, id := ask("mine-1"); status != http.StatusOK || id != "mine-1" {
		t.Errorf("%d, and an id that is fit became %q", status, id)
	}
	if status, id := ask(strings.Repeat("x", 1000)); status != http.StatusOK || len(id) > 64 {
		t.Errorf("%d, and an id of 1000 characters became %q", status, id)
	}
	if status, _ := ask(strings.Repeat("x", 100_000)); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("100 kB of header are answered with %d", status)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// collector takes traces over OTLP/HTTP and keeps their bytes.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	bytes []byte
}

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bytes = append(c.bytes, text...)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) has(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Contains(c.bytes, []byte(name))
}

// A test delivery under an Idempotency-Key is made once and its answer kept.
func TestIdempotentTestDelivery(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.start()
	made := s.call(http.StatusCreated, http.MethodPost, "/subscriptions",
		object{"url": s.receiver.URL(), "events": []string{"sent"}, "enabled": false})
	var answers []string
	for range 2 {
		request, _ := http.NewRequest(http.MethodPost, s.base+"/api/v1/subscriptions/"+made["id"].(string)+"/test", nil)
		request.Header.Set("Authorization", "Bearer "+s.token)
		request.Header.Set("Idempotency-Key", "once")
		response, err := s.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusOK || !strings.Contains(string(text), `"http_status":200`) {
			t.Errorf("the test answered %d %s", response.StatusCode, text)
		}
		answers = append(answers, string(text))
	}
	if answers[0] != answers[1] || len(s.receiver.Received()) != 1 {
		t.Errorf("two calls gave %q and %d webhooks", answers, len(s.receiver.Received()))
	}
}

// The administration from a shell makes what the API then accepts.
func TestShellAdministration(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.start()
	workspace := s.shell(t, "workspace", "add", "From a shell", "--json")["workspace_id"]
	user := s.shell(t, "user", "add", "shell@stage.test", "--workspace", workspace, "--admin", "--json")
	if user["password"] == "" || user["user_id"] == "" {
		t.Errorf("user add printed %v", user)
	}
	again := s.shell(t, "user", "password", " Shell@Stage.test ", "--json")
	if again["user_id"] != user["user_id"] || again["password"] == user["password"] {
		t.Errorf("user password printed %v", again)
	}
	for password, want := range map[string]bool{user["password"]: false, again["password"]: true} {
		if got := s.signsIn("shell@stage.test", password); got != want {
			t.Errorf("signed in: %v, want %v", got, want)
		}
	}
	s.token = s.shell(t, "token", "create", workspace, "--json")["token"]
	if me := s.call(http.StatusOK, http.MethodGet, "/me", nil); me["workspace_id"] != workspace || me["workspace_name"] != "From a shell" {
		t.Errorf("/me shows %v", me)
	}
	before := s.token
	s.token = s.shell(t, "token", "create", workspace, "--json")["token"]
	s.call(http.StatusOK, http.MethodGet, "/me", nil)
	s.token, before = before, s.token
	s.call(http.StatusUnauthorized, http.MethodGet, "/me", nil)
	s.token = before
	s.shell(t, "token", "revoke", workspace, "--json")
	s.call(http.StatusUnauthorized, http.MethodGet, "/me", nil)
}

// signsIn tries an address with a password.
func (s *stage) signsIn(email, password string) bool {
	s.t.Helper()
	text, _ := json.Marshal(object{"query": `mutation { signIn(email: "` + email + `", password: "` + password + `") { email } }`})
	response, err := s.client.Post(s.base+"/graphql", "application/json", bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	return strings.Contains(string(answer), `"email":"`+email+`"`)
}

func (s *stage) shell(t *testing.T, args ...string) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := dispatch(t.Context(), environment{vars: s.vars, stdout: &out, stderr: t.Output()}, args); err != nil {
		t.Fatalf("outreach %s: %v", strings.Join(args, " "), err)
	}
	return readObject(t, out.Bytes())
}

func readObject(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var object map[string]string
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatalf("no JSON object: %s", text)
	}
	return object
}

// lateRedis takes what it is sent, and refuses it two seconds later if the client
// still is there.
func lateRedis(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
				if _, err := io.Copy(io.Discard, conn); err != nil {
					_, _ = io.WriteString(conn, strings.Repeat("-ERR late\r\n", 20))
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// A Redis that hangs is given up at the deadline of the call, and holds no request
// for the seconds that the client itself would wait.
func TestHangingRedisIsGivenUp(t *testing.T) {
	t.Parallel()
	client := patient(asynq.RedisClientOpt{Addr: lateRedis(t)}.MakeRedisClient())
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := client.Ping(ctx).Err(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the deadline of the call", err)
	}
}

// Each line of the log is JSON, from every part of the program; a request's names
// its workspace.
func TestLogIsJSON(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.vars["OUTREACH_LOG_LEVEL"], s.vars["OUTREACH_RATE_LIMIT"] = "info", "600" // the rate asks Redis
	s.vars["REDIS_URL"] = "redis://" + testkit.ReserveAddr(t)                   // without a listener
	name := filepath.Join(t.TempDir(), "log")
	log, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p := s.spawnLogging("api,worker", log)
	s.eventually(2*time.Minute, "the service answers", func() bool { return get(t, s.base+"/healthz") != "" })
	me := s.call(http.StatusOK, http.MethodGet, "/me", nil)
	p.kill()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for line := range bytes.Lines(text) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Errorf("no JSON: %s", line)
		}
		found = found || entry["path"] == "/api/v1/me" && entry["request_id"] != "" && entry["workspace_id"] == me["workspace_id"]
	}
	if !found {
		t.Errorf("no line tells whose request to /me was:\n%s", text)
	}
}
