package storage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"outreach"
)

// A mailbox that another transaction has locked for a moment is leased after it.
func TestReadersLookAgainForALockedMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	tx := got(s.sql.Begin(s.ctx))(t)
	_, err := tx.Exec(s.ctx, `SELECT FROM mailboxes WHERE id = $1 FOR UPDATE`, s.box.ID)
	must(t, err)
	released := make(chan error, 1)
	time.AfterFunc(30*time.Millisecond, func() { released <- tx.Rollback(s.ctx) })
	leased := got(s.Readers(s.ctx, outreach.ReadRequest{Holder: "a", Limit: 10, Share: 10, Every: time.Hour}))(t)
	must(t, <-released)
	same(t, "leased", len(leased), 1)
}

// A mailbox is read by one process at a time. When its lease has ended, another reads it.
func TestReaders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	leased := func(holder string) []outreach.MailboxRef {
		return got(s.Readers(s.ctx, outreach.ReadRequest{Holder: holder, Limit: 10, Share: 10, Every: time.Minute}))(t)
	}
	ref := []outreach.MailboxRef{{WorkspaceID: s.ws, ID: box.ID}}
	same(t, "first", leased("a"), ref)
	s.exec(`UPDATE mailboxes SET receive_at = now()`)
	same(t, "leased", leased("b"), []outreach.MailboxRef{}, cmpopts.EquateEmpty())
	s.exec(`UPDATE mailboxes SET receive_lease = now() - interval '1 second'`)
	same(t, "left by a dead one", leased("b"), ref)
	must(t, s.DoneReading(s.ctx, s.ws, box.ID, "a", new("not mine any more")))
	same(t, "a's word does not count", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
	must(t, s.DoneReading(s.ctx, s.ws, box.ID, "b", new("login refused")))
	m := got(s.Mailbox(s.ctx, s.ws, box.ID))(t)
	same(t, "error", m.Status, outreach.MailboxError)
	same(t, "words", m.LastError, new("login refused"))
	same(t, "not before its time", leased("b"), []outreach.MailboxRef{}, cmpopts.EquateEmpty())
	s.exec(`UPDATE mailboxes SET receive_at = now()`)
	got(s.PauseMailbox(s.ctx, s.ws, box.ID))(t)
	same(t, "a paused one is still read", leased("b"), ref)
	got(s.ResumeMailbox(s.ctx, s.ws, box.ID))(t)
	must(t, s.LeaveReading(s.ctx, s.ws, box.ID, "a"))
	must(t, s.LeaveReading(s.ctx, uuid.New(), box.ID, "b"))
	same(t, "left by another, or for another workspace", leased("c"), []outreach.MailboxRef{}, cmpopts.EquateEmpty())
	must(t, s.LeaveReading(s.ctx, s.ws, box.ID, "b"))
	same(t, "left by its reader", leased("b"), ref)
	must(t, s.DoneReading(s.ctx, s.ws, box.ID, "b", nil))
	same(t, "connected again", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
}

// A workspace with many mailboxes that are never done leaves the next slot to one
// with few, however long its own have been due.
func TestReadersTakeTurns(t *testing.T) {
	t.Parallel()
	theirs := newStage(t)
	for i := range 10 {
		theirs.mailbox(fmt.Sprintf("m%d@acme.test", i))
	}
	theirs.exec(`UPDATE mailboxes SET receive_at = now() - interval '1 hour'`)
	ours := theirs.room(t)
	ours.mailbox("one@ours.test")
	ours.mailbox("two@ours.test")
	leased := func(limit int) (own, foreign int) {
		for _, ref := range got(theirs.Readers(theirs.ctx, outreach.ReadRequest{Holder: "a", Limit: limit, Share: 100, Every: time.Minute}))(t) {
			if ref.WorkspaceID == ours.ws {
				own++
				continue
			}
			foreign++
		}
		return own, foreign
	}
	for _, c := range []struct{ limit, own, foreign int }{
		{2, 1, 1}, // one of each
		{2, 1, 1},
		{4, 0, 4}, // no other mailbox is due
	} {
		own, foreign := leased(c.limit)
		same(t, fmt.Sprint(c), []int{own, foreign}, []int{c.own, c.foreign})
	}
	ours.exec(`UPDATE mailboxes SET receive_at = now(), receive_lease = NULL WHERE workspace_id = $1`, ours.ws)
	own, foreign := leased(2)
	same(t, "six of theirs are being read", []int{own, foreign}, []int{2, 0})
	own, foreign = leased(100)
	same(t, "the rest", []int{own, foreign}, []int{0, 4})
}

// One process reads no more mailboxes of a workspace than its share, counting those
// that it is reading already.
func TestReadersKeepToTheShare(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 6 {
		s.mailbox(fmt.Sprintf("m%d@acme.test", i))
	}
	leased := func(holder string) int {
		return len(got(s.Readers(s.ctx, outreach.ReadRequest{Holder: holder, Limit: 3, Share: 4, Every: time.Minute}))(t))
	}
	for _, c := range []struct {
		holder string
		want   int
	}{{"a", 3}, {"a", 1}, {"a", 0}, {"b", 2}} {
		same(t, c.holder, leased(c.holder), c.want)
	}
}

// A mailbox is read at each interval for 30 days after it was connected and after its last message,
// a step or an answer, and every 15 minutes otherwise. A message makes an idle one due at once.
func TestIdleMailboxesAreReadLessOften(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	next := func(every time.Duration) time.Duration {
		t.Helper()
		s.exec(`UPDATE mailboxes SET receive_at = '-infinity', receive_lease = NULL`)
		request := outreach.ReadRequest{Holder: "a", Limit: 10, Share: 10, Every: every}
		same(t, "leased", len(got(s.Readers(s.ctx, request))(t)), 1)
		return ask[time.Duration](s, `SELECT (receive_at - receive_lease) + $1 FROM mailboxes`, outreach.LeaseLength)
	}
	wakes := func(do func()) {
		t.Helper()
		do()
		same(t, "due at once", ask[bool](s, `SELECT receive_at <= now() FROM mailboxes`), true)
	}
	box := s.mailbox("me@acme.test")
	same(t, "connected of late", next(time.Minute), time.Minute)
	s.exec(`UPDATE mailboxes SET created_at = $1`, outreach.IdleSince(s.clock.Now()))
	same(t, "without a message", next(time.Minute), 15*time.Minute)
	same(t, "with a long interval", next(time.Hour), time.Hour)
	c := s.campaign("C", box, steps(0)...)
	s.enroll(c, s.prospect("ann@x.test"))
	var out *outreach.Outgoing
	wakes(func() { out = s.send(box) })
	same(t, "with a message", next(time.Minute), time.Minute)
	s.enroll(c, s.prospect("bob@x.test"))
	s.send(box)
	same(t, "a second message wakes nothing", ask[bool](s, `SELECT receive_at <= now() FROM mailboxes`), false)
	s.replyTo(box, "ann@x.test", out, nil)
	s.clock.Advance(29 * 24 * time.Hour)
	same(t, "after 29 days", next(time.Minute), time.Minute)
	s.clock.Advance(2 * 24 * time.Hour)
	same(t, "after 31 days", next(time.Minute), 15*time.Minute)
	answer := got(s.CreateAnswer(s.ctx, outreach.Answer{WorkspaceID: s.ws, ReplyID: s.lastReply().ID,
		AnswerText: outreach.AnswerText{BodyText: new("Hello")}}, answerMail{}))(t)
	s.clock.Advance(outreach.UndoDelay)
	same(t, "due answers", len(s.due()), 1)
	wakes(func() { must(t, s.CommitAnswer(s.ctx, s.ref(answer.ID), "me")) })
	must(t, s.SettleAnswer(s.ctx, s.ref(answer.ID), "me", outreach.SendResult{Kind: outreach.SendSent}, ""))
	same(t, "with an answer", next(time.Minute), time.Minute)
}
