package storage_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"outreach"
)

func TestSentMovesTheSequence(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	s.subscribe(outreach.OnSent)
	s.subscribe(outreach.OnSent, outreach.OnReplied)
	s.subscribe(outreach.OnClicked)
	c := s.campaign("Spring", box, steps(0, 30)...)
	p := s.prospect("a@x.test")
	e := s.enroll(c, p)
	at := s.clock.Now()
	out := s.send(box)

	same(t, "event", s.events(p.ID), []event{{"sent", nil, map[string]any{"step": 1.0, "messageId": out.MessageID}}})
	same(t, "one delivery for each that asks", s.queued(), []string{"sent", "sent"})
	now := s.enrollment(e)
	same(t, "next step", now.NextStep, new(2))
	same(t, "due after the delay", now.NextSendAt, new(at.Add(30*time.Minute)))
	prospect := got(s.Prospect(s.ctx, s.ws, p.ID))(t)
	same(t, "contacted", prospect.LastContactedAt, &at)
	same(t, "status", prospect.Status, outreach.ProspectInSequence)
	message := got(s.Message(s.ctx, s.ws, out.ID))(t)
	want := outreach.Message{ID: out.ID, WorkspaceID: s.ws, Kind: outreach.MessageStep, CampaignID: &c.ID,
		ProspectID: p.ID, MailboxID: box.ID, EnrollmentID: &e.ID,
		Step: new(1), To: p.Email, Cc: []string{}, Subject: "Step 1", MessageID: out.MessageID,
		Status: outreach.MessageSent, SMTPResponse: new("250 ok"),
		SentAt: &at, Text: "Hello"}
	same(t, "message", message, want)
	same(t, "bytes are dropped", ask[bool](s, `SELECT raw IS NULL FROM messages`), true)
	same(t, "sent today", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).SentToday, 1)

	s.clock.Advance(30 * time.Minute)
	s.send(box)
	same(t, "finished", s.enrollment(e).Status, outreach.EnrollmentFinished)
	same(t, "finished too", s.status(p), outreach.ProspectFinished)
}

func TestNotListedBeforeTheCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	out := s.claim(box)
	_, err := s.Message(s.ctx, s.ws, out.ID)
	refused(t, err, outreach.CodeNotFound)
	must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	_, err = s.Message(s.ctx, s.ws, out.ID)
	refused(t, err, outreach.CodeNotFound)
	s.clock.Advance(time.Minute)
	committed := s.clock.Now().Add(-time.Minute)
	must(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent}))
	same(t, "listed by the time of commit 2", *got(s.Message(s.ctx, s.ws, out.ID))(t).SentAt, committed)
	same(t, "and so is the event", ask[time.Time](s, `SELECT occurred_at FROM events`), committed, cmpopts.EquateApproxTime(0))
}

// A refusal raises bounced and no sent event; what follows depends on whose fault
// it is.
func TestRefusals(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for _, c := range []struct {
		fault      outreach.Fault
		enrollment outreach.EnrollmentStatus
		prospect   outreach.ProspectStatus
		suppressed int
		next       *int
	}{
		{outreach.FaultRecipient, outreach.EnrollmentBounced, outreach.ProspectBounced, 1, nil},
		{outreach.FaultTransient, outreach.EnrollmentActive, outreach.ProspectInSequence, 0, new(2)},
		{outreach.FaultSender, outreach.EnrollmentHeld, outreach.ProspectInSequence, 0, new(1)},
	} {
		t.Run(string(c.fault), func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			s.subscribe(outreach.SubscriptionEvents...)
			box := s.mailbox("me@acme.test")
			p := s.prospect("a@x.test")
			e := s.enroll(s.campaign("C", box, steps(0, 10)...), p)
			out := s.sendWith(box, outreach.SendResult{Kind: outreach.SendRefused, Response: "550 no", Fault: c.fault})
			same(t, "events", s.events(p.ID), []event{{"bounced", nil, map[string]any{"error": "550 no", "step": 1.0}}})
			same(t, "deliveries", s.queued(), []string{"bounced"})
			same(t, "message", got(s.Message(s.ctx, s.ws, out.ID))(t).Status, outreach.MessageBounced)
			now := s.enrollment(e)
			same(t, "enrollment", now.Status, c.enrollment)
			same(t, "next step", now.NextStep, c.next)
			same(t, "prospect", s.status(p), c.prospect)
			same(t, "suppressed", ask[int](s, `
SELECT count(*)::int FROM suppressions WHERE workspace_id = $1 AND reason = 'bounced'`, s.ws), c.suppressed)
		})
	}
}

