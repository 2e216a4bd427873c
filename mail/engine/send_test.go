package engine_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// fakeRing signs what engines with a fakeStore send.
var fakeRing = func() *outreach.Keyring {
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if err != nil {
		panic(err)
	}
	return ring
}()

func fakeEngine(store *fakeStore, change func(*engine.Config)) *engine.Engine {
	config := engine.Config{Store: store, Withdrawn: errWithdrawn, Network: loopback, Composer: &engine.Composer{Keyring: fakeRing}}
	config.Network.Timeouts = mail.Timeouts{Connect: 5 * time.Second, Command: 5 * time.Second, Data: 5 * time.Second, Answer: 5 * time.Second}
	if change != nil {
		change(&config)
	}
	return engine.New(config)
}

// What a server answers decides what becomes of the message at hand, and whether
// the mailbox goes on with the next.
func TestAnswers(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		play    script
		settled []string
		notes   []string
		taken   []string
	}{
		"accepted": {fine, []string{"a@x.test sent", "b@x.test sent"}, nil, []string{"a@x.test", "b@x.test"}},
		"unknown user": {at("RCPT", "550 5.1.1 user unknown"),
			[]string{"a@x.test refused recipient", "b@x.test refused recipient"}, nil, nil},
		"greylisted": {at("RCPT", "450 4.7.1 greylisted, come back later"),
			[]string{"a@x.test deferred", "b@x.test deferred"}, []string{"me@x.test SMTP defers for recipients"}, nil},
		"closing at the recipient": {at("RCPT", "421 4.3.2 shutting down"), []string{"a@x.test deferred"},
			[]string{"me@x.test SMTP defers for recipients"}, nil},
		"too fast":       {at("MAIL", "451 4.7.1 slow down"), []string{"a@x.test deferred"}, []string{"me@x.test SMTP defers"}, nil},
		"sender refused": {at("MAIL", "550 5.7.1 not your address"), []string{"a@x.test blocked", "b@x.test blocked"}, nil, nil},
		"spam": {at(".", "554 5.7.1 message refused as spam"),
			[]string{"a@x.test refused sender", "b@x.test refused sender"}, nil, []string{"a@x.test", "b@x.test"}},
		"full after the message": {at(".", "452 4.3.1 no room"), []string{"a@x.test deferred"},
			[]string{"me@x.test SMTP defers for recipients"}, []string{"a@x.test"}},
		"gone at the recipient":  {at("RCPT", ""), []string{"a@x.test failed"}, nil, nil},
		"gone at DATA":           {at("DATA", ""), []string{"a@x.test failed"}, nil, nil},
		"gone after the dot":     {at(".", ""), []string{"a@x.test unknown"}, nil, []string{"a@x.test"}},
		"nonsense after the dot": {at(".", "399 well"), []string{"a@x.test unknown"}, nil, []string{"a@x.test"}},
		"gone before the greeting": {at("connect", ""), []string{"a@x.test failed"},
			[]string{"me@x.test SMTP: connection closed by the server"}, nil},
		"busy at the greeting": {at("connect", "421 4.3.2 too many connections"), []string{"a@x.test deferred"},
			[]string{"me@x.test SMTP defers"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, server := newFakeStore(), startSMTP(t, c.play)
			store.box("me@x.test", server.MailServer, "a@x.test", "b@x.test")
			fakeEngine(store, nil).SendOnce(t.Context())
			got := [][]string{store.settled, store.notes, server.received()}
			if diff := cmp.Diff([][]string{c.settled, c.notes, c.taken}, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("settled, noted, taken (-want +got):\n%s", diff)
			}
		})
	}
}

// A server that closes the connection between two messages, with or without an answer, delays none
// of them: a message that it did not begin to accept is sent on a new connection.
func TestStaleConnection(t *testing.T) {
	t.Parallel()
	all := []string{"a@x.test", "b@x.test", "c@x.test"}
	cases := map[string]struct {
		command, answer string // of the first connection, where the second message begins
		refused         string // the message before is
	}{
		"gone":              {"MAIL", "", ""},
		"idle for too long": {"MAIL", "421 4.4.2 timeout, closing", ""},
		"full connection":   {"MAIL", "421 4.7.0 too many messages on this connection", "a@x.test"},
		"gone at RSET":      {"RSET", "", "a@x.test"},
		"closing at RSET":   {"RSET", "421 4.3.2 shutting down", "a@x.test"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := newFakeStore()
			server := startSMTP(t, func(connection, n int, is, line string) string {
				switch {
				case connection == 1 && is == c.command && (is == "RSET" || n == 2):
					return c.answer
				case is == "RCPT" && c.refused != "" && strings.Contains(line, c.refused):
					return "550 5.1.1 user unknown"
				}
				return fine(connection, n, is, line)
			})
			store.box("me@x.test", server.MailServer, all...)
			fakeEngine(store, nil).SendOnce(t.Context())
			settled, taken := []string{"a@x.test sent", "b@x.test sent", "c@x.test sent"}, all
			if c.refused != "" {
				settled[0], taken = "a@x.test refused recipient", all[1:]
			}
			if diff := cmp.Diff([][]string{settled, nil, taken}, [][]string{store.settled, store.notes, server.received()}); diff != "" {
				t.Errorf("settled, noted, taken (-want +got):\n%s", diff)
			}
			if n := server.connections(); n != 2 {
				t.Errorf("%d connections, want 2", n)
			}
		})
	}
}

