package outreach

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// Sender is the state of a mailbox that decides when it may send, apart from its queues.
type Sender struct {
	Mailbox  Mailbox
	Sent     int       // messages in flight and sent in the last 24 hours, or a bound of them that leaves room
	PlaceAt  time.Time // when the oldest of them is 24 hours old; zero when there are none
	FreeAt   time.Time // when fewer than the limit are left; zero if that is so now
	InFlight time.Time // latest end of its message in flight; zero without one
	GapUntil time.Time // the end of its gap
	LeftAt   time.Time // when a message that was deferred, or whose process died, is tried again; zero without one
	Owed     int       // its follow-ups that fall due within 24 hours, in campaigns that send within 24 hours
	OwedTo   time.Time // when some of them count no more, because their campaign closes; zero if not known
}

// Queue holds the people of one active campaign who wait for a step of one kind, from one mailbox
// or from any, in one time zone.
type Queue struct {
	Campaign *Campaign
	Followup bool
	Mailbox  uuid.UUID // uuid.Nil for any mailbox of the campaign
	Timezone string    // empty for the campaign's
	Due      time.Time // the earliest due time
	First    uuid.UUID // the enrollment that is due then
	Owed     int       // the follow-ups that fall due within 24 hours, up to the limit of the mailbox
	NewFull  bool      // the campaign's limit of new prospects for today is reached
	Company  bool      // it is due then because the limit of its company was reached
}

// zone returns the time zone of the queue, nil for that of the campaign.
func (q *Queue) zone() *string {
	if q.Timezone == "" {
		return nil
	}
	return &q.Timezone
}

// Reserves reports whether the follow-ups of the queue that fall due within 24 hours keep places of
// their mailbox, and when they stop, as Campaign.OpensWithinDay does.
func (q *Queue) Reserves(now time.Time) (reserves bool, until time.Time) {
	if !q.Followup || q.Mailbox == uuid.Nil || q.Due.After(now.Add(24*time.Hour)) {
		return false, time.Time{}
	}
	return q.Campaign.OpensWithinDay(now, q.zone())
}

// Obstruction is the reason why a queue cannot be served.
type Obstruction string

// The reasons, from the mailbox to the campaign's calendar.
const (
	WaitsForNothing  Obstruction = ""
	WaitsForMailbox  Obstruction = "mailbox"   // paused or in error
	WaitsForLimit    Obstruction = "limit"     // of the mailbox
	WaitsForFollowup Obstruction = "follow-up" // the places that are left are reserved for follow-ups
	WaitsForGap      Obstruction = "gap"
	WaitsForAnswer   Obstruction = "answer"  // of the server to the message in flight
	WaitsForNew      Obstruction = "new"     // the campaign's limit of new prospects
	WaitsForCompany  Obstruction = "company" // the campaign's limit of new prospects of one company
	WaitsForWindow   Obstruction = "window"
	WaitsForStart    Obstruction = "start" // of the campaign
	WaitsForDate     Obstruction = "date"  // a skip date
	WaitsForEnd      Obstruction = "end"   // of the campaign: it sends nothing more
	WaitsForDue      Obstruction = "due"
)

// Line identifies the people who take turns on a mailbox: those of a campaign who wait for a step
// of one kind.
type Line struct {
	Campaign uuid.UUID
	Followup bool
}

// Line returns the line that the queue belongs to.
func (q *Queue) Line() Line { return Line{q.Campaign.ID, q.Followup} }

// Slot is when a mailbox can serve a queue, and why it cannot until then. At is zero if no time is
// known.
type Slot struct {
	Queue   Queue
	Mailbox Mailbox
	At      time.Time
	Waits   Obstruction
	Date    string // the campaign's date that is the reason, if any
}

// Schedule returns when a mailbox can serve each of the given queues. The queues that it can serve
// now come first, in the order in which it serves them: follow-ups before first steps, then the
// campaign to which it sent a step of that kind longest ago, then the earliest due time. The
// others follow, ordered by time.
//
// The claim of a message, the reason that a campaign shows and the time of the next look at a
// mailbox all come from this function.
func (s *Sender) Schedule(now time.Time, queues []Queue, served map[Line]time.Time) []Slot {
	slots := make([]Slot, 0, len(queues))
	for _, q := range queues {
		if q.Mailbox == uuid.Nil || q.Mailbox == s.Mailbox.ID {
			slots = append(slots, s.slot(now, q))
		}
	}
	slices.SortStableFunc(slots, func(a, b Slot) int {
		if a.Waits != b.Waits && (a.Waits == WaitsForNothing || b.Waits == WaitsForNothing) {
			return order(a.Waits == WaitsForNothing, b.Waits == WaitsForNothing)
		}
		if a.Waits != WaitsForNothing {
			return cmp.Or(order(!a.At.IsZero(), !b.At.IsZero()), a.At.Compare(b.At))
		}
		return cmp.Or(order(a.Queue.Followup, b.Queue.Followup),
			served[a.Queue.Line()].Compare(served[b.Queue.Line()]),
			compareIDs(a.Queue.Campaign.ID, b.Queue.Campaign.ID),
			a.Queue.Due.Compare(b.Queue.Due))
	})
	return slots
}

// Turn returns the queues to serve now, from the slots of Schedule: those of one campaign and
// kind. The person with the earliest due time among them is next. It is empty if the mailbox
// cannot serve any queue now.
func Turn(slots []Slot) (queues []Queue) {
	for _, slot := range slots {
		q := slot.Queue
		if slot.Waits != WaitsForNothing || len(queues) > 0 && (q.Campaign != queues[0].Campaign || q.Followup != queues[0].Followup) {
			break
		}
		queues = append(queues, q)
	}
	return queues
}

