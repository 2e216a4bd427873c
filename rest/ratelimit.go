package rest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"outreach"
)

// Limiter counts requests against a rate.
type Limiter interface {
	// Allow counts one request of key, also if ctx has ended.
	Allow(ctx context.Context, key string) Verdict
}

// Verdict is the result of Limiter.Allow.
type Verdict struct {
	Allowed    bool
	Quota      int           // requests in a window
	Window     time.Duration // of the quota
	Remaining  int           // requests that would pass right now
	Reset      time.Duration // until the whole quota is available again
	RetryAfter time.Duration // until the next request passes; set if not Allowed
}

// SetHeaders sets the rate limit headers (draft-ietf-httpapi-ratelimit-headers) under the name of a
// policy. It returns how many seconds a refused client has to wait.
func (v *Verdict) SetHeaders(header http.Header, policy string) (wait int) {
	header.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", policy, v.Quota, Seconds(v.Window)))
	header.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", policy, v.Remaining, Seconds(v.Reset)))
	if v.Allowed {
		return 0
	}
	wait = max(1, Seconds(v.RetryAfter))
	header.Set("Retry-After", strconv.Itoa(wait))
	return wait
}

// limited sets the headers of a request and returns an error if it is over the limit of its token. A
// nil Verdict belongs to a request that is not counted.
func (v *Verdict) limited(header http.Header) error {
	if v == nil {
		return nil
	}
	wait := v.SetHeaders(header, "token")
	if v.Allowed {
		return nil
	}
	return outreach.Errorf(outreach.CodeRateLimited, "This token may send %d requests a minute. Try again in %d s.", v.Quota, wait)
}

// Seconds returns the whole seconds that a client has to wait, rounded up, so that it is not too early.
func Seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
