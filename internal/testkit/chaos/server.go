// Package chaos is a mail server for tests that behaves correctly up to a random point
// of each connection, and badly from there on. It speaks SMTP and IMAP. It must not
// know any other package of the service.
package chaos

import (
	"bufio"
	"context"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The bounds of one connection, so that the server does not need the whole machine.
const (
	maxConnection = 30 * time.Second
	maxFlood      = 48 << 20 // bytes
	maxStage      = 14       // commands that are answered correctly at most
)

// Server is a misbehaving mail server on loopback.
type Server struct {
	SMTP, IMAP int // ports

	seed        uint64
	connections atomic.Uint64
	bytes       atomic.Int64
	faults      [faultCount]atomic.Int64
	open        sync.WaitGroup
}

// Start starts a server that ends with the test. Two servers with the same seed behave
// alike on their n-th connections.
func Start(t testing.TB, seed uint64) *Server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{seed: seed}
	var listeners []net.Listener
	for port, serve := range map[*int]func(*session){&s.SMTP: (*session).smtp, &s.IMAP: (*session).imap} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners = append(listeners, listener)
		*port = listener.Addr().(*net.TCPAddr).Port
		s.open.Go(func() { s.accept(ctx, listener, serve) })
	}
	t.Cleanup(func() {
		cancel()
		for _, listener := range listeners {
			_ = listener.Close()
		}
		s.open.Wait()
	})
	return s
}

func (s *Server) accept(ctx context.Context, listener net.Listener, serve func(*session)) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		s.open.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, maxConnection)
			defer cancel()
			stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
			defer stop()
			defer conn.Close()
			n := s.connections.Add(1)
			random := rand.New(rand.NewPCG(s.seed, n)) //nolint:gosec // a test that can be repeated
			serve(&session{
				Conn: conn, server: s, done: ctx.Done(), random: random, in: bufio.NewReaderSize(conn, 64<<10),
				stage: random.IntN(maxStage), fault: fault(random.IntN(int(faultCount))),
			})
		})
	}
}

// Summary returns how many connections there were, how many bytes they got, and how
// often each fault was reached.
func (s *Server) Summary() string {
	var text strings.Builder
	text.WriteString(strconv.FormatUint(s.connections.Load(), 10) + " connections, " + strconv.FormatInt(s.bytes.Load()>>20, 10) + " MiB;")
	for f := range faultCount {
		text.WriteString(" " + f.String() + " " + strconv.FormatInt(s.faults[f].Load(), 10))
	}
	return text.String()
}

// session is one connection.
type session struct {
	net.Conn
	server *Server
	done   <-chan struct{} // closed when the connection has to end
	random *rand.Rand
	in     *bufio.Reader
	stage  int // commands that are still answered correctly
	fault  fault
}

// due reports whether the next answer is the bad one.
func (s *session) due() bool {
	s.stage--
	return s.stage < 0
}

// line returns the next line of the client without its end; ok is false at the end of
// the connection.
func (s *session) line() (text string, ok bool) {
	text, err := s.in.ReadString('\n')
	return strings.TrimRight(text, "\r\n"), err == nil
}

// say sends text and reports whether the connection still stands.
func (s *session) say(text string) bool {
	n, err := s.Write([]byte(text))
	s.server.bytes.Add(int64(n))
	return err == nil
}
