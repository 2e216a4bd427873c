package storage_test

import (
	"testing"
	"time"

	"outreach"
)

var (
	lostAnswer = outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"}
	blocked    = outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultSender, Response: "550 5.7.1 blocked"}
)

// heldFor brings the enrollment to each kind of hold, by its kind.
var heldFor = map[string]func(s *late){
	"absence": func(s *late) { s.away(s.clock.Now().AddDate(0, 0, 7), s.send(s.box)) },
	"unknown": func(s *late) { s.sendWith(s.box, lostAnswer) },
	"sender":  func(s *late) { s.sendWith(s.box, blocked) },
	"content": func(s *late) { same(s.t, "nothing to send", s.claimWith(s.box, composeWithName), nil) },
}

func (s *late) pause() { got(s.PauseEnrollment(s.ctx, s.ws, s.e.ID))(s.t) }

func (s *late) resume() outreach.Enrollment {
	return got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, false))(s.t)
}

// A pause comes on top of any hold and leaves the hold as it is.
func TestPauseKeepsTheHold(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for kind, hold := range heldFor {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0)
			hold(s)
			before := s.enrollment(s.e)
			same(t, "held", before.Status, outreach.EnrollmentHeld)
			s.pause()
			paused := before
			paused.Status, paused.NextSendAt = outreach.EnrollmentPaused, nil
			same(t, "paused", s.enrollment(s.e), paused)
			same(t, "answer", s.resume(), before)
			same(t, "resumed", s.enrollment(s.e), before)
			got(s.PauseCampaign(s.ctx, s.ws, s.c.ID))(t)
			got(s.ActivateCampaign(s.ctx, s.ws, s.c.ID))(t)
			same(t, "after a pause of the campaign", s.enrollment(s.e), before)
			same(t, "kind", ask[string](s.stage, `SELECT hold_kind FROM enrollments WHERE id = $1`, s.e.ID), kind)
			same(t, "nothing to send", s.claim(s.box), nil)
		})
	}
}

// What ends a hold ends it under a pause too, which goes on.
func TestHoldEndsUnderAPause(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind string
		end  func(s *late)
	}{
		"the return": {"absence", func(s *late) {
			s.clock.Advance(8 * 24 * time.Hour)
			must(s.t, s.RefreshCampaigns(s.ctx))
		}},
		"proof":     {"unknown", func(s *late) { s.foundInSent(s.lastMessage()) }},
		"a word":    {"unknown", func(s *late) { got(s.ResolveMessage(s.ctx, s.ws, s.lastMessage(), outreach.ResolvedNotSent))(s.t) }},
		"the value": {"content", func(s *late) { got(s.UpdateProspect(s.ctx, s.ws, s.p.ID, called("Ann")))(s.t) }},
		"the step":  {"content", func(s *late) { got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, rewritten("without a name")))(s.t) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).late(0, 0)
			heldFor[c.kind](s)
			s.pause()
			c.end(s)
			now := s.enrollment(s.e)
			same(t, "still paused", now.Status, outreach.EnrollmentPaused)
			same(t, "not held", []any{now.HoldReason, now.HoldUntil}, []any{(*string)(nil), (*time.Time)(nil)})
			same(t, "nothing to send", s.claim(s.box), nil)
			same(t, "goes on", s.resume().Status, outreach.EnrollmentActive)
			s.send(s.box)
		})
	}
}

func (s *late) lastMessage() (id [16]byte) {
	return ask[[16]byte](s.stage, `SELECT id FROM messages WHERE workspace_id = $1 ORDER BY created_at DESC LIMIT 1`, s.ws)
}

// An absence that is over when its pause ends holds no enrollment, even before the next
// round notices.
func TestResumedAfterTheReturn(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0)
	heldFor["absence"](s)
	s.pause()
	s.clock.Advance(8 * 24 * time.Hour)
	e := s.resume()
	same(t, "goes on", []any{e.Status, e.HoldReason, e.HoldUntil}, []any{outreach.EnrollmentActive, (*string)(nil), (*time.Time)(nil)})
	s.send(s.box)
}

