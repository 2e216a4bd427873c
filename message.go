package outreach

import (
	"time"

	"github.com/google/uuid"
)

// MessageStatus is what is known about a message.
type MessageStatus string

// The states of a message: docs/reference.md#ledger. An answer is scheduled until it is sent.
// NotSent is an answer that was withdrawn or given up, or an unknown message that a person
// resolved as not sent. Lists show only sent, bounced and unknown.
const (
	MessageClaimed    MessageStatus = "claimed"
	MessageCommitting MessageStatus = "committing"
	MessageScheduled  MessageStatus = "scheduled"
	MessageSent       MessageStatus = "sent"
	MessageBounced    MessageStatus = "bounced"
	MessageUnknown    MessageStatus = "unknown"
	MessageNotSent    MessageStatus = "not_sent"
)

// MessageKind distinguishes steps of campaigns and answers to replies.
type MessageKind string

// The kinds of message.
const (
	MessageStep   MessageKind = "step"
	MessageAnswer MessageKind = "answer"
)

// Message is one e-mail to a prospect: a step of an enrollment or an answer to a
// reply. MessageID is the header with its angle brackets.
type Message struct {
	ID           uuid.UUID
	WorkspaceID  uuid.UUID
	Kind         MessageKind
	External     bool       // an answer that a person wrote in another program
	CampaignID   *uuid.UUID // nil for an answer to a reply without one
	ProspectID   uuid.UUID
	MailboxID    uuid.UUID
	EnrollmentID *uuid.UUID // of a step
	Step         *int       // of a step
	ReplyID      *uuid.UUID // of an answer; nil for an external one that answers no reply
	To           string
	Cc           []string
	Subject      string
	MessageID    string
	Status       MessageStatus
	SMTPResponse *string
	SendAt       *time.Time // of an answer: when it is or was due
	SentAt       *time.Time // nil until it is known
	BodyHTML     *string
	Text         string
}

// MessageFilter narrows a list of messages.
type MessageFilter struct {
	CampaignID *uuid.UUID
	ProspectID *uuid.UUID
	MailboxID  *uuid.UUID
	Kind       *MessageKind
	Step       *int
	Status     *MessageStatus
	Since      *time.Time
}

// Resolution is a person's decision about an unknown message.
type Resolution string

// The two resolutions.
const (
	ResolvedSent    Resolution = "sent"
	ResolvedNotSent Resolution = "not_sent"
)
