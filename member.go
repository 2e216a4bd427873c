package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Role is what a member may do in a workspace.
type Role string

// The roles. Owners also manage members and settings.
const (
	RoleOwner  Role = "owner"
	RoleMember Role = "member"
)

// Viewer is a signed-in user in one workspace.
type Viewer struct {
	ID            uuid.UUID
	Email         string
	Admin         bool
	Role          Role
	WorkspaceID   uuid.UUID
	WorkspaceName string
}

// Member is a user of a workspace.
type Member struct {
	ID        uuid.UUID
	Email     string
	Role      Role
	CreatedAt time.Time
}

// NewMember is a member with its first password, which is shown once.
type NewMember struct {
	ID       uuid.UUID
	Email    string
	Role     Role
	Password string
}
