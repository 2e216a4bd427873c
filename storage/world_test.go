package storage_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// world is an installation in memory that a seed draws and lets live: its people wait,
// its mailboxes look, things happen to it. Its claims are those of worldclaim_test.go;
// worldcheck_test.go compares each with the rules of docs/reference.md#scheduling, and with what
// replies, deletions and changes of steps before must keep from happening.
type world struct {
	t         *testing.T
	seed      uint64
	r         *rand.Rand
	now       time.Time
	gap       time.Duration // between steps of two campaigns to one person
	boxes     []*worldBox
	campaigns []*worldCampaign
	people    []*worldPerson              // the deleted ones too
	present   map[string]*worldPerson     // by address
	used      []string                    // addresses that people have or had
	sites     map[string][]*worldPerson   // by registrable domain, the deleted ones too
	former    map[string]bool             // addresses of deleted people who replied
	cameIn    map[string][]*worldCampaign // by address: the campaigns of deleted people, in which the address is not enrolled again
	bounced   map[string]bool             // addresses that bounced
	all       []*worldEnrollment
	away      []*worldPerson
	queues    map[queueKey]*queue
	begun     map[firmDay]int // people that a campaign began with
	serial    int64           // of turns
	counts    int             // of owed
	steps     int             // of all campaigns
	woken     bool            // a change may have made a person due earlier
	changed   time.Time       // when anything happened last
	last      string          // what happened last
	twin      *twin           // the same installation in Postgres; nil for the rule alone
	checks    checks
}

type worldBox struct {
	box      outreach.Mailbox
	sent     []time.Time // of its messages, in order
	commit   *time.Time
	factor   float64
	look     *time.Time
	bounced  bool
	woken    bool
	followed []*worldEnrollment // follow-ups that are bound to it, and some that are not any more
	served   map[outreach.Line]time.Time
}

type worldCampaign struct {
	outreach.Campaign
	newOn    string
	newCount int
	running  int
	entered  int
	reached  int // the last step that was sent to a person
}

type worldPerson struct {
	id               uuid.UUID
	email            string
	site             string          // the registrable domain that colleagues share; empty with a free mail provider
	firm             string          // the name of the company, where the address does not tell it
	company          string          // what company_daily_limit counts by, empty for none
	writtenTo        map[string]bool // addresses that messages went to
	lastTo           string          // the last of them whose message was taken
	zone             string
	replied, bounced bool
	deleted          bool
	again            bool // added again since
	awayUntil        time.Time
	contacts         map[*worldCampaign]time.Time
	enrollments      []*worldEnrollment
	lastMessage      string // its Message-ID
	lastOf           *worldEnrollment
}

type worldEnrollment struct {
	number   int
	id       uuid.UUID
	person   *worldPerson
	campaign *worldCampaign
	box      *worldBox
	wrote    *worldBox // last
	status   outreach.EnrollmentStatus
	held     bool // below a pause
	step     int
	due      time.Time
	run      int
	forced   bool
	company  time.Time // until when it waits for the limit of its company
	gap      time.Time // until when it waits for a step of another campaign
	gapBy    time.Duration
	begun    time.Time
	last     time.Time
	lastStep uuid.UUID
	version  int
	counted  int // the last count of owed
}

func (e *worldEnrollment) running() bool { return e.status.Running() }

// box0 returns the mailbox that wrote last.
func (e *worldEnrollment) box0() uuid.UUID { return e.wrote.box.ID }

func (e *worldEnrollment) bound() uuid.UUID {
	if e.box == nil {
		return uuid.Nil
	}
	return e.box.box.ID
}

// change lets something happen to an enrollment and puts it into its queue.
func (w *world) change(e *worldEnrollment, status outreach.EnrollmentStatus) {
	switch before := e.running(); {
	case before && !status.Running():
		e.campaign.running--
	case !before && status.Running():
		e.campaign.running++
	}
	e.status = status
	e.version++
	if status != outreach.EnrollmentActive {
		return
	}
	if e.step > 1 && e.box != nil {
		e.box.followed = append(e.box.followed, e)
	}
	key := queueKey{e.campaign, e.step > 1, e.bound(), e.person.zone}
	if w.queues[key] == nil {
		w.queues[key] = &queue{}
	}
	w.queues[key].push(waiting{e.due, e, e.version})
}

// rebind moves an enrollment to another mailbox, or to none.
func (w *world) rebind(e *worldEnrollment, box *worldBox) {
	e.box = box
	w.change(e, e.status)
}

// completed reports whether everybody has been through the campaign.
func (c *worldCampaign) completed() bool { return c.entered > 0 && c.running == 0 }

// play lets the installation live for so long.
func (w *world) play(length time.Duration) {
	w.t.Helper()
	end := w.now.Add(length)
	script := w.script(end)
	for {
		next, scripted := w.next(script, end)
		if next.After(end) {
			break
		}
		w.probe(next)
		w.now = next
		w.twin.sync(w)
		for scripted && len(script) > 0 && !script[0].After(w.now) {
			script = script[1:]
			w.happen()
		}
		w.refresh()
		for _, b := range w.boxes {
			if b.look != nil && !b.look.After(w.now) {
				w.serve(b)
			}
		}
		w.twin.idle(w)
		if w.t.Failed() {
			return
		}
	}
	w.now = end
}

