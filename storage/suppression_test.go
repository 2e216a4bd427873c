package storage_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"outreach"
)

func TestCreateSuppression(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	made := got(s.CreateSuppression(s.ctx,
		outreach.Suppression{WorkspaceID: s.ws, Email: new(" Ann@X.test "), Note: new(" asked "), Reason: outreach.SuppressedComplaint}))(t)
	same(t, "by hand, whatever was claimed", made, outreach.SuppressionMade{
		Suppression: outreach.Suppression{ID: made.Suppression.ID, WorkspaceID: s.ws, Email: new("Ann@X.test"),
			Reason: outreach.SuppressedManually, Note: new("asked"), CreatedAt: s.clock.Now()},
		Created: true, Stopped: []uuid.UUID{s.e.ID},
	})
	same(t, "stopped", s.enrollment(s.e).Status, outreach.EnrollmentStopped)
	again := got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test"), Note: new("other")}))(t)
	same(t, "there already, as it was", again, outreach.SuppressionMade{Suppression: made.Suppression})
}

func TestSuppressedDomainStopsItsPeople(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	bob := s.prospect("bob@mail.sub.x.test")
	sub, other := s.enroll(s.c, bob), s.enroll(s.c, s.prospect("carl@notx.test"))
	s.enroll(s.campaign("Second", s.box, steps(0)...), bob)
	s.prospect("idle@x.test")
	effect := got(s.SuppressionEffect(s.ctx, s.ws, "@X.test"))(t)
	same(t, "foretold", effect, outreach.SuppressionEffect{People: 2, Enrollments: 3})
	same(t, "of another domain", got(s.SuppressionEffect(s.ctx, s.ws, "y.test"))(t), outreach.SuppressionEffect{})
	made := got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Domain: new("@X.test")}))(t)
	same(t, "folded", made.Suppression.Domain, new("x.test"))
	same(t, "as foretold", len(made.Stopped), effect.Enrollments)
	same(t, "nothing is left", got(s.SuppressionEffect(s.ctx, s.ws, "x.test"))(t), outreach.SuppressionEffect{})
	refused(t, second(s.SuppressionEffect(s.ctx, s.ws, "a b")), outreach.CodeValidation)
	same(t, "stopped", s.enrollment(s.e).Status, outreach.EnrollmentStopped)
	same(t, "a subdomain", s.enrollment(sub).Status, outreach.EnrollmentStopped)
	same(t, "another domain", s.enrollment(other).Status, outreach.EnrollmentActive)
	dora := s.prospect("dora@sub.x.test")
	_, err := s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &dora.ID})
	refused(t, err, outreach.CodeProspectSuppressed)
}

func TestSuppressionRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, c := range map[string]struct {
		given outreach.Suppression
		want  string
	}{
		"neither": {outreach.Suppression{}, "/email required"},
		"both":    {outreach.Suppression{Email: new("a@x.test"), Domain: new("x.test")}, "/email required"},
		"address": {outreach.Suppression{Email: new("nobody")}, "/email invalid"},
		"domain":  {outreach.Suppression{Domain: new("a b")}, "/domain invalid"},
	} {
		c.given.WorkspaceID = s.ws
		_, err := s.CreateSuppression(s.ctx, c.given)
		refused(t, err, outreach.CodeValidation)
		same(t, name, faults(t, err), []string{c.want})
	}
}

// Deleting clears the status that came with it; a person's wish needs a word more.
func TestDeleteSuppression(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for reason, c := range map[string]struct {
		happens func(s *scene)
		wish    bool
		before  outreach.ProspectStatus
	}{
		"manual": {func(s *scene) {
			_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")})
			must(s.t, err)
		}, false, outreach.ProspectFinished},
		"bounced": {func(s *scene) { s.ingest(s.box, s.bounced(outreach.FaultRecipient, s.out, "")) }, false, outreach.ProspectBounced},
		"complaint": {func(s *scene) { s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", s.out)) },
			true, outreach.ProspectUnsubscribed},
		"complaint after bounce": {func(s *scene) {
			s.ingest(s.box, s.bounced(outreach.FaultRecipient, s.out, ""))
			s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", s.out))
		}, true, outreach.ProspectUnsubscribed},
		"complaint after a manual one": {func(s *scene) {
			_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")})
			must(s.t, err)
			s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", s.out))
		}, true, outreach.ProspectUnsubscribed},
		"bounce after a complaint": {func(s *scene) {
			s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", s.out))
			s.ingest(s.box, s.bounced(outreach.FaultRecipient, s.out, ""))
		}, true, outreach.ProspectUnsubscribed},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			c.happens(s)
			same(t, "before", s.status(s.p), c.before)
			list := got(s.ListSuppressions(s.ctx, s.ws, outreach.SuppressionFilter{}, outreach.Page{Limit: 5}))(t).Rows
			same(t, "one", len(list), 1)
			if c.wish {
				refused(t, s.DeleteSuppression(s.ctx, s.ws, list[0].ID, false), outreach.CodeConfirmationRequired)
				same(t, "still there", s.status(s.p), c.before)
			}
			must(t, s.DeleteSuppression(s.ctx, s.ws, list[0].ID, c.wish))
			same(t, "cleared", s.status(s.p), outreach.ProspectFinished)
			refused(t, s.DeleteSuppression(s.ctx, s.ws, list[0].ID, true), outreach.CodeNotFound)
			again := got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &s.p.ID, Restart: true}))(t)
			same(t, "may be written to", again.Enrollment.Status, outreach.EnrollmentActive)
		})
	}
}

