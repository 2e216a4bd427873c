//go:build !linux

package testkit

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// ReserveAddr returns a loopback address on which nothing listens. Its port is below those that
// systems use for outgoing connections.
func ReserveAddr(t testing.TB) string {
	t.Helper()
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		if listener, err := net.Listen("tcp", addr); err == nil {
			_ = listener.Close()
			return addr
		}
	}
	t.Fatal("no port is free")
	return ""
}
