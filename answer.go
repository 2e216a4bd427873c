package outreach

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// The limits and times of answers (docs/reference.md#answers).
const (
	UndoDelay      = 10 * time.Second     // used when an answer names no time
	MaxSendLater   = 365 * 24 * time.Hour // the latest SendAt, from now
	MaxCc          = 10                   // addresses
	PresenceLength = 20 * time.Second     // a writer counts as writing this long after the last key
)

// AnswerText is the text of an answer to a reply. The composer has already filled its variables.
type AnswerText struct {
	Subject  *string // nil: "Re:" and the subject of the reply
	BodyHTML *string
	BodyText *string
	Cc       []string
}

// Answer is an answer to a reply. SendAt is when it leaves; nil means after
// UndoDelay.
type Answer struct {
	WorkspaceID uuid.UUID
	ReplyID     uuid.UUID
	Author      *uuid.UUID // nil if it was sent with an API token
	AnswerText
	SendAt *time.Time
}

// Normalize trims the texts and sets empty ones to nil.
func (t *AnswerText) Normalize() {
	t.Subject, t.BodyHTML, t.BodyText = trimmed(t.Subject), trimmed(t.BodyHTML), trimmed(t.BodyText)
	cc := make([]string, len(t.Cc))
	for i, address := range t.Cc {
		cc[i] = strings.TrimSpace(address)
	}
	t.Cc = cc
}

// validate adds a fault for each field that cannot be stored.
func (t *AnswerText) validate(faults *Faults) {
	ValidateText(faults, At("subject"), t.Subject, MaxText)
	ValidateText(faults, At("body_html"), t.BodyHTML, MaxBody)
	ValidateText(faults, At("body_text"), t.BodyText, MaxBody)
	if len(t.Cc) > MaxCc {
		faults.Add(At("cc"), FieldTooLong, "cc must have at most %d addresses.", MaxCc)
	}
}

// Validate returns an error that lists every invalid field, nil if there is none.
func (a *Answer) Validate(now time.Time) error {
	var faults Faults
	if a.BodyHTML == nil && a.BodyText == nil {
		faults.Add(At("body_text"), FieldRequired, "Send body_html or body_text.")
	}
	a.validate(&faults)
	for i, address := range a.Cc[:min(len(a.Cc), MaxCc)] {
		at := At("cc").Index(i)
		ValidateEmail(&faults, at, address)
		if slices.ContainsFunc(a.Cc[:i], func(other string) bool { return SameEmail(other, address) }) {
			faults.Add(at, FieldInvalid, "%s is in the list twice.", address)
		}
	}
	if a.SendAt != nil && a.SendAt.After(now.Add(MaxSendLater)) {
		faults.Add(At("send_at"), FieldInvalid, "send_at must be at most a year ahead.")
	}
	return faults.Err()
}

// DueAt returns when the answer leaves. A time that has passed means now.
func (a *Answer) DueAt(now time.Time) time.Time {
	if a.SendAt == nil {
		return now.Add(UndoDelay)
	}
	return *a.SendAt
}

// AnswerDraft is what a user has written below a reply and not sent.
type AnswerDraft struct {
	ReplyID uuid.UUID
	AnswerText
	UpdatedAt time.Time
}

// Validate returns an error if the draft is too long to be stored. Addresses may be
// incomplete.
func (d *AnswerDraft) Validate() error {
	var faults Faults
	d.validate(&faults)
	for i := range d.Cc[:min(len(d.Cc), MaxCc)] {
		ValidateText(&faults, At("cc").Index(i), &d.Cc[i], MaxText)
	}
	return faults.Err()
}

// Writer is a colleague who is writing an answer to the same reply.
type Writer struct {
	Email string
}

// AnswerSubject returns the subject of an answer to a mail with this subject: "Re: " and the
// subject, without a second "Re: ".
func AnswerSubject(subject string) string {
	if len(subject) >= 3 && strings.EqualFold(subject[:3], "re:") {
		return subject
	}
	return strings.TrimSpace("Re: " + subject)
}

// AnswerObstacle returns why a reply received at the given time must not be answered
// (docs/reference.md#answers). reasons are the reasons of all suppressions that cover the
// recipient. A person who unsubscribed and then wrote may be answered; a person who complained, or
// whose address a member suppressed, may not. Standing.Obstacle is the rule for steps.
func AnswerObstacle(reasons []SuppressionReason, received time.Time, unsubscribed *time.Time) Obstacle {
	switch {
	case slices.Contains(reasons, SuppressedManually),
		slices.ContainsFunc(reasons, func(r SuppressionReason) bool { return !r.Known() }):
		return ObstacleSuppressed
	case slices.Contains(reasons, SuppressedComplaint), unsubscribed != nil && received.Before(*unsubscribed):
		return ObstacleUnsubscribed
	}
	return ObstacleNone
}

// AnswerBytes is the input for composing an answer.
type AnswerBytes struct {
	ID        uuid.UUID
	Mailbox   Mailbox
	MessageID string
	To, Name  string // the address, and the name of the prospect
	Subject   string
	BodyHTML  *string
	BodyText  string
	Cc        []string
	Thread    []string // Message-IDs, oldest first
	Date      time.Time
}

// OutgoingAnswer is a claimed answer with its bytes.
type OutgoingAnswer struct {
	Outgoing
	MailboxID uuid.UUID
	Cc        []string
}

// UnfiledAnswer is a sent answer that may not be in the Sent folder yet.
type UnfiledAnswer struct {
	ID        uuid.UUID
	MessageID string
	SentAt    time.Time
	Raw       []byte
}

// AnswerMail is the part of package mail that storing an answer uses.
type AnswerMail interface {
	// NewMessageID returns a Message-ID for a mail from this address.
	NewMessageID(from string) (string, error)
	// PlainText returns the text of an HTML body.
	PlainText(html string) string
}
