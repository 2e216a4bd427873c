package outreach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Sender is the state of a mailbox that decides when it may send, apart from its queues.
type Sender struct {
	Mailbox  Mailbox
	Sent     int       // messages in flight and sent in the last 24 hours, or a bound of them that leaves room
	FreeAt   time.Time // when fewer than the limit are left; zero if that is so now
	NewAt    time.Time // when so few are left that Owed has places and a first step too; zero if no time is known
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
	Contact  bool      // it is due then because another campaign wrote to the same person
}

// Reserves reports whether the follow-ups of the queue that fall due within 24 hours keep places of
// their mailbox, and when they stop, as Campaign.OpensWithinDay does.
func (q *Queue) Reserves(now time.Time) (reserves bool, until time.Time) {
	if !q.Followup || q.Mailbox == uuid.Nil || q.Due.After(now.Add(24*time.Hour)) {
		return false, time.Time{}
	}
	return q.Campaign.OpensWithinDay(now, q.Timezone)
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
	WaitsForTurn     Obstruction = "turn"    // the mailbox sends for other campaigns first
	WaitsForAnswer   Obstruction = "answer"  // of the server to the message in flight
	WaitsForNew      Obstruction = "new"     // the campaign's limit of new prospects
	WaitsForCompany  Obstruction = "company" // the campaign's limit of new prospects of one company
	WaitsForContact  Obstruction = "contact" // the gap to a step of another campaign
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
	Full    bool   // the mailbox has reached its limit
}

// Schedule returns when a mailbox can serve each of the given queues. The queues that it can serve
// now come first, in the order in which it serves them: follow-ups before first steps, then the
// campaign for which it claimed a step of that kind longest ago, then the earliest due time. The
// others follow, ordered by time, then in that order.
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
		return cmp.Or(order(!a.At.IsZero(), !b.At.IsZero()), a.At.Compare(b.At),
			order(a.Queue.Followup, b.Queue.Followup),
			served[a.Queue.Line()].Compare(served[b.Queue.Line()]),
			compareIDs(a.Queue.Campaign.ID, b.Queue.Campaign.ID),
			a.Queue.Due.Compare(b.Queue.Due))
	})
	return slots
}

// Cause returns the slot that says why nothing is sent now, of the slots of a campaign on all its
// mailboxes: the first to open of people who are due, or would be but for a limit or a step of another
// campaign, else the first to open of all. Its time is that of the first of all. It is nil without slots.
func Cause(slots []Slot, now time.Time) *Slot {
	var next, due *Slot
	for i := range slots {
		slot := &slots[i]
		if slot.opensBefore(next) {
			next = slot
		}
		waits := slot.Queue.Company || slot.Queue.Contact || !slot.Queue.Due.After(now)
		if waits && slot.Waits != WaitsForEnd && slot.opensBefore(due) {
			due = slot
		}
	}
	if due == nil {
		return next
	}
	cause := *due
	cause.At = next.At
	return &cause
}

// opensBefore reports whether a slot opens before another, which may be nil. A slot without a time
// opens last.
func (s *Slot) opensBefore(other *Slot) bool {
	switch {
	case other == nil:
		return true
	case s.At.IsZero() || other.At.IsZero():
		return other.At.IsZero() && !s.At.IsZero()
	}
	return s.At.Before(other.At)
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
	slot := Slot{Queue: q, Mailbox: s.Mailbox, Full: s.Sent >= s.Mailbox.LimitOn(now)}
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
		until, why, date := q.Campaign.Closed(slot.At, q.Timezone)
		switch {
		case why == WaitsForNothing:
		case why == WaitsForWindow && slot.Waits != WaitsForNothing && slot.Waits != WaitsForDue:
			slot.At = until // the window may delay it further
		default:
			slot.At, slot.Waits, slot.Date = until, why, date
		}
	}
	switch {
	case q.Company:
		wait(q.Due, WaitsForCompany)
	case q.Contact:
		wait(q.Due, WaitsForContact)
	default:
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
	if !q.Followup {
		wait(s.placeForNew(now), WaitsForFollowup)
	}
	open()
	return slot
}

