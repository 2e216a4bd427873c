package storage_test

import (
	"reflect"
	"slices"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// happening is something that happens, as often as its weight says.
type happening struct {
	weight int
	name   string
	do     func(*world)
}

// happenings are what people and prospects do to an installation.
var happenings = []happening{
	{1, "pauseBox", (*world).pauseBox}, {1, "resumeBox", (*world).resumeBox},
	{1, "pauseCampaign", (*world).pauseCampaign}, {1, "activateCampaign", (*world).activateCampaign},
	{1, "pauseEnrollment", (*world).pauseEnrollment}, {1, "resumeEnrollment", (*world).resumeEnrollment},
	{1, "stopEnrollment", (*world).stopEnrollment}, {1, "continueEnrollment", (*world).continueEnrollment},
	{3, "reply", (*world).reply}, {2, "leave", (*world).leave},
	{1, "editBox", (*world).editBox}, {1, "editWindow", (*world).editWindow},
	{1, "editNewLimit", (*world).editNewLimit}, {1, "editCompanyLimit", (*world).editCompanyLimit},
	{1, "editDelays", (*world).editDelays},
	{1, "addStep", (*world).addStep}, {2, "editSteps", (*world).editSteps},
	{1, "editBoxes", (*world).editBoxes}, {1, "editStops", (*world).editStops},
	{1, "editGap", (*world).editGap}, {3, "arrive", (*world).arrive},
	{1, "move", (*world).move},
	{1, "restartEnrollment", (*world).restartEnrollment}, {2, "continueFinished", (*world).continueFinished},
	{2, "bulkEnroll", (*world).bulkEnroll}, {2, "readdress", (*world).readdress},
	{2, "deletePerson", (*world).deletePerson}, {2, "addAgain", (*world).addAgain},
}

func (w *world) happen() {
	w.changed = w.now
	sum := 0
	for _, h := range happenings {
		sum += h.weight
	}
	at := w.r.IntN(sum)
	for _, h := range happenings {
		if at -= h.weight; at < 0 {
			w.last = h.name
			h.do(w)
			break
		}
	}
	w.twin.compare(w)
}

func (w *world) pauseBox() {
	b := one(w.r, w.boxes...)
	if b.box.Status == outreach.MailboxConnected && w.r.IntN(3) == 0 {
		b.box.Status, b.look = outreach.MailboxPaused, new(w.now)
		w.twin.moveBox(b)
	}
}

func (w *world) resumeBox() {
	for _, b := range w.boxes {
		if b.box.Status == outreach.MailboxPaused {
			b.box.Status = outreach.MailboxConnected
			w.twin.moveBox(b)
			w.wake()
			return
		}
	}
}

func (w *world) pauseCampaign() {
	c := one(w.r, w.campaigns...)
	if c.Status == outreach.CampaignActive && !c.completed() && w.r.IntN(2) == 0 {
		c.Status = outreach.CampaignPaused
		w.twin.moveCampaign(c)
		w.wake()
	}
}

func (w *world) activateCampaign() {
	for _, c := range w.campaigns {
		if c.Status == outreach.CampaignPaused {
			c.Status = outreach.CampaignActive
			w.twin.moveCampaign(c)
			w.wake()
			return
		}
	}
}

// some draws an enrollment of a status, nil when it meets none.
func (w *world) some(status ...outreach.EnrollmentStatus) *worldEnrollment {
	for range 20 {
		if e := one(w.r, w.all...); slices.Contains(status, e.status) {
			return e
		}
	}
	return nil
}

func (w *world) pauseEnrollment() {
	if e := w.some(outreach.EnrollmentActive, outreach.EnrollmentHeld); e != nil {
		w.change(e, outreach.EnrollmentPaused)
		w.twin.pause(e)
		w.wake()
	}
}

func (w *world) resumeEnrollment() {
	e := w.some(outreach.EnrollmentPaused)
	if e == nil {
		return
	}
	status := outreach.EnrollmentActive
	if e.held {
		status = outreach.EnrollmentHeld
	}
	w.change(e, status)
	w.twin.endPause(e)
	w.wake()
}

func (w *world) stopEnrollment() {
	if e := w.some(outreach.EnrollmentActive, outreach.EnrollmentHeld, outreach.EnrollmentPaused); e != nil {
		w.end(e, outreach.EnrollmentStopped, "it was stopped")
		w.twin.stop(e)
		w.wake()
	}
}

// leave is an absence of some days.
func (w *world) leave() {
	p := w.written()
	if p == nil || !p.awayUntil.IsZero() || p.replied || p.deleted {
		return
	}
	day := outreach.UTCDay(w.now).AddDate(0, 0, 2+w.r.IntN(9))
	p.awayUntil = p.lastOf.campaign.CivilTime(day, p.zone)
	w.twin.leave(p, day)
	for _, e := range p.enrollments {
		if e.running() {
			e.held = true
		}
		if e.status == outreach.EnrollmentActive {
			w.change(e, outreach.EnrollmentHeld)
		}
	}
	if slices.ContainsFunc(p.enrollments, (*worldEnrollment).running) {
		w.away = append(w.away, p)
	} else {
		p.awayUntil = time.Time{}
	}
	p.wakeBound()
}

func (w *world) editBox() {
	b := one(w.r, w.boxes...)
	b.box.DailyLimit, b.box.MinGapSeconds, b.look = w.limit(), w.minGap(), new(w.now)
	w.twin.editBox(b)
}

func (w *world) edit(c *worldCampaign, change func(*outreach.Campaign)) {
	change(&c.Campaign)
	w.twin.edit(c)
	w.wake()
}

// editStops changes the people that a reply stops. Who replied before is judged at the next claim.
func (w *world) editStops() { w.edit(one(w.r, w.campaigns...), w.stops) }

func (w *world) editWindow() { w.edit(one(w.r, w.campaigns...), w.window) }

func (w *world) editNewLimit() {
	w.edit(one(w.r, w.campaigns...), func(c *outreach.Campaign) { c.DailyNewLimit = one(w.r, nil, new(1), new(5)) })
}

// editCompanyLimit changes the limit of new people of one company. Who waits for it is judged anew.
func (w *world) editCompanyLimit() {
	c := one(w.r, w.campaigns...)
	before, limit := c.CompanyDailyLimit, one(w.r, nil, new(1), new(3))
	w.edit(c, func(c *outreach.Campaign) { c.CompanyDailyLimit = limit })
	if reflect.DeepEqual(before, limit) {
		return
	}
	for _, e := range w.all {
		if e.campaign == c && e.running() && e.due.Equal(e.company) && e.due.After(w.now) {
			e.due = w.now
			w.change(e, e.status)
		}
	}
}

// editBoxes changes the mailboxes of a campaign. What a removed mailbox began goes on
// from any other.
func (w *world) editBoxes() {
	c := one(w.r, w.campaigns...)
	before := c.MailboxIDs
	after := w.someBoxes()
	w.edit(c, func(c *outreach.Campaign) { c.MailboxIDs = after })
	gone := slices.DeleteFunc(slices.Clone(before), func(id uuid.UUID) bool { return slices.Contains(after, id) })
	for _, e := range w.all {
		if e.campaign == c && e.box != nil && slices.Contains(gone, e.box.box.ID) {
			w.rebind(e, nil)
		}
	}
}

func (w *world) editGap() {
	w.setGap(time.Duration(one(w.r, 0, 1, 20, 48)) * time.Hour)
	w.wake()
}

// shortenWaits plans the people again who wait for a longer gap than that of now.
func (w *world) shortenWaits() {
	for _, e := range w.all {
		if !e.running() || !e.due.Equal(e.gap) || e.gapBy <= w.gap {
			continue
		}
		e.gap, e.gapBy = time.Time{}, 0
		e.due = laterOf(e.begun, e.last)
		if e.step <= len(e.campaign.Steps) {
			w.plan(e)
		}
		if until := w.contactUntil(e); until.After(w.now) && until.After(e.due) {
			e.due, e.gap, e.gapBy = until, until, w.gap
		}
		w.change(e, e.status)
	}
}

func (w *world) setGap(gap time.Duration) {
	w.gap = gap
	w.twin.setGap(gap)
}

// arrive adds people, or puts some into another campaign.
func (w *world) arrive() {
	for range 1 + w.r.IntN(1+len(w.people)/10) {
		if w.r.IntN(3) == 0 {
			w.enroll(one(w.r, w.people...), one(w.r, w.campaigns...))
		} else {
			w.addPerson()
		}
	}
}

// move changes the time zone of a person.
func (w *world) move() {
	p := one(w.r, w.people...)
	zone := one(w.r, worldZones...)
	if zone == p.zone || p.deleted {
		return
	}
	p.zone = zone
	w.twin.move(p)
	for _, e := range p.enrollments {
		w.change(e, e.status)
	}
	w.wake()
}
