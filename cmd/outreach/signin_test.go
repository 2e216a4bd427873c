package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"outreach"
	"outreach/internal/rate"
	"outreach/session"
)

// noSessions knows no session.
type noSessions struct{}

func (noSessions) StartSession(context.Context, outreach.NewSession) error { return nil }

func (noSessions) ViewerBySession(context.Context, [32]byte) (*outreach.Viewer, error) {
	return nil, nil
}

func (noSessions) EndSession(context.Context, [32]byte) error { return nil }

// withAndWithoutRedis runs a test on a limiter whose Redis answers, and on one whose
// Redis is away.
func withAndWithoutRedis(t *testing.T, test func(t *testing.T, limiter *rate.Limiter, server *miniredis.Miniredis)) {
	t.Helper()
	for name, away := range map[string]bool{"with Redis": false, "without Redis": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := miniredis.RunT(t)
			now := time.Now()
			server.SetTime(now)
			client := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
			t.Cleanup(func() { _ = client.Close() })
			if away {
				server.Close()
			}
			limiter := rate.New(client)
			limiter.Now = func() time.Time { return now }
			test(t, limiter, server)
		})
	}
}

// from calls act in a request from a peer.
func from(peer string, act func(ctx context.Context)) {
	sessions := &session.Sessions{Store: noSessions{}}
	handler := sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { act(r.Context()) }))
	request := httptest.NewRequest(http.MethodPost, "/", nil)
	request.RemoteAddr = peer
	handler.ServeHTTP(httptest.NewRecorder(), request)
}

// Attempts count for an address from one client. However many fail there, another
// client may still try, and a success forgets the failures before it.
func TestSignInLimits(t *testing.T) {
	t.Parallel()
	withAndWithoutRedis(t, func(t *testing.T, limiter *rate.Limiter, server *miniredis.Miniredis) {
		guesses := attempts{limiter}
		passed := func(tries int, peer, email func(i int) string) (n int) {
			for i := range tries {
				from(peer(i), func(ctx context.Context) {
					if guesses.Allow(ctx, email(i)) {
						n++
					}
				})
			}
			return n
		}
		always := func(s string) func(int) string { return func(int) string { return s } }
		other := func(int) string { return uuid.NewString() }
		ann := always("ann@x.test")
		if n := passed(60, always("203.0.113.9:1234"), ann); n != 10 {
			t.Errorf("%d attempts for one address from one client passed, want 10", n)
		}
		if n := passed(60, func(i int) string { return fmt.Sprintf("[2001:db8:7:7::%x]:9", i) }, ann); n != 10 {
			t.Errorf("%d attempts for one address from one network passed, want 10", n)
		}
		if n := passed(5, always("198.51.100.1:1234"), ann); n != 5 {
			t.Errorf("%d of 5 attempts from another client passed", n)
		}
		from("203.0.113.9:1234", func(ctx context.Context) { guesses.Passed(ctx, "ann@x.test") })
		if n := passed(1, always("203.0.113.9:1234"), ann); n != 1 {
			t.Error("after a success no attempt passes")
		}
		if n := passed(150, always("203.0.113.77:1234"), other); n < 99 || n > 100 { // redis_rate counts in floats
			t.Errorf("%d attempts for all addresses from one client passed, want about 100", n)
		}
		user := uuid.New()
		codes := 0
		for range 20 {
			if guesses.AllowCode(t.Context(), user) {
				codes++
			}
		}
		if codes != 10 {
			t.Errorf("%d one-time codes passed, want 10", codes)
		}
		passed(1, always("203.0.113.10:1234"), always(strings.Repeat("x", 1<<20)))
		for _, key := range server.Keys() {
			if len(key) > 200 {
				t.Errorf("Redis got a key of %d bytes", len(key))
			}
		}
	})
}

// Requests of the API count for their token, with Redis and without it, also those whose client has
// closed the connection.
func TestTokenRate(t *testing.T) {
	t.Parallel()
	withAndWithoutRedis(t, func(t *testing.T, limiter *rate.Limiter, _ *miniredis.Miniredis) {
		limit := newTokenRate(limiter, 3)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for i, ctx := range []context.Context{t.Context(), gone, t.Context(), gone, t.Context()} {
			v := limit.Allow(ctx, "ours")
			if v.Allowed != (i < 3) || v.Remaining != max(0, 2-i) || v.Quota != 3 || v.Window != time.Minute ||
				(v.RetryAfter > 0) == v.Allowed {
				t.Errorf("request %d: %+v", i, v)
			}
		}
		if v := limit.Allow(t.Context(), "theirs"); !v.Allowed {
			t.Error("another token is refused")
		}
		if newTokenRate(limiter, 0) != nil {
			t.Error("a rate of 0 limits")
		}
	})
}

