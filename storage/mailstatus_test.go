package storage_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// A person has one status: what forbids mail, else what the claim does next.
func TestMailStatus(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(monday)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(60, 60)...)
	p := s.prospect("ann@sub.big.example")
	check := func(when string, state outreach.MailState, reason string, at *time.Time) outreach.MailStatus {
		t.Helper()
		have := got(s.MailStatus(s.ctx, s.ws, p.ID))(t)
		same(t, when, outreach.MailStatus{State: have.State, Reason: have.Reason, At: have.At},
			outreach.MailStatus{State: state, Reason: reason, At: at})
		return have
	}
	suppress := func(one outreach.Suppression) {
		t.Helper()
		_, err := s.CreateSuppression(s.ctx, one)
		must(t, err)
	}
	due := new(monday.Add(time.Hour))
	check("before", outreach.MailNone, "Not mailed yet: not in a running campaign.", nil)
	e := s.enroll(c, p)
	check("enrolled", outreach.MailWaiting, "Waiting for step 1 of C.", due)
	got(s.PauseEnrollment(s.ctx, s.ws, e.ID))(t)
	check("enrollment paused", outreach.MailPaused, "Paused in C.", nil)
	got(s.ResumeEnrollment(s.ctx, s.ws, e.ID, false))(t)
	got(s.PauseCampaign(s.ctx, s.ws, c.ID))(t)
	check("campaign paused", outreach.MailPaused, "C is paused.", nil)
	got(s.ActivateCampaign(s.ctx, s.ws, c.ID))(t)
	s.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'content', hold_reason = 'step 1 needs a value for first_name'`)
	check("held", outreach.MailHeld, "Held in C: step 1 needs a value for first_name.", nil)
	s.enroll(s.campaign("Other", box, steps(2*60)...), p)
	check("held, and in another campaign", outreach.MailWaiting, "Waiting for step 1 of Other.", new(monday.Add(2*time.Hour)))
	got(s.ResumeEnrollment(s.ctx, s.ws, e.ID, false))(t)
	check("resumed", outreach.MailWaiting, "Waiting for step 1 of C.", due)
	got(s.PauseMailbox(s.ctx, s.ws, box.ID))(t)
	check("mailbox paused before the step is due", outreach.MailWaiting,
		"Waiting for step 1 of C. No mailbox can send: me@acme.test: paused.", due)
	s.clock.Set(*due)
	check("mailbox paused", outreach.MailWaiting, "Waiting for step 1 of C. No mailbox can send: me@acme.test: paused.", due)
	suppress(outreach.Suppression{WorkspaceID: s.ws, Domain: new("big.example"), Reason: outreach.SuppressedManually})
	have := check("domain suppressed", outreach.MailSuppressed, "Not mailed: everyone at big.example is suppressed.", nil)
	if have.Suppression == nil || *have.Suppression.Domain != "big.example" {
		t.Errorf("the suppression is %+v", have.Suppression)
	}
	suppress(outreach.Suppression{WorkspaceID: s.ws, Email: &p.Email, Reason: outreach.SuppressedManually})
	have = check("address suppressed", outreach.MailSuppressed, "Not mailed: the address is suppressed.", nil)
	if have.Suppression == nil || have.Suppression.Email == nil {
		t.Errorf("the suppression is %+v", have.Suppression)
	}
}

// The mail status of a prospect who gets nothing more says why, with and without messages before.
func TestMailStatusAfterTheEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.StopCompanyOnReply = true }))(t)
	bob := s.prospect("bob@x.test")
	e := s.enroll(s.c, bob)
	reason := func() string { return got(s.MailStatus(s.ctx, s.ws, bob.ID))(t).Reason }
	got(s.StopEnrollment(s.ctx, s.ws, e.ID))(t)
	same(t, "never mailed", reason(), "No more mails are planned in C: stopped by hand.")
	got(s.ResumeEnrollment(s.ctx, s.ws, e.ID, false))(t)
	s.replyTo(s.box, "ann@x.test", s.out, nil)
	same(t, "a colleague", reason(), "No more mails are planned in C: a colleague replied.")
	s.exec(`UPDATE enrollments SET status = 'finished', stop_reason = NULL WHERE id = $1`, e.ID)
	same(t, "finished", reason(), "No more mails are planned.")
}

// A person who just got mail from another campaign waits for contact_gap_hours. That is said before a claim
// finds it and after.
func TestMailStatusInTheContactGap(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(monday)
	s.exec(`UPDATE workspaces SET contact_gap_hours = 20 WHERE id = $1`, s.ws)
	first, second := s.mailbox("one@acme.test"), s.mailbox("two@acme.test")
	p := s.prospect("ann@x.test")
	s.enroll(s.campaign("First", first, steps(0)...), p)
	s.send(first)
	s.clock.Advance(time.Hour)
	s.enroll(s.campaign("Second", second, steps(0)...), p)
	over := monday.Add(20 * time.Hour)
	said := func() outreach.MailStatus { return got(s.MailStatus(s.ctx, s.ws, p.ID))(t) }
	same(t, "reason", said().Reason, "Waiting for step 1 of Second. Another campaign wrote to this person a short time ago.")
	same(t, "at", *said().At, over)
	before := said()
	same(t, "nothing goes", s.claim(second), nil)
	same(t, "after a claim", said(), before)
	s.clock.Set(over)
	same(t, "then", said().Reason, "Waiting for step 1 of Second.")
	s.send(second)
}

// The status of a person is the same whether one or many are asked for.
func TestMailStatusesOfSeveral(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(monday)
	box := s.mailbox("me@acme.test")
	c, other := s.campaign("C", box, steps(60)...), s.campaign("Other", box, steps(30)...)
	both, one, barred, alone := s.prospect("a@one.example"), s.prospect("b@one.example"), s.prospect("c@two.example"),
		s.prospect("d@three.example")
	s.enroll(c, both)
	s.enroll(other, both)
	s.enroll(c, one)
	s.enroll(c, barred)
	for _, made := range []outreach.Suppression{{Domain: new("two.example")}, {Email: &barred.Email}} {
		made.WorkspaceID, made.Reason = s.ws, outreach.SuppressedManually
		_, err := s.CreateSuppression(s.ctx, made)
		must(t, err)
	}
	said := map[uuid.UUID]string{}
	for _, status := range got(s.MailStatuses(s.ctx, s.ws, []uuid.UUID{both.ID, one.ID, barred.ID, alone.ID, uuid.New()}))(t) {
		same(t, "asked for alone", got(s.MailStatus(s.ctx, s.ws, status.ProspectID))(t), status)
		said[status.ProspectID] = status.Reason
	}
	same(t, "statuses", said, map[uuid.UUID]string{
		both.ID:   "Waiting for step 1 of Other.",
		one.ID:    "Waiting for step 1 of C.",
		barred.ID: "Not mailed: the address is suppressed.",
		alone.ID:  "Not mailed yet: not in a running campaign.",
	})
}

// checkStatuses compares what was said about people with the messages that left.
func (d *drawn) checkStatuses(said map[string]outreach.MailStatus, all []went) {
	d.t.Helper()
	met := map[string]bool{}
	for _, w := range all {
		id := w.enrollment.String()
		status := said[id]
		planned := status.State == outreach.MailWaiting || status.State == outreach.MailHeld && status.At != nil
		if !met[id] && (!planned || status.At != nil && w.at.Before(*status.At)) {
			d.t.Errorf("enrollment %s: it was said of its prospect %+v, and a step was sent at %v", id, status, w.at)
		}
		met[id] = true
	}
}

// A person who is due waits for the mailbox that wrote to them, whatever the campaign says of others.
func TestMailStatusOfWhoIsDue(t *testing.T) {
	t.Parallel()
	s := &situated{drawn: &drawn{stage: newStage(t)}}
	s.clock.Set(monday)
	full, gap := s.box("full", 1, 0), s.box("gap", 50, 6*3600)
	s.over(nil, 0, hour)
	bound := s.people(1)[0]
	s.send(full)
	s.people(1)
	s.send(gap)
	s.exec(`UPDATE mailboxes SET gap_factor = 1`)
	s.clock.Advance(65 * time.Minute)
	same(t, "the campaign", *got(s.Campaign(s.ctx, s.ws, s.c.ID))(t).NotSendingReason,
		"gap@acme.test waits 21600 s between two messages; next at Mon 16 Nov 16:00 UTC.")
	same(t, "the person", got(s.MailStatus(s.ctx, s.ws, bound.ProspectID))(t).Reason,
		"Waiting for step 2 of C. full@acme.test has reached its limit of 1 in 24 hours; next at Tue 17 Nov 10:00 UTC.")
}
