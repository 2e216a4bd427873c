package storage_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// again adds the address of a deleted prospect again, in each way that there is.
var again = map[string]func(s *scene) uuid.UUID{
	"alone": func(s *scene) uuid.UUID { return s.prospect("ann@x.test").ID },
	"in a new company": func(s *scene) uuid.UUID {
		s.exec(`DELETE FROM companies WHERE workspace_id = $1 AND NOT EXISTS (SELECT FROM prospects p WHERE p.company_id = companies.id)`, s.ws)
		return s.prospect("ANN@x.test").ID
	},
	"in bulk": func(s *scene) uuid.UUID {
		element := outreach.BulkElement{Change: byEmail("ann@x.test")}
		return *got(s.BulkProspects(s.ctx, s.ws, []outreach.BulkElement{element}, outreach.BulkMode{}))(s.t)[0].ProspectID
	},
	"by another prospect's new address": func(s *scene) uuid.UUID {
		p := s.prospect("other@y.test")
		return got(s.UpdateProspect(s.ctx, s.ws, p.ID, byEmail("ann@x.test")))(s.t).ID
	},
}

// That an address replied outlives its prospect, unless it is erased.
func TestAnAddressThatRepliedIsKept(t *testing.T) {
	t.Parallel()
	for name, add := range again {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).scene()
			s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestNegative))
			must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
			id := add(s)
			back := got(s.Prospect(s.ctx, s.ws, id))(t)
			same(t, "status", back.Status, outreach.ProspectReplied)
			request := outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &id}
			_, err := s.Enroll(s.ctx, request)
			refused(t, err, outreach.CodeProspectReplied)
			if name != "by another prospect's new address" {
				same(t, "interest", back.Interest, new(outreach.InterestNegative))
				same(t, "last reply", *back.LastRepliedAt, s.clock.Now())
			}
			request.Force = true
			got(s.Enroll(s.ctx, request))(t)

			must(t, s.EraseProspect(s.ctx, s.ws, id))
			fresh := s.prospect("ann@x.test")
			same(t, "forgotten", fresh.Status, outreach.ProspectNew)
			got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &fresh.ID}))(t)
		})
	}
}

// A reply that arrives when its prospect is gone counts for the address.
func TestAReplyAfterTheProspectWasDeletedIsKept(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
	s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestNegative))
	same(t, "status", s.prospect("ann@x.test").Status, outreach.ProspectReplied)
}

// It stops the prospect who has the address now, and colleagues.
func TestAReplyAfterTheProspectWasDeletedStops(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.exec(`UPDATE campaigns SET stop_company_on_reply = true`)
	must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
	ann, bob, eve := s.prospect("ann@x.test"), s.prospect("bob@uk.x.test"), s.prospect("eve@y.test")
	annIn, bobIn, eveIn := s.enroll(s.c, ann), s.enroll(s.c, bob), s.enroll(s.c, eve)
	s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestNegative))
	back := got(s.Prospect(s.ctx, s.ws, ann.ID))(t)
	same(t, "prospect", []any{back.Status, back.Interest}, []any{outreach.ProspectReplied, new(outreach.InterestNegative)})
	same(t, "reason", []any{s.enrollment(annIn).StopReason, s.enrollment(bobIn).StopReason, s.enrollment(eveIn).Status},
		[]any{new("the prospect replied"), new("a colleague replied"), outreach.EnrollmentActive})
	same(t, "colleague", s.status(bob), outreach.ProspectFinished)
}

// A colleague's reply counts also when the colleague is deleted.
func TestACompanyReplyIsKept(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.exec(`UPDATE campaigns SET stop_company_on_reply = true`)
	s.replyTo(s.box, "ann@x.test", s.out, nil)
	must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
	bob := s.prospect("bob@uk.x.test")
	_, err := s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &bob.ID})
	refused(t, err, outreach.CodeCompanyReplied)
}

