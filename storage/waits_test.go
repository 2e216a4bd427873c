package storage_test

import (
	"slices"
	"testing"
	"time"

	"outreach"
)

func (s *stage) contactGap(hours int) {
	s.t.Helper()
	got(s.UpdateMe(s.ctx, s.ws, func(me *outreach.Me) { me.ContactGapHours = hours }))(s.t)
}

// dueAt returns the due time of an enrollment, in UTC.
func (s *stage) dueAt(e outreach.Enrollment) time.Time {
	s.t.Helper()
	return s.enrollment(e).DueAt.UTC()
}

// waitingForGap is a stage with a gap of 20 hours, whose person has just got a step of one campaign, so
// that the step of the other, whose mailbox is box, waits.
func waitingForGap(t *testing.T) (s *stage, box outreach.Mailbox, e outreach.Enrollment, wrote time.Time) {
	t.Helper()
	s = newStage(t)
	s.contactGap(20)
	other := s.mailbox("other@acme.test")
	box = s.mailbox("me@acme.test")
	p := s.prospect("p@x.test")
	s.enroll(s.campaign("A", other, steps(0)...), p)
	s.send(other)
	wrote = s.clock.Now().UTC()
	e = s.enroll(s.campaign("B", box, steps(0)...), p)
	got(s.Senders(s.ctx))(t)
	if s.claim(box) != nil {
		t.Fatal("a step goes within the gap")
	}
	same(t, "waits until", s.dueAt(e), wrote.Add(20*time.Hour))
	return s, box, e, wrote
}

// A smaller contact_gap_hours counts for a person who waits already: the step goes when the smaller gap
// is over.
func TestSmallerGapShortensWaits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hours int
		due   time.Duration // after the step of the other campaign
		goes  bool
	}{
		"the gap is over":         {1, 0, true},
		"there is no gap":         {0, 0, true},
		"the gap is not over yet": {10, 10 * time.Hour, false},
		"a larger gap":            {48, 20 * time.Hour, false}, // the claim then computes it again
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, box, e, wrote := waitingForGap(t)
			s.clock.Advance(2 * time.Hour)
			s.contactGap(c.hours)
			got(s.Senders(s.ctx))(t)
			same(t, "due", s.dueAt(e), wrote.Add(c.due))
			same(t, "goes", s.claim(box) != nil, c.goes)
			if c.goes {
				return
			}
			s.clock.Set(wrote.Add(c.due))
			same(t, "goes when it is due", s.claim(box) != nil, c.hours < 20)
		})
	}
}

// A wait for contact_gap_hours that a pause or another due time has replaced stays as it is.
func TestSmallerGapChangesNothingElse(t *testing.T) {
	t.Parallel()
	s, _, e, wrote := waitingForGap(t)
	got(s.PauseEnrollment(s.ctx, s.ws, e.ID))(t)
	waits := s.enroll(got(s.Campaign(s.ctx, s.ws, e.CampaignID))(t), s.prospect("q@x.test"))
	got(s.UpdateCampaign(s.ctx, s.ws, e.CampaignID, func(c *outreach.Campaign) { c.Steps[0].DelayMinutes = 60 * 24 }))(t)
	s.contactGap(1)
	got(s.Senders(s.ctx))(t)
	same(t, "due by the new delay", s.dueAt(e), wrote.Add(24*time.Hour))
	same(t, "another person", s.dueAt(waits), wrote.Add(24*time.Hour))
	same(t, "status", s.enrollment(e).Status, outreach.EnrollmentPaused)
}

// A claim that read the larger gap, and makes a person wait for it after the change was followed, is
// corrected by the next tick.
func TestSmallerGapInTheMiddleOfAClaim(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.contactGap(20)
	other, box := s.mailbox("other@acme.test"), s.mailbox("me@acme.test")
	p := s.prospect("p@x.test")
	s.enroll(s.campaign("A", other, steps(0)...), p)
	s.send(other)
	wrote := s.clock.Now().UTC()
	e := s.enroll(s.campaign("B", box, steps(0)...), p)
	got(s.Senders(s.ctx))(t)
	stop := got(s.sql.Begin(s.ctx))(t)
	got(stop.Exec(s.ctx, `LOCK TABLE turns`))(t) // they are read after the rules
	claimed := make(chan func(*testing.T) *outreach.Outgoing)
	go func() { claimed <- got(s.ClaimSend(s.ctx, box, "me", plainCompose)) }()
	s.untilOneWaits()
	s.contactGap(1)
	got(s.Senders(s.ctx))(t)
	must(t, stop.Rollback(s.ctx))
	if (<-claimed)(t) != nil {
		t.Fatal("a step goes within the gap")
	}
	same(t, "waits until", s.dueAt(e), wrote.Add(20*time.Hour))
	s.clock.Advance(time.Minute)
	look := got(s.Senders(s.ctx))(t)
	same(t, "waits until", s.dueAt(e), wrote.Add(time.Hour))
	if !slices.ContainsFunc(look, func(ref outreach.MailboxRef) bool { return ref.ID == box.ID }) {
		t.Error("the mailbox sleeps until the end of the larger gap")
	}
}

// manyWaits makes many people of campaign $2 wait for the gap, each a second longer than the one before.
const manyWaits = `
WITH p AS (
	INSERT INTO prospects (id, workspace_id, email, email_key)
	SELECT uuid_v7(), $1, i || '@many.test', i || '@many.test' FROM generate_series(1, $3::int) i RETURNING id, email
)
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, next_step, next_send_at, gap_until, gap_hours)
SELECT uuid_v7(), $1, $2, p.id, 1, w.until, w.until, 20 FROM p CROSS JOIN LATERAL (
	SELECT $4::timestamptz + make_interval(secs => split_part(p.email, '@', 1)::int) AS until) w`

// However many people wait, the change itself moves none, and each tick moves a bounded number: those
// whose waits end first.
func TestManyWaitsAreShortenedInPortions(t *testing.T) {
	t.Parallel()
	s, _, e, _ := waitingForGap(t)
	const people, atOnce = 10_300, 10_000
	s.exec(manyWaits, s.ws, e.CampaignID, people, s.clock.Now().Add(20*time.Hour))
	const left = `SELECT count(*)::int FROM enrollments WHERE gap_hours = 20 AND next_send_at = gap_until`
	s.contactGap(1)
	same(t, "waits after the change", ask[int](s, left), people+1)
	got(s.Senders(s.ctx))(t)
	same(t, "waits after a tick", ask[int](s, left), people+1-atOnce)
	same(t, "who waits is who waits longest", ask[int](s, `
SELECT min(split_part(p.email, '@', 1)::int) FROM enrollments e JOIN prospects p ON p.id = e.prospect_id
WHERE e.gap_hours = 20 AND e.next_send_at = e.gap_until AND p.email LIKE '%@many.test'`), atOnce)
	got(s.Senders(s.ctx))(t)
	same(t, "waits after two ticks", ask[int](s, left), 0)
}
