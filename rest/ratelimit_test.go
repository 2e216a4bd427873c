package rest

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"outreach"
)

func TestRateLimit(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	server.SetTime(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { _ = client.Close() })
	s := newService(t, &recorder{}, func(c *Config) { c.Limiter = patient(client, 3) })
	for i, want := range []struct {
		status          int
		left, wait, tag string
	}{{200, `"token";r=2;t=20`, "", "a"}, {200, `"token";r=1;t=40`, "", "b"}, {200, `"token";r=0;t=60`, "", "c"},
		{429, `"token";r=0;t=60`, "20", "d"}} {
		got := s.do("GET", "/api/v1/prospects", "")
		if got.StatusCode != want.status || got.Header.Get("RateLimit") != want.left ||
			got.Header.Get("Retry-After") != want.wait || got.Header.Get("RateLimit-Policy") != `"token";q=3;w=60` {
			t.Errorf("request %d: %s %v", i, got.Status, got.Header)
		}
		if want.status == 429 && problemOf(t, got).Code != outreach.CodeRateLimited {
			t.Error("429 with another code")
		}
	}
	other := newService(t, &recorder{}, func(c *Config) { c.Limiter = patient(client, 3) })
	if got := other.do("GET", "/api/v1/prospects", ""); got.StatusCode != 200 {
		t.Errorf("another token: %s", got.Status)
	}
}

// patient waits for a Redis that shares two busy cores with other tests.
func patient(client redis.UniversalClient, perMinute int) Limiter {
	limiter := NewRedisLimiter(client, perMinute).(*RedisLimiter)
	limiter.patience = time.Minute
	return limiter
}

func TestWithoutRedisEverythingPasses(t *testing.T) {
	t.Parallel()
	dials := 0
	client := redis.NewClient(
		&redis.Options{MaxRetries: -1, DialerRetries: 1, Dialer: func(context.Context, string, string) (net.Conn, error) {
			dials++
			return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
		}})
	t.Cleanup(func() { _ = client.Close() })
	limiter := patient(client, 1).(*RedisLimiter)
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	limiter.now = func() time.Time { return now }
	s := newService(t, &recorder{}, func(c *Config) { c.Limiter = limiter })
	for range 5 {
		if got := s.do("GET", "/api/v1/prospects", ""); got.StatusCode != 200 || got.Header.Get("RateLimit") != "" {
			t.Errorf("%s, RateLimit %q", got.Status, got.Header.Get("RateLimit"))
		}
	}
	if dials != 1 {
		t.Errorf("a Redis that is away was asked %d times in a row", dials)
	}
	now = now.Add(redisRest)
	s.do("GET", "/api/v1/prospects", "")
	if dials != 2 {
		t.Errorf("after its rest Redis was asked %d times in all", dials)
	}
}

func TestRateZeroLimitsNothing(t *testing.T) {
	t.Parallel()
	if limiter := NewRedisLimiter(nil, 0); limiter != nil {
		t.Errorf("got %v", limiter)
	}
}
