package outreach

import (
	"time"

	"github.com/google/uuid"
)

// MessageStatus is what is known about a message.
type MessageStatus string

// The states of a message: docs/reference.md#ledger. NotSent is an unknown message
// that a person resolved as not sent; its step goes out as another message. The
// API shows sent, bounced and unknown only.
const (
	MessageClaimed    MessageStatus = "claimed"
	MessageCommitting MessageStatus = "committing"
	MessageSent       MessageStatus = "sent"
	MessageBounced    MessageStatus = "bounced"
	MessageUnknown    MessageStatus = "unknown"
	MessageNotSent    MessageStatus = "not_sent"
)

// Message is one e-mail of one step of one enrollment. MessageID is the header with
// its angle brackets.
type Message struct {
	ID           uuid.UUID
	WorkspaceID  uuid.UUID
	CampaignID   uuid.UUID
	ProspectID   uuid.UUID
	MailboxID    uuid.UUID
	EnrollmentID uuid.UUID
	Step         int
	Subject      string
	MessageID    string
	Status       MessageStatus
	SMTPResponse *string
	SentAt       time.Time
	Text         string
}

// MessageFilter narrows a list of messages.
type MessageFilter struct {
	CampaignID *uuid.UUID
	ProspectID *uuid.UUID
	MailboxID  *uuid.UUID
	Step       *int
	Status     *MessageStatus
	Since      *time.Time
}

// Resolution is what a person says about an unknown message.
type Resolution string

// The two resolutions.
const (
	ResolvedSent    Resolution = "sent"
	ResolvedNotSent Resolution = "not_sent"
)
