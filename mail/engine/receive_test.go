package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
	"outreach/sandbox"
)

// post is a mail server with an account that strangers write to.
type post struct {
	t      *testing.T
	server *sandbox.MailServer
	box    sandbox.Mailbox
}

func newPost(t *testing.T) *post {
	t.Helper()
	server, err := sandbox.StartMailServer(context.WithoutCancel(t.Context()), sandbox.Config{Dir: t.TempDir(), Delay: time.Millisecond})
	must(t, err)
	t.Cleanup(func() { must(t, server.Close()) })
	box, err := server.AddMailbox("me@acme.test", "a secret")
	must(t, err)
	return &post{t, server, box}
}

// write delivers a raw message to the account.
func (p *post) write(raw string) {
	p.t.Helper()
	from := p.server.Mailbox()
	out, err := mail.Send(p.t.Context(), mail.SMTPConfig{Server: from.SMTP, Network: loopback},
		mail.Envelope{From: from.Email, To: p.box.Email},
		[]byte(raw), func(context.Context) error { return nil })
	must(p.t, err)
	if out.Status != mail.StatusAccepted {
		p.t.Fatalf("message was %s: %s", out.Status, out.Text)
	}
}

func rawMessage(n int) string {
	return fmt.Sprintf("From: ada@away.test\r\nMessage-ID: <m%d@away.test>\r\nSubject: %d\r\n\r\nhello\r\n", n, n)
}

// box puts the account into a store.
func (p *post) in(store *fakeStore) outreach.Mailbox {
	box := outreach.NewMailbox()
	box.ID, box.Email, box.SMTP, box.IMAP = uuid.New(), p.box.Email, p.box.SMTP, p.box.IMAP
	store.boxes = append(store.boxes, box)
	return box
}

// read lets every mailbox of the store be read once.
func read(t *testing.T, e *engine.Engine, store *fakeStore) {
	t.Helper()
	for _, box := range store.boxes {
		store.due = append(store.due, box.ID)
	}
	e.ReceiveOnce(t.Context())
}

func keys(taken []outreach.Received) (all []string) {
	for _, in := range taken {
		all = append(all, idOf(in))
	}
	return all
}

// The store gets the time at which the server received a message.
func TestTimeOfArrival(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	p.in(store)
	p.write(rawMessage(1))
	read(t, fakeEngine(store, nil), store)
	if ago := time.Since(store.taken[0].At); ago < 0 || ago > time.Minute {
		t.Errorf("it came %s ago", ago)
	}
}

// A note of absence that is read late is read as of the day on which it came: its
// date without a year is not that of the next.
func TestAbsenceReadLate(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	p.in(store)
	back := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)
	p.write("From: ada@away.test\r\nMessage-ID: <note@away.test>\r\nAuto-Submitted: auto-replied\r\nSubject: Out of office\r\n\r\n" +
		"I am back on " + back.Format("2 January") + ".\r\n")
	late := func(c *engine.Config) { c.Now = func() time.Time { return time.Now().AddDate(0, 0, 5) } }
	read(t, fakeEngine(store, late), store)
	if diff := cmp.Diff(&back, store.taken[0].ReturnDate); diff != "" {
		t.Errorf("return date (-want +got):\n%s", diff)
	}
}

