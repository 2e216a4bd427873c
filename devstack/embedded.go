package devstack

import (
	"crypto/rand"
	"fmt"
	"sync"

	"github.com/alicebob/miniredis/v2"
)

// embedded is the stand-in for Redis: it lives in this process, behind a
// password on a loopback port that the kernel picks. It keeps nothing.
type embedded struct {
	password string
	addr     string

	mu     sync.Mutex
	server *miniredis.Miniredis // nil while killed
}

func newEmbedded() (*embedded, error) {
	e := &embedded{password: rand.Text(), addr: "127.0.0.1:0"}
	if err := e.restart(); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *embedded) address() string {
	return fmt.Sprintf("redis://:%s@%s", e.password, e.addr)
}

// restart puts a new, empty server on the old address.
func (e *embedded) restart() error {
	e.kill()
	e.mu.Lock()
	defer e.mu.Unlock()
	server := miniredis.NewMiniRedis()
	server.RequireAuth(e.password)
	// Keys expire by the clock, as they do in a real server.
	server.ClockTTL(true)
	if err := server.StartAddr(e.addr); err != nil {
		return fmt.Errorf("listen on %s: %w", e.addr, err)
	}
	e.server, e.addr = server, server.Addr()
	return nil
}

func (e *embedded) kill() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server != nil {
		e.server.Close()
		e.server = nil
	}
}

func (e *embedded) close() { e.kill() }
