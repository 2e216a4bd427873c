package rest

import (
	"context"
	"testing"
	"time"

	"outreach"
)

// ration allows the first requests of each key.
type ration struct {
	allowed int
	counted map[string]int
}

func (r ration) Allow(_ context.Context, key string) Verdict {
	r.counted[key]++
	left := r.allowed - r.counted[key]
	if left < 0 {
		return Verdict{Quota: r.allowed, Window: time.Minute, Reset: time.Minute, RetryAfter: 19500 * time.Millisecond}
	}
	reset := time.Duration(r.counted[key]) * 20 * time.Second
	return Verdict{Allowed: true, Quota: r.allowed, Window: time.Minute, Remaining: left, Reset: reset}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	limiter := ration{3, map[string]int{}}
	s := newService(t, &recorder{}, func(c *Config) { c.Limiter = limiter })
	for i, want := range []struct {
		status     int
		left, wait string
	}{{200, `"token";r=2;t=20`, ""}, {200, `"token";r=1;t=40`, ""}, {200, `"token";r=0;t=60`, ""}, {429, `"token";r=0;t=60`, "20"}} {
		got := s.do("GET", "/api/v1/prospects", "")
		if got.StatusCode != want.status || got.Header.Get("RateLimit") != want.left ||
			got.Header.Get("Retry-After") != want.wait || got.Header.Get("RateLimit-Policy") != `"token";q=3;w=60` {
			t.Errorf("request %d: %s %v", i, got.Status, got.Header)
		}
		if want.status == 429 && problemOf(t, got).Code != outreach.CodeRateLimited {
			t.Error("429 with another code")
		}
	}
	other := newService(t, &recorder{}, func(c *Config) { c.Limiter = limiter })
	if got := other.do("GET", "/api/v1/prospects", ""); got.StatusCode != 200 {
		t.Errorf("another token: %s", got.Status)
	}
}
