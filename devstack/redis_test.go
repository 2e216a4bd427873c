package devstack

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// eachRedis runs the test with the stand-in and, where one is installed, with a
// real server.
func eachRedis(t *testing.T, test func(t *testing.T, server *Redis)) {
	kinds := map[string]bool{"stand-in": true}
	if FindRedis() != "" {
		kinds["server"] = false
	}
	for name, embedded := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, err := StartRedis(t.Context(), RedisConfig{Dir: folder(t), Persist: true, Embedded: embedded})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = server.Close() })
			if server.Real() == embedded {
				t.Fatalf("Real() = %v", server.Real())
			}
			test(t, server)
		})
	}
}

// dial reads the address the way asynq does.
func dial(t *testing.T, url string) redis.UniversalClient {
	t.Helper()
	option, err := asynq.ParseRedisURI(url)
	if err != nil {
		t.Fatal(err)
	}
	client := option.MakeRedisClient().(redis.UniversalClient)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func TestRedisDatabasesAreApart(t *testing.T) {
	t.Parallel()
	eachRedis(t, func(t *testing.T, server *Redis) {
		one, last := dial(t, server.URL()), dial(t, server.Database(999))
		if err := one.Set(t.Context(), "key", "value", 0).Err(); err != nil {
			t.Fatal(err)
		}
		if n, err := last.DBSize(t.Context()).Result(); err != nil || n != 0 {
			t.Errorf("size of database 999 = %d, %v", n, err)
		}
	})
}

func TestRedisKeysExpireByTheClock(t *testing.T) {
	t.Parallel()
	eachRedis(t, func(t *testing.T, server *Redis) {
		client := dial(t, server.URL())
		if err := client.Set(t.Context(), "key", "value", 50*time.Millisecond).Err(); err != nil {
			t.Fatal(err)
		}
		eventually(t, func() error {
			_, err := client.Get(t.Context(), "key").Result()
			if err == redis.Nil {
				return nil
			}
			return context.DeadlineExceeded
		})
	})
}

func TestRedisKilledAndRestarted(t *testing.T) {
	t.Parallel()
	eachRedis(t, func(t *testing.T, server *Redis) {
		client := dial(t, server.URL())
		if err := client.Set(t.Context(), "key", "value", 0).Err(); err != nil {
			t.Fatal(err)
		}
		url := server.URL()
		if err := server.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := "value"
		if !server.Real() {
			want = ""
		}
		if got := client.Get(t.Context(), "key").Val(); got != want {
			t.Errorf("after a restart the key is %q, want %q", got, want)
		}
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := client.Ping(t.Context()).Err(); err == nil {
			t.Error("a killed server answers")
		}
		if err := server.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := client.Ping(t.Context()).Err(); err != nil {
			t.Errorf("after kill and restart: %v", err)
		}
		if server.URL() != url {
			t.Errorf("the address changed from %s to %s", url, server.URL())
		}
	})
}

func TestRedisIsStartedPrivateAndNeverForgets(t *testing.T) {
	t.Parallel()
	line := strings.Join(newRedisServer(plan{Dir: "/data", Durable: true}, "/run").command().Args, " ")
	for _, want := range []string{"--port 0", "--unixsocket /run/redis.sock", "--maxmemory-policy noeviction",
		"--appendonly yes", "--daemonize no"} {
		if !strings.Contains(line, want) {
			t.Errorf("the command line lacks %q: %s", want, line)
		}
	}
}
