package storage_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// What people do with enrollments that have ended, with steps and with prospects
// (docs/reference.md#going-on, #edits-while-people-wait, #prospects).

// end ends an enrollment. It gets no step until a person lets it go on.
func (w *world) end(e *worldEnrollment, status outreach.EnrollmentStatus, why string) {
	w.change(e, status)
	w.checks.barred[e] = why
}

// obstacle is the code with which a person is refused, empty if they may be enrolled. replies and
// company report whether a reply of the person and one of a colleague count.
func (w *world) obstacle(p *worldPerson, replies, company bool) outreach.Code {
	switch {
	case p.bounced:
		return outreach.CodeProspectBounced
	case p.replied && replies:
		return outreach.CodeProspectReplied
	case company && w.colleagueReplied(p):
		return outreach.CodeCompanyReplied
	}
	return ""
}

func (w *world) colleagueReplied(p *worldPerson) bool {
	for address := range w.former {
		if p.site != "" && siteOf(address) == p.site && address != p.email {
			return true
		}
	}
	return slices.ContainsFunc(w.sites[p.site], func(q *worldPerson) bool { return q != p && q.replied && !q.deleted })
}

// refusal is obstacle for an enrollment that is to go on.
func (w *world) refusal(e *worldEnrollment, replies, company bool) outreach.Code {
	if e.person.deleted {
		return outreach.CodeInvalidState
	}
	refusal := w.obstacle(e.person, replies, company)
	if refusal == "" && e.after() > len(e.campaign.Steps) {
		refusal = outreach.CodeInvalidState
	}
	return refusal
}

// goOn lets an enrollment go on after the last step that it was sent.
func (w *world) goOn(e *worldEnrollment) {
	e.step = e.after()
	w.plan(e)
	w.change(e, e.begins())
}

// continueEnrollment resumes an enrollment that was stopped or ended by a reply, or tries to.
func (w *world) continueEnrollment() {
	e := w.some(outreach.EnrollmentStopped, outreach.EnrollmentReplied)
	if e == nil {
		return
	}
	force := w.r.IntN(2) == 0
	company := e.campaign.StopCompanyOnReply
	plain, forced := w.refusal(e, true, company), w.refusal(e, false, false)
	refusal := plain
	if force {
		refusal = forced
	}
	w.twin.resume(w, e, force, plain, forced)
	if refusal != "" {
		return
	}
	w.checks.let(e, false)
	e.forced = e.forced || force
	w.goOn(e)
	w.wake()
}

// restartEnrollment begins a new run of an enrollment that has ended, or tries to.
func (w *world) restartEnrollment() {
	e := w.some(outreach.EnrollmentStopped, outreach.EnrollmentReplied, outreach.EnrollmentFinished,
		outreach.EnrollmentBounced)
	if e == nil || e.person.deleted {
		return
	}
	force := w.r.IntN(2) == 0
	refusal := w.obstacle(e.person, !force, e.campaign.StopCompanyOnReply && !force)
	w.twin.enroll(e, force, true, refusal)
	if refusal != "" {
		return
	}
	w.again(e, force)
	w.wake()
}

// again begins a new run of an enrollment.
func (w *world) again(e *worldEnrollment, force bool) {
	w.checks.let(e, true)
	e.run, e.forced, e.step, e.begun = e.run+1, force, 1, w.now
	e.last, e.lastStep = time.Time{}, uuid.Nil
	w.plan(e)
	w.change(e, e.begins())
}

// bulkEnroll puts some people into a campaign at once, or tries to: some are in it already, are
// deleted, or named twice.
func (w *world) bulkEnroll() {
	c := one(w.r, w.campaigns...)
	force, restart := w.r.IntN(3) == 0, w.r.IntN(2) == 0
	asked := make([]*worldPerson, 1+w.r.IntN(8))
	outcomes := map[*worldPerson]string{}
	var begin []*worldPerson
	for i := range asked {
		p := w.anyPerson(func(p *worldPerson) bool { return !slices.Contains(w.cameIn[p.email], c) })
		if p == nil {
			return
		}
		asked[i] = p
		if outcomes[p] != "" {
			continue
		}
		e, refusal := p.in(c), w.obstacle(p, !force, c.StopCompanyOnReply && !force)
		switch {
		case p.deleted:
			outcomes[p] = "refused " + string(outreach.CodeUnknownReference)
		case e != nil && (e.running() || !restart):
			outcomes[p] = "present"
		case refusal != "":
			outcomes[p] = "refused " + string(refusal)
		case e != nil:
			outcomes[p], begin = "restarted", append(begin, p)
		default:
			outcomes[p], begin = "enrolled", append(begin, p)
		}
	}
	want := make([]string, len(asked))
	for i, p := range asked {
		want[i] = outcomes[p]
		if slices.Contains(begin, p) {
			outcomes[p] = "present" // the next time
		}
	}
	began := map[*worldPerson]*worldEnrollment{}
	slices.SortFunc(begin, func(a, b *worldPerson) int { return bytes.Compare(a.id[:], b.id[:]) }) // the order of their ids
	for _, p := range begin {
		if began[p] = p.in(c); began[p] == nil {
			began[p] = w.newEnrollment(p, c, force)
			w.add(began[p])
		} else {
			w.again(began[p], force)
		}
	}
	w.twin.bulkEnroll(w, c, asked, force, restart, want, began)
	if len(begin) > 0 {
		w.wake()
	}
}

