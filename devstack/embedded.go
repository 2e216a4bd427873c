package devstack

import (
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"sync"

	"github.com/alicebob/miniredis/v2"
)

// embedded is the stand-in for Redis: it lives in this process, behind a
// password on a loopback port. It keeps nothing.
type embedded struct {
	password string
	addr     string

	mu     sync.Mutex
	server *miniredis.Miniredis // nil while killed
}

func newEmbedded() (*embedded, error) {
	e := &embedded{password: rand.Text()}
	var err error
	for range portTries {
		e.addr = fmt.Sprintf("127.0.0.1:%d", portLow+mathrand.IntN(portHigh-portLow)) //nolint:gosec // a port is no secret
		if err = e.restart(); err == nil {
			return e, nil
		}
	}
	return nil, err
}

// The port is chosen below those that systems lend to outgoing connections: one
// of these could take it while the server is down for a restart.
const (
	portLow   = 20_000
	portHigh  = 32_000
	portTries = 50
)

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
