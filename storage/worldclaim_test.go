package storage_test

import (
	"container/heap"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// queueKey names a queue: the people of a campaign who wait for a step of one kind,
// from one mailbox or from any, in one time zone.
type queueKey struct {
	campaign *worldCampaign
	followup bool
	box      uuid.UUID
	zone     string
}

// waiting is an enrollment in a queue, as long as its version is the current one.
type waiting struct {
	due     time.Time
	e       *worldEnrollment
	version int
}

// queue is a heap by due time, then by age.
type queue []waiting

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(one any) { *q = append(*q, one.(waiting)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (q queue) Less(i, j int) bool { return before(q[i].e, q[j].e, q[i].due, q[j].due) }

func before(a, b *worldEnrollment, dueA, dueB time.Time) bool {
	if !dueA.Equal(dueB) {
		return dueA.Before(dueB)
	}
	return a.number < b.number
}

func (q *queue) push(one waiting) { heap.Push(q, one) }

// head returns the first of a queue, nil when it is empty.
func (q *queue) head() *worldEnrollment {
	for len(*q) > 0 {
		if first := (*q)[0]; first.version == first.e.version && first.e.status == outreach.EnrollmentActive {
			return first.e
		}
		heap.Pop(q)
	}
	return nil
}

// firmDay is a company in a campaign on one day of the campaign's calendar.
type firmDay struct {
	campaign *worldCampaign
	company  string
	day      string
}

func (w *world) firmDay(e *worldEnrollment) firmDay {
	return firmDay{e.campaign, e.person.company, e.campaign.Today(w.now)}
}

// claim returns the enrollment that a mailbox writes to now, nil if there is none, and whether
// others were ended or made to wait on the way.
// It decides as the claim of storage/sending does: both go by outreach.Sender.Schedule.
func (w *world) claim(b *worldBox) (_ *worldEnrollment, settled bool) {
	for {
		slots := w.slots(b)
		turn := outreach.Turn(slots)
		if len(turn) == 0 {
			b.look = nil
			for _, slot := range slots {
				if !slot.At.IsZero() && (b.look == nil || slot.At.Before(*b.look)) {
					b.look = new(slot.At)
				}
			}
			return nil, settled
		}
		var first *worldEnrollment
		for _, q := range turn {
			e := w.queues[queueKey{w.campaignOf(q.Campaign.ID), q.Followup, q.Mailbox, q.Timezone}].head()
			if first == nil || before(e, first, e.due, first.due) {
				first = e
			}
		}
		if w.mayGo(first) {
			w.checkClaim(b, first)
			w.begin(b, first)
			return first, settled
		}
		settled = true
	}
}

// mayGo reports whether a step may be sent to a person who is due. One who may not get it is ended
// or waits.
func (w *world) mayGo(e *worldEnrollment) bool {
	if e.step > len(e.campaign.Steps) {
		w.checkEnd(e)
		w.change(e, outreach.EnrollmentFinished)
		return false
	}
	if e.person.bounced { // their new address bounced for another person
		w.change(e, outreach.EnrollmentBounced)
		return false
	}
	if e.person.replied && e.campaign.StopOnReply && !e.forced {
		w.change(e, outreach.EnrollmentReplied)
		return false
	}
	if until := w.contactUntil(e); until.After(w.now) {
		e.due, e.company = until, time.Time{}
		e.gap, e.gapBy = until, w.gap
		w.change(e, e.status)
		return false
	}
	limit := e.campaign.CompanyDailyLimit
	if limit != nil && e.step == 1 && e.person.company != "" && w.begun[w.firmDay(e)] >= *limit {
		e.due = e.campaign.Tomorrow(w.now)
		e.company, e.gap = e.due, time.Time{}
		w.checkCompanyWait(e)
		w.change(e, e.status)
		return false
	}
	return true
}

// contactUntil returns until when another campaign's step keeps a person to itself.
func (w *world) contactUntil(e *worldEnrollment) (until time.Time) {
	if w.gap == 0 {
		return until
	}
	for c, at := range e.person.contacts {
		if end := at.Add(w.gap); c != e.campaign && end.After(until) {
			until = end
		}
	}
	return until
}

// begin counts a claim.
func (w *world) begin(b *worldBox, e *worldEnrollment) {
	w.serial++
	b.served[outreach.Line{Campaign: e.campaign.ID, Followup: e.step > 1}] = time.Unix(w.serial, 0)
	b.factor = 1 + w.r.Float64()*(outreach.MaxGapFactor-1)
	e.campaign.reached = max(e.campaign.reached, e.step)
	if e.step > 1 {
		return
	}
	if today := e.campaign.Today(w.now); e.campaign.newOn != today {
		e.campaign.newOn, e.campaign.newCount = today, 0
	}
	e.campaign.newCount++
	w.begun[w.firmDay(e)]++
}

func (w *world) slots(b *worldBox) []outreach.Slot {
	var queues []outreach.Queue
	for _, c := range w.campaigns {
		if c.Status != outreach.CampaignActive || !sendsFrom(c, b) {
			continue
		}
		full := c.DailyNewLimit != nil && c.newOn == c.Today(w.now) && c.newCount >= *c.DailyNewLimit
		for _, box := range []uuid.UUID{b.box.ID, uuid.Nil} {
			for _, zone := range worldZones {
				queues = w.queue(queues, queueKey{c, true, box, zone}, full)
				queues = w.queue(queues, queueKey{c, false, box, zone}, full)
			}
		}
	}
	s := w.sender(b)
	return s.Schedule(w.now, queues, b.served)
}

// queue adds a queue unless it is empty.
func (w *world) queue(queues []outreach.Queue, key queueKey, full bool) []outreach.Queue {
	q := w.queues[key]
	if q == nil || q.head() == nil {
		return queues
	}
	return append(queues, outreach.Queue{Campaign: &key.campaign.Campaign, Followup: key.followup, Mailbox: key.box,
		Timezone: key.zone, Due: q.head().due, NewFull: full, Company: q.head().company.Equal(q.head().due)})
}

// sender is what storage/sending reads of a mailbox.
func (w *world) sender(b *worldBox) *outreach.Sender {
	s := &outreach.Sender{Mailbox: b.box, GapUntil: b.box.GapEnd(b.commit, b.factor)}
	midnight := outreach.NextUTCDay(w.now)
	limit, raised := b.box.LimitOn(w.now), b.box.LimitOn(midnight)
	recent := w.recent(b)
	s.Sent = len(recent)
	s.Owed, s.OwedTo = w.owed(b, limit)
	kept := limit - s.Owed
	if s.Sent >= limit && limit > 0 {
		s.FreeAt = recent[s.Sent-limit].Add(24 * time.Hour)
	}
	if kept > 0 && s.Sent >= kept {
		s.NewAt = recent[s.Sent-kept].Add(24 * time.Hour)
	}
	if raised > limit {
		at := func(places int) time.Time {
			if s.Sent < places {
				return midnight
			}
			return laterOf(midnight, recent[s.Sent-places].Add(24*time.Hour))
		}
		s.FreeAt = earlierOf(s.FreeAt, at(raised))
		if raised > s.Owed && (s.NewAt.IsZero() || at(raised-s.Owed).Before(s.NewAt)) {
			s.NewAt = at(raised - s.Owed)
		}
	}
	return s
}

// recent are the times of the messages of the last 24 hours.
func (w *world) recent(b *worldBox) []time.Time {
	since := w.now.Add(-24 * time.Hour)
	for len(b.sent) > 0 && !b.sent[0].After(since) {
		b.sent = b.sent[1:]
	}
	return b.sent
}

// owed counts the follow-ups of a mailbox that fall due within 24 hours, in campaigns that send within
// 24 hours, up to most, and tells when a campaign of them closes for longer.
func (w *world) owed(b *worldBox, most int) (n int, closing time.Time) {
	type calendar struct {
		campaign *worldCampaign
		zone     string
	}
	open := map[calendar]bool{}
	until := w.now.Add(24 * time.Hour)
	w.counts++
	kept := b.followed[:0]
	for _, e := range b.followed {
		if e.box != b || e.step < 2 || !e.running() || e.counted == w.counts {
			continue
		}
		e.counted = w.counts
		kept = append(kept, e)
		if e.status != outreach.EnrollmentActive || e.campaign.Status != outreach.CampaignActive || e.due.After(until) {
			continue
		}
		key := calendar{e.campaign, e.person.zone}
		opens, known := open[key]
		if !known {
			q := outreach.Queue{Campaign: &e.campaign.Campaign, Followup: true, Mailbox: b.box.ID, Timezone: key.zone, Due: e.due}
			var closes time.Time
			opens, closes = q.Reserves(w.now)
			open[key] = opens
			if !closes.IsZero() && (closing.IsZero() || closes.Before(closing)) {
				closing = closes
			}
		}
		if opens && e.step <= len(e.campaign.Steps) {
			n++
		}
	}
	b.followed = kept
	return min(n, most), closing
}

func earlierOf(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
