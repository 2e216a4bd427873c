package outreach

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Role is what a member may do in a workspace.
type Role string

// An owner also looks after members and settings.
const (
	RoleOwner  Role = "owner"
	RoleMember Role = "member"
)

// Me is what an API token tells of itself.
type Me struct {
	WorkspaceID     uuid.UUID
	WorkspaceName   string
	TokenPrefix     *string
	TokenLastUsedAt *time.Time
}

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

// NewMember is a member with the password that is shown once.
type NewMember struct {
	ID       uuid.UUID
	Email    string
	Role     Role
	Password string
}

// The bounds of a password that somebody chooses, in characters.
const (
	MinPassword = 12
	MaxPassword = 1000
)

// ValidatePassword refuses a new password that is too short or too long.
func ValidatePassword(faults *Faults, pointer, password string) {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		faults.Add(pointer, FieldInvalid, "%s needs at least %d characters.", strings.TrimPrefix(pointer, "/"), MinPassword)
	case n > MaxPassword:
		faults.Add(pointer, FieldTooLong, "At most %d characters fit here.", MaxPassword)
	}
}

// NewToken is a fresh API token, shown once.
type NewToken struct {
	Token       string
	TokenPrefix string
}

// TrackingDomainStatus says whether a tracking domain leads here.
type TrackingDomainStatus string

// Only a verified domain carries clicks.
const (
	TrackingDomainPending  TrackingDomainStatus = "pending"
	TrackingDomainVerified TrackingDomainStatus = "verified"
)

// TrackingDomain is the host under which a workspace's links are rewritten.
// Target is where its CNAME has to lead.
type TrackingDomain struct {
	Host       string
	Status     TrackingDomainStatus
	Target     string
	VerifiedAt *time.Time
}

// Actor is who asks: a token (no user) or a signed-in user, always in one
// workspace.
type Actor struct {
	WorkspaceID uuid.UUID
	User        *Viewer
}

type actorKey struct{}

// WithActor binds who asks to a context.
func WithActor(ctx context.Context, actor Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// ActorFrom gives who asks; false when nobody has been identified.
func ActorFrom(ctx context.Context) (Actor, bool) {
	actor, ok := ctx.Value(actorKey{}).(Actor)
	return actor, ok
}
