package outreach

import (
	"time"

	"github.com/google/uuid"
)

// NextOpening is the first instant from t on at which the campaign may send to
// somebody in the named time zone; nil stands for the campaign's own. Days and
// hours are civil ones: where clocks change, the window changes with them, and
// what they skip does not open. The minute of SendUntil still belongs to the
// window.
func (c *Campaign) NextOpening(t time.Time, timezone *string) time.Time {
	zone := c.zoneFor(timezone)
	for from := t; from.Before(t.AddDate(0, 0, 30)); {
		steady, until := steadyZone(from.In(zone))
		opening, found := c.openingIn(from.In(steady))
		if !found {
			break // no day at all; Validate does not let it come to this
		}
		if until.IsZero() || opening.Before(until) {
			return opening.UTC()
		}
		from = until
	}
	return t.AddDate(0, 0, 7)
}

// CivilTime is the instant at which clocks in the named time zone, or with nil in
// the campaign's own, show what those of UTC show at t.
func (c *Campaign) CivilTime(t time.Time, timezone *string) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), c.zoneFor(timezone)).UTC()
}

// zoneFor is the named time zone where it is known, else the campaign's own.
func (c *Campaign) zoneFor(timezone *string) *time.Location {
	if timezone != nil {
		if theirs, err := time.LoadLocation(*timezone); err == nil {
			return theirs
		}
	}
	return c.zone()
}

