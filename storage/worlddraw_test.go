package storage_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// worldSize is how large an installation is at most.
type worldSize struct {
	boxes, campaigns, people, events int
}

// worldZones are the time zones of people; empty for that of the campaign.
var worldZones = []string{"", "Asia/Tokyo", "America/Los_Angeles", "Australia/Lord_Howe"}

func newWorld(t *testing.T, seed uint64, size worldSize, twin *twin) *world {
	t.Helper()
	w := &world{t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 2)), queues: map[queueKey]*queue{},
		begun: map[firmDay]int{}, twin: twin, present: map[string]*worldPerson{}, sites: map[string][]*worldPerson{},
		former: map[string]bool{}, bounced: map[string]bool{}, cameIn: map[string][]*worldCampaign{}}
	w.checks = newChecks()
	w.checks.size = size
	w.now = time.Date(2026, 1, 1+w.r.IntN(365), w.r.IntN(24), w.r.IntN(60), w.r.IntN(60), 0, time.UTC)
	w.twin.sync(w)
	w.setGap(time.Duration(one(w.r, 0, 1, 20, 20, 72)) * time.Hour)
	for range 1 + w.r.IntN(size.boxes) {
		w.addBox()
	}
	for range 1 + w.r.IntN(size.campaigns) {
		w.addCampaign()
	}
	for range 1 + w.r.IntN(size.people) {
		w.addPerson()
	}
	w.checks.every = 1 + len(w.people)/500 // of many, not everybody is asked each time
	w.wake()
	return w
}

// script draws when things happen.
func (w *world) script(end time.Time) []time.Time {
	times := make([]time.Time, w.checks.size.events)
	for i := range times {
		times[i] = w.now.Add(time.Duration(w.r.Int64N(int64(end.Sub(w.now))))).Truncate(time.Microsecond)
	}
	slices.SortFunc(times, time.Time.Compare)
	return times
}

func (w *world) id() (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], w.r.Uint64())
	binary.BigEndian.PutUint64(id[8:], w.r.Uint64())
	return id
}

func (w *world) addBox() {
	b := &worldBox{served: map[outreach.Line]time.Time{}, look: new(w.now), factor: 1}
	b.box = outreach.NewMailbox()
	b.box.ID, b.box.Email, b.box.Status = w.id(), fmt.Sprintf("m%d@acme.test", len(w.boxes)), outreach.MailboxConnected
	b.box.DailyLimit, b.box.MinGapSeconds = w.limit(), w.minGap()
	if w.r.IntN(4) == 0 {
		b.box.RampUp = &outreach.RampUp{Start: 1 + w.r.IntN(4), Increase: w.r.IntN(3)}
	}
	w.twin.addBox(b)
	w.boxes = append(w.boxes, b)
}

func (w *world) limit() int  { return one(w.r, 0, 1, 2, 3, 5, 8, 20, 50) }
func (w *world) minGap() int { return one(w.r, 0, 1, 60, 60, 600, 3600, 6*3600) }

func (w *world) addCampaign() {
	c := &worldCampaign{Campaign: outreach.NewCampaign()}
	c.ID, c.Name, c.Status = w.id(), fmt.Sprintf("C%d", len(w.campaigns)), outreach.CampaignActive
	w.stops(&c.Campaign)
	for range 1 + w.r.IntN(4) {
		c.Steps = append(c.Steps, w.newStep())
	}
	w.window(&c.Campaign)
	c.MailboxIDs = w.someBoxes()
	c.DailyNewLimit = one(w.r, nil, nil, new(1), new(3), new(10))
	c.CompanyDailyLimit = one(w.r, nil, nil, new(1), new(2))
	w.twin.addCampaign(c)
	w.nameSteps(c)
	w.campaigns = append(w.campaigns, c)
}

func (w *world) delay() int { return one(w.r, 0, 1, 30, 24*60, 2*24*60, 3*24*60, 7*24*60) }

// newStep draws a step with a subject of its own.
func (w *world) newStep() outreach.Step {
	w.steps++
	return outreach.Step{DelayMinutes: w.delay(), Subject: new(fmt.Sprintf("Step %d", w.steps)), BodyText: new("Hello")}
}

// nameSteps gives new steps an id where the database gave none.
func (w *world) nameSteps(c *worldCampaign) {
	for i := range c.Steps {
		if c.Steps[i].ID == uuid.Nil {
			c.Steps[i].ID = w.id()
		}
	}
}

// stops draws the people that a reply stops.
func (w *world) stops(c *outreach.Campaign) {
	c.StopOnReply, c.StopCompanyOnReply = w.r.IntN(4) > 0, w.r.IntN(2) == 0
}

