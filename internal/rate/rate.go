// Package rate limits how often something may be done, by GCRA. It counts in Redis, so that all
// processes share one count, and in the process while Redis is unavailable.
package rate

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
)

// Limit allows Rate units in each Per, in bursts of up to Rate.
type Limit struct {
	Rate int
	Per  time.Duration
}

// PerMinute returns a limit of n units a minute.
func PerMinute(n int) Limit { return Limit{Rate: n, Per: time.Minute} }

// Verdict is the result of Take.
type Verdict struct {
	Allowed    bool
	Remaining  int           // units that would pass now
	Reset      time.Duration // until all units are back
	RetryAfter time.Duration // until the refused units would pass
}

// Limiter counts units by key. Its methods are safe for concurrent use.
type Limiter struct {
	// Now is the clock for counting without Redis; set it before use.
	Now       func() time.Time
	redis     *redis_rate.Limiter
	local     *local
	awayUntil atomic.Int64 // unix nanoseconds until which Redis is not asked
}

const (
	patience = 500 * time.Millisecond // for one answer of Redis, on a busy machine too
	rest     = 5 * time.Second        // without Redis, after it failed
)

// New returns a limiter on a Redis.
func New(client redis.UniversalClient) *Limiter {
	return &Limiter{redis: redis_rate.NewLimiter(client), local: newLocal(), Now: time.Now}
}

// Take takes n units of a key if they are available. With n = 0 it takes nothing, and Allowed
// reports whether at least one unit is left. If the process dies right after, the units are used
// up.
func (l *Limiter) Take(ctx context.Context, key string, limit Limit, n int) Verdict {
	verdict, ok := l.ask(ctx, func(ctx context.Context) (*redis_rate.Result, error) {
		return l.redis.AllowN(ctx, key, redis_rate.Limit{Rate: limit.Rate, Burst: limit.Rate, Period: limit.Per}, n)
	})
	if !ok {
		verdict = l.local.take(l.Now(), key, limit, n)
	}
	verdict.Allowed = verdict.RetryAfter <= 0 && (n > 0 || verdict.Remaining > 0)
	return verdict
}

// Forget returns all units of a key.
func (l *Limiter) Forget(ctx context.Context, key string) {
	l.local.forget(key)
	l.ask(ctx, func(ctx context.Context) (*redis_rate.Result, error) {
		return &redis_rate.Result{}, l.redis.Reset(ctx, key)
	})
}

// ask reports false if Redis is unavailable.
func (l *Limiter) ask(ctx context.Context, question func(context.Context) (*redis_rate.Result, error)) (Verdict, bool) {
	now := l.Now().UnixNano()
	if now < l.awayUntil.Load() {
		return Verdict{}, false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	result, err := question(ctx)
	if err != nil {
		l.awayUntil.Store(now + int64(rest))
		return Verdict{}, false
	}
	return Verdict{Remaining: result.Remaining, Reset: result.ResetAfter, RetryAfter: max(0, result.RetryAfter)}, true
}
