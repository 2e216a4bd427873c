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
	// Allow counts one request of key. A nil Verdict means that nobody could
	// count: the request passes.
	Allow(ctx context.Context, key string) *Verdict
}

// Verdict is what a Limiter found.
type Verdict struct {
	Allowed    bool
	Quota      int           // requests in a window
	Window     time.Duration // of the quota
	Remaining  int           // requests that would pass right now
	Reset      time.Duration // until the whole quota is there again
	RetryAfter time.Duration // until one request passes; when not Allowed
}

// limit counts the request and says in the headers how much is left
// (draft-ietf-httpapi-ratelimit-headers).
func (a *api) limit(w http.ResponseWriter, r *http.Request, key string) error {
	if a.Limiter == nil {
		return nil
	}
	v := a.Limiter.Allow(r.Context(), key)
	if v == nil {
		return nil
	}
	w.Header().Set("RateLimit-Policy", fmt.Sprintf(`"token";q=%d;w=%d`, v.Quota, seconds(v.Window)))
	w.Header().Set("RateLimit", fmt.Sprintf(`"token";r=%d;t=%d`, v.Remaining, seconds(v.Reset)))
	if v.Allowed {
		return nil
	}
	wait := max(1, seconds(v.RetryAfter))
	w.Header().Set("Retry-After", strconv.Itoa(wait))
	return outreach.Errorf(outreach.CodeRateLimited, "This token has used up its rate of %d requests a minute. Try again in %d s.", v.Quota, wait)
}

// seconds rounds up: who waits that long is not told to wait again.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// RedisLimiter limits by GCRA in Redis, so that all processes count together.
// When Redis is away or slow everything passes, and for a while nobody asks it.
type RedisLimiter struct {
	limiter   *redis_rate.Limiter
	perMinute int
	now       func() time.Time
	patience  time.Duration
	openUntil atomic.Int64 // unix nanoseconds until which Redis is left alone
}

const (
	redisPatience = 500 * time.Millisecond // for one answer, on a busy machine too
	redisRest     = 5 * time.Second        // after a failure
)

// NewRedisLimiter allows perMinute requests a minute, all of which may come at
// once. It returns nil, which limits nothing, for a rate of 0.
func NewRedisLimiter(client redis.UniversalClient, perMinute int) Limiter {
	if perMinute <= 0 {
		return nil
	}
	return &RedisLimiter{limiter: redis_rate.NewLimiter(client), perMinute: perMinute, now: time.Now, patience: redisPatience}
}

// Allow counts one request. If the process dies right after, the request stays
// counted though nothing was done for it.
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
