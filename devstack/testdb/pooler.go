package testdb

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// poolerServers is how many connections to Postgres all clients of a pooler share.
const poolerServers = 10

// Pooler returns the address of a pooler in front of the database at address. It shares connections
// like PgBouncer in transaction mode, in the strictest allowed way: each transaction gets the
// connection that was idle longest, and nothing is reset. A client that prepares statements by
// name, or keeps anything else in a session, fails.
func Pooler(t testing.TB, address string) string {
	t.Helper()
	p := &pooler{idle: make(chan net.Conn, poolerServers)}
	t.Cleanup(p.close)
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		t.Fatalf("read database URL: %v", err)
	}
	config.RuntimeParams["timezone"] = "UTC" // PgBouncer hands it on from the client
	for range poolerServers {
		if err := p.addServer(config); err != nil {
			t.Fatalf("connect the pooler: %v", err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("start the pooler: %v", err)
	}
	p.closers = append(p.closers, listener)
	go p.accept(listener)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("read database URL: %v", err)
	}
	u.Host, u.RawQuery = listener.Addr().String(), "sslmode=disable"
	return u.String()
}

type pooler struct {
	idle     chan net.Conn
	greeting []byte // what a client gets after its start: login done, settings, ready

	mu      sync.Mutex
	closers []io.Closer
}

func (p *pooler) addServer(config *pgconn.Config) error {
	conn, err := pgconn.ConnectConfig(context.Background(), config)
	if err != nil {
		return err
	}
	server, err := conn.Hijack()
	if err != nil {
		return err
	}
	p.closers = append(p.closers, server.Conn)
	p.idle <- server.Conn
	p.greeting = message('R', 0, 0, 0, 0)
	for name, value := range server.ParameterStatuses {
		p.greeting = append(p.greeting, message('S', []byte(name+"\x00"+value+"\x00")...)...)
	}
	p.greeting = append(p.greeting, message('K', make([]byte, 8)...)...)
	p.greeting = append(p.greeting, message('Z', 'I')...)
	return nil
}

// message returns a message of the protocol.
func message(kind byte, body ...byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+4)), body...)
}

// readMessage returns the next message with its head.
func readMessage(from io.Reader) ([]byte, error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	all := make([]byte, 1+binary.BigEndian.Uint32(head[1:]))
	copy(all, head)
	_, err := io.ReadFull(from, all[5:])
	return all, err
}

func (p *pooler) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.closers = append(p.closers, client)
		p.mu.Unlock()
		go (&pooled{pooler: p, client: client}).serve()
	}
}

func (p *pooler) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.closers {
		_ = c.Close()
	}
}

// pooled is one client.
type pooled struct {
	*pooler
	client net.Conn

	turn    sync.Mutex
	server  net.Conn // while a transaction is open, or an answer is due
	answers int      // that are due
	open    bool     // messages were sent that no Sync has closed
}

// The codes of requests for encryption, which come before the start.
const requestTLS, requestGSS = 80877103, 80877104

func (c *pooled) serve() {
	defer c.client.Close()
	head := make([]byte, 8)
	for {
		if _, err := io.ReadFull(c.client, head); err != nil {
			return
		}
		if code := binary.BigEndian.Uint32(head[4:]); code != requestTLS && code != requestGSS {
			break
		}
		if _, err := c.client.Write([]byte{'N'}); err != nil {
			return
		}
	}
	if _, err := io.CopyN(io.Discard, c.client, int64(binary.BigEndian.Uint32(head))-8); err != nil {
		return
	}
	if _, err := c.client.Write(c.greeting); err != nil {
		return
	}
	for {
		said, err := readMessage(c.client)
		if err != nil || said[0] == 'X' {
			c.leave()
			return
		}
		if !c.pass(said) {
			return
		}
	}
}

// pass sends a message of the client to its server. A client without a server gets one first.
func (c *pooled) pass(said []byte) bool {
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.server == nil {
		c.server = <-c.idle
		go c.relay(c.server)
	}
	switch said[0] {
	case 'Q', 'S':
		c.answers, c.open = c.answers+1, false
	default:
		c.open = true
	}
	_, err := c.server.Write(said)
	return err == nil
}

// relay sends answers to the client until the server is free for others.
func (c *pooled) relay(server net.Conn) {
	for {
		said, err := readMessage(server)
		if err != nil {
			_ = c.client.Close()
			return
		}
		if said[0] == 'Z' && c.release(server, said[5]) {
			_, _ = c.client.Write(said)
			return
		}
		_, _ = c.client.Write(said) // the reader notices a closed connection
	}
}

// release notes that an answer is complete. It gives the server back unless a
// transaction is open or more answers are due.
func (c *pooled) release(server net.Conn, state byte) bool {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.answers--
	if state != 'I' || c.answers > 0 || c.open {
		return false
	}
	c.server = nil
	c.idle <- server
	return true
}

// leave rolls back the open transaction of a client.
func (c *pooled) leave() {
	c.turn.Lock()
	busy := c.server != nil
	c.turn.Unlock()
	if busy {
		c.pass(message('S'))
		c.pass(message('Q', []byte("ROLLBACK\x00")...))
	}
}
