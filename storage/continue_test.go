package storage_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// halted is a campaign of three steps, a day apart, with one person who got the first.
type halted struct {
	*scene
	at time.Time // when the first step was sent
}

func newHalted(t *testing.T) *halted {
	t.Helper()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	k := &halted{scene: &scene{stage: s, box: box, c: s.campaign("C", box, steps(0, 24*60, 24*60)...), p: s.prospect("ann@x.test")}}
	k.e = s.enroll(k.c, k.p)
	k.at = s.clock.Now()
	k.out = s.send(box)
	s.clock.Advance(time.Hour)
	return k
}

func (s *halted) resume(force bool) (outreach.Enrollment, error) {
	return s.ResumeEnrollment(s.ctx, s.ws, s.e.ID, force)
}

// continuation is what resuming would do, as it was said before.
func (s *halted) continuation() outreach.Continuation {
	s.t.Helper()
	return got(s.EnrollmentContinuation(s.ctx, s.ws, s.e.ID))(s.t)
}

func TestAStoppedEnrollmentGoesOn(t *testing.T) {
	t.Parallel()
	s := newHalted(t)
	got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(t)
	said := s.continuation()
	back := got(s.resume(false))(t)
	same(t, "state", []any{back.Status, *back.NextStep, back.StopReason}, []any{outreach.EnrollmentActive, 2, (*string)(nil)})
	same(t, "the delay counts from the step before", *back.NextSendAt, s.at.Add(24*time.Hour))
	same(t, "said before", said, outreach.Continuation{Step: new(2), NextSendAt: back.NextSendAt})
	same(t, "prospect", s.status(s.p), outreach.ProspectInSequence)
	s.clock.Advance(24 * time.Hour)
	same(t, "step", *got(s.Message(s.ctx, s.ws, s.send(s.box).ID))(t).Step, 2)
	_, err := s.resume(false)
	refused(t, err, outreach.CodeInvalidState)
}

// Nothing was sent: it goes on with the first step. The campaign opens again.
func TestAStoppedEnrollmentThatGotNothingGoesOn(t *testing.T) {
	t.Parallel()
	s := newHalted(t)
	bob := s.prospect("bob@x.test")
	e := s.enroll(s.c, bob)
	got(s.StopEnrollment(s.ctx, s.ws, e.ID))(t)
	s.exec(`UPDATE campaigns SET status = 'completed'`)
	same(t, "first step", *got(s.ResumeEnrollment(s.ctx, s.ws, e.ID, false))(t).NextStep, 1)
	same(t, "campaign", got(s.Campaign(s.ctx, s.ws, s.c.ID))(t).Status, outreach.CampaignActive)
}

func TestARepliedEnrollmentGoesOnWithForce(t *testing.T) {
	t.Parallel()
	s := newHalted(t)
	s.replyTo(s.box, "ann@x.test", s.out, nil)
	_, err := s.resume(false)
	refused(t, err, outreach.CodeProspectReplied)
	said := s.continuation()
	same(t, "said before", []any{said.NeedsForce, *said.Step, said.Refusal}, []any{true, 2, (*outreach.Error)(nil)})
	got(s.resume(true))(t)
	s.clock.Advance(24 * time.Hour)
	next := s.send(s.box)
	s.replyTo(s.box, "ann@x.test", next, nil)
	same(t, "a new reply stops it again", s.enrollment(s.e).Status, outreach.EnrollmentReplied)
	s.clock.Advance(48 * time.Hour)
	same(t, "nothing goes", s.claim(s.box), nil)
}