// A server that answers 421 on a new connection too is left alone until the next
// tick; the message waits for its next try.
func TestClosingOnEachConnection(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		first   int // of the MAIL commands to be answered so
		settled []string
	}{
		"from the first message on": {1, []string{"a@x.test deferred"}},
		"after the first message":   {2, []string{"a@x.test sent", "b@x.test deferred"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen atomic.Int32
			store := newFakeStore()
			server := startSMTP(t, func(connection, n int, is, line string) string {
				if is == "MAIL" && int(seen.Add(1)) >= c.first {
					return "421 4.3.2 shutting down"
				}
				return fine(connection, n, is, line)
			})
			store.box("me@x.test", server.MailServer, "a@x.test", "b@x.test", "c@x.test")
			fakeEngine(store, nil).SendOnce(t.Context())
			if diff := cmp.Diff([][]string{c.settled, {"me@x.test SMTP defers"}}, [][]string{store.settled, store.notes}); diff != "" {
				t.Errorf("settled, noted (-want +got):\n%s", diff)
			}
			if n := server.connections(); n != c.first {
				t.Errorf("%d connections, want %d", n, c.first)
			}
		})
	}
}

// If commit 2 withdraws a message, it is dropped and nothing is settled. If the database fails at
// commit 2, the message was not sent, and the server is not blamed for it.
func TestCommitRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		err     error
		settled []string
	}{
		"withdrawn":     {errWithdrawn, []string{"b@x.test sent"}},
		"database away": {errors.New("connection refused"), []string{"a@x.test uncommitted"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, server := newFakeStore(), startSMTP(t, fine)
			store.box("me@x.test", server.MailServer, "a@x.test", "b@x.test")
			store.commit = func(out outreach.Outgoing) error {
				if out.Recipient == "a@x.test" {
					return c.err
				}
				return nil
			}
			fakeEngine(store, nil).SendOnce(t.Context())
			if diff := cmp.Diff(c.settled, store.settled); diff != "" {
				t.Errorf("settled (-want +got):\n%s", diff)
			}
			for _, to := range server.received() {
				if to == "a@x.test" {
					t.Error("a message without commit 2 was sent")
				}
			}
		})
	}
}

// Only this process knows the answer, so it is recorded as soon as the database is back. An error of
// the store's own is final.
func TestSettleInsists(t *testing.T) {
	t.Parallel()
	store, server := newFakeStore(), startSMTP(t, fine)
	store.box("me@x.test", server.MailServer, "a@x.test", "b@x.test")
	store.settle = func(try int) error {
		switch {
		case try < 3:
			return errors.New("the database is away")
		case try == 4:
			return outreach.ErrNotFound
		}
		return nil
	}
	fakeEngine(store, nil).SendOnce(t.Context())
	if diff := cmp.Diff([]string{"a@x.test sent"}, store.settled); diff != "" || store.tries != 4 {
		t.Errorf("%d tries, settled (-want +got):\n%s", store.tries, diff)
	}
}

// Told to stop while a server holds the answer to a dot, the engine waits for it,
// and claims nothing more.
func TestDrainFinishesWhatIsCommitted(t *testing.T) {
	t.Parallel()
	reached, answer := make(chan struct{}), make(chan struct{})
	store := newFakeStore()
	server := startSMTP(t, func(c, n int, is, line string) string {
		if is == "." {
			close(reached)
			<-answer
		}
		return fine(c, n, is, line)
	})
	store.box("me@x.test", server.MailServer, "a@x.test", "b@x.test")
	e := fakeEngine(store, nil)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	<-reached
	e.RenewOnce(t.Context())
	stop()
	close(answer)
	must(t, <-ended)
	if diff := cmp.Diff([]string{"a@x.test sent"}, store.settled); diff != "" {
		t.Errorf("settled (-want +got):\n%s", diff)
	}
	if len(store.renewals) != 1 || store.messages[store.renewals[0]].Recipient != "a@x.test" {
		t.Errorf("renewed %v, want the one on its way", store.renewals)
	}
}

