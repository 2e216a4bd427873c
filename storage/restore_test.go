package storage_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

func (s *stage) markAutomatic(r outreach.Reply) {
	s.t.Helper()
	got(s.UpdateReply(s.ctx, s.ws, r.ID, func(r *outreach.Reply) { r.Automatic = true }))(s.t)
}

// A reply that is marked as automatic restores what it stopped as it was: active, paused, or held with its
// cause.
func TestAutomaticMarkRestores(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for kind, hold := range map[string]func(s *late){
		"active": func(s *late) { s.send(s.box) }, "absence": heldFor["absence"], "unknown": heldFor["unknown"],
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
				r := s.replyTo(s.box, s.p.Email, nil, nil)
				ended := s.enrollment(s.e)
				same(t, "ended", ended.Status, outreach.EnrollmentReplied)
				same(t, "shows no hold", ended.HoldReason, nil)
				s.markAutomatic(r)
				same(t, "as before", s.enrollment(s.e), before)
			})
		}
	}
}

// What was stopped by hand is restored as it was: active, paused, or held with its cause.
func TestRestoreEnrollments(t *testing.T) {
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
				got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(t)
				ended := s.enrollment(s.e)
				same(t, "ended", ended.Status, outreach.EnrollmentStopped)
				same(t, "shows no hold", []any{ended.HoldReason, ended.HoldUntil}, []any{(*string)(nil), (*time.Time)(nil)})
				same(t, "restored", got(s.RestoreEnrollments(s.ctx, s.ws, []uuid.UUID{s.e.ID}))(t), 1)
				same(t, "as before", s.enrollment(s.e), before)
				same(t, "restored again", got(s.RestoreEnrollments(s.ctx, s.ws, []uuid.UUID{s.e.ID}))(t), 0)
			})
		}
	}
}

// An enrollment that something else keeps from continuing stays stopped. No other workspace restores it.
func TestRestoreEnrollmentsLeavesTheRest(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		happens func(s *scene)
		want    string
	}{
		"suppressed since": {func(s *scene) {
			got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")}))(s.t)
		}, "stopped by hand"},
		"replied since":     {func(s *scene) { s.replyTo(s.box, "ann@x.test", s.out, nil) }, "stopped by hand"},
		"archived since":    {func(s *scene) { got(s.ArchiveCampaign(s.ctx, s.ws, s.c.ID))(s.t) }, "stopped by hand"},
		"prospect deleted":  {func(s *scene) { must(s.t, s.DeleteProspect(s.ctx, s.ws, s.p.ID)) }, "stopped by hand"},
		"another workspace": {func(s *scene) { s.ws = s.room(s.t).ws }, "stopped by hand"},
		"ended by something": {func(s *scene) {
			got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, false))(s.t)
			got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")}))(s.t)
		}, "the address is suppressed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			own := s.ws
			got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(t)
			c.happens(s)
			same(t, "restored", got(s.RestoreEnrollments(s.ctx, s.ws, []uuid.UUID{s.e.ID}))(t), 0)
			s.ws = own
			now := s.enrollment(s.e)
			same(t, "stays", []any{now.Status, *now.StopReason}, []any{outreach.EnrollmentStopped, c.want})
		})
	}
}

// The delay counts from the last step, the campaign is open again, and the reply counts nowhere.
func TestAutomaticMarkReopens(t *testing.T) {
	t.Parallel()
	s := newHalted(t)
	r := s.replyTo(s.box, "ann@x.test", s.out, new(outreach.InterestPositive))
	must(t, s.RefreshCampaigns(s.ctx))
	same(t, "completed", got(s.Campaign(s.ctx, s.ws, s.c.ID))(t).Status, outreach.CampaignCompleted)
	s.markAutomatic(r)
	e := s.enrollment(s.e)
	same(t, "goes on", []any{e.Status, *e.NextStep, *e.NextSendAt}, []any{outreach.EnrollmentActive, 2, s.at.Add(24 * time.Hour)})
	same(t, "campaign", got(s.Campaign(s.ctx, s.ws, s.c.ID))(t).Status, outreach.CampaignActive)
	same(t, "prospect", s.status(s.p), outreach.ProspectInSequence)
	stats := got(s.CampaignStats(s.ctx, s.ws, s.c.ID, allFigures))(t)
	same(t, "statistics", []int{stats.Replied, stats.Positive}, []int{0, 0})
	report := got(s.CampaignReport(s.ctx, s.ws, s.c.ID, 2))(t)
	for _, day := range report.Days {
		same(t, "replies of "+day.Date, []int{day.Replied, day.Positive}, []int{0, 0})
	}
	s.clock.Advance(23 * time.Hour)
	same(t, "step", *got(s.Message(s.ctx, s.ws, s.send(s.box).ID))(t).Step, 2)
}

