package storage_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"outreach"
	"outreach/storage/sending"
)

// late is a campaign of steps without delay and one prospect in it.
type late struct {
	*stage
	box outreach.Mailbox
	c   outreach.Campaign
	p   outreach.Prospect
	e   outreach.Enrollment
}

func (s *stage) late(delays ...int) *late {
	s.t.Helper()
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(delays...)...)
	p := s.prospect("ann@x.test")
	return &late{s, box, c, p, s.enroll(c, p)}
}

func (s *late) restart() {
	s.t.Helper()
	got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &s.p.ID, Restart: true, Force: true}))(s.t)
}

func (s *late) bounce(fault outreach.Fault, about *outreach.Outgoing) {
	s.t.Helper()
	in := s.received(s.box, outreach.ReceivedBounce, "mailer-daemon@x.test", about)
	in.Bounces = []outreach.Bounce{{Fault: fault, Error: "552 5.2.2 full"}}
	s.ingest(s.box, in)
}

func (s *late) away(until time.Time, about *outreach.Outgoing) {
	s.t.Helper()
	in := s.received(s.box, outreach.ReceivedAutomatic, s.p.Email, about)
	in.ReturnDate = &until
	s.ingest(s.box, in)
}

func (s *late) leasesEnd() {
	s.t.Helper()
	s.exec(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE workspace_id = $1`, s.ws)
}

// withdrawn wants commit 2 to refuse.
func (s *late) withdrawn(out *outreach.Outgoing) {
	s.t.Helper()
	if err := s.CommitMessage(s.ctx, out.Ref(), "me"); !errors.Is(err, sending.ErrWithdrawn) {
		s.t.Fatalf("commit: %v, want withdrawn", err)
	}
}

// The third report of a full mailbox ends a sequence that runs, or went through,
// and no other: how one ended before stands, and another run goes on.
func TestThirdTransientReport(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		before func(s *late)
		want   outreach.EnrollmentStatus
	}{
		"while it runs":             {func(*late) {}, outreach.EnrollmentFailed},
		"after it was gone through": {func(s *late) { s.send(s.box) }, outreach.EnrollmentFailed},
		"after a reply":             {func(s *late) { s.replyTo(s.box, s.p.Email, nil, nil) }, outreach.EnrollmentReplied},
		"after it was stopped":      {func(s *late) { got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t) }, outreach.EnrollmentStopped},
		"after it began anew": {func(s *late) {
			got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t)
			s.restart()
		}, outreach.EnrollmentActive},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0, 0, 0)
			sent := []*outreach.Outgoing{s.send(s.box), s.send(s.box), s.send(s.box)}
			c.before(s)
			for _, out := range sent {
				s.bounce(outreach.FaultTransient, out)
			}
			same(t, "enrollment", s.enrollment(s.e).Status, c.want)
		})
	}
}

// A report of the sender's fault holds the enrollment before its next step. What a
// server accepted once is never sent again.
func TestLateReportOnTheSender(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		sent   int // when the report on the first arrives
		status outreach.EnrollmentStatus
		next   *int
		then   int // messages after a person let it go on
	}{
		"on the last that went":       {1, outreach.EnrollmentHeld, new(2), 2},
		"after another went":          {2, outreach.EnrollmentHeld, new(3), 1},
		"after it went through":       {3, outreach.EnrollmentFinished, nil, 0},
		"while another is on its way": {-1, outreach.EnrollmentHeld, new(2), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0, 0)
			first := s.send(s.box)
			for n := 1; n < c.sent; n++ {
				s.send(s.box)
			}
			var onItsWay *outreach.Outgoing
			if c.sent < 0 {
				onItsWay = s.claim(s.box)
			}
			s.bounce(outreach.FaultSender, first)
			if onItsWay != nil {
				s.withdrawn(onItsWay)
			}
			now := s.enrollment(s.e)
			same(t, "status", now.Status, c.status)
			same(t, "next", now.NextStep, c.next)
			if now.Status == outreach.EnrollmentHeld {
				got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, false))(t)
			}
			for range c.then {
				s.send(s.box)
			}
			same(t, "nothing more", s.claim(s.box), nil)
			same(t, "in the end", s.enrollment(s.e).Status, outreach.EnrollmentFinished)
		})
	}
}

// Nor does a report on a message that was said not to have left, when its step has
// gone again.
func TestLateReportOnWhatWasNotSent(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0)
	first := s.sendWith(s.box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
	got(s.ResolveMessage(s.ctx, s.ws, first.ID, outreach.ResolvedNotSent))(t)
	s.send(s.box)
	s.bounce(outreach.FaultSender, first)
	e := s.enrollment(s.e)
	same(t, "held", []any{e.Status, *e.NextStep}, []any{outreach.EnrollmentHeld, 2})
	got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, false))(t)
	s.send(s.box)
	same(t, "in the end", s.enrollment(s.e).Status, outreach.EnrollmentFinished)
}

// What comes back from a message proves that it left, whatever a person said of it;
// its step does not go again if it has not yet.
func TestProofAgainstAWord(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		before, back func(s *late, first *outreach.Outgoing)
		events       []string
		message      outreach.MessageStatus
		next         int
	}{
		"a note, in time": {nil, func(s *late, first *outreach.Outgoing) {
			s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, s.p.Email, first))
		},
			[]string{"sent"}, outreach.MessageSent, 2},
		"a bounce, in time": {nil, func(s *late, first *outreach.Outgoing) { s.bounce(outreach.FaultTransient, first) },
			[]string{"sent", "bounced"}, outreach.MessageBounced, 2},
		"the server's answer, in time": {nil, func(s *late, first *outreach.Outgoing) {
			must(s.t, s.SettleMessage(s.ctx, first.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
		}, []string{"sent"}, outreach.MessageSent, 2},
		"the server's answer, too late": {func(s *late, _ *outreach.Outgoing) { s.send(s.box) }, func(s *late, first *outreach.Outgoing) {
			must(s.t, s.SettleMessage(s.ctx, first.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
		}, []string{"sent"}, outreach.MessageNotSent, 2},
		"a note, while the step goes again": {func(s *late, _ *outreach.Outgoing) { s.claim(s.box) },
			func(s *late, first *outreach.Outgoing) {
				s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, s.p.Email, first))
			},
			nil, outreach.MessageNotSent, 1},
		"a note, too late": {func(s *late, _ *outreach.Outgoing) { s.send(s.box) },
			func(s *late, first *outreach.Outgoing) {
				s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, s.p.Email, first))
			},
			[]string{"sent"}, outreach.MessageNotSent, 2},
		"a note that names nothing": {nil, func(s *late, _ *outreach.Outgoing) {
			s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, s.p.Email, nil))
		},
			nil, outreach.MessageNotSent, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 60)
			first := s.sendWith(s.box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
			got(s.ResolveMessage(s.ctx, s.ws, first.ID, outreach.ResolvedNotSent))(t)
			if c.before != nil {
				c.before(s, first)
			}
			c.back(s, first)
			same(t, "events", s.eventTypes(s.p.ID), c.events, cmpopts.EquateEmpty())
			same(t, "message", s.messageStatus(first), c.message)
			same(t, "next", *s.enrollment(s.e).NextStep, c.next)
		})
	}
}

// A report on the first step changes nothing of the second one that is on its way
// once a person lets the enrollment go on: each goes once.
func TestReportWhileTheNextStepIsOnItsWay(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0)
	first := s.send(s.box)
	second := s.claim(s.box)
	s.bounce(outreach.FaultSender, first)
	got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, false))(t)
	must(t, s.CommitMessage(s.ctx, second.Ref(), "me"))
	must(t, s.SettleMessage(s.ctx, second.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
	same(t, "nothing more", s.claim(s.box), nil)
}

// Resuming or checking a mailbox after a report of its fault sends the next step,
// not the reported one, and never a step that was the last.
func TestReportedStepIsNotSentAgain(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, see := range map[string]func(s *late){
		"resumed by hand": func(s *late) { got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, false))(s.t) },
		"checked":         func(s *late) { s.checkMailbox(s.box) },
		"paused and resumed": func(s *late) {
			got(s.PauseMailbox(s.ctx, s.ws, s.box.ID))(s.t)
			s.resumeMailbox(s.box)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0)
			s.bounce(outreach.FaultSender, s.send(s.box))
			same(t, "held", s.claim(s.box), nil)
			see(s)
			second := s.send(s.box)
			same(t, "step", ask[int](s.stage, `SELECT step FROM messages WHERE id = $1`, second.ID), 2)
			s.bounce(outreach.FaultSender, second)
			same(t, "finished", s.enrollment(s.e).Status, outreach.EnrollmentFinished)
			same(t, "nothing more", s.claim(s.box), nil)
		})
	}
}

// The guard of "never twice" knows a message that was reported after it was
// accepted, whatever else sets the enrollment back.
func TestReportedStepIsGuarded(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0)
	s.bounce(outreach.FaultTransient, s.send(s.box))
	s.exec(`UPDATE enrollments SET next_step = 1, next_send_at = created_at WHERE id = $1`, s.e.ID)
	same(t, "nothing is claimed", s.claim(s.box), nil)
	same(t, "held", s.enrollment(s.e).Status, outreach.EnrollmentHeld)
}

// An unknown message of an earlier run does not hold the present one.
func TestUnknownOfAnEarlierRun(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(s *late, out *outreach.Outgoing){
		"settled": func(s *late, out *outreach.Outgoing) {
			must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"}))
		},
		"swept": func(s *late, _ *outreach.Outgoing) {
			s.leasesEnd()
			same(s.t, "swept", got(s.SweepSteps(s.ctx))(s.t), 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).late(0, 60)
			out := s.claim(s.box)
			must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
			got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(t)
			s.restart()
			before := s.enrollment(s.e)
			lose(s, out)
			same(t, "message", got(s.Message(s.ctx, s.ws, out.ID))(t).Status, outreach.MessageUnknown)
			same(t, "enrollment", s.enrollment(s.e), before)
			s.send(s.box)
		})
	}
}

// A person who turns out to be away while a step is on its way to them does not
// get it before they are back.
func TestAwayWhileAStepIsOnItsWay(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0, 0)
	back := s.clock.Now().AddDate(0, 0, 3)
	first := s.send(s.box)
	second := s.claim(s.box)
	s.away(back, first)
	s.withdrawn(second)
	same(t, "held", s.enrollment(s.e).HoldUntil, &back)
	same(t, "nothing to send", s.claim(s.box), nil)
	s.clock.Set(back)
	must(t, s.RefreshCampaigns(s.ctx))
	same(t, "number", ask[int](s.stage, `SELECT step FROM messages WHERE id = $1`, s.send(s.box).ID), 2)
}

// The day on which a person is back begins where they are, or, as far as that is
// not known, where the campaign is.
func TestAwayUntilTheirDayBegins(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC))
	losAngeles, auckland := new("America/Los_Angeles"), "Pacific/Auckland"
	for name, c := range map[string]struct {
		theirs   *string
		campaign string
		unknown  bool // whether the message left, until the note comes
		want     time.Time
	}{
		"theirs":                        {losAngeles, auckland, false, time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)},
		"theirs, of an unknown":         {losAngeles, auckland, true, time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)},
		"the campaign's":                {nil, auckland, false, time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC)},
		"the campaign's, of an unknown": {nil, auckland, true, time.Date(2026, 11, 30, 11, 0, 0, 0, time.UTC)},
		"neither":                       {nil, "UTC", false, time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s.room(t).late(0, 0)
			got(s.UpdateProspect(s.ctx, s.ws, s.p.ID, func(p *outreach.Prospect) { p.Timezone = c.theirs }))(t)
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(k *outreach.Campaign) { k.Timezone = c.campaign }))(t)
			result := outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}
			if c.unknown {
				result.Kind = outreach.SendUnknown
			}
			s.away(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), s.sendWith(s.box, result))
			e := s.enrollment(s.e)
			same(t, "until", e.HoldUntil, &c.want)
			same(t, "why", e.HoldReason, new("out of office until 2026-12-01"))
		})
	}
}

// After a step that can no longer be held back the person stays away.
func TestAwayAfterTheCommit(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, result := range map[string]outreach.SendResult{
		"sent":    {Kind: outreach.SendSent, Response: "250 ok"},
		"refused": {Kind: outreach.SendRefused, Response: "552 5.2.2 full", Fault: outreach.FaultTransient},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0, 0)
			back := s.clock.Now().AddDate(0, 0, 3)
			first := s.send(s.box)
			second := s.claim(s.box)
			must(t, s.CommitMessage(s.ctx, second.Ref(), "me"))
			s.away(back, first)
			must(t, s.SettleMessage(s.ctx, second.Ref(), "me", result))
			e := s.enrollment(s.e)
			same(t, "held", []any{e.Status, *e.HoldUntil, *e.NextStep}, []any{outreach.EnrollmentHeld, back, 3})
		})
	}
}

// A person with a new address is written to there, though a message to the
// former one was made already.
func TestAddressChangedOnTheWay(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, wait := range map[string]func(s *late, out *outreach.Outgoing){
		"at the last moment": func(s *late, out *outreach.Outgoing) { s.withdrawn(out) },
		"put off": func(s *late, out *outreach.Outgoing) {
			must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 later"}))
			s.leasesEnd()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0)
			out := s.claim(s.box)
			got(s.UpdateProspect(s.ctx, s.ws, s.p.ID, func(p *outreach.Prospect) { p.Email = "new@x.test" }))(t)
			wait(s, out)
			same(t, "recipient", s.send(s.box).Recipient, "new@x.test")
			same(t, "messages", ask[int](s.stage, `SELECT count(*)::int FROM messages WHERE workspace_id = $1`, s.ws), 1)
		})
	}
}

// A message that waits for its next try is not tried again once it must not be sent: no server is
// asked about the address.
func TestPutOffAndStopped(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		change func(s *late)
		want   outreach.EnrollmentStatus
	}{
		"stopped":         {func(s *late) { got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t) }, outreach.EnrollmentStopped},
		"replied":         {func(s *late) { s.replyTo(s.box, s.p.Email, nil, nil) }, outreach.EnrollmentReplied},
		"campaign paused": {func(s *late) { got(s.PauseCampaign(s.ctx, s.ws, s.c.ID))(s.t) }, outreach.EnrollmentActive},
		"deleted":         {func(s *late) { must(s.t, s.DeleteProspect(s.ctx, s.ws, s.p.ID)) }, outreach.EnrollmentStopped},
		"begun anew": {func(s *late) {
			got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t)
			s.restart()
			got(s.PauseEnrollment(s.ctx, s.ws, s.e.ID))(s.t)
		}, outreach.EnrollmentPaused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0)
			s.campaign("Other", s.box, steps(0)...) // lets the mailbox claim in any case
			s.sendWith(s.box, outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 later"})
			c.change(s)
			s.leasesEnd()
			same(t, "tried again", s.claim(s.box), nil)
			same(t, "enrollment", s.enrollment(s.e).Status, c.want)
			same(t, "messages", ask[int](s.stage, `SELECT count(*)::int FROM messages WHERE workspace_id = $1`, s.ws), 0)
			same(t, "counted", got(s.Mailbox(s.ctx, s.ws, s.box.ID))(t).SentToday, 0)
		})
	}
}

// A message of a mailbox that its campaign lets go, or that is gone, goes out
// through another instead.
func TestMailboxTakenAwayOnTheWay(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		wait, change func(s *late, out *outreach.Outgoing, other outreach.Mailbox)
	}{
		"on its way":    {nil, letGo},
		"put off":       {putOff, letGo},
		"left by death": {func(s *late, _ *outreach.Outgoing, _ outreach.Mailbox) { s.leasesEnd() }, letGo},
		"disconnected": {putOff, func(s *late, _ *outreach.Outgoing, other outreach.Mailbox) {
			got(s.PauseCampaign(s.ctx, s.ws, s.c.ID))(s.t)
			must(s.t, s.DeleteMailbox(s.ctx, s.ws, s.box.ID))
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = ids(other.ID) }))(s.t)
			got(s.ActivateCampaign(s.ctx, s.ws, s.c.ID))(s.t)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0)
			other := s.mailbox("other@acme.test")
			out := s.claim(s.box)
			if c.wait != nil {
				c.wait(s, out, other)
			}
			c.change(s, out, other)
			s.withdrawn(out)
			if again := s.claim(s.box); again != nil {
				t.Fatalf("the former mailbox claims %v", again)
			}
			now := s.send(other)
			same(t, "another message", now.ID != out.ID && now.MessageID != out.MessageID, true)
			same(t, "status", s.enrollment(s.e).Status, outreach.EnrollmentFinished)
			same(t, "messages", ask[int](s.stage, `SELECT count(*)::int FROM messages WHERE workspace_id = $1`, s.ws), 1)
		})
	}
}

// What takes a message back asks Postgres nothing about time zones: it may know
// fewer of them than we do.
func TestWithdrawnInAZoneOfOurs(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, change := range map[string]func(s *late){
		"stopped":      func(s *late) { got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t) },
		"disconnected": func(s *late) { must(s.t, s.DeleteMailbox(s.ctx, s.ws, s.box.ID)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0)
			out := s.claim(s.box)
			s.exec(`
UPDATE campaigns SET timezone = 'Nowhere/Else', status = CASE WHEN $2 THEN 'paused' ELSE status END
WHERE workspace_id = $1`, s.ws, name == "disconnected")
			change(s)
			s.withdrawn(out)
			same(t, "counted as begun", ask[int](s.stage, `SELECT new_count FROM campaigns WHERE id = $1`, s.c.ID), 0)
		})
	}
}

func letGo(s *late, _ *outreach.Outgoing, other outreach.Mailbox) {
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{other.ID} }))(s.t)
}

func putOff(s *late, out *outreach.Outgoing, _ outreach.Mailbox) {
	must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 later"}))
}

// What comes while the answer to the final dot is still being written down counts,
// and the answer adds nothing to it.
func TestBetweenCommitAndAnswer(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		meanwhile func(s *late, out *outreach.Outgoing)
		events    []string
		message   outreach.MessageStatus
		status    outreach.EnrollmentStatus
	}{
		"a reply": {func(s *late, out *outreach.Outgoing) { s.replyTo(s.box, s.p.Email, out, nil) },
			[]string{"replied", "sent"}, outreach.MessageSent, outreach.EnrollmentReplied},
		"a reply that names nothing": {func(s *late, _ *outreach.Outgoing) { s.replyTo(s.box, s.p.Email, nil, nil) },
			[]string{"replied", "sent"}, outreach.MessageSent, outreach.EnrollmentReplied},
		"a note of absence": {func(s *late, out *outreach.Outgoing) { s.away(s.clock.Now().AddDate(0, 0, 3), out) },
			[]string{"sent"}, outreach.MessageSent, outreach.EnrollmentHeld},
		"a bounce": {func(s *late, out *outreach.Outgoing) { s.bounce(outreach.FaultRecipient, out) },
			[]string{"bounced", "sent"}, outreach.MessageBounced, outreach.EnrollmentBounced},
		"a full mailbox": {func(s *late, out *outreach.Outgoing) { s.bounce(outreach.FaultTransient, out) },
			[]string{"bounced", "sent"}, outreach.MessageBounced, outreach.EnrollmentActive},
		"a pause": {func(s *late, _ *outreach.Outgoing) { got(s.PauseEnrollment(s.ctx, s.ws, s.e.ID))(s.t) },
			[]string{"sent"}, outreach.MessageSent, outreach.EnrollmentPaused},
		"a pause of all": {func(s *late, _ *outreach.Outgoing) { got(s.PauseCampaign(s.ctx, s.ws, s.c.ID))(s.t) },
			[]string{"sent"}, outreach.MessageSent, outreach.EnrollmentActive},
		"an archived campaign": {func(s *late, _ *outreach.Outgoing) { got(s.ArchiveCampaign(s.ctx, s.ws, s.c.ID))(s.t) },
			[]string{"sent"}, outreach.MessageSent, outreach.EnrollmentStopped},
		"a deleted prospect": {func(s *late, _ *outreach.Outgoing) { must(s.t, s.DeleteProspect(s.ctx, s.ws, s.p.ID)) },
			[]string{"sent"}, outreach.MessageSent, outreach.EnrollmentStopped},
		"another address": {func(s *late, _ *outreach.Outgoing) {
			got(s.UpdateProspect(s.ctx, s.ws, s.p.ID, func(p *outreach.Prospect) { p.Email = "new@x.test" }))(s.t)
		}, []string{"sent"}, outreach.MessageSent, outreach.EnrollmentActive},
		"another mailbox": {func(s *late, out *outreach.Outgoing) { letGo(s, out, s.mailbox("other@acme.test")) },
			[]string{"sent"}, outreach.MessageSent, outreach.EnrollmentActive},
		"a step less": {func(s *late, _ *outreach.Outgoing) {
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps = c.Steps[:1] }))(s.t)
		}, []string{"sent"}, outreach.MessageSent, outreach.EnrollmentFinished},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 60)
			out := s.claim(s.box)
			must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
			c.meanwhile(s, out)
			must(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
			same(t, "events", sorted(s.eventTypes(s.p.ID)), c.events)
			same(t, "message", got(s.Message(s.ctx, s.ws, out.ID))(t).Status, c.message)
			same(t, "enrollment", s.enrollment(s.e).Status, c.status)
			same(t, "claims", s.claim(s.box), nil)
		})
	}
}