// A refused step goes out again when a person lets the enrollment go on.
func TestResumeAfterSendersFault(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	s.sendWith(box, outreach.SendResult{Kind: outreach.SendRefused, Response: "550 5.7.1 blocked", Fault: outreach.FaultSender})
	got(s.ResumeEnrollment(s.ctx, s.ws, e.ID, false))(t)
	s.send(box)
	same(t, "events", s.eventTypes(e.ProspectID), []string{"bounced", "sent"})
	same(t, "status", s.enrollment(e).Status, outreach.EnrollmentFinished)
}

func TestThreeSenderFaultsPauseTheMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	blocked := outreach.SendResult{Kind: outreach.SendRefused, Response: "550 5.7.1 blocked", Fault: outreach.FaultSender}
	status := func() outreach.Mailbox { return got(s.Mailbox(s.ctx, s.ws, box.ID))(t) }
	try := func(email string, result outreach.SendResult) {
		s.enroll(c, s.prospect(email))
		s.sendWith(box, result)
	}
	try("1@x.test", blocked)
	try("2@x.test", blocked)
	try("3@x.test", outreach.SendResult{Kind: outreach.SendSent}) // breaks the row
	try("4@x.test", blocked)
	try("5@x.test", blocked)
	same(t, "flagged", status().LastError, new("a message was refused: 550 5.7.1 blocked"))
	same(t, "still sends", status().Status, outreach.MailboxConnected)
	try("6@x.test", blocked)
	same(t, "one domain alone pauses nothing", status().Status, outreach.MailboxConnected)
	try("6@y.test", blocked)
	same(t, "paused", status().Status, outreach.MailboxPaused)
	got(s.ResumeMailbox(s.ctx, s.ws, box.ID))(t)
	try("7@x.test", blocked)
	same(t, "a fresh start", status().Status, outreach.MailboxConnected)
}

func TestThreeTransientBouncesStop(t *testing.T) {
	t.Parallel()
	full := outreach.SendResult{Kind: outreach.SendRefused, Response: "552 full", Fault: outreach.FaultTransient}
	for name, c := range map[string]struct {
		between time.Duration
		want    outreach.EnrollmentStatus
	}{
		"within 14 days": {24 * time.Hour, outreach.EnrollmentFailed},
		"spread wider":   {8 * 24 * time.Hour, outreach.EnrollmentActive},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			box := s.mailbox("me@acme.test")
			e := s.enroll(s.campaign("C", box, steps(0, 0, 0, 0)...), s.prospect("a@x.test"))
			for range 3 {
				s.clock.Advance(c.between)
				s.sendWith(box, full)
			}
			same(t, "status", s.enrollment(e).Status, c.want)
			same(t, "not suppressed", ask[int](s, `SELECT count(*)::int FROM suppressions`), 0)
		})
	}
}

// What was surely not sent is tried again, under the same id, until the server's
// patience and ours are at an end.
func TestPutOff(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	out := s.sendWith(box, outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 later"})
	same(t, "not before its time", s.claim(box), nil)
	same(t, "keeps its mailbox, out of the queue", ask[bool](s, `
SELECT mailbox_id = $1 AND next_send_at IS NULL FROM enrollments`, box.ID), true)
	wait := ask[time.Duration](s, `SELECT lease_until - clock_timestamp() FROM messages`)
	if wait < 14*time.Minute || wait > 15*time.Minute {
		t.Errorf("comes back in %s, want a quarter of an hour", wait)
	}
	same(t, "its mailbox looks again when the wait is over", ask[bool](s, `
SELECT b.look_at = m.lease_until FROM messages m JOIN mailboxes b ON b.id = m.mailbox_id`), true)
	s.exec(`UPDATE messages SET lease_until = now() - interval '1 second'`)
	again := s.sendWith(box, outreach.SendResult{Kind: outreach.SendFailed, Response: "connection refused"})
	same(t, "same id", again.MessageID, out.MessageID)
	s.exec(`UPDATE messages SET lease_until = now() - interval '1 second', tries = 29`)
	s.sendWith(box, outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 later"})
	same(t, "given up", s.enrollment(e).Status, outreach.EnrollmentFailed)
	same(t, "events", s.eventTypes(e.ProspectID), []string{"bounced"})
}

// After a server that cannot be reached, or closes the connection, the first tries follow soon and
// later ones as rarely as after a deferral: an hour without a network makes no prospect bounce.
func TestWaitsBetweenTries(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	for _, c := range []struct {
		tries int // with the one at hand
		kind  outreach.SendKind
		want  time.Duration
	}{
		{1, outreach.SendDeferred, 15 * time.Minute}, {4, outreach.SendDeferred, time.Hour}, {29, outreach.SendDeferred, 3 * time.Hour},
		{1, outreach.SendFailed, time.Minute}, {5, outreach.SendFailed, time.Minute},
		{6, outreach.SendFailed, 90 * time.Minute}, {29, outreach.SendFailed, 3 * time.Hour},
		{1, outreach.SendUncommitted, 5 * time.Second}, {30, outreach.SendUncommitted, 5 * time.Second},
	} {
		out := s.claim(box)
		s.exec(`UPDATE messages SET tries = $1`, c.tries)
		must(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: c.kind, Response: "later"}))
		wait := ask[time.Duration](s, `SELECT lease_until - clock_timestamp() FROM messages`)
		if wait > c.want || wait < c.want-30*time.Second {
			t.Errorf("after try %d (%s) the next comes in %s, want %s", c.tries, c.kind, wait, c.want)
		}
		s.exec(`UPDATE messages SET lease_until = now() - interval '1 second'`)
	}
}

