package devstack

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/alicebob/miniredis/v2"
)

// embedded is the stand-in for Redis. It runs in this process, with a password, on a loopback port,
// and stores nothing on disk.
//
// The listener stays open from start to close, also while the server is down, because another
// program could take a released port. This program could block it too: a forked process holds a
// copy of every open listener until it runs its own program.
type embedded struct {
	password string
	listener net.Listener
	accepts  sync.WaitGroup

	mu     sync.Mutex
	server *miniredis.Miniredis // nil while the server is down
	conns  map[net.Conn]struct{}
}

func newEmbedded() (*embedded, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	e := &embedded{password: rand.Text(), listener: listener, conns: map[net.Conn]struct{}{}}
	e.restart()
	e.accepts.Go(e.accept)
	return e, nil
}

func (e *embedded) address() string {
	return fmt.Sprintf("redis://:%s@%s", e.password, e.listener.Addr())
}

// restart starts a new, empty server at the old address.
func (e *embedded) restart() {
	e.kill()
	server := miniredis.NewMiniRedis()
	server.RequireAuth(e.password)
	// Keys expire by the clock, as in a real server.
	server.ClockTTL(true)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.server = server
}

// kill ends the server and its connections. Until restart each new connection is
// closed at once.
func (e *embedded) kill() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for conn := range e.conns {
		_ = conn.Close() // the client sees the end of the connection
	}
	clear(e.conns)
	if e.server != nil {
		e.server.Close()
		e.server = nil
	}
}

// close ends the server for good.
func (e *embedded) close() {
	_ = e.listener.Close() // a second close has no effect
	e.accepts.Wait()
	e.kill()
}

// accept joins each connection with the server that is running at that moment.
func (e *embedded) accept() {
	for {
		conn, err := e.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			e.connect(conn)
		}
	}
}

func (e *embedded) connect(client net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server == nil {
		_ = client.Close()
		return
	}
	server, err := e.server.Dial()
	if err != nil {
		_ = client.Close()
		return
	}
	e.conns[client] = struct{}{}
	go e.copyUntilEnd(client, server)
	go e.copyUntilEnd(server, client)
}

// copyUntilEnd passes on what one side sends, and closes both when it ends.
func (e *embedded) copyUntilEnd(to, from net.Conn) {
	_, _ = io.Copy(to, from) // either side may end at any time
	_, _ = to.Close(), from.Close()
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.conns, to)
	delete(e.conns, from)
}
