package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Role is what a member may do in a workspace.
type Role string

// An owner also manages members, the API token and settings.
const (
	RoleOwner  Role = "owner"
	RoleMember Role = "member"
)

// Member is a user of a workspace.
type Member struct {
	ID        uuid.UUID
	Email     string
	Role      Role
	CreatedAt time.Time
	// CreatedToken reports that the API token in force was created by this member.
	// Removing the member revokes it.
	CreatedToken bool
	// TOTP reports that the member signs in with a second factor.
	TOTP bool
}

// Quotas limits what one workspace may hold; 0 means no limit.
type Quotas struct {
	Mailboxes     int
	Subscriptions int
	Members       int // open invitations count
}

// InvitationLength is how long an invitation can be accepted.
const InvitationLength = 7 * 24 * time.Hour

// Invitation lets the person who has its link join a workspace.
type Invitation struct {
	ID        uuid.UUID
	Email     string
	Role      Role
	InvitedBy string
	CreatedAt time.Time
	ExpiresAt time.Time
}

// NewInvitation is an invitation with the token of its link, which is shown once.
type NewInvitation struct {
	ID        uuid.UUID
	Email     string
	Role      Role
	ExpiresAt time.Time
	Token     string
}

// OpenInvitation is what the holder of a link sees before accepting.
type OpenInvitation struct {
	WorkspaceName string
	Email         string
	Role          Role
}

// Workspace is a workspace of a user.
type Workspace struct {
	ID   uuid.UUID
	Name string
	Role Role
}
