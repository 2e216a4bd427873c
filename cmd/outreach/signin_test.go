package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/go-redis/redis_rate/v10"
	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"outreach"
	"outreach/session"
)

// nobody has signed in.
type nobody struct{}

func (nobody) StartSession(context.Context, [32]byte, outreach.Viewer, string) error { return nil }

func (nobody) ViewerBySession(context.Context, [32]byte) (*outreach.Viewer, error) { return nil, nil }

func (nobody) EndSession(context.Context, [32]byte) error { return nil }

// So many attempts pass for an address and for a client, wherever the one tries
// from and whatever the other types.
func TestSignInLimits(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { _ = client.Close() })
	doors := signIns{&session.Sessions{Store: nobody{}}, &attemptLimit{redis_rate.NewLimiter(client)}}
	passed := func(peer func(i int) string, email func(i int) string) int {
		n := 0
		for i := range 60 {
			handler := doors.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if doors.Allow(r.Context(), email(i)) {
					n++
				}
			}))
			request := httptest.NewRequest(http.MethodPost, "/", nil)
			request.RemoteAddr = peer(i)
			handler.ServeHTTP(httptest.NewRecorder(), request)
		}
		return n
	}
	always := func(s string) func(int) string { return func(int) string { return s } }
	other := func(int) string { return uuid.NewString() }
	if n := passed(func(i int) string { return fmt.Sprintf("[2001:db8:0:%x::1]:9", i) }, always("ann@x.test")); n != 10 {
		t.Errorf("%d attempts for one address passed, want 10", n)
	}
	if n := passed(always("203.0.113.9:1234"), other); n != 30 {
		t.Errorf("%d attempts from one client passed, want 30", n)
	}
	if n := passed(func(i int) string { return fmt.Sprintf("[2001:db8:7:7::%x]:9", i) }, other); n != 30 {
		t.Errorf("%d attempts from one network passed, want 30", n)
	}
	passed(always("203.0.113.10:1234"), always(strings.Repeat("x", 1<<20)))
	for _, key := range server.Keys() {
		if len(key) > 200 {
			t.Errorf("Redis got a key of %d bytes", len(key))
		}
	}
}
