package outreach

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Rival is a queue of another campaign, with the due times of the people in it, the earliest first and not
// more than are known.
type Rival struct {
	Queue
	Dues []time.Time
}

// Behind returns the slot of a mailbox with the time that the people of other campaigns take who come first,
// if nothing else changes: before a first step all follow-ups that are due, then within its kind the
// campaigns that were served longer ago. Between two messages lies the gap of the mailbox, at its shortest.
func (s *Sender) Behind(slot Slot, rivals []Rival, served map[Line]time.Time) Slot {
	if slot.At.IsZero() || s.Mailbox.MinGapSeconds == 0 {
		return slot
	}
	gap, at, mine := time.Duration(s.Mailbox.MinGapSeconds)*time.Second, slot.At, slot.Queue.Line()
	open := func(q *Queue, due time.Time) bool {
		_, why, _ := q.Campaign.Closed(at, q.Timezone)
		return !due.After(at) && why == WaitsForNothing && (q.Mailbox == s.Mailbox.ID ||
			q.Mailbox == uuid.Nil && slices.Contains(q.Campaign.MailboxIDs, s.Mailbox.ID))
	}
	before := make([]int, len(rivals)) // how many of each were served
	for next := !slot.Queue.Followup; next; {
		next = false
		for i := range rivals {
			r := &rivals[i]
			if r.Followup && before[i] < len(r.Dues) && open(&r.Queue, r.Dues[before[i]]) {
				before[i]++
				at, next = at.Add(gap), true
			}
		}
	}
	var first []Line
	for i := range rivals {
		r := &rivals[i]
		line := r.Line()
		if r.Followup != mine.Followup || !r.Followup && r.NewFull || slices.Contains(first, line) || !open(&r.Queue, r.Due) {
			continue
		}
		if order := served[line].Compare(served[mine]); order < 0 || order == 0 && compareIDs(line.Campaign, mine.Campaign) < 0 {
			first = append(first, line)
		}
	}
	if at = at.Add(gap * time.Duration(len(first))); at.After(slot.At) {
		slot.At, slot.Waits, slot.Date = slot.Queue.Campaign.NextOpening(at, slot.Queue.Timezone), WaitsForTurn, ""
	}
	return slot
}