// zone is the campaign's own time zone.
func (c *Campaign) zone() *time.Location {
	zone, err := time.LoadLocation(c.Timezone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// steadyZone is the offset that holds at local, as a zone in which no clock ever
// changes, and when it ends; zero when it never does.
func steadyZone(local time.Time) (*time.Location, time.Time) {
	name, offset := local.Zone()
	_, until := local.ZoneBounds()
	return time.FixedZone(name, offset), until
}

// openingIn is NextOpening where no clock changes.
func (c *Campaign) openingIn(local time.Time) (time.Time, bool) {
	if now := local.Format("15:04"); c.sendsOn(local) && now >= c.SendFrom && now <= c.SendUntil {
		return local, true
	}
	for day := range 9 {
		opening := atClock(local.AddDate(0, 0, day), c.SendFrom)
		if c.sendsOn(opening) && opening.After(local) {
			return opening, true
		}
	}
	return local, false
}

func (c *Campaign) sendsOn(local time.Time) bool {
	for _, day := range c.SendDays {
		if day == WeekdayOf(local) {
			return true
		}
	}
	return false
}

// atClock is the civil time hh:mm on the day of local.
func atClock(local time.Time, hhmm string) time.Time {
	at, err := time.Parse("15:04", hhmm)
	if err != nil {
		return local
	}
	return time.Date(local.Year(), local.Month(), local.Day(), at.Hour(), at.Minute(), 0, 0, local.Location())
}

// Today is the calendar day of t in the campaign's own time zone.
func (c *Campaign) Today(t time.Time) string {
	return t.In(c.zone()).Format(time.DateOnly)
}

// Draft is all that composing one message needs. ID is the message's own, by
// which its links are signed. Thread holds the Message-IDs of the steps before,
// oldest first, ThreadSubject their subject; BouncedSubject is that of the last one
// where none of them arrived.
type Draft struct {
	ID             uuid.UUID
	Mailbox        Mailbox
	Campaign       Campaign
	Step           Step
	Number         int
	Prospect       Prospect
	Thread         []string
	ThreadSubject  string
	BouncedSubject string
	TrackingHost   *string // of the verified tracking domain
	Date           time.Time
}

// Composed is a message with its bytes.
type Composed struct {
	MessageID string
	Subject   string
	Text      string
	Raw       []byte
}

// HoldError says why a message cannot be composed now; the enrollment waits with
// the reason until a person has seen to it.
type HoldError struct{ Reason string }

// Error gives the reason.
func (e *HoldError) Error() string { return e.Reason }

// Outgoing is a claimed message on its way, with the bytes that a repeat after a
// crash sends again unchanged.
type Outgoing struct {
	ID        uuid.UUID
	MessageID string
	Recipient string
	Raw       []byte
	Tries     int
}

// SendResult is what came of handing a message over.
type SendResult struct {
	Kind     SendKind
	Response string // the server's answer, or the reason in words
	// Fault sorts a refusal: the recipient's, the sender's, or one that may pass.
	Fault Fault
}

// SendKind is the end of one attempt to send.
type SendKind string

// Sent and refused are the server's word; deferred and failed are surely not
// sent; unknown is the answer lost after the final dot (RFC 1047).
const (
	SendSent     SendKind = "sent"
	SendRefused  SendKind = "refused"
	SendBlocked  SendKind = "blocked" // refused as a sender, before any recipient was named
	SendDeferred SendKind = "deferred"
	SendFailed   SendKind = "failed"
	SendUnknown  SendKind = "unknown"
)

// Fault says at whose door a refusal or a bounce lies.
type Fault string

// The three kinds of refusal.
const (
	FaultRecipient Fault = "recipient"
	FaultTransient Fault = "transient"
	FaultSender    Fault = "sender"
)

// Received is one message that arrived in a mailbox, read and sorted.
type Received struct {
	// Key knows the message again: its Message-ID, or a hash where it has none.
	Key  string
	Kind ReceivedKind
	// At is when the server took it in; the zero time where nobody knows.
	At         time.Time
	From       string
	Subject    *string
	Text       string
	Interest   *Interest
	Reason     *string
	ReturnDate *time.Time
	// References are the Message-IDs of ours that it may be about, likeliest first.
	References []string
	Bounces    []Bounce
}

// ReceivedKind sorts what arrives.
type ReceivedKind string

// Answer reports whether k is a reply, or an automatic one.
func (k ReceivedKind) Answer() bool { return k == ReceivedReply || k == ReceivedAutomatic }

// The kinds of received mail; ignored is neither an answer nor a report.
const (
	ReceivedReply     ReceivedKind = "reply"
	ReceivedAutomatic ReceivedKind = "automatic"
	ReceivedBounce    ReceivedKind = "bounce"
	ReceivedComplaint ReceivedKind = "complaint"
	ReceivedIgnored   ReceivedKind = "ignored"
)

// Bounce is a final report on one recipient.
type Bounce struct {
	Address string // empty where the report does not name it
	Fault   Fault
	Error   string // the server's words
}

// FolderPosition is where reading a folder stopped.
type FolderPosition struct {
	Folder      string
	UIDValidity uint32
	UID         uint32
}

// Leases of work that a process does for all: renewed every LeaseRenewal, they
// end LeaseLength after the last renewal (contract, section 6).
const (
	LeaseLength  = 30 * time.Second
	LeaseRenewal = 10 * time.Second
)

// NextDay is the first opening of the window after today, by the campaign's
// calendar.
func (c *Campaign) NextDay(t time.Time, timezone *string) time.Time {
	return c.NextOpening(c.tomorrow(t), timezone)
}

// tomorrow is the first instant of the next day of the campaign's calendar. That
// is not always a midnight: clocks may skip it, and may have it twice.
func (c *Campaign) tomorrow(t time.Time) time.Time {
	for from := t; ; {
		steady, until := steadyZone(from.In(c.zone()))
		local := from.In(steady)
		midnight := time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, steady)
		if until.IsZero() || midnight.Before(until) {
			return midnight.UTC()
		}
		if c.Today(until) != c.Today(t) {
			return until.UTC()
		}
		from = until
	}
}

// ReadClaim asks for mailboxes to read: at most Limit of those that are due, and of
// one workspace no more than make Share with those that Holder is reading already.
// Each is due again after Every.
type ReadClaim struct {
	Holder       string
	Limit, Share int
	Every        time.Duration
}

// MailboxRef names one mailbox.
type MailboxRef struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
}
