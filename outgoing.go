package outreach

import "github.com/google/uuid"

// Outgoing is a claimed message with its bytes. A repeat after a crash sends the
// same bytes again.
type Outgoing struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	MessageID   string
	Recipient   string
	Raw         []byte
	Tries       int
}

// Ref returns what names the message.
func (o *Outgoing) Ref() Ref { return Ref{o.WorkspaceID, o.ID} }

// Ref identifies one message or offer. Nothing is asked of it without its workspace:
// that says on which server it is.
type Ref struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
}

// Workspace returns the workspace.
func (r Ref) Workspace() uuid.UUID { return r.WorkspaceID }

// IDsOf returns the ids of rows.
func IDsOf(refs []Ref) []uuid.UUID {
	ids := make([]uuid.UUID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	return ids
}

// SendResult is the outcome of one attempt to send a message.
type SendResult struct {
	Kind     SendKind
	Response string // the server's answer, or the reason in words
	Fault    Fault  // of a refusal
}

// SendKind is the end of one attempt to send.
type SendKind string

// Sent and refused are the server's answer. Deferred and failed messages were
// certainly not sent. Unknown means that the answer after the final dot was lost
// (RFC 1047).
const (
	SendSent     SendKind = "sent"
	SendRefused  SendKind = "refused"
	SendBlocked  SendKind = "blocked" // the sender was refused before any recipient was named
	SendDeferred SendKind = "deferred"
	SendFailed   SendKind = "failed"
	SendUnknown  SendKind = "unknown"
)

// Fault says what a refusal or a bounce is due to: docs/reference.md#faults.
type Fault string

// The three kinds of fault.
const (
	FaultRecipient Fault = "recipient"
	FaultTransient Fault = "transient"
	FaultSender    Fault = "sender"
)
