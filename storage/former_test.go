package storage_test

import (
	"testing"

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
