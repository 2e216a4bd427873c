package testdb

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"outreach/devstack"
	"outreach/internal/testkit"
)

// RedisGroup is several Redis servers that promote a replica when a master dies: a
// cluster, or a master with its replica that three sentinels watch.
type RedisGroup struct {
	// URL is the group's REDIS_URL.
	URL string
	// CAFile is the authority of the servers' certificates; empty without TLS.
	CAFile string

	t     testing.TB
	dir   string
	nodes []*redisNode
	// masterOf returns the address of the master of a key.
	masterOf func(ctx context.Context, key string) (string, error)
	// options are those of a client of one server.
	options redis.Options
	down    *redisNode // what Fail has stopped
}

// groupTimeout is how long a server is silent before the others count it as dead, in
// milliseconds. Redis Cluster's own default is 15 s, that of sentinels 30 s.
const groupTimeout = "2000"

// redisNode is a server of a group. Its configuration file keeps what it learns, so that
// it can start again.
type redisNode struct {
	address string
	args    []string
	process *exec.Cmd
	client  *redis.Client // nil for a sentinel
}

// RedisCluster returns a Redis Cluster of three masters and three replicas for this test only.
func RedisCluster(t testing.TB) *RedisGroup {
	t.Helper()
	g := newRedisGroup(t)
	var addresses []string
	for i := range 6 {
		address := testkit.ReserveAddr(t)
		addresses = append(addresses, address)
		_, bus, _ := net.SplitHostPort(testkit.ReserveAddr(t))
		_, port, _ := net.SplitHostPort(address)
		g.add(fmt.Sprintf("node%d", i), address, "port "+port, "cluster-enabled yes", "cluster-port "+bus, "cluster-config-file nodes.conf",
			"cluster-node-timeout "+groupTimeout, "cluster-replica-validity-factor 0")
	}
	g.URL = "redis-cluster://" + strings.Join(addresses, ",")
	create := exec.CommandContext(t.Context(), "redis-cli",
		append(append([]string{"--cluster", "create"}, addresses...), "--cluster-replicas", "1", "--cluster-yes")...)
	if text, err := create.CombinedOutput(); err != nil {
		t.Fatalf("make the cluster: %v\n%s", err, text)
	}
	g.masterOf = g.masterOfSlot
	testkit.Eventually(t, "all servers of the cluster know it, and the replicas are in step", func() bool {
		for _, node := range g.nodes {
			info, _ := node.client.ClusterInfo(t.Context()).Result()
			if !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, "cluster_known_nodes:6") {
				return false
			}
		}
		return g.replicasInStep(3)
	})
	return g
}

// masterOfSlot asks every server in turn, since some may be dead.
func (g *RedisGroup) masterOfSlot(ctx context.Context, key string) (string, error) {
	var failure error
	for _, node := range g.nodes {
		slot, err := node.client.ClusterKeySlot(ctx, key).Result()
		if failure = err; err != nil {
			continue
		}
		shards, err := node.client.ClusterShards(ctx).Result()
		if failure = err; err != nil {
			continue
		}
		for _, shard := range shards {
			holds := slices.ContainsFunc(shard.Slots, func(r redis.SlotRange) bool { return slot >= r.Start && slot <= r.End })
			master := slices.IndexFunc(shard.Nodes, func(n redis.Node) bool { return n.Role == "master" && n.Health == "online" })
			if holds && master >= 0 {
				return net.JoinHostPort(shard.Nodes[master].IP, strconv.FormatInt(shard.Nodes[master].Port, 10)), nil
			}
		}
	}
	return "", fmt.Errorf("find the master of a slot: %w", failure)
}