// An answer lost after the final dot raises no event, and the step is not sent again until there is
// proof or a person decides.
func TestUnknownHoldsUntilSettled(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	lost := outreach.SendResult{Kind: outreach.SendUnknown, Response: "connection lost"}
	for name, c := range map[string]struct {
		settle  func(s *stage, box outreach.Mailbox, out *outreach.Outgoing)
		events  []string
		status  outreach.MessageStatus
		sending int // claims afterwards
	}{
		"nothing yet": {func(*stage, outreach.Mailbox, *outreach.Outgoing) {}, nil, outreach.MessageUnknown, 0},
		"resumed by hand, which does not concern the message": {func(s *stage, _ outreach.Mailbox, out *outreach.Outgoing) {
			m := got(s.Message(s.ctx, s.ws, out.ID))(s.t)
			got(s.ResumeEnrollment(s.ctx, s.ws, *m.EnrollmentID, false))(s.t)
		}, nil, outreach.MessageUnknown, 0},
		"resolved as sent": {func(s *stage, _ outreach.Mailbox, out *outreach.Outgoing) {
			m := got(s.ResolveMessage(s.ctx, s.ws, out.ID, outreach.ResolvedSent))(s.t)
			same(s.t, "answer", m.Status, outreach.MessageSent)
		}, []string{"sent"}, outreach.MessageSent, 1},
		"resolved as not sent": {func(s *stage, _ outreach.Mailbox, out *outreach.Outgoing) {
			got(s.ResolveMessage(s.ctx, s.ws, out.ID, outreach.ResolvedNotSent))(s.t)
		}, nil, outreach.MessageNotSent, 1},
		"found in the Sent folder": {func(s *stage, box outreach.Mailbox, out *outreach.Outgoing) {
			unknowns := got(s.Unknowns(s.ctx, box.Ref()))(s.t)
			same(s.t, "looked for", unknowns,
				[]outreach.Outgoing{{WorkspaceID: s.ws, ID: out.ID, MessageID: out.MessageID, Recipient: out.Recipient}})
			s.foundInSent(out.ID)
			s.foundInSent(out.ID) // twice is once
		}, []string{"sent"}, outreach.MessageSent, 1},
		"answered": {func(s *stage, box outreach.Mailbox, out *outreach.Outgoing) { s.replyTo(box, "a@x.test", out, nil) },
			[]string{"sent", "replied"}, outreach.MessageSent, 0},
		"answered by machine": {func(s *stage, box outreach.Mailbox, out *outreach.Outgoing) {
			s.ingest(box, s.received(box, outreach.ReceivedAutomatic, "a@x.test", out))
		}, []string{"sent"}, outreach.MessageSent, 1},
		"bounced": {func(s *stage, box outreach.Mailbox, out *outreach.Outgoing) {
			in := s.received(box, outreach.ReceivedBounce, "mailer-daemon@x.test", out)
			in.Bounces = []outreach.Bounce{{Address: "a@x.test", Fault: outreach.FaultRecipient, Error: "550 5.1.1"}}
			s.ingest(box, in)
		}, []string{"sent", "bounced"}, outreach.MessageBounced, 0},
		"a message that refers to nothing proves nothing": {func(s *stage, box outreach.Mailbox, _ *outreach.Outgoing) {
			s.ingest(box, s.received(box, outreach.ReceivedAutomatic, "a@x.test", nil))
		}, nil, outreach.MessageUnknown, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			p := s.prospect("a@x.test")
			e := s.enroll(s.campaign("C", box, steps(0, 0)...), p)
			out := s.sendWith(box, lost)
			same(t, "held", s.enrollment(e).Status, outreach.EnrollmentHeld)
			same(t, "shown", got(s.Message(s.ctx, s.ws, out.ID))(t).Status, outreach.MessageUnknown)
			c.settle(s, box, out)
			same(t, "events", s.eventTypes(p.ID), c.events, cmpopts.EquateEmpty())
			same(t, "message", s.messageStatus(out), c.status)
			sending := 0
			if s.claim(box) != nil {
				sending = 1
			}
			same(t, "goes on", sending, c.sending)
			if c.status != outreach.MessageUnknown {
				_, err := s.ResolveMessage(s.ctx, s.ws, out.ID, outreach.ResolvedSent)
				if code := outreach.CodeOf(err); code != outreach.CodeInvalidState && code != outreach.CodeNotFound {
					t.Errorf("resolved twice: %v", err)
				}
			}
		})
	}
}

