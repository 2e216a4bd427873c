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
	// ConfirmationLength is how long after entering the password a user may make sensitive
	// changes.
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
	// SessionID is the session of the request.
	SessionID uuid.UUID
	// ConfirmedAt is when the password was last entered in this session.
	ConfirmedAt time.Time
	// TOTP reports that the user signs in with a second factor, TOTPRequired that the workspace
	// requires it.
	TOTP         bool
	TOTPRequired bool
}

// LacksFactor reports whether the user must turn on two-factor sign-in before anything else.
func (v *Viewer) LacksFactor() bool { return v.TOTPRequired && !v.TOTP }

// Session is one sign-in of a user, as its owner sees it in a list.
type Session struct {
	ID         uuid.UUID
	CreatedAt  time.Time
	LastSeenAt time.Time
	Client     *string // network address of the sign-in
	Agent      *string // User-Agent header of the sign-in
	Current    bool    // the session of the request
}

// Login is the stored data of a user that signing in needs.
type Login struct {
	Viewer       Viewer
	PasswordHash string
	TOTPSecret   []byte // nil without a second factor
}

// NewSession is the data that StartSession stores.
type NewSession struct {
	Hash            [32]byte // of the cookie
	User, Workspace uuid.UUID
	// PasswordHash is the hash that the password was checked against.
	PasswordHash  string
	Client, Agent *string
}

// TOTPSetup is what an authenticator app needs to generate codes.
type TOTPSetup struct {
	Secret string
	URI    string
}