// order sorts true before false.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func compareIDs(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) }

// slot returns when the mailbox can serve one queue.
func (s *Sender) slot(now time.Time, q Queue) Slot {
	slot := Slot{Queue: q, Mailbox: s.Mailbox}
	if s.Mailbox.Status != MailboxConnected {
		slot.Waits = WaitsForMailbox
		return slot
	}
	if s.Mailbox.DailyLimit <= 0 {
		slot.Waits = WaitsForLimit
		return slot
	}
	slot.At, slot.Waits = now, WaitsForNothing
	wait := func(until time.Time, why Obstruction) {
		if until.After(slot.At) {
			slot.At, slot.Waits = until, why
		}
	}
	open := func() {
		until, why, date := q.Campaign.Closed(slot.At, q.zone())
		switch {
		case why == WaitsForNothing:
		case why == WaitsForWindow && slot.Waits != WaitsForNothing && slot.Waits != WaitsForDue:
			slot.At = until // the window may delay it further
		default:
			slot.At, slot.Waits, slot.Date = until, why, date
		}
	}
	if q.Company {
		wait(q.Due, WaitsForCompany)
	} else {
		wait(q.Due, WaitsForDue)
	}
	open()
	if slot.At.IsZero() {
		return slot
	}
	if q.NewFull && !q.Followup {
		wait(q.Campaign.Tomorrow(now), WaitsForNew)
	}
	wait(s.InFlight, WaitsForAnswer)
	wait(s.GapUntil, WaitsForGap)
	wait(s.FreeAt, WaitsForLimit)
	if !q.Followup && s.Mailbox.LimitOn(now)-s.Sent <= s.Owed {
		// Places become free one by one. The schedule is computed again when the next one does.
		place := s.PlaceAt
		if !place.After(now) {
			place = now.Add(placeAgain)
		}
		if s.OwedTo.After(now) && s.OwedTo.Before(place) {
			place = s.OwedTo
		}
		wait(place, WaitsForFollowup)
	}
	open()
	return slot
}

// placeAgain is the time until the next look at a mailbox that reserves all its places for
// follow-ups and has sent nothing in the last 24 hours.
const placeAgain = 15 * time.Minute

// GapEnd returns the end of the gap after a commit.
func (m *Mailbox) GapEnd(lastCommit *time.Time, factor float64) time.Time {
	if lastCommit == nil || m.MinGapSeconds == 0 {
		return time.Time{}
	}
	gap := time.Duration(float64(m.MinGapSeconds) * factor * float64(time.Second))
	return lastCommit.Add(gap.Round(time.Microsecond)) // the precision of the database
}

// MaxGapFactor is the largest factor by which the gap after a message is stretched.
const MaxGapFactor = 1.3

// Soon is the longest time until the next message for which a campaign counts as sending.
const Soon = 2 * time.Minute

// Reason returns one sentence that says why nothing of the slot's campaign is sent before At.
func (s *Slot) Reason(now time.Time) string {
	at := "the time is not known"
	if !s.At.IsZero() {
		at = "next at " + FormatMoment(s.At)
	}
	name := s.Mailbox.Email
	switch s.Waits {
	case WaitsForMailbox:
		why := string(s.Mailbox.Status)
		if s.Mailbox.LastError != nil {
			why = *s.Mailbox.LastError
		}
		return fmt.Sprintf("%s: %s.", name, why)
	case WaitsForLimit:
		if s.Mailbox.DailyLimit <= 0 {
			return fmt.Sprintf("The daily limit of %s is 0.", name)
		}
		if limit := s.Mailbox.LimitOn(now); limit < s.Mailbox.DailyLimit {
			return fmt.Sprintf("%s ramps up and has reached its limit of %d in 24 hours; %s.", name, limit, at)
		}
		return fmt.Sprintf("%s has reached its limit of %d in 24 hours; %s.", name, s.Mailbox.DailyLimit, at)
	case WaitsForFollowup:
		return fmt.Sprintf("%s reserves its remaining places for follow-ups; %s.", name, at)
	case WaitsForGap:
		return fmt.Sprintf("%s waits %d s between two messages; %s.", name, s.Mailbox.MinGapSeconds, at)
	case WaitsForNew:
		return fmt.Sprintf("The limit of new prospects for today is reached; %s.", at)
	case WaitsForCompany:
		return fmt.Sprintf("The limit of new prospects of one company for today is reached; %s.", at)
	case WaitsForWindow:
		return fmt.Sprintf("Outside the sending window; %s.", at)
	case WaitsForStart:
		return fmt.Sprintf("The campaign starts on %s; %s.", s.Date, at)
	case WaitsForDate:
		return fmt.Sprintf("%s is a date to skip; %s.", s.Date, at)
	case WaitsForEnd:
		if s.Queue.Campaign.BarsDay(now, s.Queue.zone()) {
			return fmt.Sprintf("The campaign ended on %s; change its end date to continue.", s.Date)
		}
		return fmt.Sprintf("No prospect can be written to before the campaign ends on %s.", s.Date)
	case WaitsForDue:
		return fmt.Sprintf("No prospect is due before %s.", FormatMoment(s.At))
	}
	return ""
}

// FormatMoment writes an instant for a person, in UTC.
func FormatMoment(t time.Time) string { return t.UTC().Format("Mon 2 Jan 15:04 UTC") }