// messageStatus is what became of a message, shown or not.
func (s *stage) messageStatus(out *outreach.Outgoing) outreach.MessageStatus {
	return ask[outreach.MessageStatus](s, `SELECT status FROM messages WHERE id = $1`, out.ID)
}

// An unknown that a person says was not sent leaves the list, and its step goes out
// as another message, once.
func TestResolvedAsNotSent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.subscribe(outreach.OnSent)
	box := s.mailbox("me@acme.test")
	p := s.prospect("a@x.test")
	e := s.enroll(s.campaign("C", box, steps(0, 60)...), p)
	first := s.sendWith(box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
	before := got(s.Message(s.ctx, s.ws, first.ID))(t)
	same(t, "answer", got(s.ResolveMessage(s.ctx, s.ws, first.ID, outreach.ResolvedNotSent))(t), before)
	_, err := s.Message(s.ctx, s.ws, first.ID)
	refused(t, err, outreach.CodeNotFound)
	for _, again := range []outreach.Resolution{outreach.ResolvedNotSent, outreach.ResolvedSent} {
		_, err := s.ResolveMessage(s.ctx, s.ws, first.ID, again)
		refused(t, err, outreach.CodeNotFound)
	}
	// The process that was thought dead has nothing to say any more.
	must(t, s.SettleMessage(s.ctx, first.Ref(), "me", outreach.SendResult{Kind: outreach.SendDeferred, Response: "451"}))
	same(t, "queued", s.queued(), nil, cmpopts.EquateEmpty())

	second := s.send(box)
	if second.ID == first.ID || second.MessageID == first.MessageID || second.Recipient != first.Recipient {
		t.Fatalf("sent %v after %v", second, first)
	}
	same(t, "nothing more", s.claim(box), nil)
	same(t, "goes on", *s.enrollment(e).NextStep, 2)
	same(t, "queued", s.queued(), []string{"sent"})
	list := func(status *outreach.MessageStatus) (all []string) {
		for _, m := range got(s.ListMessages(s.ctx, s.ws, outreach.MessageFilter{Status: status}, outreach.Page{Limit: 10}))(t).Rows {
			all = append(all, fmt.Sprintf("%s %v", m.Status, m.ID == second.ID))
		}
		return sorted(all)
	}
	same(t, "listed", list(nil), []string{"sent true"})
	same(t, "listed as unknown", list(new(outreach.MessageUnknown)), nil, cmpopts.EquateEmpty())
}

// A word on a message of an earlier run says nothing about the present one.
func TestResolvedAfterRestart(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for _, as := range []outreach.Resolution{outreach.ResolvedNotSent, outreach.ResolvedSent} {
		t.Run(string(as), func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			p := s.prospect("a@x.test")
			c := s.campaign("C", box, steps(0, 60)...)
			e := s.enroll(c, p)
			lost := s.sendWith(box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
			got(s.StopEnrollment(s.ctx, s.ws, e.ID))(t)
			got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectID: &p.ID, Restart: true}))(t)
			s.send(box)
			waiting := s.enrollment(e)
			got(s.ResolveMessage(s.ctx, s.ws, lost.ID, as))(t)
			same(t, "enrollment", s.enrollment(e), waiting)
			same(t, "claims", s.claim(box), nil)
		})
	}
}

