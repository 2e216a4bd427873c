package engine_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
)

// A fault of the program that shows at one mailbox puts that mailbox in error; the
// process goes on and serves the others.
func TestPanicWhileReadingOneMailbox(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"positions", "concerning", "take"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			p, store := newPost(t), newFakeStore()
			bad := p.in(store)
			good := p.in(store)
			good.Email = "good@acme.test"
			store.boxes[1].Email = good.Email
			store.broken, store.breaker = call, bad.ID
			p.write("From: ada@away.test\r\nMessage-ID: <m1@away.test>\r\nIn-Reply-To: <x@acme.test>\r\nSubject: 1\r\n\r\nhello\r\n")
			e := fakeEngine(store, nil)
			for range 2 {
				read(t, e, store)
			}
			var failed, well int
			for _, words := range store.done {
				switch {
				case strings.HasPrefix(words, bad.Email) && strings.Contains(words, "internal error"):
					failed++
				case words == good.Email+" well":
					well++
				}
			}
			if failed != 2 || well != 2 || len(store.taken) != 1 {
				t.Errorf("done %q, %d messages were ingested; want two failures, two readings and one message", store.done, len(store.taken))
			}
		})
	}
}

func TestPanicWhileSendingFromOneMailbox(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"claim", "commit", "settle"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			server, store := startSMTP(t, fine), newFakeStore()
			bad := store.box("bad@acme.test", server.MailServer, "one@away.test")
			store.box("good@acme.test", server.MailServer, "two@away.test", "three@away.test")
			store.broken, store.breaker = call, bad.ID
			e := fakeEngine(store, nil)
			e.SendOnce(t.Context())
			if n := look(store, func() int { return len(store.settled) }); n != 2 {
				t.Errorf("settled %q, want both messages of the other mailbox", store.settled)
			}
			if call != "settle" && (len(store.notes) != 1 || !strings.HasPrefix(store.notes[0], "bad@acme.test an internal error")) {
				t.Errorf("notes %q, want that of an internal error", store.notes)
			}
			e.RenewOnce(t.Context())
			if len(store.renewals) != 0 {
				t.Errorf("the leases of %v are still kept", store.renewals)
			}
		})
	}
}

// silent is a server that accepts connections and says nothing.
func silent(t *testing.T) outreach.MailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return outreach.MailServer{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port, Security: outreach.SecurityNone}
}

// If many mailboxes of one workspace hang, readers stay free for the others.
func TestHangingMailboxesLeaveReadersToOthers(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	hostile := uuid.New()
	quiet := silent(t)
	for range 20 {
		box := store.box("hostile@evil.test", quiet)
		store.boxes[len(store.boxes)-1].WorkspaceID = hostile
		store.due = append(store.due, box.ID)
	}
	honest := p.in(store)
	e := fakeEngine(store, func(c *engine.Config) {
		c.MaxReaders = 6
		c.Network.Timeouts.Connect = 20 * time.Second
	})
	e.ReceiveTick(t.Context())
	store.mu.Lock()
	store.due = append(store.due, honest.ID)
	store.mu.Unlock()
	deadline := time.After(10 * time.Second)
	for len(look(store, func() []string { return store.done })) == 0 {
		select {
		case <-deadline:
			t.Fatal("the honest mailbox was not read beside those that hang")
		case <-time.After(20 * time.Millisecond):
			e.ReceiveTick(t.Context())
		}
	}
	if first := look(store, func() string { return store.done[0] }); first != honest.Email+" well" {
		t.Errorf("%q came before the honest mailbox", first)
	}
}