// The position follows what the store ingested: what failed is read again, and what arrived twice is
// passed to it twice under one key.
func TestPositionFollowsIntake(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	p.in(store)
	e := fakeEngine(store, nil)
	for n := range 4 {
		p.write(rawMessage(n))
	}
	away := true
	store.take = func(in outreach.Received) error {
		if idOf(in) == "<m2@away.test>" && away {
			return errors.New("the database is away")
		}
		return nil
	}
	read(t, e, store)
	if diff := cmp.Diff([]string{"<m0@away.test>", "<m1@away.test>"}, keys(store.taken)); diff != "" || len(store.done) != 0 {
		t.Fatalf("given back %v, ingested (-want +got):\n%s", store.done, diff)
	}
	delete(store.positions, store.boxes[0].ID.String()+string(mail.FolderSent)) // that is read before
	if len(store.positions) != 0 {
		t.Fatalf("the position %v passes a message that is not ingested", store.positions)
	}
	away = false
	read(t, e, store)
	p.write(rawMessage(3))
	p.write(rawMessage(4))
	read(t, e, store)
	want := []string{"<m0@away.test>", "<m1@away.test>", "<m2@away.test>", "<m3@away.test>", "<m4@away.test>"}
	if diff := cmp.Diff(want, keys(store.taken)); diff != "" {
		t.Errorf("ingested (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"me@acme.test well", "me@acme.test well"}, store.done); diff != "" {
		t.Errorf("given back (-want +got):\n%s", diff)
	}
}

// A folder that numbers its messages anew is read again from two weeks ago, and
// every message is known by its key.
func TestNumbersGivenAnew(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	box := p.in(store)
	e := fakeEngine(store, nil)
	p.write(rawMessage(1))
	read(t, e, store)
	key := box.ID.String() + "inbox"
	before := store.positions[key]
	store.positions[key] = outreach.FolderPosition{Folder: "inbox", UIDValidity: before.UIDValidity + 1, UID: 900}
	p.write(rawMessage(2))
	read(t, e, store)
	if diff := cmp.Diff([]string{"<m1@away.test>", "<m2@away.test>"}, keys(store.taken)); diff != "" {
		t.Errorf("ingested (-want +got):\n%s", diff)
	}
	want := outreach.FolderPosition{Folder: "inbox", UIDValidity: before.UIDValidity, UID: before.UID + 1}
	if diff := cmp.Diff(want, store.positions[key]); diff != "" {
		t.Errorf("position (-want +got):\n%s", diff)
	}
}

// A mailbox that cannot be read, or hangs, is named with the reason; the others are read
// meanwhile, and a mailbox in error is well only when it can send too.
func TestFailuresStayAtHome(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	hanging := startSMTP(t, func(int, int, string, string) string { <-never; return "" })
	t.Cleanup(func() { close(never) })
	p, store := newPost(t), newFakeStore()
	p.write(rawMessage(1))
	p.in(store)
	p.in(store)
	store.boxes[1].Email, store.boxes[1].IMAP.Password = "locked@acme.test", "wrong"
	store.box("hangs@acme.test", hanging.MailServer)
	p.in(store)
	store.boxes[3].Status, store.boxes[3].Email, store.boxes[3].SMTP.Password = outreach.MailboxError, "broken@acme.test", "wrong"
	e := fakeEngine(store, func(c *engine.Config) { c.Network.Timeouts.Connect = 2 * time.Second })
	read(t, e, store)
	got := map[string]bool{}
	for _, words := range store.done {
		got[words] = true
	}
	want := map[string]bool{
		"me@acme.test well":             true,
		"hangs@acme.test IMAP: timeout": true,
		"locked@acme.test IMAP: login refused: Authentication failed":           true,
		"broken@acme.test SMTP: login refused: 535 5.7.8 Authentication failed": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("given back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"<m1@away.test>", "<m1@away.test>"}, keys(store.taken)); diff != "" {
		t.Errorf("ingested by the two that can be read (-want +got):\n%s", diff)
	}
}

// An engine that is told to stop in the middle of a reading keeps what it has read
// and leaves the rest to others at once.
func TestStopLeavesTheMailbox(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	box := p.in(store)
	p.write(rawMessage(1))
	store.due = []uuid.UUID{box.ID}
	ctx, stop := context.WithCancel(t.Context())
	store.take = func(outreach.Received) error { // the inbox is stored, the junk folder is still to be read
		stop()
		return nil
	}
	must(t, fakeEngine(store, nil).Run(ctx))
	if diff := cmp.Diff([]string{"me@acme.test left"}, store.done); diff != "" {
		t.Errorf("given back (-want +got):\n%s", diff)
	}
	if store.positions[box.ID.String()+"inbox"].UID != 1 {
		t.Errorf("position %v, want behind the message that was read", store.positions)
	}
}

// An unknown that lies in the Sent folder is proven; another stays.
func TestUnknownsAreProven(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	box := p.in(store)
	sent := fmt.Sprintf("From: %s\r\nMessage-ID: <there@acme.test>\r\n\r\nhello\r\n", box.Email)
	_, err := mail.Send(t.Context(), mail.SMTPConfig{Server: box.SMTP, Network: loopback}, mail.Envelope{From: box.Email, To: "x@away.test"},
		[]byte(sent), func(context.Context) error { return nil })
	must(t, err)
	store.unknown = []outreach.Outgoing{{ID: uuid.New(), MessageID: "<gone@acme.test>"}, {ID: uuid.New(), MessageID: "<there@acme.test>"}}
	read(t, fakeEngine(store, nil), store)
	if diff := cmp.Diff([]string{"<there@acme.test>"}, store.proven); diff != "" {
		t.Errorf("proven (-want +got):\n%s", diff)
	}
}

// With IDLE a message is read when it arrives, however long the interval is.
func TestWatcherWakes(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	box := p.in(store)
	store.due = []uuid.UUID{box.ID}
	taken := make(chan outreach.ReceivedKind, 2)
	e := fakeEngine(store, func(c *engine.Config) {
		c.SendInterval, c.ReceiveInterval = time.Hour, time.Hour
		c.Hooks.Ingested = func(kind outreach.ReceivedKind) { taken <- kind }
		c.Wake = func(_ context.Context, box outreach.MailboxRef) error {
			store.mu.Lock()
			defer store.mu.Unlock()
			store.due = append(store.due, box.ID)
			return nil
		}
	})
	p.write(rawMessage(1))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	<-taken
	p.write(rawMessage(2)) // the next tick is an hour away
	<-taken
	stop()
	must(t, <-ended)
	if diff := cmp.Diff([]string{"<m1@away.test>", "<m2@away.test>"}, look(store, func() []string { return keys(store.taken) })); diff != "" {
		t.Errorf("ingested (-want +got):\n%s", diff)
	}
}

// release observes the release of mailboxes.
type release struct {
	*fakeStore
	before func()
}

func (r release) DoneReading(ctx context.Context, workspace, id uuid.UUID, holder string, failure *string) error {
	r.before()
	return r.fakeStore.DoneReading(ctx, workspace, id, holder, failure)
}

// A mailbox is watched only after it was released: a message that a watcher sees before would wait
// for the next interval, because the mailbox cannot be read yet.
func TestWatcherBeginsAfterTheRelease(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	p.in(store)
	ctx, stop := context.WithCancel(t.Context())
	var e *engine.Engine
	watched := -1
	e = fakeEngine(store, func(c *engine.Config) {
		c.Store = release{store, func() { watched = e.Watched() }}
		c.Wake = func(context.Context, outreach.MailboxRef) error { return nil }
	})
	for _, box := range store.boxes {
		store.due = append(store.due, box.ID)
	}
	e.ReceiveOnce(ctx)
	if after := e.Watched(); watched != 0 || after != 1 {
		t.Errorf("%d watchers at the release and %d after it, want 0 and 1", watched, after)
	}
	stop()
}

// idOf returns the Message-ID in the key of a message.
func idOf(in outreach.Received) string {
	id, _, _ := strings.Cut(in.Key, " ")
	return id
}