// GraphQL requests count for a workspace, those without a session for a client.
func TestGraphQLRate(t *testing.T) {
	t.Parallel()
	withAndWithoutRedis(t, func(t *testing.T, limiter *rate.Limiter, _ *miniredis.Miniredis) {
		handler := limitGraphQL(limiter, 3, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		ask := func(workspace uuid.UUID) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
			ctx := context.WithValue(r.Context(), requestKey{}, &request{id: "r"})
			if workspace != uuid.Nil {
				ctx = outreach.WithActor(ctx, outreach.Actor{WorkspaceID: workspace})
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r.WithContext(ctx))
			return w
		}
		ours, theirs := uuid.New(), uuid.New()
		for i := range 3 {
			w := ask(ours)
			if want := fmt.Sprintf(`"workspace";r=%d;`, 2-i); w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("RateLimit"), want) ||
				w.Header().Get("RateLimit-Policy") != `"workspace";q=3;w=60` {
				t.Errorf("request %d: %d %v", i, w.Code, w.Header())
			}
		}
		w := ask(ours)
		var body struct {
			Errors []struct{ Extensions map[string]string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != http.StatusTooManyRequests ||
			w.Header().Get("Retry-After") == "" ||
			len(body.Errors) != 1 || body.Errors[0].Extensions["code"] != "rate_limited" {
			t.Errorf("request 4: %d %s %v", w.Code, w.Body, w.Header())
		}
		if w := ask(theirs); w.Code != http.StatusOK {
			t.Errorf("another workspace: %d", w.Code)
		}
		if w := ask(uuid.Nil); w.Code != http.StatusOK || w.Header().Get("RateLimit-Policy") != `"client";q=300;w=60` {
			t.Errorf("a stranger: %d %v", w.Code, w.Header())
		}
	})
}

// Requests for the pages of connections count for a client.
func TestPagesAreLimited(t *testing.T) {
	t.Parallel()
	withAndWithoutRedis(t, func(t *testing.T, limiter *rate.Limiter, _ *miniredis.Miniredis) {
		served := 0
		handler := limitPages(limiter, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ }))
		ask := func(client string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodGet, "/oauth/start/x", nil)
			handler.ServeHTTP(w, r.WithContext(outreach.WithClient(r.Context(), client)))
			return w
		}
		for range 310 {
			ask("203.0.113.9")
		}
		if served < 298 || served > 300 { // Redis rounds
			t.Errorf("%d of 310 requests were served, want 300", served)
		}
		if w := ask("203.0.113.9"); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
			t.Errorf("one more: %d %v", w.Code, w.Header())
		}
		if w := ask("203.0.113.10"); w.Code != http.StatusOK {
			t.Errorf("another client: %d", w.Code)
		}
	})
}

// A workspace tries four mailboxes at once and twenty in a minute, another one others.
func TestProbeLimits(t *testing.T) {
	t.Parallel()
	withAndWithoutRedis(t, func(t *testing.T, limiter *rate.Limiter, _ *miniredis.Miniredis) {
		limits := newProbes(limiter)
		ours, theirs := uuid.New(), uuid.New()
		var running []func()
		for range 4 {
			done, err := limits.Begin(t.Context(), ours)
			if err != nil {
				t.Fatal(err)
			}
			running = append(running, done)
		}
		refused := func(ws uuid.UUID) bool {
			done, err := limits.Begin(t.Context(), ws)
			if err == nil {
				done()
			}
			return outreach.CodeOf(err) == outreach.CodeRateLimited
		}
		if !refused(ours) || refused(theirs) {
			t.Error("the fifth at once is not refused, or another workspace is")
		}
		for _, done := range running {
			done()
			done()
		}
		for i := range 16 {
			if refused(ours) {
				t.Fatalf("number %d of the minute is refused", i+5)
			}
		}
		if !refused(ours) || limits.running.Len() != 0 {
			t.Errorf("number 21 is not refused, or those of %d workspaces still count", limits.running.Len())
		}
	})
}

// Three test events of a workspace wait for their receivers at once. Another one is refused, and
// other workspaces are not concerned.
func TestTestEventsAreBounded(t *testing.T) {
	t.Parallel()
	begun, answered := make(chan struct{}), make(chan struct{})
	tests := newTestEvents(func(context.Context, uuid.UUID, uuid.UUID) (outreach.Delivery, error) {
		begun <- struct{}{}
		<-answered
		return outreach.Delivery{}, nil
	})
	ours, theirs, results := uuid.New(), uuid.New(), make(chan error)
	begin := func(workspace uuid.UUID) {
		go func() {
			_, err := tests.Test(t.Context(), workspace, uuid.New())
			results <- err
		}()
		<-begun
	}
	for _, workspace := range []uuid.UUID{ours, ours, ours, theirs} {
		begin(workspace)
	}
	if _, err := tests.Test(t.Context(), ours, uuid.New()); outreach.CodeOf(err) != outreach.CodeRateLimited {
		t.Errorf("the fourth at once: %v", err)
	}
	close(answered)
	for range 4 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	begin(ours)
	if err := <-results; err != nil || tests.running.Len() != 0 {
		t.Errorf("afterwards: %v, and %d workspaces still count", err, tests.running.Len())
	}
}
