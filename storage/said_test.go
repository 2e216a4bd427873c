package storage_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// drawn is an installation that a seed draws.
type drawn struct {
	*stage
	r         *rand.Rand
	boxes     []outreach.Mailbox
	campaigns []outreach.Campaign
}

func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func draw(t *testing.T, seed uint64) *drawn {
	t.Helper()
	d := &drawn{stage: newStage(t), r: rand.New(rand.NewPCG(seed, 1))}
	d.clock.Set(time.Date(2026, 11, 16, 0, d.r.IntN(7*24*60), 0, 0, time.UTC))
	for i := range 1 + d.r.IntN(3) {
		m := d.mailbox(fmt.Sprintf("m%d@acme.test", i))
		m.DailyLimit, m.MinGapSeconds = one(d.r, 0, 1, 2, 5, 50), one(d.r, 0, 60, 60, 600, 6*3600)
		d.boxes = append(d.boxes, got(d.UpdateMailbox(d.ctx, m))(t))
	}
	for i := range 1 + d.r.IntN(3) {
		d.campaigns = append(d.campaigns, d.drawCampaign(i))
	}
	for i := range 1 + d.r.IntN(12) {
		p := outreach.Prospect{WorkspaceID: d.ws, Email: fmt.Sprintf("p%d@x%d.test", i, i)}
		p.Timezone = one(d.r, nil, nil, new("Asia/Tokyo"), new("America/Los_Angeles"))
		p = got(d.CreateProspect(d.ctx, p))(t)
		d.enroll(one(d.r, d.campaigns...), p)
	}
	return d
}

func (d *drawn) drawCampaign(i int) outreach.Campaign {
	d.t.Helper()
	delays := make([]int, 1+d.r.IntN(3))
	for j := range delays {
		delays[j] = one(d.r, 0, 1, 30, 24*60, 3*24*60)
	}
	c := d.draft(fmt.Sprintf("C%d", i), one(d.r, d.boxes...), steps(delays...)...)
	return d.activated(c.ID, func(c *outreach.Campaign) {
		c.MailboxIDs = nil
		for _, m := range d.boxes {
			if d.r.IntN(2) == 0 {
				c.MailboxIDs = append(c.MailboxIDs, m.ID)
			}
		}
		if len(c.MailboxIDs) == 0 {
			c.MailboxIDs = append(c.MailboxIDs, d.boxes[0].ID)
		}
		if d.r.IntN(3) > 0 {
			c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays[:5], "09:00", "17:00"
		}
		c.DailyNewLimit = one(d.r, nil, nil, new(1), new(3))
		c.CompanyDailyLimit = one(d.r, nil, nil, nil, new(1))
		c.Timezone = one(d.r, "UTC", "Europe/London", "Australia/Sydney")
	})
}

func (d *drawn) activated(id uuid.UUID, change func(*outreach.Campaign)) outreach.Campaign {
	d.t.Helper()
	got(d.UpdateCampaign(d.ctx, d.ws, id, change))(d.t)
	return got(d.ActivateCampaign(d.ctx, d.ws, id))(d.t)
}

// disturb does what a person might.
func (d *drawn) disturb() {
	d.t.Helper()
	m := one(d.r, d.boxes...)
	switch d.r.IntN(8) {
	case 0:
		_, _ = d.PauseMailbox(d.ctx, d.ws, m.ID)
	case 1:
		_, _ = d.ResumeMailbox(d.ctx, d.ws, m.ID)
	case 2:
		d.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'absence', hold_reason = 'away', hold_until = $1
			WHERE id = (SELECT id FROM enrollments WHERE status = 'active' LIMIT 1)`, d.clock.Now().Add(time.Duration(d.r.IntN(72))*time.Hour))
	case 3:
		_, _ = d.StopEnrollment(d.ctx, d.ws, d.anyEnrollment())
	case 4:
		_, _ = d.ResumeEnrollment(d.ctx, d.ws, d.anyEnrollment(), false)
	case 5:
		d.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'content', hold_reason = 'no name'
			WHERE id = (SELECT id FROM enrollments WHERE status = 'active' LIMIT 1)`)
	}
	d.clock.Advance(time.Duration(d.r.IntN(120)) * time.Minute)
}

