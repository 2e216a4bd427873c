package rate

import (
	"fmt"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

// The same story with Redis and without it.
func TestLimiter(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]bool{"with Redis": false, "without Redis": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := miniredis.RunT(t)
			now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
			server.SetTime(now)
			client := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
			t.Cleanup(func() { _ = client.Close() })
			l := New(client)
			l.Now = func() time.Time { return now }
			if away {
				server.Close()
			}
			pass := func(d time.Duration) {
				now = now.Add(d)
				server.SetTime(now)
			}
			limit := Limit{Rate: 4, Per: 4 * time.Second}
			take := func(key string, n int) string {
				v := l.Take(t.Context(), key, limit, n)
				return fmt.Sprintf("%v, %d left, retry in %s", v.Allowed, v.Remaining, v.RetryAfter.Round(time.Millisecond))
			}
			var got []string
			for _, n := range []int{1, 2, 0, 1, 0, 1} {
				got = append(got, take("k", n))
			}
			got = append(got, take("other", 1))
			pass(time.Second)
			got = append(got, take("k", 1))
			l.Forget(t.Context(), "k")
			for _, n := range []int{0, 3, 0, 1, 0} {
				got = append(got, take("k", n))
			}
			pass(2 * time.Second)
			got = append(got, take("k", 0))
			want := []string{
				"true, 3 left, retry in 0s",
				"true, 1 left, retry in 0s",
				"true, 1 left, retry in 0s",
				"true, 0 left, retry in 0s",
				"false, 0 left, retry in 0s",
				"false, 0 left, retry in 1s",
				"true, 3 left, retry in 0s",
				"true, 0 left, retry in 0s",
				"true, 4 left, retry in 0s",
				"true, 1 left, retry in 0s",
				"true, 1 left, retry in 0s",
				"true, 0 left, retry in 0s",
				"false, 0 left, retry in 0s",
				"true, 2 left, retry in 0s",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLocalMemoryIsBounded(t *testing.T) {
	t.Parallel()
	l := newLocal()
	now := time.Now()
	for i := range maxKeys + 1000 {
		l.take(now, fmt.Sprint(i), PerMinute(10), 1)
	}
	if n := len(l.full); n > maxKeys {
		t.Errorf("%d keys are kept, want at most %d", n, maxKeys)
	}
}
