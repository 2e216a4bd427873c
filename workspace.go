package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Me is the workspace of an API token, with what may be shown of the token.
type Me struct {
	WorkspaceID     uuid.UUID
	WorkspaceName   string
	TokenPrefix     *string
	TokenLastUsedAt *time.Time
	ContactGapHours int
}

// DefaultContactGap is how many hours lie between steps of two campaigns to one
// prospect, unless the workspace says otherwise; MaxContactGap bounds that.
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

// TokenRecord is what is stored of an API token.
type TokenRecord struct {
	Hash   [32]byte
	Prefix string
	// CreatedBy is the owner who created it; nil for one from a shell.
	CreatedBy *uuid.UUID
}

// NewToken is an API token that was just created. It is shown once.
type NewToken struct {
	Token       string
	TokenPrefix string
}
