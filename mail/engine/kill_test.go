package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
	"outreach/mail/engine"
	"outreach/storage"
	"outreach/storage/sending"
	"outreach/storage/stores"
)

// boundary is a place in the ledger at which a process may die.
type boundary string

// All of them, in the order in which a message passes them.
const (
	beforeClaim   boundary = "before commit 1"
	afterClaim    boundary = "after commit 1"
	beforeCommit  boundary = "before commit 2, the message on its way"
	afterCommit   boundary = "after commit 2, before the dot"
	beforeSettle  boundary = "after the dot, before commit 3"
	afterSettle   boundary = "after commit 3"
	nowhere       boundary = "nowhere"
	childVariable          = "ENGINE_TEST_CHILD"
	childName              = "dying process" // of its connections
)

var boundaries = []boundary{beforeClaim, afterClaim, beforeCommit, afterCommit, beforeSettle, afterSettle}

// TestMain also plays the process that is going to die.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		if err := dyingProcess(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// mortal is a store at whose nth passage of a boundary the process kills itself,
// as kill -9 would: nothing is closed, nothing is rolled back in good order.
type mortal struct {
	engine.Store
	where boundary
	left  atomic.Int64
}

func (m *mortal) pass(at boundary) {
	if at == m.where && m.left.Add(-1) == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal is on its way
	}
}

func (m *mortal) ClaimSend(ctx context.Context, box outreach.Mailbox, holder string,
	compose func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error) {
	m.pass(beforeClaim)
	out, err := m.Store.ClaimSend(ctx, box, holder, compose)
	if out != nil {
		m.pass(afterClaim)
	}
	return out, err
}

func (m *mortal) CommitMessage(ctx context.Context, id outreach.Ref, holder string) error {
	m.pass(beforeCommit)
	err := m.Store.CommitMessage(ctx, id, holder)
	m.pass(afterCommit)
	return err
}

func (m *mortal) SettleMessage(ctx context.Context, id outreach.Ref, holder string, result outreach.SendResult) error {
	m.pass(beforeSettle)
	err := m.Store.SettleMessage(ctx, id, holder, result)
	m.pass(afterSettle)
	return err
}

// dyingProcess sends what is due until it dies.
func dyingProcess() error {
	ring, err := outreach.ParseKeyring(os.Getenv("ENGINE_TEST_SECRET"))
	if err != nil {
		return err
	}
	db, err := stores.Open(context.Background(), storage.Config{
		URL: os.Getenv("ENGINE_TEST_DATABASE"), Keyring: ring, BaseURL: "http://127.0.0.1", MaxConns: 4,
	}, func(outreach.Event) ([]byte, error) { return []byte("{}"), nil })
	if err != nil {
		return err
	}
	defer db.Close()
	store := &mortal{Store: db, where: boundary(os.Getenv("ENGINE_TEST_WHERE"))}
	nth, err := strconv.ParseInt(os.Getenv("ENGINE_TEST_NTH"), 10, 64)
	if err != nil {
		return err
	}
	store.left.Store(nth)
	e := engine.New(engine.Config{
		Store: store, Withdrawn: sending.ErrWithdrawn, Network: loopback, ReceiveInterval: time.Microsecond,
		Composer: &engine.Composer{BaseURL: "http://127.0.0.1", Keyring: ring},
	})
	switch {
	case os.Getenv(answersOnly) != "":
		e.AnswerOnce(context.Background())
	case os.Getenv(placementsOnly) != "":
		e.PlaceOnce(context.Background())
	case os.Getenv(receiveOnly) != "":
		e.ReceiveOnce(context.Background())
	default:
		e.SendOnce(context.Background())
	}
	return nil
}

// answersOnly in its environment makes the process send answers instead of steps.
const answersOnly = "ENGINE_TEST_ANSWERS"

// receiveOnly in its environment makes the process read mailboxes instead.
const receiveOnly = "ENGINE_TEST_RECEIVE"

