package testkit

import (
	"fmt"
	"syscall"
	"testing"
)

// ReserveAddr returns a loopback address, such as 127.0.0.1:40001, on which the
// test, or a process that it starts, may listen as often as it likes. Until the
// test ends nothing else gets the port.
//
// A port that is chosen by listening on it and closing the listener may be taken by an outgoing
// connection before it is used. Here a socket is bound to the port and never listens. Linux does
// not give the port of such a socket to a connection, and a listener with SO_REUSEADDR, which Go
// and Redis set, can bind beside it.
func ReserveAddr(t testing.TB) string {
	t.Helper()
	syscall.ForkLock.RLock()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	syscall.ForkLock.RUnlock()
	NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	NoError(t, syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
	NoError(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	bound, err := syscall.Getsockname(socket)
	NoError(t, err)
	return fmt.Sprintf("127.0.0.1:%d", bound.(*syscall.SockaddrInet4).Port)
}
