package testdb

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"outreach/devstack"
)

// Redis returns the URL of an empty Redis database for this test only, in a form that asynq and the
// service understand. A test binary has one small server with many databases. If no Redis is
// installed, each test gets its own in-process stand-in.
func Redis(t testing.TB) string {
	t.Helper()
	if devstack.FindRedis() == "" {
		return standIn(t)
	}
	server, err := sharedRedis.open()
	if err != nil {
		t.Fatalf("start private redis: %v", err)
	}
	number := sharedRedis.take()
	t.Cleanup(func() {
		if err := flush(server.URL(), number); err == nil {
			sharedRedis.giveBack(number)
		}
	})
	return server.Database(number)
}

// OwnRedis returns a Redis for this test only, which may be killed and restarted. With persist its
// data survives a restart if a real Redis is installed.
func OwnRedis(t testing.TB, persist bool) *devstack.Redis {
	t.Helper()
	server, err := devstack.StartRedis(t.Context(), devstack.RedisConfig{Dir: t.TempDir(), Persist: persist})
	if err != nil {
		t.Fatalf("start private redis: %v", err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server
}

func standIn(t testing.TB) string {
	server, err := devstack.StartRedis(t.Context(), devstack.RedisConfig{Embedded: true})
	if err != nil {
		t.Fatalf("start redis stand-in: %v", err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server.URL()
}

// sharedRedis hands out the databases of the binary's server.
var sharedRedis = &redisPool{}

type redisPool struct {
	once   sync.Once
	server *devstack.Redis
	err    error

	mu   sync.Mutex
	next int
	free []int
}

// open starts the server in a folder that is deleted when this process ends.
func (p *redisPool) open() (*devstack.Redis, error) {
	p.once.Do(func() {
		var dir string
		if dir, p.err = os.MkdirTemp("", "outreach-redis-"); p.err != nil {
			return
		}
		p.server, p.err = devstack.StartRedis(context.Background(), devstack.RedisConfig{Dir: dir, Temporary: true})
	})
	return p.server, p.err
}

func (p *redisPool) take() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		number := p.free[n-1]
		p.free = p.free[:n-1]
		return number
	}
	p.next++
	return p.next
}

func (p *redisPool) giveBack(number int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, number)
}

// flush empties a database for the next test.
func flush(address string, number int) error {
	option, err := redisOptions(address)
	if err != nil {
		return err
	}
	option.DB = number
	client := redis.NewClient(option)
	defer func() { _ = client.Close() }()
	if err := client.FlushDB(context.Background()).Err(); err != nil {
		return fmt.Errorf("flush redis database: %w", err)
	}
	return nil
}

// redisOptions reads the form with the socket's path.
func redisOptions(address string) (*redis.Options, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read redis address: %w", err)
	}
	return &redis.Options{Network: "unix", Addr: u.Path}, nil
}