func (d *drawn) anyEnrollment() uuid.UUID {
	return one(d.r, rows[uuid.UUID](d.stage, `SELECT id FROM enrollments ORDER BY id`)...)
}

// went is a message that left.
type went struct {
	at                            time.Time
	campaign, enrollment, mailbox uuid.UUID
}

// run does what the engine does until the given time, or until so many messages left.
// Between two looks nothing happens: the engine sleeps until the next one.
func (d *drawn) run(until time.Time, most int) (all []went) {
	d.t.Helper()
	for looks := 0; len(all) < most; looks++ {
		if looks > 500 {
			d.t.Fatalf("the engine looks and looks: %v", got(d.Senders(d.ctx))(d.t))
		}
		must(d.t, d.RefreshCampaigns(d.ctx))
		for _, box := range d.boxes {
			if !d.looks(box) {
				continue
			}
			out := d.claim(box)
			if out == nil {
				continue
			}
			must(d.t, d.CommitMessage(d.ctx, out.Ref(), "me"))
			must(d.t, d.SettleMessage(d.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}))
			m := got(d.Message(d.ctx, d.ws, out.ID))(d.t)
			all = append(all, went{d.clock.Now(), *m.CampaignID, *m.EnrollmentID, m.MailboxID})
		}
		next := d.nextLook()
		if next.IsZero() || next.After(until) {
			d.clock.Set(until)
			return all
		}
		d.clock.Set(next)
	}
	return all
}

// looks reports whether the engine would look at the mailbox now.
func (d *drawn) looks(box outreach.Mailbox) bool {
	due := got(d.Senders(d.ctx))(d.t)
	return slices.ContainsFunc(due, func(ref outreach.MailboxRef) bool { return ref.ID == box.ID })
}

// nextLook is when the engine acts again: a mailbox is due, or an absence ends.
func (d *drawn) nextLook() time.Time {
	if len(got(d.Senders(d.ctx))(d.t)) > 0 { // the look is kept to the microsecond, the gap is not
		return d.clock.Now().Add(time.Millisecond)
	}
	at := got(d.NextSender(d.ctx))(d.t)
	if back := ask[*time.Time](d.stage, `SELECT min(hold_until) FROM enrollments`); back != nil && (at.IsZero() || back.Before(at)) {
		at = *back
	}
	return at
}

var moment = regexp.MustCompile(`(?:next at|before|again at) (\w{3} \d{1,2} \w{3} \d\d:\d\d UTC)`)

// saidTime is the time that a reason names.
func saidTime(t *testing.T, reason string, now time.Time) (time.Time, bool) {
	t.Helper()
	found := moment.FindStringSubmatch(reason)
	if found == nil {
		return time.Time{}, false
	}
	at, err := time.Parse("Mon 2 Jan 15:04 MST 2006", found[1]+fmt.Sprintf(" %d", now.Year()))
	must(t, err)
	if at.Before(now.AddDate(0, -1, 0)) {
		at = at.AddDate(1, 0, 0)
	}
	return at, true
}

// What campaigns and enrollments say about their next message is what the engine does.
func TestSaidAndDone(t *testing.T) {
	t.Parallel()
	for seed := range uint64(saidSeeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			d := draw(t, seed)
			for range d.r.IntN(6) {
				d.run(d.clock.Now().Add(time.Duration(d.r.IntN(48))*time.Hour), 20)
				d.disturb()
			}
			d.run(d.clock.Now(), 40) // what is due now is under way
			d.compare()
		})
	}
}

// saidSeeds is how many installations are drawn.
const saidSeeds = 20

