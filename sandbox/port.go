package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"strconv"
	"syscall"
	"time"
)

// loopback is the only address that the sandbox listens on.
const loopback = "127.0.0.1"

func addressOf(port int) netip.AddrPort {
	return netip.AddrPortFrom(netip.MustParseAddr(loopback), uint16(port))
}

// New ports are below the ranges for outgoing connections of Linux (from 32768) and others (from
// 49152): a connection could use a port of those ranges while the sandbox is down.
const (
	portLow   = 20000
	portHigh  = 32000
	portTries = 20
)

// portPatience is how long a kept port may be in use, for example by an earlier process that is
// stopping, before it is an error.
const portPatience = 5 * time.Second

// listenKept opens the port in *port, or chooses one and stores it there. If another program uses a
// kept port, it returns an error and does not choose another one, because mailboxes and
// subscriptions in the database name the port.
func listenKept(ctx context.Context, port *int, name string) (net.Listener, error) {
	if *port != 0 {
		return listenAgain(ctx, *port, name)
	}
	listener, err := listenFresh()
	if err != nil {
		return nil, fmt.Errorf("listen for %s: %w", name, err)
	}
	*port = listener.Addr().(*net.TCPAddr).Port
	return listener, nil
}

func listenFresh() (net.Listener, error) {
	for range portTries {
		listener, err := listenOn(portLow + rand.IntN(portHigh-portLow)) //nolint:gosec // a port is not a secret
		if err == nil {
			return listener, nil
		}
	}
	return listenOn(0)
}

func listenAgain(ctx context.Context, port int, name string) (net.Listener, error) {
	deadline := time.Now().Add(portPatience)
	for {
		listener, err := listenOn(port)
		if err == nil {
			return listener, nil
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			return nil, fmt.Errorf("listen for %s: %w", name, err)
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("port %d, which the sandbox keeps for %s, is used by another program (or another copy "+
				"on the same data folder): stop that one, or delete the port from the state file to get a new one: %w", port, name, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func listenOn(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(port)))
}