// readdress changes the address of a person: some move to another company, some get the former address
// of another person.
// That a person replied moves with them, a bounce stays with the address.
func (w *world) readdress() {
	p := w.anyPerson(func(p *worldPerson) bool { return !p.deleted })
	if p == nil {
		return
	}
	domain := w.domain()
	if p.site == "" {
		domain = freeMail // a company that is known by its name keeps it
	}
	email := fmt.Sprintf("q%d@%s", len(w.used), domain)
	if had := one(w.r, w.used...); w.r.IntN(3) == 0 && w.present[had] == nil && (siteOf(had) == "") == (p.site == "") {
		email = had
	}
	delete(w.present, p.email)
	w.sites[p.site] = slices.DeleteFunc(w.sites[p.site], func(q *worldPerson) bool { return q == p })
	p.setEmail(email)
	w.settle(p)
	p.replied, p.bounced = p.replied || w.former[email], w.bounced[email]
	w.twin.readdress(p)
	w.wake()
}

// continueFinished lets the finished people of a campaign go on with the steps that were placed
// after their last one.
func (w *world) continueFinished() {
	c := one(w.r, w.campaigns...)
	var on []*worldEnrollment
	refused := 0
	for _, e := range w.all {
		switch {
		case e.campaign != c || e.status != outreach.EnrollmentFinished || e.after() > len(c.Steps):
		case w.refusal(e, c.StopOnReply && !e.forced, c.StopCompanyOnReply && !e.forced) != "":
			refused++
		default:
			on = append(on, e)
		}
	}
	w.twin.continueFinished(w, c, on, refused)
	if c.Status != outreach.CampaignActive || len(on) == 0 {
		return
	}
	for _, e := range on {
		w.goOn(e)
	}
	w.wake()
}

// plan derives the due time of an enrollment from the step before.
func (w *world) plan(e *worldEnrollment) {
	e.due = laterOf(e.begun, e.last).Add(delayOf(e))
}

// written draws a person who was written to, nil if there is none. They may be deleted.
func (w *world) written() *worldPerson {
	return w.anyPerson(func(p *worldPerson) bool { return p.lastOf != nil && !p.bounced })
}

// anyPerson draws a person that fits, nil when it meets none.
func (w *world) anyPerson(fits func(*worldPerson) bool) *worldPerson {
	for range 20 {
		if p := one(w.r, w.people...); fits(p) {
			return p
		}
	}
	return nil
}

// reply is an answer to the last message that a person got. If the person was deleted, it counts for the
// address that the message went to, and for who has that now.
func (w *world) reply() {
	p := w.written()
	if p == nil {
		return
	}
	w.twin.reply(p)
	w.stopReplied(p, p)
	address := p.email
	if p.deleted {
		address = p.lastTo
		w.former[address] = true
		if now := w.present[address]; now != nil {
			w.stopReplied(now, p)
			now.replied = true
		}
	} else {
		p.replied = true
	}
	for _, colleague := range w.sites[siteOf(address)] {
		if colleague.email != address && !colleague.deleted {
			w.stopColleague(colleague)
		}
	}
}

// stopReplied ends the enrollments of a person on an answer to the last message to to, who had the
// same address.
func (w *world) stopReplied(p, to *worldPerson) {
	for _, e := range p.enrollments {
		ends := e.running() || e == to.lastOf && e.status == outreach.EnrollmentFinished
		if ends && (e.campaign.StopOnReply || e.campaign == to.lastOf.campaign && e.campaign.StopCompanyOnReply) {
			w.end(e, outreach.EnrollmentReplied, "the person replied")
		}
	}
	w.isBack(p)
	p.wakeBound()
}

