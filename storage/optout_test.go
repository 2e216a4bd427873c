package storage_test

import (
	"testing"

	"outreach"
)

// optedOut is a reply that asks to be left alone.
func (s *scene) optedOut(from string, about *outreach.Outgoing) outreach.Received {
	in := s.received(s.box, outreach.ReceivedReply, from, about)
	in.OptOut, in.Interest, in.Reason = true, new(outreach.InterestNegative), new("asks to be left alone")
	return in
}

func (s *scene) suppressed() []string {
	return rows[string](s.stage, `SELECT reason || ' ' || email FROM suppressions WHERE workspace_id = $1 ORDER BY 1`, s.ws)
}

// A person who writes that they want to be left alone is left alone: the address is
// suppressed, every enrollment ends, also where the campaign goes on after a reply,
// and the one event is replied. Another workspace that writes to the address goes on.
func TestOptOutInAReply(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	s, other := house.room(t).scene(), house.room(t).scene()
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(k *outreach.Campaign) { k.StopOnReply = false }))(t)
	s.ingest(s.box, s.optedOut("ann@x.test", s.out))
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "replied"})
	same(t, "prospect", s.status(s.p), outreach.ProspectUnsubscribed)
	e := s.enrollment(s.e)
	same(t, "enrollment", []any{e.Status, *e.StopReason}, []any{outreach.EnrollmentUnsubscribed, "the prospect asked to be left alone"})
	same(t, "suppressed", s.suppressed(), []string{"unsubscribed ann@x.test"})
	same(t, "reply", *s.lastReply().Interest, outreach.InterestNegative)
	other.unchanged()
}

// The reply of a program is not an opt-out, and one without a message of ours does so
// once it is assigned.
func TestOptOutNeedsAPerson(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	program := s.optedOut("ann@x.test", s.out)
	program.Kind = outreach.ReceivedAutomatic
	s.ingest(s.box, program)
	s.unchanged()
	s.ingest(s.box, s.optedOut("boss@sales.x.test", nil))
	s.unchanged()
	r := got(s.AssignReply(s.ctx, s.ws, s.unmatched()[0].ID, s.p.ID))(t)
	same(t, "suppressed", s.suppressed(), []string{"unsubscribed ann@x.test"})
	same(t, "prospect", s.status(s.p), outreach.ProspectUnsubscribed)
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "replied"})
	same(t, "sender", r.From, "boss@sales.x.test")
}

// A prospect who answers in the place of another, and asks for it, is left alone too.
func TestOptOutOfTheAuthor(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	carl := s.prospect("carl@y.test")
	s.enroll(s.c, carl)
	s.ingest(s.box, s.optedOut("Carl@y.test", s.out))
	same(t, "prospects", []any{s.status(s.p), s.status(carl)}, []any{outreach.ProspectUnsubscribed, outreach.ProspectUnsubscribed})
	same(t, "suppressed", s.suppressed(), []string{"unsubscribed ann@x.test", "unsubscribed carl@y.test"})
}