// Erasing removes texts and replies, and leaves what was counted and every suppression. A
// prospect that was deleted before can be erased by its id.
func TestEraseProspect(t *testing.T) {
	t.Parallel()
	for _, deleted := range []bool{false, true} {
		s := newStage(t).scene()
		reply := s.replyTo(s.box, "ann@x.test", s.out, nil)
		answer := outreach.Answer{WorkspaceID: s.ws, ReplyID: reply.ID, AnswerText: outreach.AnswerText{BodyText: new("Hello")}}
		got(s.CreateAnswer(s.ctx, answer, answerMail{}))(t)
		_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")})
		must(t, err)
		events := len(s.eventTypes(s.p.ID))
		if deleted {
			must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
		}
		must(t, s.EraseProspect(s.ctx, s.ws, s.p.ID))
		same(t, "texts", ask[int](s.stage, `
SELECT count(*)::int FROM messages WHERE body_text <> '' OR body_html IS NOT NULL OR raw IS NOT NULL`), 0)
		same(t, "waiting", ask[int](s.stage, `SELECT count(*)::int FROM messages WHERE status = 'scheduled'`), 0)
		same(t, "replies", ask[int](s.stage, `SELECT count(*)::int FROM replies`), 0)
		same(t, "suppressions", ask[int](s.stage, `SELECT count(*)::int FROM suppressions`), 1)
		same(t, "events", len(s.eventTypes(s.p.ID)), events)
		refused(t, s.EraseProspect(s.ctx, s.ws, uuid.New()), outreach.CodeNotFound)
	}
}

// A prospect who is deleted and added again gets no step of a campaign twice: the enrollment continues in
// its thread. restart begins again, and so does an address that was erased.
func TestAddedAgainGoesOn(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		before  func(s *scene)
		restart bool
		want    []int // the steps that leave
		status  outreach.EnrollmentStatus
	}{
		"after the first step": {func(*scene) {}, false, []int{2}, outreach.EnrollmentActive},
		"after every step": {func(s *scene) {
			s.clock.Advance(time.Hour)
			s.send(s.box)
		}, false, nil, outreach.EnrollmentFinished},
		"stopped before":  {func(s *scene) { got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t) }, false, []int{2}, outreach.EnrollmentActive},
		"with restart":    {func(*scene) {}, true, []int{1}, outreach.EnrollmentActive},
		"after an erase":  {func(s *scene) { must(s.t, s.EraseProspect(s.ctx, s.ws, s.p.ID)) }, false, []int{1}, outreach.EnrollmentActive},
		"added two times": {func(s *scene) { s.deletedAndBack() }, false, []int{2}, outreach.EnrollmentActive},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).scene()
			k.before(s)
			if name != "after an erase" {
				must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
			}
			s.clock.Advance(2 * time.Hour)
			p := s.prospect("Ann@x.test")
			out := got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &p.ID, Restart: k.restart}))(t)
			same(t, "created", out.EnrollmentCreated, !k.restart)
			same(t, "enrollment", out.Enrollment.Status, k.status)
			var left []int
			for s.claimed(&left) {
			}
			same(t, "steps", left, k.want)
			same(t, "once for the address", ask[int](s.stage, `
SELECT count(*)::int FROM (SELECT FROM messages WHERE run = 1 AND body_text <> '' GROUP BY step HAVING count(*) > 1) twice`), 0)
		})
	}
}

