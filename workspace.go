package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Me is the workspace of an API token, with the public data of the token.
type Me struct {
	WorkspaceID     uuid.UUID
	WorkspaceName   string
	TokenPrefix     *string
	TokenLastUsedAt *time.Time
	ContactGapHours int
	// MailKeptFrom is the time before which the texts of mail were deleted; nil while all are kept.
	MailKeptFrom *time.Time
}

// DefaultContactGap is the default number of hours between steps of two campaigns to one prospect;
// MaxContactGap is the largest.
const (
	DefaultContactGap = 20
	MaxContactGap     = 720
)

// Validate returns an error that lists every invalid field, nil if there is none.
func (m *Me) Validate() error {
	var faults Faults
	validateRange(&faults, At("contact_gap_hours"), m.ContactGapHours, 0, MaxContactGap)
	return faults.Err()
}

// TokenRecord is the stored data of an API token.
type TokenRecord struct {
	Hash   [32]byte
	Prefix string
	// CreatedBy is the owner who created it; nil if it was created from a shell.
	CreatedBy *uuid.UUID
}

// NewToken is a new API token. It is shown once.
type NewToken struct {
	Token       string
	TokenPrefix string
}
