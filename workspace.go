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
}

// NewToken is an API token that was just created. It is shown once.
type NewToken struct {
	Token       string
	TokenPrefix string
}
