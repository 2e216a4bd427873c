package storage_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// checks are what the rules are compared with. They ask every enrollment, and share
// nothing with the claim but the state of the installation.
type checks struct {
	size   worldSize
	every  int // one of so many decisions is compared with everybody
	count  int
	claims int
	sent   map[*worldBox][]time.Time
	days   map[*worldBox]map[string]bool // UTC days on which steps were sent
	news   map[*worldCampaign]map[string]int
	firms  map[firmDay]int // people that were begun with
	turns  map[turnKey]int
	ahead  map[pairKey]int
	gone   map[goneKey]bool
	last   map[*worldEnrollment]uuid.UUID // the last step of this run
	barred map[*worldEnrollment]string    // why an enrollment was ended that no person let go on since
	zones  map[string]*time.Location
}

type turnKey struct {
	box      *worldBox
	campaign *worldCampaign
	followup bool
}

type pairKey struct {
	box      *worldBox
	a, b     *worldCampaign
	followup bool
}

type goneKey struct {
	e    *worldEnrollment
	run  int
	step uuid.UUID
}

func newChecks() checks {
	return checks{every: 1, sent: map[*worldBox][]time.Time{},
		days: map[*worldBox]map[string]bool{}, news: map[*worldCampaign]map[string]int{},
		firms: map[firmDay]int{}, turns: map[turnKey]int{},
		ahead: map[pairKey]int{}, gone: map[goneKey]bool{}, last: map[*worldEnrollment]uuid.UUID{},
		barred: map[*worldEnrollment]string{}, zones: map[string]*time.Location{}}
}

// due reports whether the next decision is compared with everybody.
func (k *checks) due() bool {
	k.count++
	return k.count%k.every == 0
}

func (k *checks) zone(name string) *time.Location {
	if k.zones[name] == nil {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		k.zones[name] = zone
	}
	return k.zones[name]
}

// limit is how many messages a mailbox may reach at t.
func (w *world) limitAt(b *worldBox, t time.Time) int {
	if b.box.RampUp == nil {
		return b.box.DailyLimit
	}
	days := 0
	for day := range w.checks.days[b] {
		if day < t.UTC().Format(time.DateOnly) {
			days++
		}
	}
	return min(b.box.DailyLimit, b.box.RampUp.Start+days*b.box.RampUp.Increase)
}

// places are how many messages a mailbox may still send at t.
func (w *world) places(b *worldBox, t time.Time) int {
	sent := 0
	for _, at := range slices.Backward(w.checks.sent[b]) {
		if !at.After(t.Add(-24 * time.Hour)) {
			break
		}
		sent++
	}
	return w.limitAt(b, t) - sent
}

func (w *world) ready(b *worldBox, t time.Time) bool {
	gap := time.Duration(float64(b.box.MinGapSeconds) * b.factor * float64(time.Second))
	return b.box.Status == outreach.MailboxConnected && w.places(b, t) > 0 &&
		(b.commit == nil || !t.Before(b.commit.Add(gap.Truncate(time.Microsecond))))
}

// candidates are the people that a mailbox could write to at t.
func (w *world) candidates(b *worldBox, t time.Time) (all []*worldEnrollment) {
	if !w.ready(b, t) {
		return nil
	}
	owed := 0
	for _, e := range w.all {
		if e.status == outreach.EnrollmentActive && e.step > 1 && e.box == b &&
			e.campaign.Status == outreach.CampaignActive && !e.due.After(t.Add(24*time.Hour)) {
			owed++
		}
	}
	roomForNew := w.places(b, t) > owed
	for _, e := range w.all {
		if e.status == outreach.EnrollmentActive && !e.due.After(t) && (e.step > 1 || roomForNew) && w.could(b, e, t) {
			all = append(all, e)
		}
	}
	return all
}

// could reports whether an enrollment that is due may get its step from a mailbox that
// is ready at t.
func (w *world) could(b *worldBox, e *worldEnrollment, t time.Time) bool {
	c := e.campaign
	if c.Status != outreach.CampaignActive || !sendsFrom(c, b) || e.box != nil && e.box != b || e.step > len(c.Steps) {
		return false
	}
	if p := e.person; p.bounced || p.deleted || p.replied && c.StopOnReply && !e.forced || p.away() && p.awayUntil.After(t) {
		return false
	}
	today := t.In(w.checks.zone(c.Timezone)).Format(time.DateOnly)
	if e.step == 1 && c.DailyNewLimit != nil && w.checks.news[c][today] >= *c.DailyNewLimit {
		return false
	}
	limit, company := c.CompanyDailyLimit, e.person.company
	if e.step == 1 && limit != nil && company != "" && w.checks.firms[firmDay{c, company, today}] >= *limit {
		return false
	}
	return w.openAt(e, t) && !w.tooNear(e, t)
}

