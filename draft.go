package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Draft is the input for composing one message. ID is the id of the message, which its links
// carry. Thread holds the Message-IDs of the earlier steps, oldest first. ThreadSubject is their
// subject, for a step whose own subject renders empty. BouncedSubject is the subject of the last
// of them if no server accepted any.
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
	TrackingHost   *string // host of the verified tracking domain
	Date           time.Time
}

// Ref returns the reference of the message; its id is zero for a message that is not stored.
func (d *Draft) Ref() Ref { return Ref{d.Mailbox.WorkspaceID, d.ID} }

// Composed is a message with its bytes.
type Composed struct {
	MessageID string
	Subject   string
	Text      string
	HTML      string // empty if the step has plain text only
	Root      bool   // it starts a thread
	Raw       []byte
}

// HoldError is the reason why a message cannot be composed. The enrollment is held with the reason
// until a person corrects the cause.
type HoldError struct{ Reason string }

// Error returns the reason.
func (e *HoldError) Error() string { return e.Reason }