// The other replies of the prospect and of its company count as before.
func TestAutomaticMarkRestoresOnlyWhatItStopped(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		happens func(s *scene, r outreach.Reply)
		want    outreach.EnrollmentStatus
	}{
		"nothing else": {func(*scene, outreach.Reply) {}, outreach.EnrollmentActive},
		"another reply": {func(s *scene, _ outreach.Reply) { s.replyTo(s.box, "ann@x.test", s.out, nil) },
			outreach.EnrollmentReplied},
		"the campaign was archived": {func(s *scene, _ outreach.Reply) { got(s.ArchiveCampaign(s.ctx, s.ws, s.c.ID))(s.t) },
			outreach.EnrollmentReplied},
		"the address was suppressed": {func(s *scene, _ outreach.Reply) {
			got(s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")}))(s.t)
		}, outreach.EnrollmentReplied},
		"stopped by hand since": {func(s *scene, _ outreach.Reply) {
			got(s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, true))(s.t)
			got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(s.t)
		}, outreach.EnrollmentStopped},
		"no step is left": {func(s *scene, _ outreach.Reply) {
			s.exec(`DELETE FROM steps WHERE workspace_id = $1 AND position > 1`, s.ws)
		}, outreach.EnrollmentFinished},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := house.room(t)
			s := &scene{stage: h, box: h.mailbox("me@acme.test")}
			s.c, s.p = h.campaign("C", s.box, steps(0, 60)...), h.prospect("ann@x.test")
			s.e = h.enroll(s.c, s.p)
			s.out = s.send(s.box)
			s.clock.Advance(time.Hour)
			r := s.replyTo(s.box, "ann@x.test", s.out, nil)
			s.clock.Advance(time.Minute)
			c.happens(s, r)
			s.markAutomatic(r)
			same(t, "status", s.enrollment(s.e).Status, c.want)
		})
	}
}

// Colleagues go on too, unless another one replied.
func TestAutomaticMarkRestoresColleagues(t *testing.T) {
	t.Parallel()
	s := newHalted(t)
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(k *outreach.Campaign) { k.StopCompanyOnReply = true }))(t)
	bob := s.enroll(s.c, s.prospect("bob@x.test"))
	toBob := s.send(s.box)
	carl := s.enroll(s.c, s.prospect("carl@x.test"))
	got(s.PauseEnrollment(s.ctx, s.ws, carl.ID))(t)
	statuses := func() (list []outreach.EnrollmentStatus) {
		for _, e := range []outreach.Enrollment{s.e, bob, carl} {
			list = append(list, s.enrollment(e).Status)
		}
		return list
	}
	replied := outreach.EnrollmentReplied
	fromAnn := s.replyTo(s.box, "ann@x.test", s.out, nil)
	same(t, "stopped", statuses(), []outreach.EnrollmentStatus{replied, replied, replied})
	fromBob := s.replyTo(s.box, "bob@x.test", toBob, nil)
	s.markAutomatic(fromAnn)
	same(t, "Bob replied", statuses(), []outreach.EnrollmentStatus{replied, replied, replied})
	s.markAutomatic(fromBob)
	same(t, "nobody replied", statuses(),
		[]outreach.EnrollmentStatus{outreach.EnrollmentActive, outreach.EnrollmentActive, outreach.EnrollmentPaused})
}
