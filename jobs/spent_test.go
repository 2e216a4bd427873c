package jobs

import (
	"context"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"outreach/devstack/testdb"
)

// spent is CPU time: of this process, which is sender and receiver at once, of
// the Postgres backends that serve it, and of its Redis.
type spent struct{ own, postgres, redis time.Duration }

func (s *stage) spent() spent {
	s.t.Helper()
	var usage syscall.Rusage
	s.must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return spent{
		own:      time.Duration(usage.Utime.Nano() + usage.Stime.Nano()),
		postgres: testdb.BackendTime(s.t, s.dbURL), redis: s.spentByRedis(),
	}
}

func (s *stage) spentByRedis() (sum time.Duration) {
	s.t.Helper()
	client := s.redisClient()
	defer client.Close()
	info, err := client.Info(context.Background(), "cpu").Result()
	s.must(err)
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_user" || name == "used_cpu_sys" {
			seconds, err := strconv.ParseFloat(value, 64)
			s.must(err)
			sum += time.Duration(seconds * float64(time.Second))
		}
	}
	return sum
}

func (s *stage) redisClient() redis.UniversalClient {
	s.t.Helper()
	options, err := ParseRedis(s.redis)
	s.must(err)
	client, err := connect(options)
	s.must(err)
	return client
}

func (c spent) since(before spent) spent {
	return spent{c.own - before.own, c.postgres - before.postgres, c.redis - before.redis}
}

func (c spent) plus(more spent) spent {
	return spent{c.own + more.own, c.postgres + more.postgres, c.redis + more.redis}
}

func (c spent) total() time.Duration { return c.own + c.postgres + c.redis }

// report reports microseconds per delivery.
func (c spent) report(b *testing.B, prefix string, n int) {
	for name, part := range map[string]time.Duration{"go": c.own, "postgres": c.postgres, "redis": c.redis} {
		if part != 0 {
			b.ReportMetric(float64(part.Microseconds())/float64(n), prefix+name+"-µs")
		}
	}
}