// checkCompanyWait: who waits for the limit of a company waits because it is reached, and until the
// calendar of the campaign shows another day.
func (w *world) checkCompanyWait(e *worldEnrollment) {
	w.t.Helper()
	zone := w.checks.zone(e.campaign.Timezone)
	date := func(t time.Time) string { return t.In(zone).Format(time.DateOnly) }
	today := date(w.now)
	if begun := w.checks.firms[firmDay{e.campaign, e.person.company, today}]; begun < *e.campaign.CompanyDailyLimit {
		w.fail("%d waits for its company, of which %s began with %d today", e.number, e.campaign.Name, begun)
	}
	if date(e.due) == today || date(e.due.Add(-time.Second)) != today {
		w.fail("%d waits for its company until %v", e.number, e.due)
	}
}

func sendsFrom(c *worldCampaign, b *worldBox) bool { return slices.Contains(c.MailboxIDs, b.box.ID) }

func (w *world) openAt(e *worldEnrollment, t time.Time) bool {
	c := e.campaign
	local := t.In(w.checks.zone(cmp.Or(e.person.zone, c.Timezone)))
	date, clock := local.Format(time.DateOnly), local.Format("15:04")
	return slices.Contains(c.SendDays, outreach.Weekdays[(local.Weekday()+6)%7]) && clock >= c.SendFrom && clock <= c.SendUntil &&
		!slices.Contains(c.SkipDates, date) && (c.StartsOn == nil || date >= *c.StartsOn) && (c.EndsOn == nil || date <= *c.EndsOn)
}

func (w *world) tooNear(e *worldEnrollment, t time.Time) bool {
	for c, at := range e.person.contacts {
		if c != e.campaign && t.Before(at.Add(w.gap)) {
			return true
		}
	}
	return false
}

// checkClaim compares a claim with the rules, and counts it.
func (w *world) checkClaim(b *worldBox, e *worldEnrollment) {
	w.t.Helper()
	k := &w.checks
	k.claims++
	step := goneKey{e, e.run, e.campaign.Steps[e.step-1].ID}
	switch {
	case k.barred[e] != "":
		w.fail("step %d of %s goes to %d, although %s", e.step, e.campaign.Name, e.number, k.barred[e])
	case e.status != outreach.EnrollmentActive || e.due.After(w.now):
		w.fail("%v goes and is %s and due at %v", e.number, e.status, e.due)
	case !w.ready(b, w.now):
		w.fail("%s sends with %d places left, gap since %v", b.box.Email, w.places(b, w.now), b.commit)
	case !w.could(b, e, w.now):
		today := w.now.In(k.zone(e.campaign.Timezone)).Format(time.DateOnly)
		w.fail("step %d of %s goes to %v from %s and may not: open %v, too near %v, away until %v, replied %v, bounced %v, "+
			"begun with today %d, with its company %d", e.step, e.campaign.Name, e.number, b.box.Email, w.openAt(e, w.now),
			w.tooNear(e, w.now), e.person.awayUntil, e.person.replied, e.person.bounced, k.news[e.campaign][today],
			k.firms[firmDay{e.campaign, e.person.company, today}])
	case k.gone[step]:
		w.fail("%v gets step %d of %s twice", e.number, e.step, e.campaign.Name)
	case e.step != placeOf(e.campaign.Steps, k.last[e])+1:
		w.fail("%v gets step %d of %s after what is step %d now", e.number, e.step, e.campaign.Name,
			placeOf(e.campaign.Steps, k.last[e]))
	}
	if k.due() {
		w.checkRank(b, e)
	}
	k.gone[step], k.last[e] = true, step.step
	k.sent[b] = append(k.sent[b], w.now)
	k.turns[turnKey{b, e.campaign, e.step > 1}] = k.claims
	if e.step == 1 {
		today := w.now.In(k.zone(e.campaign.Timezone)).Format(time.DateOnly)
		if _, begun := k.news[e.campaign][today]; !begun { // another time zone may go back to a day before
			k.news[e.campaign] = map[string]int{}
		}
		k.news[e.campaign][today]++
		k.firms[firmDay{e.campaign, e.person.company, today}]++
	}
}

