package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Draft is what composing one message needs. ID is the id of the message, by
// which its links are signed. Thread holds the Message-IDs of the steps before,
// oldest first, and ThreadSubject their subject, for a step whose own subject renders
// empty; BouncedSubject is the subject of
// the last of them if none was accepted.
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

// Ref returns what names the message, with a zero id if it is none that is stored.
func (d *Draft) Ref() Ref { return Ref{d.Mailbox.WorkspaceID, d.ID} }

// Composed is a message with its bytes.
type Composed struct {
	MessageID string
	Subject   string
	Text      string
	HTML      string // empty where the step has plain text alone
	Root      bool   // it begins a thread
	Raw       []byte
}

// HoldError says why a message cannot be composed now. The enrollment is held
// with the reason until a person has corrected it.
type HoldError struct{ Reason string }

// Error returns the reason.
func (e *HoldError) Error() string { return e.Reason }