// deletedAndBack deletes the prospect, and adds and enrolls it again.
func (s *scene) deletedAndBack() {
	s.t.Helper()
	must(s.t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
	s.p = s.prospect(s.p.Email)
	s.e = s.enroll(s.c, s.p)
}

// claimed sends the next message, if there is one, and adds its step.
func (s *scene) claimed(to *[]int) bool {
	s.t.Helper()
	out := s.claim(s.box)
	if out == nil {
		return false
	}
	must(s.t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
	*to = append(*to, ask[int](s.stage, `SELECT step FROM messages WHERE id = $1`, out.ID))
	return true
}

// The enrollment is the one from before, with its messages: the next step stays in the thread, a message
// whose answer is awaited or unknown is not sent again, and erasing leaves no text.
func TestAddedAgainKeepsTheThread(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]*outreach.SendResult{
		"sent":                  {Kind: outreach.SendSent, Response: "250 ok"},
		"unknown":               {Kind: outreach.SendUnknown, Response: "closed"},
		"the answer is awaited": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			box := s.mailbox("me@acme.test")
			follow := steps(0, 60)
			follow[1].Subject = nil
			c := s.campaign("C", box, follow...)
			p := s.prospect("ann@x.test")
			e := s.enroll(c, p)
			out := s.claim(box)
			must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
			if result != nil {
				must(t, s.SettleMessage(s.ctx, out.Ref(), "me", *result))
			}
			must(t, s.DeleteProspect(s.ctx, s.ws, p.ID))
			back := s.prospect("ann@x.test")
			again := s.enroll(c, back)
			same(t, "enrollment", again.ID, e.ID)
			same(t, "its messages", rows[string](s, `SELECT id::text FROM messages WHERE prospect_id = $1`, back.ID), []string{out.ID.String()})
			s.clock.Advance(2 * time.Hour)
			switch name {
			case "the answer is awaited":
				same(t, "nothing to send", s.claim(box), nil)
				must(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
				s.clock.Advance(2 * time.Hour)
			case "unknown":
				same(t, "nothing to send", s.claim(box), nil)
				same(t, "held", s.enrollment(again).Status, outreach.EnrollmentHeld)
				got(s.ResolveMessage(s.ctx, s.ws, out.ID, outreach.ResolvedSent))(t)
				s.clock.Advance(2 * time.Hour)
			}
			same(t, "subject", got(s.Message(s.ctx, s.ws, s.send(box).ID))(t).Subject, "Step 1")
			must(t, s.EraseProspect(s.ctx, s.ws, back.ID))
			same(t, "texts", ask[int](s, `SELECT count(*)::int FROM messages WHERE body_text <> '' OR body_html IS NOT NULL OR raw IS NOT NULL`), 0)
			same(t, "addresses", ask[int](s, `SELECT count(*)::int FROM former_enrollments`), 0)
		})
	}
}

// The check before enrolling says where people continue who were deleted and added again.
func TestTheCheckSaysWhereTheyContinue(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	all := s.campaign("All", s.box, steps(0)...)
	s.enroll(all, s.p)
	s.send(s.box)
	must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
	p, other := s.prospect("ann@x.test"), s.prospect("bob@x.test")
	for _, k := range []struct {
		c    outreach.Campaign
		step int
		want outreach.CheckCause
	}{{s.c, 2, ""}, {all, 1, outreach.CheckHadAll}} {
		people := got(s.ChosenPeople(s.ctx, s.ws, k.c.ID, ids(p.ID, other.ID)))(t)
		same(t, "people", len(people), 2)
		for _, one := range people {
			c := got(s.Campaign(s.ctx, s.ws, k.c.ID))(t)
			refused := c.Refused(&one, true)
			if one.Prospect.ID == other.ID {
				same(t, "a new person", []any{refused, one.Step, one.Former == nil}, []any{outreach.CheckCause(""), 1, true})
				continue
			}
			same(t, "added again", []any{refused, one.Step}, []any{k.want, k.step})
		}
	}
	bulk := outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectIDs: ids(p.ID, other.ID)}
	for _, r := range got(s.BulkEnroll(s.ctx, bulk))(t) {
		same(t, "outcome", r.Outcome, outreach.EnrollEnrolled)
	}
	same(t, "step", rows[int](s.stage, `SELECT next_step FROM enrollments WHERE campaign_id = $1 ORDER BY next_step`, s.c.ID), []int{1, 2})
}
