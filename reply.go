package outreach

import (
	"cmp"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Interest is what a reply says about an offer.
type Interest string

// The three interests.
const (
	InterestPositive Interest = "positive"
	InterestNeutral  Interest = "neutral"
	InterestNegative Interest = "negative"
)

// Reply is one e-mail from a prospect, read from a connected mailbox.
type Reply struct {
	ID             uuid.UUID
	WorkspaceID    uuid.UUID
	ProspectID     *uuid.UUID // nil while the reply is unmatched
	CampaignID     *uuid.UUID
	MailboxID      uuid.UUID
	MessageID      *uuid.UUID // the message of ours that it answers
	From           string
	Subject        *string
	Text           string // what its author wrote, without quotations
	FullText       string // the whole text
	Interest       *Interest
	InterestReason *string
	Automatic      bool
	ReceivedAt     time.Time
	Done           bool       // marked as done in the inbox
	AssignedTo     *uuid.UUID // the member who handles it
	SnoozedUntil   *time.Time // UntilReply: until the prospect's next reply
	Header         ReplyHeader
	ReadIn         uuid.UUID // the mailbox that holds it
	Attachments    []Attachment
}

// UntilReply is the end of a snooze that lasts until the prospect's next reply.
var UntilReply = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// SnoozeEnd returns the end of a snooze: until, or UntilReply if it is nil. It returns an error
// unless until is after now and within five years.
func SnoozeEnd(until *time.Time, now time.Time) (time.Time, error) {
	if until == nil {
		return UntilReply, nil
	}
	var faults Faults
	if !until.After(now) || until.After(now.AddDate(5, 0, 0)) {
		faults.Add(At("until"), FieldInvalid, "until must be a time in the next five years.")
	}
	return *until, faults.Err()
}

// MaxRepliesAtOnce is how many replies one call may mark as done, assign or snooze.
const MaxRepliesAtOnce = 100

// Abridged reports whether the whole text has more than what the author wrote.
func (r Reply) Abridged() bool { return strings.TrimSpace(r.FullText) != strings.TrimSpace(r.Text) }

// AnswerTo returns where an answer to the reply goes.
func (r Reply) AnswerTo() string {
	return cmp.Or(r.Header.ReplyTo, r.From)
}

// ReplyHeader holds the header fields that an answer needs.
type ReplyHeader struct {
	ID      string   // its Message-ID with angle brackets, empty if it has none
	Thread  []string // the Message-IDs of its References, oldest first
	ReplyTo string   // the Reply-To address; empty: From
}

// ReplyFilter narrows a list of replies.
type ReplyFilter struct {
	CampaignID *uuid.UUID
	ProspectID *uuid.UUID
	MailboxID  *uuid.UUID
	Interest   *Interest
	Automatic  *bool
	Since      *time.Time
	Done       *bool
	AssignedTo *uuid.UUID
	Unassigned bool
	Snoozed    *bool
	Search     []string // words that the reply contains, from ParseSearch
	Unmatched  bool     // only replies without a prospect, instead of only those with one
}
