package outreach

import (
	"time"

	"github.com/google/uuid"
)

const (
	// SessionLength is how long a session lasts at most.
	SessionLength = 30 * 24 * time.Hour
	// SessionIdle is how long a session lasts without a request.
	SessionIdle = 7 * 24 * time.Hour
	// ConfirmationLength is how long an entered password allows sensitive changes.
	ConfirmationLength = 15 * time.Minute
)

// Viewer is a signed-in user in one workspace.
type Viewer struct {
	ID            uuid.UUID
	Email         string
	Admin         bool
	Role          Role
	WorkspaceID   uuid.UUID
	WorkspaceName string
	// SessionID names the session that the request came with.
	SessionID uuid.UUID
	// ConfirmedAt is when the password was last entered in this session.
	ConfirmedAt time.Time
	// TOTP reports that the user signs in with a second factor, TOTPRequired that the
	// workspace demands it.
	TOTP         bool
	TOTPRequired bool
}

// Session is one sign-in of a user, as its owner sees it in a list.
type Session struct {
	ID         uuid.UUID
	CreatedAt  time.Time
	LastSeenAt time.Time
	Client     *string // network address of the sign-in
	Agent      *string // User-Agent header of the sign-in
	Current    bool    // the session of the request
}

// Login is what signing in needs to know of a user.
type Login struct {
	Viewer       Viewer
	PasswordHash string
	TOTPSecret   []byte // nil without a second factor
}

// NewSession is what StartSession stores.
type NewSession struct {
	Hash            [32]byte // of the cookie
	User, Workspace uuid.UUID
	// PasswordHash is the hash that the password was checked against.
	PasswordHash  string
	Client, Agent *string
}

// TOTPSetup is what an authenticator program needs to make codes.
type TOTPSetup struct {
	Secret string
	URI    string
}
