package storage_test

import (
	"testing"
	"time"

	"outreach"
)

func interest(r *outreach.Reply, i outreach.Interest) { r.Interest = &i }

// A reply that was taken for a machine's raises, once told otherwise, all that
// was withheld.
func TestNotAutomaticAfterAll(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	in := s.received(s.box, outreach.ReceivedAutomatic, "ann@x.test", s.out)
	in.Interest = new(outreach.InterestPositive)
	s.ingest(s.box, in)
	r := s.lastReply()
	same(t, "withheld", s.queued(), []string{"sent"})
	r = got(s.UpdateReply(s.ctx, s.ws, r.ID, func(r *outreach.Reply) { r.Automatic = false }))(t)
	same(t, "answer", r.Automatic, false)
	same(t, "raised", s.queued(), []string{"sent", "replied", "positive_reply"})
	same(t, "stopped", s.enrollment(s.e).Status, outreach.EnrollmentReplied)
	same(t, "status", s.status(s.p), outreach.ProspectReplied)
	for range 2 { // there and back raises nothing again
		got(s.UpdateReply(s.ctx, s.ws, r.ID, func(r *outreach.Reply) { r.Automatic = !r.Automatic }))(t)
	}
	same(t, "once", s.queued(), []string{"sent", "replied", "positive_reply"})
}

// A machine's reply that was taken for a person's leaves the prospect as it was, and its enrollment goes on
// until the mark is removed.
func TestAutomaticAfterAll(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	first := s.replyTo(s.box, "ann@x.test", s.out, nil)
	s.clock.Advance(time.Hour)
	second := s.replyTo(s.box, "ann@x.test", s.out, nil)
	mark := func(r outreach.Reply, automatic bool) outreach.Prospect {
		t.Helper()
		got(s.UpdateReply(s.ctx, s.ws, r.ID, func(r *outreach.Reply) { r.Automatic = automatic }))(t)
		return got(s.Prospect(s.ctx, s.ws, s.p.ID))(t)
	}
	p := mark(second, true)
	same(t, "the first still stands", p.Status, outreach.ProspectReplied)
	same(t, "and was the last", p.LastRepliedAt, &first.ReceivedAt)
	p = mark(first, true)
	same(t, "nobody replied", p.Status, outreach.ProspectInSequence)
	same(t, "at no time", p.LastRepliedAt, nil)
	p = mark(second, false)
	same(t, "somebody did", p.Status, outreach.ProspectReplied)
	same(t, "then", p.LastRepliedAt, &second.ReceivedAt)
	same(t, "stopped again", s.enrollment(s.e).Status, outreach.EnrollmentReplied)
}

func TestPositiveReplyIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	r := s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestNegative))
	same(t, "before", s.queued(), []string{"sent", "replied"})
	s.clock.Advance(time.Hour)
	for _, mark := range []outreach.Interest{outreach.InterestPositive, outreach.InterestNeutral, outreach.InterestPositive} {
		r = got(s.UpdateReply(s.ctx, s.ws, r.ID, func(r *outreach.Reply) { interest(r, mark) }))(t)
		same(t, "reason", r.InterestReason, new("set by hand"))
		same(t, "prospect", got(s.Prospect(s.ctx, s.ws, s.p.ID))(t).Interest, &mark)
	}
	same(t, "told once", s.queued(), []string{"sent", "replied", "positive_reply"})
	same(t, "at the time of the mark", ask[string](s.stage, `
SELECT convert_from(body, 'UTF8')::jsonb->>'occurred_at' FROM deliveries WHERE subscription_event = 'positive_reply'`),
		s.clock.Now().Format("2006-01-02T15:04:05Z"))
}

// What a reply means for temperature follows its mark.
func TestMarksFollowOneAnother(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	r := s.replyTo(s.box, "ann@x.test", s.out, nil)
	marks := func() (list []string) {
		for _, e := range s.events(s.p.ID)[1:] {
			text := "none"
			if e.Interest != nil {
				text = *e.Interest
			}
			list = append(list, e.Type+" "+text)
		}
		return list
	}
	set := func(change func(*outreach.Reply)) { got(s.UpdateReply(s.ctx, s.ws, r.ID, change))(t) }
	same(t, "unread", marks(), []string{"replied none"})
	set(func(r *outreach.Reply) { interest(r, outreach.InterestPositive) })
	same(t, "positive", marks(), []string{"replied positive", "interest_marked positive"})
	set(func(r *outreach.Reply) { interest(r, outreach.InterestPositive) })
	same(t, "the same mark again", marks(), []string{"replied positive", "interest_marked positive"})
	set(func(r *outreach.Reply) { interest(r, outreach.InterestNegative) })
	same(t, "negative", marks(), []string{"replied negative", "interest_marked none", "interest_marked negative"})
	set(func(r *outreach.Reply) { r.Automatic = true })
	same(t, "a machine", marks(), []string{"replied automatic", "interest_marked automatic", "interest_marked automatic"})
	set(func(r *outreach.Reply) { r.Automatic = false })
	same(t, "no machine", marks(), []string{"replied negative", "interest_marked none", "interest_marked negative"})
	set(func(r *outreach.Reply) { r.Interest = nil })
	same(t, "taken back", marks(), []string{"replied none", "interest_marked none", "interest_marked none"})
	same(t, "prospect", got(s.Prospect(s.ctx, s.ws, s.p.ID))(t).Interest, nil)
}
