package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Reply is one message received from a prospect in a connected mailbox.
type Reply struct {
	ID             uuid.UUID
	WorkspaceID    uuid.UUID
	ProspectID     uuid.UUID
	CampaignID     *uuid.UUID
	MailboxID      uuid.UUID
	MessageID      *uuid.UUID // our message that it answers
	From           string
	Subject        *string
	Text           string
	Interest       *Interest
	InterestReason *string
	Automatic      bool
	ReceivedAt     time.Time
	Done           bool // dealt with, in the inbox of the application
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
}