// dies runs a process that dies at the nth passage of a boundary, or after a
// while if it has not got there, and makes its leases end. It has the given variables
// in its environment.
func (w *world) dies(where boundary, nth int, after time.Duration, variables ...string) {
	w.t.Helper()
	self, err := os.Executable()
	must(w.t, err)
	child := exec.CommandContext(w.ctx, self)
	child.Env = append(os.Environ(), childVariable+"=1", "PGAPPNAME="+childName,
		"ENGINE_TEST_WHERE="+string(where), "ENGINE_TEST_NTH="+strconv.Itoa(nth), "ENGINE_TEST_SECRET="+w.secret, "ENGINE_TEST_DATABASE="+w.url)
	for _, name := range variables {
		child.Env = append(child.Env, name+"=1")
	}
	var said bytes.Buffer
	child.Stderr = &said
	must(w.t, child.Start())
	killer := time.AfterFunc(after, func() { _ = child.Process.Kill() })
	defer killer.Stop()
	err = child.Wait()
	status, exited := errors.AsType[*exec.ExitError](err)
	if !exited || status.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		if where != nowhere {
			w.t.Fatalf("the process was to die %s, but: %v %s", where, err, &said)
		}
	}
	eventually(w, "connections of the dead process", 0, func() int { // Postgres first ends its last statement
		return rows[int](w, `
SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`, childName)[0]
	})
	over := time.Now().Add(-time.Second)
	w.exec(`UPDATE messages SET lease_until = $1 WHERE holder IS NOT NULL`, over)
	w.exec(`UPDATE mailboxes SET look_at = '-infinity', receive_lease = least(receive_lease, $1)`, over)
}

// statuses are those of the messages to each prospect, by its address.
func (w *world) statuses() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, row := range rows[string](w, `
SELECT recipient || ' ' || string_agg(status, ',' ORDER BY created_at) FROM messages GROUP BY recipient`) {
		email, status, _ := strings.Cut(row, " ")
		all[email] = status
	}
	return all
}

func (w *world) mailsByAddress() map[string]int {
	all := map[string]int{}
	for _, r := range w.mail.Received() {
		all[r.To]++
	}
	return all
}

// One process has sent to the first of three, the next dies at each boundary while it sends to the
// second; another finishes. No person gets two mails. A message is unknown only if the answer was
// lost, and is settled if the Sent folder proves it.
func TestDeathAtEachBoundary(t *testing.T) {
	t.Parallel()
	want := map[boundary]struct {
		after, proven string // fate of the second message before and after the Sent folder was read
		mails         int
	}{
		beforeClaim:  {"sent", "sent", 1},
		afterClaim:   {"sent", "sent", 1},
		beforeCommit: {"sent", "sent", 1},
		afterCommit:  {"unknown", "unknown", 0},
		beforeSettle: {"unknown", "sent", 1},
		afterSettle:  {"sent", "sent", 1},
	}
	for _, where := range boundaries {
		t.Run(string(where), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, time.Now().UTC(), time.Millisecond)
			c := w.smallCampaign("a@away.test")
			w.engine.SendOnce(w.ctx)
			w.enrollInTurn(c, "b@away.test", "c@away.test")
			w.dies(where, 1, time.Minute)
			w.finish([]string{"a@away.test", "b@away.test", "c@away.test"})
			got := w.statuses()
			second := "b@away.test"
			if diff := cmp.Diff(map[string]string{"a@away.test": "sent", second: want[where].after, "c@away.test": "sent"}, got); diff != "" {
				t.Fatalf("after the second process (-want +got):\n%s", diff)
			}
			w.engine.ReceiveOnce(w.ctx)
			if got := w.statuses()[second]; got != want[where].proven {
				t.Errorf("after reading the Sent folder it is %s, want %s", got, want[where].proven)
			}
			wantMails := map[string]int{"a@away.test": 1, "c@away.test": 1}
			if want[where].mails > 0 {
				wantMails[second] = want[where].mails
			}
			if diff := cmp.Diff(wantMails, w.mailsByAddress()); diff != "" {
				t.Errorf("mails (-want +got):\n%s", diff)
			}
		})
	}
}

// smallCampaign enrolls addresses, each in turn, in a campaign of one step.
func (w *world) smallCampaign(emails ...string) outreach.Campaign {
	w.t.Helper()
	box := w.mailbox("me@acme.test", nil)
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello"), BodyText: new("Hello {{ first_name }}")}}
	}, box)
	w.enrollInTurn(c, emails...)
	return c
}

func (w *world) enrollInTurn(c outreach.Campaign, emails ...string) {
	w.t.Helper()
	for i, email := range emails {
		e := w.enroll(c, email, nil)
		w.exec(`UPDATE enrollments SET next_send_at = $2 WHERE id = $1`, e.Enrollment.ID, w.clock.Now().Add(time.Duration(i-100_000)*time.Second))
	}
}