// placeForNew returns when a first step may take a place of the mailbox beside its follow-ups; the zero
// time if it may now.
func (s *Sender) placeForNew(now time.Time) time.Time {
	if s.Owed == 0 || s.Mailbox.LimitOn(now)-s.Sent > s.Owed {
		return time.Time{}
	}
	// Without a time, the follow-ups take all places, and keep each for 24 hours.
	place := s.NewAt
	if place.IsZero() {
		place = now.Add(24 * time.Hour)
	}
	if s.OwedTo.After(now) && s.OwedTo.Before(place) {
		place = s.OwedTo
	}
	return place
}

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
	at, then := "the time is not known", ""
	if !s.At.IsZero() {
		at = "next at " + FormatMoment(s.At)
		then = "; " + at
	}
	switch s.Waits {
	case WaitsForMailbox, WaitsForLimit, WaitsForFollowup, WaitsForGap, WaitsForTurn:
		return s.mailboxReason(now, at, then)
	case WaitsForNew:
		return fmt.Sprintf("The limit of new prospects for today is reached; %s.", at)
	case WaitsForCompany:
		return fmt.Sprintf("The limit of new prospects of one company for today is reached; %s.", at)
	case WaitsForContact:
		return fmt.Sprintf("Another campaign wrote to the prospects who are due a short time ago; %s.", at)
	case WaitsForWindow:
		return fmt.Sprintf("Outside the sending window; %s.", at)
	case WaitsForStart:
		return fmt.Sprintf("The campaign starts on %s; %s.", s.Date, at)
	case WaitsForDate:
		return fmt.Sprintf("%s is a date to skip; %s.", s.Date, at)
	case WaitsForEnd:
		if s.Queue.Campaign.BarsDay(now, s.Queue.Timezone) {
			return fmt.Sprintf("The campaign ended on %s; change its end date to continue.", s.Date)
		}
		return fmt.Sprintf("No prospect can be written to before the campaign ends on %s.", s.Date)
	case WaitsForDue:
		return fmt.Sprintf("No prospect is due before %s.", FormatMoment(s.At))
	}
	return ""
}

// mailboxReason is Reason where the mailbox is the cause. at tells the time, then is empty or "; " and the
// time.
func (s *Slot) mailboxReason(now time.Time, at, then string) string {
	name := s.Mailbox.Email
	switch s.Waits {
	case WaitsForMailbox:
		why := string(s.Mailbox.Status)
		if s.Mailbox.LastError != nil {
			why = *s.Mailbox.LastError
		}
		if then != "" {
			why = strings.TrimSuffix(why, ".")
		}
		return fmt.Sprintf("%s: %s%s.", name, why, then)
	case WaitsForLimit:
		if s.Mailbox.DailyLimit <= 0 {
			return fmt.Sprintf("The daily limit of %s is 0%s.", name, then)
		}
		if limit := s.Mailbox.LimitOn(now); limit < s.Mailbox.DailyLimit {
			return fmt.Sprintf("%s ramps up and has reached its limit of %d in 24 hours; %s.", name, limit, at)
		}
		return fmt.Sprintf("%s has reached its limit of %d in 24 hours; %s.", name, s.Mailbox.DailyLimit, at)
	case WaitsForFollowup:
		if s.Full {
			return fmt.Sprintf("%s has reached its limit of %d in 24 hours and keeps the next places for follow-ups; %s.",
				name, s.Mailbox.LimitOn(now), at)
		}
		return fmt.Sprintf("%s reserves its remaining places for follow-ups; %s.", name, at)
	case WaitsForGap:
		return fmt.Sprintf("%s waits %d s between two messages; %s.", name, s.Mailbox.MinGapSeconds, at)
	case WaitsForTurn:
		return fmt.Sprintf("%s sends for other campaigns first, with %d s between two messages; %s.", name, s.Mailbox.MinGapSeconds, at)
	}
	return ""
}

// FormatMoment writes an instant for a person, in UTC.
func FormatMoment(t time.Time) string { return t.UTC().Format("Mon 2 Jan 15:04 UTC") }
