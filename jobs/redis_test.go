package jobs

import (
	"crypto/tls"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

func TestParseRedis(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]asynq.RedisConnOpt{
		"redis://localhost":               asynq.RedisClientOpt{Addr: "localhost:6379", PoolSize: poolSize},
		"redis://:p%40ss@10.0.0.1:7000/3": asynq.RedisClientOpt{Addr: "10.0.0.1:7000", Password: "p@ss", DB: 3, PoolSize: poolSize},
		"redis://ann:secret@r.test:6379/": asynq.RedisClientOpt{Addr: "r.test:6379", Username: "ann", Password: "secret", PoolSize: poolSize},
		"redis://[::1]:7000":              asynq.RedisClientOpt{Addr: "[::1]:7000", PoolSize: poolSize},
		"redis://[::1]":                   asynq.RedisClientOpt{Addr: "[::1]:6379", PoolSize: poolSize},
		"rediss://r.test/1": asynq.RedisClientOpt{Addr: "r.test:6379", DB: 1,
			TLSConfig: &tls.Config{ServerName: "r.test", MinVersion: tls.VersionTLS12}, PoolSize: poolSize},
		"redis-socket:///run/redis.s?db=12": asynq.RedisClientOpt{Network: "unix", Addr: "/run/redis.s", DB: 12, PoolSize: poolSize},
		"redis-socket://:pw@/run/redis.s":   asynq.RedisClientOpt{Network: "unix", Addr: "/run/redis.s", Password: "pw", PoolSize: poolSize},
		"redis-sentinel://:pw@a:1,b/main/2?sentinel_password=sp": asynq.RedisFailoverClientOpt{
			MasterName: "main", SentinelAddrs: []string{"a:1", "b:26379"}, Password: "pw", SentinelPassword: "sp", DB: 2, PoolSize: poolSize,
			DialTimeout: silence, ReadTimeout: silence, WriteTimeout: silence},
		"redis-sentinel://u:pw@a,b/main?sentinel_user=su&sentinel_password=sp&tls=true": asynq.RedisFailoverClientOpt{
			MasterName: "main", SentinelAddrs: []string{"a:26379", "b:26379"}, Username: "u", Password: "pw",
			SentinelUsername: "su", SentinelPassword: "sp", TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12}, PoolSize: poolSize,
			DialTimeout: silence, ReadTimeout: silence, WriteTimeout: silence},
		"redis-sentinel://a,b,c?master=main": asynq.RedisFailoverClientOpt{
			MasterName: "main", SentinelAddrs: []string{"a:26379", "b:26379", "c:26379"}, PoolSize: poolSize,
			DialTimeout: silence, ReadTimeout: silence, WriteTimeout: silence},
		"redis-cluster://a:1,b:2": clusterOptions{Addrs: []string{"a:1", "b:2"}},
		"redis-cluster://u:pw@a:1,b:2?tls=true": clusterOptions{Addrs: []string{"a:1", "b:2"}, Username: "u",
			Password: "pw", TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12}},
	} {
		got, err := ParseRedis(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(tls.Config{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		client, err := connect(got)
		if err != nil {
			t.Errorf("%s makes no client: %v", text, err)
			continue
		}
		client.Close()
	}
}

func TestParseRedisRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "localhost:6379", "http://:geheim@localhost", "redis://", "redis://:geheim@", "redis://:geheim@a,b", "redis://:geheim@a:b",
		"redis://:geheim@a:0", "redis://:geheim@a:70000", "redis://:geheim@a/x", "redis://:geheim@a/-1", "redis://:geh%eim@a",
		"redis-socket://:geheim@host/path", "redis-socket://:geheim@", "redis-socket:///p?db=x",
		"redis-sentinel://:geheim@a:1", "redis-sentinel://:geheim@a,,b/main", "redis-sentinel://a/main/x",
		"redis-cluster://:geheim@a:1,b:2/3", "redis-cluster://", "redis://a/%zz",
	} {
		options, err := ParseRedis(text)
		if err == nil {
			t.Errorf("%q was read as %+v", text, options)
		} else if strings.Contains(err.Error(), "geh") {
			t.Errorf("%q: the error tells the password: %v", text, err)
		}
	}
}

// A client learns of a new master within seconds.
func TestClusterClientReloadsSoon(t *testing.T) {
	t.Parallel()
	options, err := ParseRedis("redis-cluster://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	client := options.MakeRedisClient().(*redis.ClusterClient)
	defer client.Close()
	if got := client.Options().ClusterStateReloadInterval; got != clusterReload {
		t.Errorf("the state of the cluster is reloaded every %s, want %s", got, clusterReload)
	}
}

func TestQueuesOfAWorkspace(t *testing.T) {
	t.Parallel()
	if got := queuesOf(redis.NewClient(&redis.Options{})); !slices.Equal(got, queues{"webhooks"}) {
		t.Errorf("one server has the queues %v, want webhooks alone", got)
	}
	cluster := queuesOf(redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1"}}))
	if len(cluster) != 16 || cluster[0] != "webhooks-0" || cluster[15] != "webhooks-15" {
		t.Errorf("a cluster has the queues %v", cluster)
	}
	used := map[string]bool{}
	for range 1000 {
		workspace := uuid.Must(uuid.NewV7())
		queue := cluster.of(workspace)
		used[queue] = true
		if again := cluster.of(workspace); again != queue {
			t.Fatal("a workspace has two queues")
		}
	}
	if len(used) != 16 {
		t.Errorf("1,000 workspaces use %d of 16 queues", len(used))
	}
}