func (d *drawn) compare() {
	d.t.Helper()
	now := d.clock.Now()
	campaigns := got(d.ListCampaigns(d.ctx, d.ws, outreach.CampaignFilter{Status: new(outreach.CampaignActive)},
		outreach.Page{Limit: 10}))(d.t).Rows
	said := map[uuid.UUID]outreach.Enrollment{}
	for _, e := range got(d.ListEnrollments(d.ctx, d.ws, outreach.EnrollmentFilter{}, outreach.Page{Limit: 100}))(d.t).Rows {
		said[e.ID] = e
	}
	statuses := map[string]outreach.MailStatus{}
	for _, e := range said {
		d.checkOpening(&e, now)
		statuses[e.ID.String()] = got(d.MailStatus(d.ctx, d.ws, e.ProspectID))(d.t)
	}
	all := d.run(now.AddDate(0, 0, 20), 60)
	d.checkStatuses(statuses, all)
	met := map[uuid.UUID]bool{}
	for _, w := range all {
		e := said[w.enrollment]
		if !met[w.enrollment] && (e.NextSendAt == nil || w.at.Before(*e.NextSendAt)) {
			d.t.Errorf("enrollment %s (%s) was said to get its step not before %v and got it at %v", e.ID, e.Status, e.NextSendAt, w.at)
		}
		met[w.enrollment] = true
	}
	for i := range campaigns {
		d.compareCampaign(&campaigns[i], campaigns, all, now)
	}
}

// checkOpening compares next_send_at with a search minute by minute: the first instant at
// or after all that the enrollment waits for at which its window is open.
func (d *drawn) checkOpening(e *outreach.Enrollment, now time.Time) {
	d.t.Helper()
	if e.Status != outreach.EnrollmentActive && e.Status != outreach.EnrollmentHeld || e.DueAt == nil {
		if e.NextSendAt != nil {
			d.t.Errorf("enrollment %s (%s) is said to get its step at %v", e.ID, e.Status, e.NextSendAt)
		}
		return
	}
	from := now
	for _, bound := range []*time.Time{e.DueAt, e.HoldUntil, e.GapEnd} {
		if bound != nil && bound.After(from) {
			from = *bound
		}
	}
	c := got(d.Campaign(d.ctx, d.ws, e.CampaignID))(d.t)
	zone, err := time.LoadLocation(cmp.Or(e.Timezone, c.Timezone))
	must(d.t, err)
	open := func(at time.Time) bool {
		local := at.In(zone)
		clock := local.Format("15:04")
		return slices.Contains(c.SendDays, outreach.WeekdayOf(local)) && clock >= c.SendFrom && clock <= c.SendUntil
	}
	at := from
	for !open(at) {
		at = at.Truncate(time.Minute).Add(time.Minute)
	}
	if e.NextSendAt == nil || !e.NextSendAt.Equal(at) {
		d.t.Errorf("enrollment %s (%s) is said to get its step at %v, want %v", e.ID, e.Status, e.NextSendAt, at)
	}
}

func (d *drawn) compareCampaign(c *outreach.Campaign, others []outreach.Campaign, all []went, now time.Time) {
	d.t.Helper()
	at := slices.IndexFunc(all, func(w went) bool { return w.campaign == c.ID })
	shared := slices.ContainsFunc(others, func(o outreach.Campaign) bool {
		return o.ID != c.ID && slices.ContainsFunc(o.MailboxIDs, func(id uuid.UUID) bool { return slices.Contains(c.MailboxIDs, id) })
	})
	reason := "sends"
	soonest := now
	if c.NotSendingReason != nil {
		reason = *c.NotSendingReason
		var timed bool
		if soonest, timed = saidTime(d.t, reason, now); !timed {
			if at >= 0 && !shared && all[at].at.Before(now.Add(time.Minute)) {
				d.t.Errorf("%s said %q and sent at once", c.Name, reason)
			}
			return
		}
	}
	switch {
	case at >= 0 && all[at].at.Before(soonest):
		d.t.Errorf("%s said %q at %v and sent at %v", c.Name, reason, now, all[at].at)
	case !shared && (at < 0 || all[at].at.After(soonest.Add(outreach.Soon+time.Minute))):
		var times []time.Time
		for _, w := range all {
			if w.campaign == c.ID {
				times = append(times, w.at)
			}
		}
		d.t.Errorf("%s said %q at %v and sent at %v", c.Name, reason, now, times)
	}
}
