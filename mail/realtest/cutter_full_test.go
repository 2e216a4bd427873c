//go:build full

package realtest

import (
	"bufio"
	"net"
	"strings"
	"sync"
	"testing"
)

// cut is the place where a connection breaks: at a command ("connect", "body" and "." are commands
// here), on its way there or with the answer on its way back.
type cut struct {
	Command  string
	Answered bool // the server gets the command; only its answer is lost
}

// cutter stands between the engine and Postfix and breaks the first connection
// that reaches the cut it was told of.
type cutter struct {
	target string
	mu     sync.Mutex
	next   *cut
	done   bool
}

// startCutter returns the cutter and its port.
func startCutter(t testing.TB, target int) (*cutter, int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	c := &cutter{target: address(target)}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { c.carry(conn) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); running.Wait() })
	return c, listener.Addr().(*net.TCPAddr).Port
}

func (c *cutter) arm(at cut) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next, c.done = &at, false
}

// hasCut reports whether the cut happened.
func (c *cutter) hasCut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.done
}

// due takes the cut when it is at this command.
func (c *cutter) due(command string) *cut {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil || c.next.Command != command {
		return nil
	}
	at := c.next
	c.next, c.done = nil, true
	return at
}

// carry is one connection. A cut with its answer lost mutes the server before the
// command goes there, and ends both sides when the answer has come.
func (c *cutter) carry(client net.Conn) {
	defer client.Close()
	if c.due("connect") != nil {
		return
	}
	server, err := net.Dial("tcp", c.target)
	if err != nil {
		return
	}
	defer server.Close()
	var muted sync.Mutex // held by who may speak to the client
	mute, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		defer client.Close()
		answer := make([]byte, 4096)
		for {
			n, err := server.Read(answer)
			muted.Lock()
			silent := mute
			muted.Unlock()
			if err != nil || silent {
				return
			}
			if _, err := client.Write(answer[:n]); err != nil {
				return
			}
		}
	}()
	lines, command := bufio.NewReader(client), ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		command = commandOf(command, line)
		at := c.due(command)
		if at != nil && !at.Answered {
			break
		}
		if at != nil {
			muted.Lock()
			mute = true
			muted.Unlock()
		}
		if _, err := server.Write([]byte(line)); err != nil {
			break
		}
		if at != nil {
			<-ended
			return
		}
	}
	_ = server.Close()
	<-ended
}

// commandOf names what the client says after its last command.
func commandOf(last, line string) string {
	if last == "DATA" || last == "body" {
		if line == ".\r\n" {
			return "."
		}
		return "body"
	}
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return strings.ToUpper(word)
}
