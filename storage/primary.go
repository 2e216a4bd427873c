package storage

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// How soon another primary is used, when the URL names several servers: a primary that hangs
// is noticed after at most primaryEvery and primaryPing, the other one is found connectWithin
// later. Connections that the hanging server still holds are closed then, and what waits on
// them fails as after a lost connection (docs/operations.md#several-postgres-servers).
const (
	primaryEvery  = time.Second
	primaryPing   = 2 * time.Second
	connectWithin = 3 * time.Second
)

var errNotPrimary = errors.New("another server is the primary")

// primary follows the server that takes writes among the servers of a URL.
type primary struct {
	log    *slog.Logger
	config *pgx.ConnConfig // connects to any of the servers
	dial   pgconn.DialFunc

	mu    sync.Mutex
	at    string // its address; empty until it is found
	conns map[*primaryConn]struct{}
}

// primaryConn is a connection of a pool.
type primaryConn struct {
	net.Conn
	address string
	of      *primary
}

// Close closes the connection and forgets it.
func (c *primaryConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.conns, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// hasSeveralServers reports whether a URL names more than one server. Fallbacks also hold the
// one server without TLS.
func hasSeveralServers(config *pgx.ConnConfig) bool {
	for _, other := range config.Fallbacks {
		if other.Host != config.Host || other.Port != config.Port {
			return true
		}
	}
	return false
}

// followPrimary makes config connect only to the primary, once it is found.
func followPrimary(config *pgx.ConnConfig, log *slog.Logger) *primary {
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectWithin
	}
	p := &primary{log: log, config: config.Copy(), dial: config.DialFunc, conns: map[*primaryConn]struct{}{}}
	config.DialFunc = p.connect
	return p
}

// connect connects to one server for a pool. pgx tries the next server after an error.
func (p *primary) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if !p.mayBe(address) {
		return nil, errNotPrimary
	}
	conn, err := p.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &primaryConn{Conn: conn, address: address, of: p}
	p.mu.Lock()
	p.conns[c] = struct{}{}
	p.mu.Unlock()
	return c, nil
}

func (p *primary) mayBe(address string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at == "" || p.at == address
}

// watch holds a connection of its own to the primary until ctx ends, and looks for another
// primary when it does not answer.
func (p *primary) watch(ctx context.Context) {
	ticker := time.NewTicker(primaryEvery)
	defer ticker.Stop()
	var conn *pgx.Conn
	defer func() { closeConn(ctx, conn) }()
	for {
		if conn == nil || !answers(ctx, conn) {
			closeConn(ctx, conn)
			conn = p.find(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func answers(ctx context.Context, conn *pgx.Conn) bool {
	ctx, cancel := context.WithTimeout(ctx, primaryPing)
	defer cancel()
	return conn.Ping(ctx) == nil
}

// closeConn closes a connection without telling its server, which may hang.
func closeConn(ctx context.Context, conn *pgx.Conn) {
	if conn == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	cancel()
	_ = conn.Close(ctx)
}

// find connects to the primary and returns nil if there is none now.
func (p *primary) find(ctx context.Context) *pgx.Conn {
	config := p.config.Copy()
	var address string // of the last server that was tried, which is the one that took us
	config.DialFunc = func(ctx context.Context, network, at string) (net.Conn, error) {
		address = at
		return p.dial(ctx, network, at)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil
	}
	p.found(ctx, address)
	return conn
}

// found closes the connections to other servers.
func (p *primary) found(ctx context.Context, address string) {
	p.mu.Lock()
	former := p.at
	p.at = address
	var others []*primaryConn
	for c := range p.conns {
		if c.address != address {
			others = append(others, c)
		}
	}
	p.mu.Unlock()
	for _, c := range others {
		_ = c.Close()
	}
	if former != "" && former != address {
		p.log.WarnContext(ctx, "another Postgres server is the primary", slog.String("now", address),
			slog.String("before", former), slog.Int("connections_closed", len(others)))
	}
}

// startPrimary follows the primary until the returned function is called.
func startPrimary(config *pgx.ConnConfig, log *slog.Logger) (stop func()) {
	p := followPrimary(config, log)
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() { p.watch(ctx) })
	return func() {
		cancel()
		group.Wait()
	}
}
