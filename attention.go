package outreach

import (
	"time"

	"github.com/google/uuid"
)

// AttentionKind is a kind of problem that needs a person.
type AttentionKind string

// The kinds of problems.
const (
	AttentionEnrollmentHeld  AttentionKind = "enrollment_held"
	AttentionMailboxError    AttentionKind = "mailbox_error"
	AttentionEndpointFailing AttentionKind = "endpoint_failing"
	AttentionMessageUnknown  AttentionKind = "message_unknown"
	AttentionOAuthClient     AttentionKind = "oauth_client_refused"
)

// Attention is one problem that needs a person.
type Attention struct {
	Kind      AttentionKind
	SubjectID uuid.UUID
	Title     string
	Detail    string
	Since     time.Time
}