// next returns when the next thing happens, and whether it is one of the script.
func (w *world) next(script []time.Time, end time.Time) (at time.Time, scripted bool) {
	if w.woken || slices.ContainsFunc(w.boxes, func(b *worldBox) bool { return b.woken }) {
		return w.now, false
	}
	at = end.Add(time.Second)
	if len(script) > 0 {
		at, scripted = script[0], true
	}
	earlier := func(t time.Time) {
		if t.Before(at) {
			at, scripted = t, false
		}
	}
	for _, b := range w.boxes {
		if b.look != nil {
			earlier(*b.look)
		}
	}
	for _, p := range w.away {
		earlier(p.awayUntil)
	}
	if at.Before(w.now) {
		at = w.now
	}
	return at, scripted
}

// refresh does what a tick does before the mailboxes look.
func (w *world) refresh() {
	w.away = slices.DeleteFunc(w.away, func(p *worldPerson) bool {
		if p.awayUntil.After(w.now) {
			return false
		}
		p.awayUntil = time.Time{}
		for _, e := range p.enrollments {
			if e.held && e.running() { // one that has ended meanwhile waits no more
				w.wake()
			}
			e.held = false
			if e.status == outreach.EnrollmentHeld {
				w.change(e, outreach.EnrollmentActive)
			}
		}
		return true
	})
	w.shortenWaits()
	w.twin.refresh()
	for _, b := range w.boxes {
		if (w.woken || b.woken) && (b.look == nil || b.look.After(w.now)) {
			b.look = new(w.now)
		}
		b.woken = false
	}
	w.woken = false
	w.twin.due(w)
}

// away reports whether any enrollment is held for an absence.
func (p *worldPerson) away() bool {
	return slices.ContainsFunc(p.enrollments, func(e *worldEnrollment) bool { return e.held && e.running() })
}

// begins is the status of an enrollment that begins or continues.
func (e *worldEnrollment) begins() outreach.EnrollmentStatus {
	if e.held = e.person.away(); e.held {
		return outreach.EnrollmentHeld
	}
	return outreach.EnrollmentActive
}

// wakeBound makes the mailboxes look that a person is bound to.
func (p *worldPerson) wakeBound() {
	for _, e := range p.enrollments {
		if e.box != nil {
			e.box.woken = true
		}
	}
}

// wake makes all mailboxes look at the next tick.
func (w *world) wake() { w.woken, w.changed = true, w.now }

// serve lets a mailbox send until it finds nothing.
func (w *world) serve(b *worldBox) {
	w.t.Helper()
	for !w.t.Failed() {
		e, settled := w.claim(b)
		w.twin.claims(w, b, e, settled)
		if e == nil {
			w.idle(b)
			return
		}
		w.send(b, e)
	}
}

// send carries a claimed step through the ledger. Some servers refuse the recipient.
func (w *world) send(b *worldBox, e *worldEnrollment) {
	w.t.Helper()
	refused := !b.bounced && w.r.IntN(60) == 0 // one is not enough for auto-pause
	w.twin.sends(e, refused)
	w.changed = w.now
	b.commit, b.sent = new(w.now), append(b.sent, w.now)
	e.box, e.wrote = b, b
	if !refused || e.last.Before(w.now) { // of an enrollment that has ended, only a later step is noted
		e.last, e.lastStep = w.now, e.campaign.Steps[e.step-1].ID
	}
	e.person.writtenTo[e.person.email] = true
	if refused {
		b.bounced = true
		e.person.bounced, w.bounced[e.person.email] = true, true
		for _, other := range e.person.enrollments {
			if other.running() {
				w.change(other, outreach.EnrollmentBounced)
			}
		}
		e.person.wakeBound()
		return
	}
	w.noteSent(b)
	if day := outreach.UTCDay(w.now); b.box.SentOn == nil || b.box.SentOn.Before(day) {
		b.box.SendingDays, b.box.SentOn = b.box.SendingDays+1, &day
	}
	e.person.contacts[e.campaign] = w.now
	e.person.lastOf, e.person.lastTo = e, e.person.email
	e.step++
	if e.step > len(e.campaign.Steps) {
		w.change(e, outreach.EnrollmentFinished)
		return
	}
	e.due = w.now.Add(delayOf(e))
	w.change(e, outreach.EnrollmentActive)
}

func delayOf(e *worldEnrollment) time.Duration {
	return time.Duration(e.campaign.Steps[e.step-1].DelayMinutes) * time.Minute
}

// after is the number of the step that follows the last one that was sent.
func (e *worldEnrollment) after() int { return placeOf(e.campaign.Steps, e.lastStep) + 1 }

// placeOf is the number of a step, 0 for none.
func placeOf(steps []outreach.Step, id uuid.UUID) int {
	return 1 + slices.IndexFunc(steps, func(s outreach.Step) bool { return s.ID == id })
}

func (w *world) campaignOf(id uuid.UUID) *worldCampaign {
	return w.campaigns[slices.IndexFunc(w.campaigns, func(c *worldCampaign) bool { return c.ID == id })]
}

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("seed %d at %s, after %s: %s", w.seed, w.now.Format(time.RFC3339Nano), w.last, fmt.Sprintf(format, args...))
}