// A message that was on its way when its enrollment was stopped counts as its last step.
func TestItGoesOnAfterTheStepThatWasOnItsWay(t *testing.T) {
	t.Parallel()
	s := newHalted(t)
	s.clock.Advance(24 * time.Hour)
	out := s.claim(s.box)
	must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(t)
	must(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
	same(t, "stays stopped", s.enrollment(s.e).Status, outreach.EnrollmentStopped)
	same(t, "next", *got(s.resume(false))(t).NextStep, 3)
}

func TestResumeRefusals(t *testing.T) {
	t.Parallel()
	suppress := func(s *halted) {
		_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")})
		must(s.t, err)
	}
	for name, k := range map[string]struct {
		change func(s *halted)
		want   outreach.Code
		forced outreach.Code
	}{
		"archived": {func(s *halted) { got(s.ArchiveCampaign(s.ctx, s.ws, s.c.ID))(s.t) },
			outreach.CodeCampaignArchived, outreach.CodeCampaignArchived},
		"suppressed": {suppress, outreach.CodeProspectSuppressed, outreach.CodeProspectSuppressed},
		"unsubscribed": {func(s *halted) {
			s.exec(`
UPDATE prospects SET unsubscribed_at = now()`)
		}, outreach.CodeProspectUnsubscribed, outreach.CodeProspectUnsubscribed},
		"bounced": {func(s *halted) {
			s.exec(`
UPDATE prospects SET bounced_at = now()`)
		}, outreach.CodeProspectBounced, outreach.CodeProspectBounced},
		"replied": {func(s *halted) { s.exec(`UPDATE prospects SET replied_at = now()`) }, outreach.CodeProspectReplied, ""},
		"deleted": {func(s *halted) { must(s.t, s.DeleteProspect(s.ctx, s.ws, s.p.ID)) }, outreach.CodeInvalidState, outreach.CodeInvalidState},
		"colleague replied": {func(s *halted) {
			s.exec(`UPDATE campaigns SET stop_company_on_reply = true`)
			s.prospect("bob@uk.x.test")
			s.exec(`UPDATE prospects SET replied_at = now() WHERE email = 'bob@uk.x.test'`)
		}, outreach.CodeCompanyReplied, ""},
		"no step left": {func(s *halted) {
			s.exec(`DELETE FROM steps WHERE position > 1`)
		}, outreach.CodeInvalidState, outreach.CodeInvalidState},
		"finished": {func(s *halted) {
			s.exec(`
UPDATE enrollments SET status = 'finished'`)
		}, outreach.CodeInvalidState, outreach.CodeInvalidState},
		"failed": {func(s *halted) { s.exec(`UPDATE enrollments SET status = 'failed'`) }, outreach.CodeInvalidState, outreach.CodeInvalidState},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHalted(t)
			got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(t)
			k.change(s)
			before := s.enrollment(s.e)
			said := s.continuation()
			_, err := s.resume(false)
			refused(t, err, k.want)
			same(t, "unchanged", s.enrollment(s.e), before)
			if k.forced == "" {
				same(t, "said before", []any{said.NeedsForce, said.Refusal}, []any{true, (*outreach.Error)(nil)})
				same(t, "with force", got(s.resume(true))(t).Status, outreach.EnrollmentActive)
				return
			}
			same(t, "said before", said.Refusal.Code, k.want)
			_, err = s.resume(true)
			refused(t, err, k.forced)
		})
	}
}

