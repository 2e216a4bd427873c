package rest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// If anything behind a request hangs, the client gets 503 with Retry-After.
func TestOneDeadlineForEachRequest(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]func(ctx context.Context){
		"ends with its context":  func(ctx context.Context) { <-ctx.Done() },
		"does not end by itself": func(context.Context) { <-t.Context().Done() },
	} {
		queries := &recorder{answer: func(ctx context.Context, _ string, _ map[string]any) (string, error) {
			wait(ctx)
			return "", ctx.Err()
		}}
		s := newService(t, queries, func(c *Config) { c.Timeout = 50 * time.Millisecond })
		for _, headers := range [][]string{nil, {"Idempotency-Key", "k"}} {
			began := time.Now()
			got := s.do("POST", "/api/v1/prospects", `{}`, headers...)
			if took := time.Since(began); got.StatusCode != 503 || got.Header.Get("Retry-After") == "" || took > 5*time.Second {
				t.Errorf("%s: %s after %s, Retry-After %q", name, got.Status, took, got.Header.Get("Retry-After"))
			}
			if name == "does not end by itself" {
				break // the first request still has the recorder
			}
		}
	}
}

// noPlace is a limit that no body passes in time.
type noPlace struct{ asked int64 }

func (n *noPlace) Enter(ctx context.Context, _ uuid.UUID, length int64) (leave func(), err error) {
	n.asked = length
	<-ctx.Done()
	return nil, outreach.Errorf(outreach.CodeUnavailable, "Too many.")
}

// The time in which a body waits for its place counts for the deadline of the request.
func TestBodyWithoutPlace(t *testing.T) {
	t.Parallel()
	full := &noPlace{}
	s := newService(t, &recorder{}, func(c *Config) { c.Timeout, c.Bodies = 50*time.Millisecond, full })
	got := s.do("POST", "/api/v1/prospects", `{}`)
	if p := problemOf(t, got); got.StatusCode != 503 || got.Header.Get("Retry-After") == "" || p.Detail != "Too many." || full.asked != 2 {
		t.Errorf("%s, Retry-After %q, %s, asked for %d", got.Status, got.Header.Get("Retry-After"), p.Detail, full.asked)
	}
	s = newService(t, answers(`{"body":`+string(exampleOf(t, "Me"))+`}`), func(c *Config) { c.Bodies = full })
	if got := s.do("GET", "/api/v1/me", ""); got.StatusCode != 200 {
		t.Errorf("without a body: %s", got.Status)
	}
}

// A body that stops is 408.
func TestStalledBody(t *testing.T) {
	t.Parallel()
	tokens := &oneToken{token: NewToken()}
	handler, err := New(Config{Schema: theSchema(), Queries: &recorder{}, Tokens: tokens, Idempotency: newMemory(),
		BodyTimeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler) // the deadline needs a real connection
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /api/v1/prospects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: "+
		"application/json\r\nContent-Length: 20\r\n\r\n{\"email\"", string(tokens.token))
	got, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := problemOf(t, got); got.StatusCode != http.StatusRequestTimeout || p.Code != outreach.CodeRequestTimeout {
		t.Errorf("%s %s", got.Status, p.Code)
	}
}

// A client that closes its connection is not an error of the service.
func TestClientThatGoesAway(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	ctx, leave := context.WithCancel(t.Context())
	queries := &recorder{answer: func(ctx context.Context, _ string, _ map[string]any) (string, error) {
		leave()
		<-ctx.Done()
		return "", ctx.Err()
	}}
	tokens := &oneToken{token: NewToken()}
	handler, err := New(Config{Schema: theSchema(), Queries: queries, Tokens: tokens, Idempotency: newMemory(),
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(ctx, "GET", "/api/v1/prospects", nil)
	r.Header.Set("Authorization", "Bearer "+string(tokens.token))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if w.Code != 499 || log.Len() > 0 {
		t.Errorf("%d, logged %q", w.Code, log.String())
	}
}

func TestTwoContentTypes(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	r := httptest.NewRequest("POST", "/api/v1/prospects", strings.NewReader(`{}`))
	r.Header.Set("Authorization", "Bearer "+string(s.tokens.token))
	r.Header["Content-Type"] = []string{"application/json", "text/plain"}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestInvalidIdempotencyKeyIsAHeader(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	got := s.do("POST", "/api/v1/prospects", `{}`, "Idempotency-Key", strings.Repeat("k", 256))
	p := problemOf(t, got)
	if got.StatusCode != 400 || p.Code != outreach.CodeInvalidHeader || len(p.Errors) != 1 || *p.Errors[0].Parameter != "Idempotency-Key" {
		t.Errorf("%s %+v", got.Status, p)
	}
}

func TestRunningKeyHasRetryAfter(t *testing.T) {
	t.Parallel()
	running := outreach.Errorf(outreach.CodeIdempotencyRunning, "Running.")
	got := newService(t, refuses(running)).do("POST", "/api/v1/prospects", `{}`)
	if got.StatusCode != 409 || got.Header.Get("Retry-After") != "1" {
		t.Errorf("%s, Retry-After %q", got.Status, got.Header.Get("Retry-After"))
	}
}