// A list is asked for addresses and domains in any spelling in which they may be
// given.
func TestListedByAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.prospect("Ann+1@X.test")
	s.prospect("bob@x.test")
	for _, given := range []outreach.Suppression{{Email: new("Ann+1@X.test")}, {Email: new("bob@x.test")},
		{Domain: new("X.test")}, {Domain: new("y.test")}} {
		given.WorkspaceID = s.ws
		_, err := s.CreateSuppression(s.ctx, given)
		must(t, err)
	}
	for spelled, want := range map[string]int{"Ann+1@X.test": 1, " ann+1@x.TEST ": 1, "ann 1@x.test": 1, "x.test": 0, "ann@x.test": 0} {
		list := got(s.ListSuppressions(s.ctx, s.ws, outreach.SuppressionFilter{Email: &spelled}, outreach.Page{Limit: 9}))(t)
		same(t, "suppressions of "+spelled, len(list.Rows), want)
		people := got(s.ListProspects(s.ctx, s.ws, outreach.ProspectFilter{Email: &spelled}, outreach.Page{Limit: 9}))(t)
		same(t, "prospects of "+spelled, len(people.Rows), want)
	}
	for spelled, want := range map[string]int{"x.test": 1, "@x.test": 1, " @X.Test ": 1, "ann+1@x.test": 0, "test": 0} {
		list := got(s.ListSuppressions(s.ctx, s.ws, outreach.SuppressionFilter{Domain: &spelled}, outreach.Page{Limit: 9}))(t)
		same(t, "suppressions of "+spelled, len(list.Rows), want)
	}
}

// An undo restores what the suppression stopped as it was: active, paused, or held with its cause.
func TestUndoSuppressions(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for kind, hold := range map[string]func(s *late){
		"active": func(*late) {}, "absence": heldFor["absence"], "unknown": heldFor["unknown"],
		"sender": heldFor["sender"], "content": heldFor["content"],
	} {
		for _, paused := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, paused %v", kind, paused), func(t *testing.T) {
				t.Parallel()
				s := house.room(t).late(0, 0)
				hold(s)
				if paused {
					s.pause()
				}
				before := s.enrollment(s.e)
				made := got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Domain: new("x.test")}))(t)
				same(t, "stopped", made.Stopped, []uuid.UUID{s.e.ID})
				stopped := s.enrollment(s.e)
				same(t, "ended", stopped.Status, outreach.EnrollmentStopped)
				same(t, "shows no hold", stopped.HoldReason, nil)
				restored := got(s.UndoSuppressions(s.ctx, s.ws, []uuid.UUID{made.Suppression.ID}, made.Stopped))(t)
				same(t, "restored", restored, 1)
				same(t, "as before", s.enrollment(s.e), before)
				refused(t, second(s.Suppression(s.ctx, s.ws, made.Suppression.ID)), outreach.CodeNotFound)
			})
		}
	}
}

// An undo leaves alone what something else keeps from continuing.
func TestUndoSuppressionsRestoresOnlyTheirs(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		happens func(s *scene, made outreach.SuppressionMade)
		want    string
	}{
		"another suppression": {func(s *scene, _ outreach.SuppressionMade) {
			got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")}))(s.t)
		}, "the address is suppressed"},
		"the prospect was deleted": {func(s *scene, _ outreach.SuppressionMade) {
			must(s.t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
		}, "the address is suppressed"},
		"the campaign was archived": {func(s *scene, _ outreach.SuppressionMade) {
			got(s.ArchiveCampaign(s.ctx, s.ws, s.c.ID))(s.t)
		}, "the address is suppressed"},
		"stopped by hand since": {func(s *scene, made outreach.SuppressionMade) {
			must(s.t, s.DeleteSuppression(s.ctx, s.ws, made.Suppression.ID, false))
			got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, true))(s.t)
			got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t)
		}, "stopped by hand"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			made := got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Domain: new("x.test")}))(t)
			c.happens(s, made)
			ids := []uuid.UUID{made.Suppression.ID}
			if name == "stopped by hand since" {
				ids = nil
			}
			same(t, "restored", got(s.UndoSuppressions(s.ctx, s.ws, ids, made.Stopped))(t), 0)
			now := s.enrollment(s.e)
			same(t, "stays", []any{now.Status, *now.StopReason}, []any{outreach.EnrollmentStopped, c.want})
		})
	}
}

// A suppression that a person asked for is not undone, and nothing is restored.
func TestUndoSuppressionsNeedsConfirmation(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	made := got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")}))(t)
	s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", s.out))
	refused(t, second(s.UndoSuppressions(s.ctx, s.ws, []uuid.UUID{made.Suppression.ID}, made.Stopped)), outreach.CodeConfirmationRequired)
	same(t, "stopped", s.enrollment(s.e).Status, outreach.EnrollmentStopped)
}
