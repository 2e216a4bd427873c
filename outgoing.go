package outreach

import "github.com/google/uuid"

// Outgoing is a claimed message with its bytes. After a crash the same bytes are sent again.
type Outgoing struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	MessageID   string
	Recipient   string
	Raw         []byte
	Tries       int
	// CopyID is the Message-ID of a copy that was found in the Sent folder under another id.
	CopyID string
}

// Ref returns the reference of the message.
func (o *Outgoing) Ref() Ref { return Ref{o.WorkspaceID, o.ID} }

// Ref identifies one message or offer. Every query for it also needs its workspace, which tells
// the server that holds the row.
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
	Response string // the server's answer, or the reason as a text
	Fault    Fault  // of a refusal
	// NamedID is the Message-ID that the server named in its answer to an accepted message, "" if it
	// named none. It may be ours.
	NamedID string
}

// SendKind is the outcome of one attempt to send.
type SendKind string

// Sent and refused are the server's answer. Deferred, failed and uncommitted messages were not sent.
// Unknown means that the answer after the final dot was lost (RFC 1047).
const (
	SendSent     SendKind = "sent"
	SendRefused  SendKind = "refused"
	SendBlocked  SendKind = "blocked" // the server refused the sender before a recipient was named
	SendDeferred SendKind = "deferred"
	SendFailed   SendKind = "failed"
	SendUnknown  SendKind = "unknown"
	// SendUncommitted means that this service could not go on, its own database for example. It
	// says nothing about the server.
	SendUncommitted SendKind = "uncommitted"
)

// Fault is the cause of a refusal or a bounce: docs/reference.md#faults.
type Fault string

// The three kinds of fault.
const (
	FaultRecipient Fault = "recipient"
	FaultTransient Fault = "transient"
	FaultSender    Fault = "sender"
)