// checkEnd: no person is finished while a step stands after their last one.
func (w *world) checkEnd(e *worldEnrollment) {
	w.t.Helper()
	if last := placeOf(e.campaign.Steps, w.checks.last[e]); last < len(e.campaign.Steps) {
		w.fail("%d ends after step %d of %d", e.number, last, len(e.campaign.Steps))
	}
}

// let forgets why an enrollment was ended: a person lets it go on, or begin a new run.
func (k *checks) let(e *worldEnrollment, run bool) {
	delete(k.barred, e)
	if run {
		delete(k.last, e)
	}
}

// checkRank compares who goes with everybody who could.
func (w *world) checkRank(b *worldBox, e *worldEnrollment) {
	w.t.Helper()
	could := w.candidates(b, w.now)
	rank := func(x, y *worldEnrollment) int {
		turn := func(e *worldEnrollment) int { return w.checks.turns[turnKey{b, e.campaign, e.step > 1}] }
		return cmp.Or(-cmp.Compare(min(x.step, 2), min(y.step, 2)), cmp.Compare(turn(x), turn(y)),
			slices.Compare(x.campaign.ID[:], y.campaign.ID[:]), x.due.Compare(y.due), cmp.Compare(x.number, y.number))
	}
	if best := slices.MinFunc(append(could, e), rank); best != e {
		w.fail("%s writes step %d to %d of %s, due %v, while %d of %s could get step %d, due %v", b.box.Email,
			e.step, e.number, e.campaign.Name, e.due, best.number, best.campaign.Name, best.step, best.due)
	}
	w.checkTurns(b, e, could)
}

// checkTurns: campaigns that always have people of one kind get turns that differ by at
// most one.
func (w *world) checkTurns(b *worldBox, e *worldEnrollment, could []*worldEnrollment) {
	w.t.Helper()
	if w.checks.every > 1 {
		return // it takes every turn
	}
	followup := e.step > 1
	waits := map[*worldCampaign]bool{}
	for _, other := range could {
		if other.step > 1 == followup {
			waits[other.campaign] = true
		}
	}
	for _, c := range w.campaigns {
		key, mirrored := pairKey{b, e.campaign, c, followup}, pairKey{b, c, e.campaign, followup}
		switch {
		case c == e.campaign:
		case !waits[c]:
			delete(w.checks.ahead, key)
			delete(w.checks.ahead, mirrored)
			for _, other := range w.campaigns {
				delete(w.checks.ahead, pairKey{b, c, other, followup})
				delete(w.checks.ahead, pairKey{b, other, c, followup})
			}
		default:
			w.checks.ahead[key]++
			w.checks.ahead[mirrored]--
			if w.checks.ahead[key] > 1 {
				w.fail("%s gave %s %d turns more than %s, which had people all the time",
					b.box.Email, e.campaign.Name, w.checks.ahead[key], c.Name)
			}
		}
	}
}

// noteSent counts a day on which a mailbox has sent.
func (w *world) noteSent(b *worldBox) {
	if w.checks.days[b] == nil {
		w.checks.days[b] = map[string]bool{}
	}
	w.checks.days[b][w.now.UTC().Format(time.DateOnly)] = true
}

// idle: a mailbox that sends nothing has no person to write to.
func (w *world) idle(b *worldBox) {
	w.t.Helper()
	if !w.checks.due() {
		return
	}
	if could := w.candidates(b, w.now); len(could) > 0 {
		w.waits(b, could[0], w.now)
	}
}

func (w *world) waits(b *worldBox, e *worldEnrollment, since time.Time) {
	w.t.Helper()
	w.fail("step %d of %s waits for %d since %v, due %v, while %s is idle with %d places, looks again at %v",
		e.step, e.campaign.Name, e.number, since, e.due,
		b.box.Email, w.places(b, since), b.look)
}

// patience is how long a person who could go may wait beside an idle mailbox.
const patience = 2 * time.Second

// probe checks the time up to the next event, in which nothing changes: no person becomes sendable
// and still waits.
func (w *world) probe(next time.Time) {
	w.t.Helper()
	rest := next.Sub(w.now) - patience
	if rest <= 0 || !w.checks.due() {
		return
	}
	for _, at := range []time.Time{next.Add(-patience), w.now.Add(time.Duration(w.r.Int64N(int64(rest))))} {
		for _, b := range w.boxes {
			if could := w.candidates(b, at); len(could) > 0 && len(w.candidates(b, at.Add(patience))) > 0 {
				w.waits(b, could[0], at)
				return
			}
		}
	}
}