// A cause of a hold that came during a pause holds after it.
func TestHeldUnderAPause(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		begin func(s *late) *outreach.Outgoing
		come  func(s *late, out *outreach.Outgoing)
		kind  string
		next  int
	}{
		"a note":   {(*late).sendOne, func(s *late, out *outreach.Outgoing) { s.away(s.clock.Now().AddDate(0, 0, 7), out) }, "absence", 2},
		"a report": {(*late).sendOne, func(s *late, out *outreach.Outgoing) { s.bounce(outreach.FaultSender, out) }, "sender", 2},
		"a refusal": {(*late).commitOne,
			func(s *late, out *outreach.Outgoing) { must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", blocked)) }, "sender", 1},
		"a loss": {(*late).commitOne,
			func(s *late, out *outreach.Outgoing) { must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", lostAnswer)) }, "unknown", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 0)
			out := c.begin(s)
			s.pause()
			c.come(s, out)
			now := s.enrollment(s.e)
			same(t, "still paused", []any{now.Status, *now.NextStep}, []any{outreach.EnrollmentPaused, c.next})
			same(t, "held then", s.resume().Status, outreach.EnrollmentHeld)
			same(t, "kind", ask[string](s.stage, `SELECT hold_kind FROM enrollments WHERE id = $1`, s.e.ID), c.kind)
			same(t, "nothing to send", s.claim(s.box), nil)
		})
	}
}

func (s *late) sendOne() *outreach.Outgoing { return s.send(s.box) }

func (s *late) commitOne() *outreach.Outgoing {
	out := s.claim(s.box)
	must(s.t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	return out
}

// However often an enrollment with an unknown message is paused and resumed, it
// does not go again.
func TestUnknownNeverGoesAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0)
	out := s.sendWith(s.box, lostAnswer)
	for range 3 {
		s.pause()
		s.resume() // held as before
		s.resume() // by a person's will
		same(t, "nothing to send", s.claim(s.box), nil)
		same(t, "held", s.enrollment(s.e).Status, outreach.EnrollmentHeld)
	}
	same(t, "messages", ask[int](s.stage, `SELECT count(*)::int FROM messages`), 1)
	same(t, "message", s.messageStatus(out), outreach.MessageUnknown)
}

// A person who is away stays away when another cause of a hold comes or goes.
func TestAbsenceOutlastsOtherHolds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		result outreach.SendResult
		then   func(s *late, second *outreach.Outgoing)
		next   int
		after  int // messages once they are back
	}{
		"an unknown":                      {lostAnswer, func(*late, *outreach.Outgoing) {}, 2, 0},
		"an unknown, resolved as sent":    {lostAnswer, resolved(outreach.ResolvedSent), 3, 1},
		"an unknown, resolved as not":     {lostAnswer, resolved(outreach.ResolvedNotSent), 2, 2},
		"a refusal because of the sender": {blocked, func(*late, *outreach.Outgoing) {}, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).late(0, 0, 0)
			first := s.send(s.box)
			second := s.commitOne()
			back := s.clock.Now().AddDate(0, 0, 7)
			s.away(back, first)
			must(t, s.SettleMessage(s.ctx, second.Ref(), "me", c.result))
			c.then(s, second)
			e := s.enrollment(s.e)
			same(t, "held", []any{e.Status, e.HoldUntil, *e.NextStep}, []any{outreach.EnrollmentHeld, &back, c.next})
			same(t, "nothing to send", s.claim(s.box), nil)

			s.clock.Set(back)
			must(t, s.RefreshCampaigns(s.ctx))
			for range c.after {
				s.send(s.box)
			}
			same(t, "nothing more", s.claim(s.box), nil)
		})
	}
}

func resolved(as outreach.Resolution) func(s *late, out *outreach.Outgoing) {
	return func(s *late, out *outreach.Outgoing) { got(s.ResolveMessage(s.ctx, s.ws, out.ID, as))(s.t) }
}
