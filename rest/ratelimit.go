package rest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"outreach"
)

// Limiter counts requests against a rate.
type Limiter interface {
	// Allow counts one request of key. A nil Verdict means that it could not be counted; the
	// request then passes.
	Allow(ctx context.Context, key string) *Verdict
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

// tell sets the rate limit headers (draft-ietf-httpapi-ratelimit-headers) and returns an error for
// a request over the limit.
func (v *Verdict) tell(header http.Header) error {
	if v == nil {
		return nil
	}
	header.Set("RateLimit-Policy", fmt.Sprintf(`"token";q=%d;w=%d`, v.Quota, seconds(v.Window)))
	header.Set("RateLimit", fmt.Sprintf(`"token";r=%d;t=%d`, v.Remaining, seconds(v.Reset)))
	if v.Allowed {
		return nil
	}
	wait := max(1, seconds(v.RetryAfter))
	header.Set("Retry-After", strconv.Itoa(wait))
	return outreach.Errorf(outreach.CodeRateLimited, "This token may send %d requests a minute. Try again in %d s.", v.Quota, wait)
}

// seconds rounds up, so that a client that waits that long is not too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// RedisLimiter limits by GCRA in Redis, so that all processes share one count. While Redis is
// unavailable or slow, all requests pass, and it is not asked again for some time.
type RedisLimiter struct {
	limiter   *redis_rate.Limiter
	perMinute int
	now       func() time.Time
	patience  time.Duration
	openUntil atomic.Int64 // unix nanoseconds until which Redis is not asked
}

const (
	redisPatience = 500 * time.Millisecond // longest wait for an answer, on a busy machine too
	redisRest     = 5 * time.Second        // pause after a failure
)

// NewRedisLimiter allows perMinute requests a minute, in bursts of up to perMinute. It returns
// nil, which limits nothing, if perMinute is 0.
func NewRedisLimiter(client redis.UniversalClient, perMinute int) Limiter {
	if perMinute <= 0 {
		return nil
	}
	return &RedisLimiter{limiter: redis_rate.NewLimiter(client), perMinute: perMinute, now: time.Now, patience: redisPatience}
}

// Allow counts one request. If the process dies right after, the request stays counted although it
// was not served.
func (l *RedisLimiter) Allow(ctx context.Context, key string) *Verdict {
	now := l.now()
	if now.UnixNano() < l.openUntil.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.patience)
	defer cancel()
	result, err := l.limiter.Allow(ctx, "api:"+key, redis_rate.PerMinute(l.perMinute))
	if err != nil {
		l.openUntil.Store(now.Add(redisRest).UnixNano())
		return nil
	}
	return &Verdict{
		Allowed: result.Allowed > 0, Quota: l.perMinute, Window: time.Minute,
		Remaining: result.Remaining, Reset: result.ResetAfter, RetryAfter: result.RetryAfter,
	}
}
