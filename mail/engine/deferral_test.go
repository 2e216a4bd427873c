package engine_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// readersDue makes each mailbox due for reading.
func (w *world) readersDue() {
	w.t.Helper()
	w.exec(`UPDATE mailboxes SET receive_at = '-infinity', receive_lease = NULL`)
}

// retry lets each message that waits for its next try be due, and runs one tick of sending and one
// of reading.
func (w *world) retry() {
	w.t.Helper()
	w.exec(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE status = 'claimed' AND holder IS NULL`)
	w.engine.SendOnce(w.ctx)
	w.readersDue()
	w.engine.ReceiveOnce(w.ctx)
}

// told checks what the owner of the mailbox sees: its state, its last error and the attention item,
// which are all there or none.
func (w *world) told(when, problem string) {
	w.t.Helper()
	want := []string{string(outreach.MailboxConnected), ""}
	if problem != "" {
		want = []string{string(outreach.MailboxError), problem,
			string(outreach.AttentionMailboxError) + " Mail server fails for " + sender + " " + problem}
	}
	status, words := w.ownState()
	got := []string{string(status), words}
	all, err := w.Attention(w.ctx, w.ws)
	must(w.t, err)
	for _, a := range all {
		got = append(got, string(a.Kind)+" "+a.Title+" "+a.Detail)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("%s, the owner is told (-want +got):\n%s", when, diff)
	}
}

// A server answers 4xx before it knows a recipient, again and again. After half an hour the owner is
// told what it says. The mailbox is then tried at each reading, and no message uses up a try. When
// the server takes mail again, the mark is gone and each message goes out once.
func TestServerDefersEverything(t *testing.T) {
	t.Parallel()
	for command, c := range map[string]struct{ answer, problem string }{
		"connect": {"421 4.3.2 too many connections", "SMTP: 421 4.3.2 too many connections"},
		"EHLO":    {"451 4.3.0 come back later", "SMTP: 451 4.3.0 come back later"},
		"AUTH": {"454 4.7.0 temporary authentication failure",
			"SMTP: login refused: 454 4.7.0 temporary authentication failure"},
		"MAIL": {"451 4.7.1 slow down", "SMTP: 451 4.7.1 slow down"},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			var defers atomic.Bool
			defers.Store(true)
			server := startSMTP(t, func(connection, n int, is, line string) string {
				if is == command && defers.Load() {
					return c.answer
				}
				return withLogin(connection, n, is, line)
			})
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			w.campaignAt(server.MailServer, "ann@away.test", "bob@away.test")

			w.retry()
			w.told("at first", "")
			w.clock.Advance(outreach.DeferralAllowed - time.Second)
			w.retry()
			w.told("before half an hour", "")
			w.clock.Advance(time.Second)
			w.retry()
			w.told("after half an hour", c.problem)

			tries, connections := w.tries(), server.connections()
			w.retry()
			w.retry()
			w.told("later", c.problem)
			if diff := cmp.Diff(tries, w.tries()); diff != "" {
				t.Errorf("tries of the messages (-want +got):\n%s", diff)
			}
			if n := server.connections() - connections; n != 2 {
				t.Errorf("the server was tried %d times at two readings", n)
			}

			defers.Store(false)
			w.readersDue()
			w.engine.ReceiveOnce(w.ctx)
			w.told("when the server takes mail again", "")
			w.retry()
			w.retry()
			w.told("at the end", "")
			if diff := cmp.Diff(map[string]string{"ann@away.test": "sent", "bob@away.test": "sent"}, w.statuses()); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			got := server.received()
			slices.Sort(got)
			if diff := cmp.Diff([]string{"ann@away.test", "bob@away.test"}, got); diff != "" {
				t.Errorf("the server got (-want +got):\n%s", diff)
			}
		})
	}
}

// A server answers every recipient or every message with 4xx. After half an hour at two domains the
// owner is told, and nothing is tried for as long. Then one message to each domain is tried. When the
// server takes mail again, each message goes out once.
func TestServerDefersEveryRecipient(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"RCPT", "DATA", "."} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			var defers atomic.Bool
			defers.Store(true)
			server := startSMTP(t, func(connection, n int, is, line string) string {
				if is == command && defers.Load() {
					return "451 4.3.0 queue is full"
				}
				return withLogin(connection, n, is, line)
			})
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			w.campaignAt(server.MailServer, "ann@away.test", "bob@elsewhere.test")
			const problem = "SMTP: 451 4.3.0 queue is full"

			w.retryAll()
			w.told("at first", "")
			w.clock.Advance(outreach.DeferralAllowed - time.Second)
			w.retryAll()
			w.told("before half an hour", "")
			w.clock.Advance(time.Second)
			w.retryAll()
			w.told("after half an hour", problem)

			tries := w.tries()
			w.clock.Advance(outreach.DeferralAllowed - time.Second)
			w.retryAll()
			w.told("for half an hour more", problem)
			if diff := cmp.Diff(tries, w.tries()); diff != "" {
				t.Errorf("tries of the messages (-want +got):\n%s", diff)
			}
			w.clock.Advance(time.Second)
			w.readersDue()
			w.engine.ReceiveOnce(w.ctx)
			w.told("before the next try", "")
			w.retryAll()
			w.told("after the next try", problem)

			defers.Store(false)
			w.clock.Advance(outreach.DeferralAllowed)
			w.retryAll()
			w.retryAll()
			w.told("at the end", "")
			if diff := cmp.Diff(map[string]string{"ann@away.test": "sent", "bob@elsewhere.test": "sent"}, w.statuses()); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			if kept := rows[*string](w, `SELECT recipient_deferral::text FROM mailboxes`)[0]; kept != nil {
				t.Errorf("the mailbox keeps %s", *kept)
			}
		})
	}
}

// retryAll is retry for two messages of which a tick may try one only. The mailbox looks for what is
// due, as it does when the time of the next try has come.
func (w *world) retryAll() {
	w.t.Helper()
	w.exec(`UPDATE mailboxes SET look_at = '-infinity'`)
	w.retry()
	w.exec(`UPDATE mailboxes SET look_at = '-infinity'`)
	w.engine.SendOnce(w.ctx)
}

// A server that defers the recipients of one domain only, or takes a message in between, is not told.
func TestServerDefersOneDomain(t *testing.T) {
	t.Parallel()
	for what, emails := range map[string][]string{
		"one domain":       {"ann@away.test", "bob@away.test"},
		"another is taken": {"ann@away.test", "bob@taken.test"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			server := startSMTP(t, func(connection, n int, is, line string) string {
				if is == "RCPT" && strings.Contains(line, "away.test") {
					return "451 4.7.1 greylisted"
				}
				return withLogin(connection, n, is, line)
			})
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			w.campaignAt(server.MailServer, emails...)
			for range 4 {
				w.retryAll()
				w.told("while one domain defers", "")
				w.clock.Advance(outreach.DeferralAllowed)
			}
		})
	}
}

// withLogin is a server that asks for a password and takes everything.
func withLogin(connection, n int, is, line string) string {
	switch is {
	case "EHLO":
		return "250-here\r\n250 AUTH PLAIN"
	case "AUTH":
		return "235 2.7.0 welcome"
	}
	return fine(connection, n, is, line)
}

// campaignAt sends one step to each address over an SMTP server that takes a password.
func (w *world) campaignAt(server outreach.MailServer, emails ...string) outreach.Campaign {
	w.t.Helper()
	box := w.mailbox(sender, func(m *outreach.Mailbox) {
		m.SMTP, m.SMTP.Username, m.SMTP.Password = server, "me", "a secret"
	})
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello"), BodyText: new("Hello")}}
	}, box)
	for _, email := range emails {
		w.enroll(c, email, nil)
	}
	return c
}

// tries returns how often each message was tried.
func (w *world) tries() []int {
	w.t.Helper()
	return rows[int](w, `SELECT tries FROM messages ORDER BY recipient`)
}

// A server that defers now and then, but takes mail in between, is not told to the owner.
func TestServerDefersNowAndThen(t *testing.T) {
	t.Parallel()
	var defers atomic.Bool
	server := startSMTP(t, func(connection, n int, is, line string) string {
		if is == "AUTH" && defers.Load() {
			return "454 4.7.0 temporary authentication failure"
		}
		return withLogin(connection, n, is, line)
	})
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	c := w.campaignAt(server.MailServer)
	for _, email := range []string{"ann@away.test", "bob@away.test"} {
		w.enroll(c, email, nil)
		defers.Store(true)
		w.retry()
		w.told("while it defers", "")
		defers.Store(false)
		w.clock.Advance(outreach.DeferralAllowed)
		w.retry()
		w.told("after it has not", "")
	}
	if since := rows[*time.Time](w, `SELECT smtp_deferred_since FROM mailboxes`)[0]; since != nil {
		t.Errorf("it defers since %v", since)
	}
}

// An answer that a server defers counts as a step does.
func TestServerDefersAnswers(t *testing.T) {
	t.Parallel()
	for command, answer := range map[string]string{"connect": "421 4.3.2 too many connections", "MAIL": "451 4.7.1 slow down"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			var defers atomic.Bool
			defers.Store(true)
			server := startSMTP(t, func(connection, n int, is, line string) string {
				if is == command && defers.Load() {
					return answer
				}
				return fine(connection, n, is, line)
			})
			store := newFakeStore()
			box := store.box("me@acme.test", server.MailServer)
			out := outreach.OutgoingAnswer{MailboxID: box.ID,
				Outgoing: outreach.Outgoing{ID: uuid.New(), Recipient: "ann@away.test", Raw: []byte("Subject: x\r\n\r\nhello\r\n")}}
			for range 2 {
				store.answers = []outreach.OutgoingAnswer{out}
				fakeEngine(store, nil).AnswerOnce(t.Context())
			}
			defers.Store(false)
			store.answers = []outreach.OutgoingAnswer{out}
			fakeEngine(store, nil).AnswerOnce(t.Context())
			if diff := cmp.Diff([]string{"me@acme.test SMTP defers", "me@acme.test SMTP no longer defers"}, store.notes); diff != "" {
				t.Errorf("noted (-want +got):\n%s", diff)
			}
		})
	}
}

// A paused mailbox, which sends answers, stays paused and shows what its server says.
func TestPausedMailboxIsDeferred(t *testing.T) {
	t.Parallel()
	server := startSMTP(t, at("connect", "421 4.3.2 too many connections"))
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	w.campaignAt(server.MailServer)
	boxes, err := w.ListMailboxes(w.ctx, w.ws)
	must(t, err)
	_, err = w.PauseMailbox(w.ctx, w.ws, boxes[0].ID)
	must(t, err)
	must(t, w.NoteSMTPDeferred(w.ctx, boxes[0].Ref(), new(w.clock.Now().Add(-outreach.DeferralAllowed))))
	w.readersDue()
	w.engine.ReceiveOnce(w.ctx)
	if status, problem := w.ownState(); status != outreach.MailboxPaused || problem != "SMTP: 421 4.3.2 too many connections" {
		t.Errorf("the mailbox is %s: %q", status, problem)
	}
}