// A message that has not reached commit 2 when the time to drain ends is cancelled and not sent.
func TestDrainBreaksOff(t *testing.T) {
	t.Parallel()
	reached, never := make(chan struct{}), make(chan struct{})
	store := newFakeStore()
	server := startSMTP(t, func(c, n int, is, line string) string {
		if is == "DATA" {
			close(reached)
			<-never
		}
		return fine(c, n, is, line)
	})
	t.Cleanup(func() { close(never) }) // after, so before the server is waited for
	store.box("me@x.test", server.MailServer, "a@x.test")
	e := fakeEngine(store, nil)
	e.SetPatience(10*time.Millisecond, time.Minute)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	<-reached
	stop()
	must(t, <-ended)
	if diff := cmp.Diff([]string{"a@x.test failed"}, store.settled); diff != "" {
		t.Errorf("settled (-want +got):\n%s", diff)
	}
}

// A server that never answers holds up its own mailbox only.
func TestHangingServerHarmsItself(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	hanging := startSMTP(t, func(int, int, string, string) string { <-never; return "" })
	t.Cleanup(func() { close(never) })
	good, store := startSMTP(t, fine), newFakeStore()
	store.box("slow@x.test", hanging.MailServer, "never@x.test")
	store.box("me@x.test", good.MailServer, "a@x.test", "b@x.test")
	settled := make(chan struct{}, 3)
	e := fakeEngine(store, func(c *engine.Config) {
		c.MaxSenders = 2
		c.Hooks.Settled = func(outreach.SendKind) { settled <- struct{}{} }
	})
	e.SetPatience(time.Millisecond, time.Minute)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	<-settled
	<-settled
	if diff := cmp.Diff([]string{"a@x.test", "b@x.test"}, good.received()); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
	stop()
	must(t, <-ended)
}

// With one worker, mailboxes with much to send take turns.
func TestTurns(t *testing.T) {
	t.Parallel()
	server, store := startSMTP(t, fine), newFakeStore()
	many := make([]string, 250)
	for i := range many {
		many[i] = "a@x.test"
	}
	store.box("busy@x.test", server.MailServer, many...)
	store.box("me@x.test", server.MailServer, "b@x.test")
	fakeEngine(store, func(c *engine.Config) { c.MaxSenders = 1 }).SendOnce(t.Context())
	if len(store.settled) != 251 || store.settled[100] != "b@x.test sent" {
		t.Errorf("%d settled, at place 101 %s; want 251 and b@x.test", len(store.settled), store.settled[100])
	}
}

// A mailbox that has much to send is read anew from time to time: a change of it
// does not wait until nothing is left.
func TestChangedWhileItSends(t *testing.T) {
	t.Parallel()
	former, present, store := startSMTP(t, fine), startSMTP(t, fine), newFakeStore()
	many := make([]string, 250)
	for i := range many {
		many[i] = "a@x.test"
	}
	store.box("me@x.test", former.MailServer, many...)
	store.commit = func(outreach.Outgoing) error {
		store.boxes[0].SMTP = present.MailServer
		return nil
	}
	fakeEngine(store, nil).SendOnce(t.Context())
	if got := []int{len(former.received()), len(present.received()), former.connections(),
		present.connections()}; !slices.Equal(got, []int{100, 150, 1, 1}) {
		t.Errorf("the former and the present server took %v, want 100 and 150 over a connection each", got)
	}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	port := dead.Addr().(*net.TCPAddr).Port
	must(t, dead.Close())
	box := outreach.NewMailbox()
	box.SMTP = startSMTP(t, at("AUTH", "535 5.7.8 wrong password")).MailServer
	box.SMTP.Username, box.SMTP.Password = "me", "secret"
	box.IMAP = outreach.MailServer{Host: "127.0.0.1", Port: port, Username: "me", Password: "secret", Security: outreach.SecurityNone}
	got := engine.Prober{Network: loopback}.Probe(t.Context(), box)
	want := outreach.Faults{
		{Path: outreach.At("smtp"), Code: outreach.CodeMailboxUnreachable, Detail: "SMTP: the server offers no login with a password"},
		{Path: outreach.At("imap"), Code: outreach.CodeMailboxUnreachable, Detail: "IMAP: connection refused"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}
