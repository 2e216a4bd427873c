package storage_test

import (
	"fmt"
	"testing"
	"time"

	"outreach"
)

// rampUp lets a mailbox begin with two messages a day and send one more after each day.
func (s *stage) rampUp(box outreach.Mailbox) outreach.Mailbox {
	s.t.Helper()
	box = got(s.MailboxWithPasswords(s.ctx, s.ws, box.ID))(s.t)
	box.RampUp = &outreach.RampUp{Start: 2, Increase: 1}
	return got(s.UpdateMailbox(s.ctx, box))(s.t)
}

// A mailbox that ramps up reaches its limit of each day, which steps at midnight in
// UTC once something was sent on the day before. The reason says so.
func TestRampUp(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(friday)
	box := s.rampUp(s.mailbox("me@acme.test"))
	same(t, "at first", []any{box.LimitToday, box.RampUp}, []any{2, &outreach.RampUp{Start: 2, Increase: 1}})
	k := s.campaign("C", box, steps(0)...)
	for i := range 9 {
		s.enroll(k, s.prospect(fmt.Sprintf("p%d@x.test", i)))
	}
	limit := func() int { return got(s.Mailbox(s.ctx, s.ws, box.ID))(t).LimitToday }
	s.send(box)
	s.send(box)
	same(t, "the limit is reached", []any{s.claim(box) == nil, limit()}, []any{true, 2})
	same(t, "why", got(s.Campaign(s.ctx, s.ws, k.ID))(t).NotSendingReason,
		new("me@acme.test ramps up and has reached its limit of 2 in 24 hours; next at Sat 21 Nov 00:00 UTC."))
	same(t, "looked at", got(s.NextSender(s.ctx))(t), friday.Add(12*time.Hour))
	s.clock.Set(friday.Add(12*time.Hour - time.Second))
	same(t, "before midnight", s.claim(box), nil)
	s.clock.Set(friday.Add(12 * time.Hour))
	same(t, "one more at midnight", []any{limit(), len(s.claimAll(box))}, []any{3, 1})
	s.clock.Set(friday.AddDate(0, 0, 9))
	same(t, "days without a message add nothing", limit(), 4)
}

func TestRampUpCountsDaysOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(friday)
	box := s.mailbox("me@acme.test")
	k := s.campaign("C", box, steps(0)...)
	for day := range 3 {
		for n := range 2 {
			s.enroll(k, s.prospect(fmt.Sprintf("p%d.%d@x.test", day, n)))
			s.send(box)
		}
		s.clock.Advance(24 * time.Hour)
	}
	box = s.rampUp(box)
	same(t, "three days", []any{box.SendingDays, box.LimitToday}, []any{3, 5})
}

// bounceFirst makes the addresses of the next n messages of a mailbox bounce.
func (s *stage) bounceFirst(k outreach.Campaign, box outreach.Mailbox, name string, n int) {
	s.t.Helper()
	for i := range n {
		s.enroll(k, s.prospect(fmt.Sprintf("%s%d@x%d.test", name, i, i)))
		s.sendWith(box, outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultRecipient, Response: "550 5.1.1 no such user"})
	}
}

// The eighth bounce pauses the mailbox in the transaction that records it. Its
// attention item and the reason of its campaigns hold the figures, a check does not
// take them away, and a person who resumes it begins anew.
func TestAutoPauseForBounces(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(friday)
	box := s.mailbox("me@acme.test")
	k := s.campaign("C", box, steps(0)...)
	s.bounceFirst(k, box, "a", 7)
	same(t, "seven", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
	s.bounceFirst(k, box, "b", 1)
	why := "8 of the first 8 messages of the last 7 days came back from their recipients; check the addresses, then resume the mailbox"
	paused := got(s.Mailbox(s.ctx, s.ws, box.ID))(t)
	same(t, "eight", []any{paused.Status, paused.LastError}, []any{outreach.MailboxPaused, &why})
	paused = got(s.NoteCheck(s.ctx, s.ws, box.ID, nil))(t)
	same(t, "after a check", []any{paused.Status, paused.LastError}, []any{outreach.MailboxPaused, &why})
	attention := got(s.Attention(s.ctx, s.ws))(t)
	same(t, "attention", []any{attention[0].Kind, attention[0].Detail}, []any{outreach.AttentionMailboxError, why})
	s.enroll(k, s.prospect("next@x.test"))
	same(t, "nothing is claimed", s.claim(box), nil)
	same(t, "reason", got(s.Campaign(s.ctx, s.ws, k.ID))(t).NotSendingReason, new("No mailbox can send: me@acme.test: "+why+"."))
	s.clock.Advance(time.Second)
	resumed := got(s.ResumeMailbox(s.ctx, s.ws, box.ID))(t)
	same(t, "resumed", []any{resumed.Status, resumed.LastError}, []any{outreach.MailboxConnected, (*string)(nil)})
	same(t, "no attention", len(got(s.Attention(s.ctx, s.ws))(t)), 0)
	s.clock.Advance(time.Second)
	s.send(box)
	s.bounceFirst(k, box, "c", 7)
	same(t, "seven more", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
}

// What was claimed before the mailbox was paused does not leave.
func TestPausedMailboxSendsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0)
	out := s.claim(s.box)
	got(s.PauseMailbox(s.ctx, s.ws, s.box.ID))(t)
	s.withdrawn(out)
	got(s.ResumeMailbox(s.ctx, s.ws, s.box.ID))(t)
	same(t, "sent afterwards", s.send(s.box).Recipient, "ann@x.test")
}

func TestAutoPauseForComplaints(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(friday)
	box := s.mailbox("me@acme.test")
	k := s.campaign("C", box, steps(0)...)
	complain := func(name string) {
		s.enroll(k, s.prospect(name))
		out := s.send(box)
		for range 2 { // the second report on one message counts for nothing
			in := s.received(box, outreach.ReceivedComplaint, "abuse@x.test", out)
			in.Bounces = []outreach.Bounce{{Address: name}}
			s.ingest(box, in)
		}
	}
	complain("a@x.test")
	same(t, "one", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
	complain("b@x.test")
	paused := got(s.Mailbox(s.ctx, s.ws, box.ID))(t)
	same(t, "two", []any{paused.Status, paused.LastError}, []any{outreach.MailboxPaused,
		new("2 of 2 messages of the last 7 days were reported as spam (100.0 %, the bound is 0.3 %); write to fewer " +
			"people who do not expect it, then resume the mailbox")})
}

// Bounces of a week ago do not count.
func TestAutoPauseForgets(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(friday)
	box := s.mailbox("me@acme.test")
	k := s.campaign("C", box, steps(0)...)
	s.bounceFirst(k, box, "a", 7)
	s.clock.Advance(8 * 24 * time.Hour)
	s.bounceFirst(k, box, "b", 7)
	same(t, "seven in seven days", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
}