// RedisSentinels returns a master with a replica and three sentinels for this test only. All of
// them accept only TLS and require a user name and a password: outreach and geheim for the servers,
// asker and frage for the sentinels.
func RedisSentinels(t testing.TB) *RedisGroup {
	t.Helper()
	g := newRedisGroup(t)
	certificate, key, roots := authority(t, g.dir)
	g.CAFile = certificate
	g.options = redis.Options{Username: "outreach", Password: "geheim", TLSConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	secure := func(port string) []string {
		return []string{"port 0", "tls-port " + port, "tls-cert-file " + certificate, "tls-key-file " + key,
			"tls-ca-cert-file " + certificate, "tls-auth-clients no", "tls-replication yes", "user default off"}
	}
	var first string
	for i := range 2 {
		address := testkit.ReserveAddr(t)
		host, port, _ := net.SplitHostPort(address)
		lines := append(secure(port), "user outreach on >geheim ~* &* +@all", "masteruser outreach", "masterauth geheim")
		if i == 0 {
			first = host + " " + port
		} else {
			lines = append(lines, "replicaof "+first)
		}
		g.add(fmt.Sprintf("node%d", i), address, lines...)
	}
	testkit.Eventually(t, "the replica is in step", func() bool { return g.replicasInStep(1) })
	var sentinels []string
	for i := range 3 {
		address := testkit.ReserveAddr(t)
		sentinels = append(sentinels, address)
		_, port, _ := net.SplitHostPort(address)
		g.add(fmt.Sprintf("sentinel%d", i), address, append(secure(port),
			"user asker on >frage &* -@all +auth +hello +ping +client "+
				"+subscribe +psubscribe +unsubscribe +sentinel|get-master-addr-by-name +sentinel|sentinels +sentinel|replicas",
			"user peer on >peers &* +@all", "sentinel sentinel-user peer", "sentinel sentinel-pass peers",
			"sentinel monitor main "+first+" 2", "sentinel auth-user main outreach", "sentinel auth-pass main geheim",
			"sentinel down-after-milliseconds main "+groupTimeout, "sentinel failover-timeout main 10000")...)
	}
	g.URL = "redis-sentinel://outreach:geheim@" + strings.Join(sentinels, ",") +
		"/main?sentinel_user=asker&sentinel_password=frage&tls=true"
	options := g.options
	options.Addr, options.Username, options.Password = sentinels[0], "peer", "peers"
	asker := redis.NewSentinelClient(&options)
	t.Cleanup(func() { _ = asker.Close() })
	g.masterOf = func(ctx context.Context, _ string) (string, error) {
		at, err := asker.GetMasterAddrByName(ctx, "main").Result()
		if err != nil {
			return "", err
		}
		return net.JoinHostPort(at[0], at[1]), nil
	}
	testkit.Eventually(t, "the sentinels know each other and the replica", func() bool {
		others, _ := asker.Sentinels(t.Context(), "main").Result()
		replicas, _ := asker.Replicas(t.Context(), "main").Result()
		return len(others) == 2 && len(replicas) == 1
	})
	return g
}

func newRedisGroup(t testing.TB) *RedisGroup {
	t.Helper()
	if devstack.FindRedis() == "" {
		t.Fatal("no redis-server is installed: run make services as root")
	}
	return &RedisGroup{t: t, dir: t.TempDir()}
}

// add starts a server and waits until it listens. A name that begins with sentinel makes
// it one.
func (g *RedisGroup) add(name, address string, lines ...string) {
	g.t.Helper()
	dir := filepath.Join(g.dir, name)
	testkit.NoError(g.t, os.Mkdir(dir, 0o700))
	lines = append([]string{"bind 127.0.0.1", "dir " + dir}, lines...)
	node := &redisNode{address: address, args: []string{filepath.Join(dir, "redis.conf")}}
	if strings.HasPrefix(name, "sentinel") {
		node.args = append(node.args, "--sentinel")
	} else {
		lines = append(lines, `save ""`, "appendonly no", "repl-diskless-sync-delay 0")
		options := g.options
		options.Addr, options.MaxRetries, options.DialTimeout, options.ReadTimeout = address, -1, time.Second, time.Second
		node.client = redis.NewClient(&options)
		g.t.Cleanup(func() { _ = node.client.Close() })
	}
	testkit.NoError(g.t, os.WriteFile(node.args[0], []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	g.nodes = append(g.nodes, node)
	g.start(node)
	g.t.Cleanup(func() { _ = node.process.Process.Kill(); _ = node.process.Wait() })
}

func (g *RedisGroup) start(node *redisNode) {
	g.t.Helper()
	node.process = exec.CommandContext(context.WithoutCancel(g.t.Context()), devstack.FindRedis(), node.args...) // until Cleanup
	output, err := os.OpenFile(filepath.Join(filepath.Dir(node.args[0]), "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	testkit.NoError(g.t, err)
	defer func() { _ = output.Close() }()
	node.process.Stdout, node.process.Stderr = output, output
	testkit.NoError(g.t, node.process.Start())
	testkit.Eventually(g.t, "a server listens at "+node.address, func() bool {
		conn, err := (&net.Dialer{}).DialContext(context.WithoutCancel(g.t.Context()), "tcp", node.address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

// replicasInStep reports whether so many replicas have what their masters have.
func (g *RedisGroup) replicasInStep(want int) bool {
	inStep := 0
	for _, node := range g.nodes {
		if node.client == nil {
			continue
		}
		info, _ := node.client.Info(context.WithoutCancel(g.t.Context()), "replication").Result()
		if strings.Contains(info, "master_link_status:up") {
			inStep++
		}
	}
	return inStep == want
}

// MasterOf returns the address of the server that holds a key.
func (g *RedisGroup) MasterOf(key string) string {
	g.t.Helper()
	address, err := g.masterOf(context.WithoutCancel(g.t.Context()), key)
	testkit.NoError(g.t, err)
	return address
}

// Fail stops the master of a key and returns when a replica was promoted in its place, as far as
// the replica itself knows. With SIGKILL its connections break; with SIGSTOP they stay open and
// silent, like those of a machine without power.
func (g *RedisGroup) Fail(key string, how syscall.Signal) (promoted time.Time) {
	g.t.Helper()
	master := g.MasterOf(key)
	var replicas []*redisNode
	for _, node := range g.nodes {
		switch {
		case node.address == master:
			g.down = node
		case node.client != nil && !g.isMaster(node):
			replicas = append(replicas, node)
		}
	}
	testkit.NoError(g.t, g.down.process.Process.Signal(how))
	if how == syscall.SIGKILL {
		_ = g.down.process.Wait()
	}
	testkit.Eventually(g.t, "a replica is promoted", func() bool {
		for _, node := range replicas {
			if g.isMaster(node) {
				promoted = time.Now()
				return true
			}
		}
		return false
	})
	return promoted
}

// Recover restarts the server that Fail has stopped, and returns when it follows the new master.
func (g *RedisGroup) Recover() {
	g.t.Helper()
	if g.down.process.ProcessState != nil {
		g.start(g.down)
	} else {
		testkit.NoError(g.t, g.down.process.Process.Signal(syscall.SIGCONT))
	}
	masters := 0
	for _, node := range g.nodes {
		if node.client != nil {
			masters++
		}
	}
	testkit.Eventually(g.t, "the replicas are in step again", func() bool { return !g.isMaster(g.down) && g.replicasInStep(masters/2) })
}

func (g *RedisGroup) isMaster(node *redisNode) bool {
	role, err := node.client.Do(context.WithoutCancel(g.t.Context()), "ROLE").Slice()
	return err == nil && len(role) > 0 && role[0] == "master"
}