// isBack ends the absence of a person who writes.
func (w *world) isBack(p *worldPerson) {
	for _, e := range p.enrollments {
		if !e.held || !e.running() {
			continue
		}
		e.held = false
		if e.status == outreach.EnrollmentHeld {
			w.change(e, outreach.EnrollmentActive)
		}
		w.wake()
	}
}

// stopColleague ends the enrollments of a person in campaigns that a reply of a colleague stops.
func (w *world) stopColleague(p *worldPerson) {
	stopped := false
	for _, e := range p.enrollments {
		if e.running() && e.campaign.StopCompanyOnReply {
			w.end(e, outreach.EnrollmentReplied, "a colleague replied")
			stopped = true
		}
	}
	if stopped {
		p.wakeBound()
	}
}

// deletePerson deletes a person, some with all that is known of them.
func (w *world) deletePerson() {
	p := w.anyPerson(func(p *worldPerson) bool { return !p.deleted })
	if p == nil {
		return
	}
	erase := w.r.IntN(3) == 0
	w.twin.deletePerson(p, erase)
	p.deleted = true
	delete(w.present, p.email)
	if erase {
		delete(w.former, p.email)
		maps.DeleteFunc(w.former, func(address string, _ bool) bool { return p.writtenTo[address] })
	} else if p.replied {
		w.former[p.email] = true
	}
	for _, e := range p.enrollments {
		w.cameIn[p.email] = append(w.cameIn[p.email], e.campaign)
		if e.running() {
			w.end(e, outreach.EnrollmentStopped, "the prospect was deleted")
		}
	}
	p.wakeBound()
}

// addAgain adds a deleted person again. What is kept of the address counts.
func (w *world) addAgain() {
	p := w.anyPerson(func(p *worldPerson) bool { return p.deleted && !p.again && w.present[p.email] == nil })
	if p == nil {
		return
	}
	p.again = true
	w.join(&worldPerson{email: p.email, site: p.site, firm: p.firm, company: p.company, bounced: w.bounced[p.email],
		replied: w.former[p.email]})
}

// setSteps changes the steps of a campaign. The due times of all who wait are derived anew.
func (w *world) setSteps(c *worldCampaign, steps []outreach.Step) {
	w.edit(c, func(c *outreach.Campaign) { c.Steps = steps })
	w.nameSteps(c)
	for _, e := range w.all {
		if e.campaign == c && e.running() && e.step <= len(c.Steps) {
			w.plan(e)
			w.change(e, e.status)
		}
	}
}

func (w *world) editDelays() {
	c := one(w.r, w.campaigns...)
	step, delay := w.r.IntN(len(c.Steps)), w.delay()
	if c.Steps[step].DelayMinutes == delay {
		return
	}
	after := slices.Clone(c.Steps)
	after[step].DelayMinutes = delay
	w.setSteps(c, after)
}

// mostSteps is how many steps a campaign gets.
const mostSteps = 6

func (w *world) addStep() {
	if c := one(w.r, w.campaigns...); len(c.Steps) < mostSteps {
		w.setSteps(c, append(slices.Clone(c.Steps), w.newStep()))
	}
}

// editSteps removes, moves or inserts a step, or tries to: one that was sent keeps its place. Most
// draws are among those that were not sent.
func (w *world) editSteps() {
	c := one(w.r, w.campaigns...)
	from := 0
	if w.r.IntN(4) > 0 {
		from = min(c.reached, len(c.Steps)-1)
	}
	at, to := from+w.r.IntN(len(c.Steps)-from), from+w.r.IntN(len(c.Steps)-from)
	after := slices.Clone(c.Steps)
	switch kind := w.r.IntN(3); {
	case kind == 0 && len(after) > 1:
		after = slices.Delete(after, at, at+1)
	case kind == 1 && at != to:
		after = slices.Insert(slices.Delete(after, at, at+1), to, c.Steps[at])
	case kind == 2 && len(after) < mostSteps:
		after = slices.Insert(after, at, w.newStep())
	default:
		return
	}
	moved := slices.IndexFunc(c.Steps, func(s outreach.Step) bool {
		return placeOf(after, s.ID) != placeOf(c.Steps, s.ID)
	})
	if moved >= 0 && moved < c.reached {
		w.twin.refuseSteps(c, after)
		return
	}
	w.setSteps(c, after)
}
