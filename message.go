package outreach

import (
	"time"

	"github.com/google/uuid"
)

// MessageStatus is what is known of a message that was handed to a server.
type MessageStatus string

// Claimed and Committing are the two states before an answer (contract, section
// 7). NotSent is an unknown of which a person said so: its step goes out as another
// message. Only the other three are shown (contract, section 5).
const (
	MessageClaimed    MessageStatus = "claimed"
	MessageCommitting MessageStatus = "committing"
	MessageSent       MessageStatus = "sent"
	MessageBounced    MessageStatus = "bounced"
	MessageUnknown    MessageStatus = "unknown"
	MessageNotSent    MessageStatus = "not_sent"
)

// Message is one e-mail for one step of one enrollment. MessageID is the header
// with its angle brackets.
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

// Resolution is a person's word on a message whose fate is unknown.
type Resolution string

// The two ways to settle an unknown.
const (
	ResolvedSent    Resolution = "sent"
	ResolvedNotSent Resolution = "not_sent"
)
