package storage_test

import (
	"testing"
	"time"

	"outreach"
)

// Who waits is counted at the next step, with the time from which its delay counts. After an edit of
// the steps the same people are counted at the same numbers, and the first of them is due then.
func TestCampaignWaiting(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	sent := s.clock.Now()
	waiting := func() []outreach.WaitingStep {
		t.Helper()
		all := got(s.CampaignWaiting(s.ctx, s.ws, s.c.ID))(t)
		for i := range all {
			all[i].Since = all[i].Since.UTC()
		}
		return all
	}
	second := outreach.WaitingStep{Step: 2, People: 1, Since: sent.UTC()}
	same(t, "one got the first step", waiting(), []outreach.WaitingStep{second})

	s.clock.Advance(time.Hour)
	begun := s.clock.Now()
	s.enroll(s.c, s.prospect("bob@x.test"))
	s.clock.Advance(time.Hour)
	got(s.PauseEnrollment(s.ctx, s.ws, s.enroll(s.c, s.prospect("carl@x.test")).ID))(t)
	got(s.StopEnrollment(s.ctx, s.ws, s.enroll(s.c, s.prospect("dora@x.test")).ID))(t)
	unknown := s.enroll(s.c, s.prospect("eve@x.test"))
	s.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'unknown', next_send_at = NULL WHERE id = $1`, unknown.ID)
	other := s.campaign("Other", s.box, steps(0)...)
	s.enroll(other, s.prospect("fay@x.test"))
	first := outreach.WaitingStep{Step: 1, People: 2, Since: begun.UTC()}
	same(t, "active and paused", waiting(), []outreach.WaitingStep{first, second})

	due := func() time.Time { return *got(s.Enrollment(s.ctx, s.ws, s.e.ID))(t).DueAt }
	text := new("More")
	for name, change := range map[string]func(*outreach.Campaign){
		"delay": func(c *outreach.Campaign) { c.Steps[1].DelayMinutes = 7 * 1440 },
		"inserted": func(c *outreach.Campaign) {
			c.Steps = append(c.Steps[:1:1], outreach.Step{DelayMinutes: 7 * 1440, BodyText: text})
		},
	} {
		got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, change))(t)
		same(t, name+": due", due().UTC(), second.Since.Add(7*24*time.Hour))
		same(t, name, waiting(), []outreach.WaitingStep{first, second})
		got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps[1].DelayMinutes = 1 }))(t)
	}
	before := due()
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps = c.Steps[:1] }))(t)
	same(t, "removed", waiting(), []outreach.WaitingStep{first, second})
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) {
		c.Steps = append(c.Steps, outreach.Step{DelayMinutes: 1, BodyText: text})
	}))(t)
	same(t, "added again: due", due(), before)
}