// Two people who say different things at once: one of them is heard.
func TestResolvedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	lost := s.sendWith(box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
	var heard [2]error
	var both sync.WaitGroup
	for i, as := range []outreach.Resolution{outreach.ResolvedNotSent, outreach.ResolvedSent} {
		both.Go(func() { _, heard[i] = s.ResolveMessage(s.ctx, s.ws, lost.ID, as) })
	}
	both.Wait()
	sentAgain := s.claimAll(box)
	if (heard[0] == nil) == (heard[1] == nil) || (len(sentAgain) == 1) != (heard[0] == nil) {
		t.Errorf("not sent: %v, sent: %v, sent again to %v", heard[0], heard[1], sentAgain)
	}
}

// A process that dies between commit 2 and commit 3 leaves an unknown, no sooner
// than its lease is over; its answer, should it come after all, still counts.
func TestSweep(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	out := s.claim(box)
	must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	same(t, "alive", got(s.SweepSteps(s.ctx))(t), 0)
	s.exec(`UPDATE messages SET lease_until = now() - interval '1 second'`)
	same(t, "swept", got(s.SweepSteps(s.ctx))(t), 1)
	same(t, "once", got(s.SweepSteps(s.ctx))(t), 0)
	same(t, "unknown", got(s.Message(s.ctx, s.ws, out.ID))(t).Status, outreach.MessageUnknown)
	same(t, "held", s.enrollment(e).Status, outreach.EnrollmentHeld)
	must(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 late"}))
	same(t, "sent after all", got(s.Message(s.ctx, s.ws, out.ID))(t).Status, outreach.MessageSent)
	same(t, "event", s.eventTypes(e.ProspectID), []string{"sent"})
}

func TestLeasesAreRenewedByTheirHolder(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	out := s.claim(box)
	left := func() time.Duration {
		return ask[time.Duration](s, `SELECT lease_until - clock_timestamp() FROM messages`)
	}
	s.exec(`UPDATE messages SET lease_until = clock_timestamp() + interval '5 seconds'`)
	must(t, s.RenewMessages(s.ctx, []outreach.Ref{out.Ref()}, "somebody else"))
	if left() > 5*time.Second {
		t.Error("somebody else renewed the lease")
	}
	must(t, s.RenewMessages(s.ctx, []outreach.Ref{out.Ref()}, "me"))
	if left() < 20*time.Second {
		t.Errorf("the lease has %s left after renewal", left())
	}
}

// An event lives in the transaction of what it tells: where that fails there is
// neither.
func TestEventAndEffectAreOne(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.subscribe(outreach.OnSent)
	box := s.mailbox("me@acme.test")
	e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	out := s.claim(box)
	must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	s.exec(`ALTER TABLE deliveries ADD CONSTRAINT broken CHECK (url = 'never')`)
	if err := s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent}); err == nil {
		t.Fatal("settled although its delivery cannot be stored")
	}
	same(t, "no event", s.eventTypes(e.ProspectID), []string{}, cmpopts.EquateEmpty())
	same(t, "still committing", ask[bool](s, `SELECT status = 'claimed' AND committed_at IS NOT NULL FROM messages`), true)
}

// The time of a refused message is that of its final dot if it got so far, else that of the refusal.
func TestSentAtOfARefusal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dot  bool
		want time.Duration // after the claim
	}{"at RCPT": {false, 5 * time.Second}, "after the final dot": {true, 2 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			box := s.mailbox("me@acme.test")
			s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
			out, claimed := s.claim(box), s.clock.Now()
			s.clock.Advance(2 * time.Second)
			if c.dot {
				must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
			}
			s.clock.Advance(3 * time.Second)
			must(t, s.SettleMessage(s.ctx, out.Ref(), "me",
				outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultRecipient, Response: "550 no such user"}))
			listed := got(s.ListMessages(s.ctx, s.ws, outreach.MessageFilter{}, outreach.Page{Limit: 10}))(t).Rows
			same(t, "status", listed[0].Status, outreach.MessageBounced)
			same(t, "sent at", listed[0].SentAt.UTC(), claimed.Add(c.want).UTC())
		})
	}
}