func (w *world) window(c *outreach.Campaign) {
	c.Timezone = one(w.r, "UTC", "Europe/London", "Australia/Sydney", "America/New_York")
	c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays[:5], one(w.r, "08:30", "09:00"), one(w.r, "11:59", "17:00")
	if w.r.IntN(3) == 0 {
		c.SendDays, c.SendFrom, c.SendUntil = outreach.Weekdays, "00:00", "23:59"
	}
	c.SkipDates, c.StartsOn, c.EndsOn = []string{}, nil, nil
	day := func(days int) string { return w.now.AddDate(0, 0, days).Format(time.DateOnly) }
	switch w.r.IntN(6) {
	case 0:
		c.SkipDates = []string{day(1), day(2), day(8)}
	case 1:
		c.StartsOn = new(day(3))
	case 2:
		c.EndsOn = new(day(40))
	}
}

// someBoxes draws the mailboxes of a campaign: most are shared.
func (w *world) someBoxes() (ids []uuid.UUID) {
	for _, b := range w.boxes {
		if w.r.IntN(2) == 0 {
			ids = append(ids, b.box.ID)
		}
	}
	if len(ids) == 0 {
		ids = append(ids, one(w.r, w.boxes...).box.ID)
	}
	return ids
}

// addPerson adds a person. Most of a company have addresses of one domain, some of a domain below it,
// some of a free mail provider.
func (w *world) addPerson() {
	p := &worldPerson{}
	domain := w.domain()
	switch w.r.IntN(10) {
	case 0:
		domain = "sales." + domain
	case 1:
		p.firm, domain = fmt.Sprintf("Company of %s", domain), freeMail
	case 2:
		domain = freeMail
	}
	p.setEmail(fmt.Sprintf("p%d@%s", len(w.people), domain))
	w.join(p)
}

func (w *world) domain() string { return fmt.Sprintf("x%d.test", w.r.IntN(1+w.checks.size.people/3)) }

// setEmail sets the address of a person and what follows from it.
func (p *worldPerson) setEmail(email string) {
	p.email, p.site = email, siteOf(email)
	p.company = strings.Split(email, "@")[1]
	if p.company == freeMail {
		p.company = p.firm
	}
}

// siteOf is the registrable domain of an address, empty with a free mail provider.
func siteOf(email string) string {
	domain := strings.Split(email, "@")[1]
	if domain == freeMail {
		return ""
	}
	return strings.TrimPrefix(domain, "sales.")
}

// freeMail is the domain of a free mail provider.
const freeMail = "gmail.com"

// join adds a person to the workspace and to a campaign or two.
func (w *world) join(p *worldPerson) {
	p.id, p.contacts, p.writtenTo = w.id(), map[*worldCampaign]time.Time{}, map[string]bool{}
	if w.r.IntN(2) == 0 {
		p.zone = one(w.r, worldZones...)
	}
	w.twin.addPerson(p)
	w.people = append(w.people, p)
	w.settle(p)
	w.enroll(p, one(w.r, w.campaigns...))
	if w.r.IntN(5) == 0 {
		w.enroll(p, one(w.r, w.campaigns...))
	}
}

// settle notes who has the address of a person, and where they work.
func (w *world) settle(p *worldPerson) {
	w.present[p.email] = p
	w.used = append(w.used, p.email)
	if p.site != "" {
		w.sites[p.site] = append(w.sites[p.site], p)
	}
}

// enroll puts a person into a campaign, some with force.
func (w *world) enroll(p *worldPerson, c *worldCampaign) {
	if p.in(c) != nil || p.deleted || slices.Contains(w.cameIn[p.email], c) {
		return
	}
	force := w.r.IntN(4) == 0
	e := w.newEnrollment(p, c, force)
	refusal := w.obstacle(p, !force, c.StopCompanyOnReply && !force)
	w.twin.enroll(e, force, false, refusal)
	if refusal != "" {
		return
	}
	w.add(e)
	w.wake()
}

// in returns the enrollment of a person in a campaign, nil without one.
func (p *worldPerson) in(c *worldCampaign) *worldEnrollment {
	at := slices.IndexFunc(p.enrollments, func(e *worldEnrollment) bool { return e.campaign == c })
	if at < 0 {
		return nil
	}
	return p.enrollments[at]
}

func (w *world) newEnrollment(p *worldPerson, c *worldCampaign, force bool) *worldEnrollment {
	return &worldEnrollment{number: len(w.all), person: p, campaign: c, run: 1, forced: force, step: 1, begun: w.now,
		status: outreach.EnrollmentStopped}
}

// add begins with a new enrollment.
func (w *world) add(e *worldEnrollment) {
	w.plan(e)
	w.all, e.person.enrollments = append(w.all, e), append(e.person.enrollments, e)
	e.campaign.entered++
	w.change(e, e.begins())
}
