package devstack

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// redisDatabases is the number of databases in a private Redis: enough for a
// test binary to give each of its running tests one.
const redisDatabases = 1000

// redisServer runs redis-server or valkey-server with its data in Dir.
type redisServer struct {
	plan
	socket string
}

func newRedisServer(p plan, run string) *redisServer {
	return &redisServer{plan: p, socket: filepath.Join(run, "redis.sock")}
}

func (r *redisServer) prepare(context.Context) error { return nil }

func (r *redisServer) stopped() {}

// command starts the server without a configuration file. Keys are never evicted: the queue must
// refuse a task rather than lose one.
func (r *redisServer) command() *exec.Cmd {
	persist := "no"
	if r.Durable {
		persist = "yes"
	}
	cmd := exec.Command(r.Program,
		"--port", "0", "--unixsocket", r.socket, "--unixsocketperm", "700",
		"--dir", r.Dir, "--databases", fmt.Sprint(redisDatabases),
		"--save", "", "--appendonly", persist, "--appendfsync", "everysec",
		"--maxmemory-policy", "noeviction", "--daemonize", "no")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = r.Dir, cleanEnvironment(), (*account)(nil).attributes()
	return cmd
}

// probe sends PING; a server that still loads its data answers with an error.
func (r *redisServer) probe(ctx context.Context) error {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", r.socket)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprint(conn, "PING\r\n"); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "+PONG") {
		return fmt.Errorf("answered %q to PING", line)
	}
	return nil
}

func (r *redisServer) stopSignal() syscall.Signal { return syscall.SIGTERM }

// url ends in the number of the database.
func (r *redisServer) url() string {
	address := url.URL{Scheme: "redis-socket", Path: r.socket, RawQuery: "db=0"}
	return address.String()
}