// Ann finished, Bob finished and unsubscribed, Carl is in the middle, Dan replied. A step
// is added: only Ann gets it. A second call changes nothing.
func TestContinueFinished(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	people := map[string]outreach.Prospect{}
	for _, name := range []string{"ann", "bob", "dan"} {
		people[name] = s.prospect(name + "@x.test")
		s.enroll(c, people[name])
		out := s.send(box)
		if name == "dan" {
			s.replyTo(box, "dan@x.test", out, nil)
		}
	}
	at := s.clock.Now()
	s.exec(`UPDATE prospects SET unsubscribed_at = now() WHERE email = 'bob@x.test'`)
	must(t, s.RefreshCampaigns(s.ctx))
	same(t, "completed", got(s.Campaign(s.ctx, s.ws, c.ID))(t).Status, outreach.CampaignCompleted)
	nothing := got(s.ContinueFinished(s.ctx, s.ws, c.ID))(t)
	same(t, "no step after it", []int{nothing.Continued, nothing.Refused}, []int{0, 0})
	same(t, "still completed", nothing.Campaign.Status, outreach.CampaignCompleted)

	s.clock.Advance(time.Hour)
	c = got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) {
		c.Steps = append(c.Steps, outreach.Step{DelayMinutes: 24 * 60, BodyText: new("More")})
	}))(t)
	want := []outreach.ContinuedStep{{Step: 2, People: 1, NextSendAt: new(at.Add(24 * time.Hour))}}
	said := got(s.FinishedContinuation(s.ctx, s.ws, c.ID))(t)
	same(t, "said before", []any{said.Continued, said.Refused, said.Steps}, []any{1, 1, want})
	same(t, "and nothing done", got(s.Campaign(s.ctx, s.ws, c.ID))(t).Status, outreach.CampaignCompleted)
	done := got(s.ContinueFinished(s.ctx, s.ws, c.ID))(t)
	same(t, "done", []any{done.Continued, done.Refused, done.Steps}, []any{1, 1, want})
	same(t, "reopened", done.Campaign.Status, outreach.CampaignActive)
	again := got(s.ContinueFinished(s.ctx, s.ws, c.ID))(t)
	same(t, "again", []int{again.Continued, again.Refused}, []int{0, 1})
	same(t, "status", s.status(people["ann"]), outreach.ProspectInSequence)
	s.clock.Advance(24 * time.Hour)
	same(t, "to", s.send(box).Recipient, "ann@x.test")
	same(t, "no other person", s.claim(box), nil)
	must(t, s.RefreshCampaigns(s.ctx))
	same(t, "completed again", got(s.Campaign(s.ctx, s.ws, c.ID))(t).Status, outreach.CampaignCompleted)
}

// Many are continued batch by batch, each of them once.
func TestContinueFinishedInBatches(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0, 0)...)
	s.exec(`
INSERT INTO prospects (id, workspace_id, email, email_key) SELECT gen_random_uuid(), $1, n || '@x.test',
	n || '@x.test' FROM generate_series(1, 2500) n`, s.ws)
	s.exec(`INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, status, last_step_id, last_step_at)
		SELECT gen_random_uuid(), $1, $2, p.id, 'finished', $3, $4 FROM prospects p`, s.ws, c.ID, c.Steps[0].ID, s.clock.Now())
	done := got(s.ContinueFinished(s.ctx, s.ws, c.ID))(t)
	same(t, "continued", done.Continued, 2500)
	same(t, "active", ask[int](s, `SELECT count(*)::int FROM enrollments WHERE status = 'active' AND next_step = 2`), 2500)
}

func TestContinueFinishedRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.draft("C", s.mailbox("me@acme.test"), steps(0)...)
	for _, k := range []struct {
		status outreach.CampaignStatus
		code   outreach.Code
	}{
		{outreach.CampaignDraft, outreach.CodeInvalidState},
		{outreach.CampaignPaused, outreach.CodeInvalidState},
		{outreach.CampaignArchived, outreach.CodeCampaignArchived},
	} {
		s.exec(`UPDATE campaigns SET status = $1`, string(k.status))
		_, err := s.ContinueFinished(s.ctx, s.ws, c.ID)
		refused(t, err, k.code)
		_, err = s.FinishedContinuation(s.ctx, s.ws, c.ID)
		refused(t, err, k.code)
	}
	_, err := s.ContinueFinished(s.ctx, s.ws, uuid.New())
	refused(t, err, outreach.CodeNotFound)
}

// A pause outlives the last step: resumed, the enrollment is finished.
func TestResumedAfterTheLastStepItIsFinished(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	e := s.enroll(s.campaign("C", box, steps(0)...), s.prospect("ann@x.test"))
	out := s.claim(box)
	must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	got(s.PauseEnrollment(s.ctx, s.ws, e.ID))(t)
	must(t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
	same(t, "status", got(s.ResumeEnrollment(s.ctx, s.ws, e.ID, false))(t).Status, outreach.EnrollmentFinished)
}
