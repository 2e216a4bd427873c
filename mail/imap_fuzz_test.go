package mail

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"outreach"
)

// played is the server's end of a connection: it sends the first part of its
// script at once and one more for each command that it reads. In a part, {tag}
// stands for the tag of the command.
func played(conn net.Conn, script string) {
	defer conn.Close()
	parts := strings.Split(script, "\x1e")
	in := bufio.NewReader(conn)
	for i, part := range parts {
		tag := ""
		if i > 0 {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			tag, _, _ = strings.Cut(line, " ")
		}
		if _, err := io.WriteString(conn, strings.ReplaceAll(part, "{tag}", tag)); err != nil {
			return
		}
	}
}

// readPlayed does with a server all that the service does with one.
func readPlayed(ctx context.Context, script string) {
	const wait = 50 * time.Millisecond // a script that ends early closes the connection, so few have to wait
	client, server := net.Pipe()
	go played(server, script)
	network := Network{Timeouts: Timeouts{Connect: wait, Command: wait, Data: wait, Answer: wait}}
	config := IMAPConfig{Server: outreach.MailServer{Username: "u", Password: "p", Security: outreach.SecurityNone},
		Network: network, Memory: NewMemory(64 << 20)}
	w := &wire{Conn: client}
	w.allow(network.Timeouts.Connect, controlBytes)
	m, err := openOn(ctx, w, config)
	if err != nil {
		_ = client.Close()
		return
	}
	defer m.Close()
	limits := Limits{Messages: 10, MaxSize: 1 << 20}
	at, _ := m.Fetch(ctx, FolderInbox, Position{7, 4}, limits, func(Incoming) error { return nil })
	_, _ = m.Fetch(ctx, FolderJunk, Position{}, limits, func(Incoming) error { return nil })
	_, _, _ = m.FindInSent(ctx, "<a@example.com>", "ref")
	_, _ = m.Wait(ctx, at, 10*time.Millisecond)
}

// For any input from a server the client returns within its timeouts and uses memory in proportion
// to what was sent. The seeds are in testdata/imap; those that
// the fuzzer found are beside them.
func FuzzIMAPServer(f *testing.F) {
	seeds, err := filepath.Glob("testdata/imap/*")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range seeds {
		seed, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		readPlayed(ctx, string(script))
		runtime.ReadMemStats(&after)
		if ctx.Err() != nil {
			t.Error("the client did not come back")
		}
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(16<<20+200*len(script)); took > most {
			t.Errorf("%d bytes from the server took %d bytes of memory, want at most %d", len(script), took, most)
		}
	})
}
