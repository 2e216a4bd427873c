package jobs

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// poolSize limits a process's connections to one Redis node; they are opened when needed.
const poolSize = 64

// ParseRedis reads the forms of REDIS_URL:
//
//	redis://[[user]:password@]host[:6379][/database]      rediss:// with TLS
//	redis-socket://[[user]:password@]/path[?db=database]
//	redis-sentinel://[[user]:password@]host[:26379],…/master[/database][?sentinel_user=…&sentinel_password=…&tls=true]
//	redis-cluster://[[user]:password@]host[:6379],…[?tls=true]
//
// Sentinels may name their master as ?master= too. No error repeats the URL,
// which holds a password.
func ParseRedis(text string) (asynq.RedisConnOpt, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return nil, errors.New("read redis URL: the scheme is missing")
	}
	hosts, rest := cutHosts(rest)
	// net/url cannot parse a list of hosts, so it gets a placeholder.
	u, err := url.Parse("redis://host" + rest)
	if err != nil {
		return nil, errors.New("read redis URL: path or query is malformed")
	}
	address, err := readUser(hosts)
	if err != nil {
		return nil, err
	}
	switch scheme {
	case "redis", "rediss":
		return address.single(u, scheme == "rediss")
	case "redis-socket":
		return address.socket(u)
	case "redis-sentinel":
		return address.sentinel(u)
	case "redis-cluster":
		return address.cluster(u)
	}
	return nil, errors.New("read redis URL: the scheme must be one of redis, rediss, redis-socket, redis-sentinel, redis-cluster")
}

// connect returns the Redis client of one process.
func connect(options asynq.RedisConnOpt) (redis.UniversalClient, error) {
	if options == nil {
		return nil, errors.New("redis is not configured")
	}
	client, ok := options.MakeRedisClient().(redis.UniversalClient)
	if !ok {
		return nil, fmt.Errorf("%T does not create a redis client", options)
	}
	return client, nil
}

// redisAddress is the part before the path.
type redisAddress struct {
	user, password string
	hosts          string
}

func cutHosts(rest string) (hosts, tail string) {
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		return rest[:i], rest[i:]
	}
	return rest, ""
}

func readUser(hosts string) (a redisAddress, err error) {
	a.hosts = hosts
	i := strings.LastIndexByte(hosts, '@')
	if i < 0 {
		return a, nil
	}
	a.hosts = hosts[i+1:]
	user, password, _ := strings.Cut(hosts[:i], ":")
	if a.user, err = url.PathUnescape(user); err != nil {
		return a, errors.New("read redis URL: user is malformed")
	}
	if a.password, err = url.PathUnescape(password); err != nil {
		return a, errors.New("read redis URL: password is malformed")
	}
	return a, nil
}

func (a redisAddress) single(u *url.URL, secure bool) (asynq.RedisConnOpt, error) {
	nodes, err := a.nodes("6379")
	if err != nil {
		return nil, err
	}
	if len(nodes) != 1 {
		return nil, errors.New("read redis URL: several hosts need redis-sentinel or redis-cluster")
	}
	database, err := databaseOf(strings.Trim(u.Path, "/"))
	if err != nil {
		return nil, err
	}
	options := asynq.RedisClientOpt{Addr: nodes[0], Username: a.user, Password: a.password, DB: database, PoolSize: poolSize}
	if secure {
		options.TLSConfig = tlsFor(nodes)
	}
	return options, nil
}

func (a redisAddress) socket(u *url.URL) (asynq.RedisConnOpt, error) {
	if a.hosts != "" || u.Path == "" || u.Path == "/" {
		return nil, errors.New("read redis URL: a socket needs a path and no host")
	}
	database, err := databaseOf(u.Query().Get("db"))
	if err != nil {
		return nil, err
	}
	return asynq.RedisClientOpt{Network: "unix", Addr: u.Path, Username: a.user, Password: a.password, DB: database, PoolSize: poolSize}, nil
}

func (a redisAddress) sentinel(u *url.URL) (asynq.RedisConnOpt, error) {
	nodes, err := a.nodes("26379")
	if err != nil {
		return nil, err
	}
	master, number, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if master = cmp.Or(master, u.Query().Get("master")); master == "" {
		return nil, errors.New("read redis URL: sentinels need the name of their master")
	}
	database, err := databaseOf(number)
	if err != nil {
		return nil, err
	}
	query := u.Query()
	options := asynq.RedisFailoverClientOpt{
		MasterName: master, SentinelAddrs: nodes,
		SentinelUsername: query.Get("sentinel_user"), SentinelPassword: query.Get("sentinel_password"),
		Username: a.user, Password: a.password, DB: database, PoolSize: poolSize,
		DialTimeout: silence, ReadTimeout: silence, WriteTimeout: silence,
	}
	if query.Get("tls") == "true" {
		options.TLSConfig = tlsFor(nil) // each Sentinel and master is verified by its own name
	}
	return options, nil
}

func (a redisAddress) cluster(u *url.URL) (asynq.RedisConnOpt, error) {
	nodes, err := a.nodes("6379")
	if err != nil {
		return nil, err
	}
	if strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("read redis URL: a cluster does not support numbered databases")
	}
	options := clusterOptions{Addrs: nodes, Username: a.user, Password: a.password}
	if u.Query().Get("tls") == "true" {
		options.TLSConfig = tlsFor(nil) // each node is verified by its own name
	}
	return options, nil
}

// Connections to a machine without power are silent until they time out. With the defaults of the
// client, 5 s and a minute, deliveries stopped for up to a minute after another master was
// promoted.
const (
	// silence is how long a client of a cluster or of sentinels waits for an answer.
	silence = 2 * time.Second
	// clusterReload is how soon a client of a cluster learns who the master of a slot is.
	clusterReload = 2 * time.Second
)

// clusterOptions connects to Redis Cluster. asynq's own options set neither the
// reload interval nor the size of the pool.
type clusterOptions struct {
	Addrs              []string
	Username, Password string
	TLSConfig          *tls.Config
}

// MakeRedisClient is part of asynq.RedisConnOpt. The client dials a node only once, because it then
// asks again which node to dial.
func (o clusterOptions) MakeRedisClient() any {
	return redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: o.Addrs, Username: o.Username, Password: o.Password, TLSConfig: o.TLSConfig,
		DialTimeout: silence, DialerRetries: 1, ReadTimeout: silence, WriteTimeout: silence,
		ClusterStateReloadInterval: clusterReload, PoolSize: poolSize,
	})
}

// nodes returns host and port of each host named.
func (a redisAddress) nodes(port string) ([]string, error) {
	var nodes []string
	for node := range strings.SplitSeq(a.hosts, ",") {
		node = strings.TrimSpace(node)
		if node == "" {
			return nil, errors.New("read redis URL: a host is missing")
		}
		host, named, err := net.SplitHostPort(node)
		if err != nil {
			host, named = strings.Trim(node, "[]"), port
		}
		if number, err := strconv.ParseUint(named, 10, 16); err != nil || number == 0 || host == "" {
			return nil, errors.New("read redis URL: a host or port is malformed")
		}
		nodes = append(nodes, net.JoinHostPort(host, named))
	}
	return nodes, nil
}

func databaseOf(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	number, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, errors.New("read redis URL: the database is not a number")
	}
	return int(number), nil
}

func tlsFor(nodes []string) *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(nodes) == 1 {
		config.ServerName, _, _ = net.SplitHostPort(nodes[0])
	}
	return config
}
