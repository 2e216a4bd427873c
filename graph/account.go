package graph

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/session"
)

// PasswordStore reads and replaces password hashes.
type PasswordStore interface {
	Login(ctx context.Context, email string) (outreach.Login, error)
	// SetPassword replaces a password hash and ends the sessions of the user except the
	// one with the hash here.
	SetPassword(ctx context.Context, user uuid.UUID, from, to string, here [32]byte) error
}

// SessionStore lists and ends the sessions of a user.
type SessionStore interface {
	SessionsOf(ctx context.Context, user uuid.UUID) ([]outreach.Session, error)
	EndSessionByID(ctx context.Context, user, session uuid.UUID) error
	// ConfirmSession notes that the password was entered just now.
	ConfirmSession(ctx context.Context, user, session uuid.UUID) error
}

// WorkspaceSwitch lists the workspaces of a user and opens one in a session.
type WorkspaceSwitch interface {
	WorkspacesOf(ctx context.Context, user uuid.UUID) ([]outreach.Workspace, error)
	SwitchSession(ctx context.Context, user, session, workspace uuid.UUID) error
}

// Sessions begins and ends sessions.
type Sessions interface {
	// Start begins a session of v, whose password had this hash when it was checked. It returns
	// ErrNotFound if the password has changed since.
	Start(ctx context.Context, v outreach.Viewer, passwordHash string) error
	End(ctx context.Context) error
}

// Attempts limits attempts to guess passwords and codes. They count for an address and a client
// together, so that attempts from elsewhere do not lock a user out.
type Attempts interface {
	// Allow counts an attempt for an address from the client behind ctx and reports
	// whether it may be made.
	Allow(ctx context.Context, email string) bool
	// Passed removes the counted attempt after a success.
	Passed(ctx context.Context, email string)
	// AllowCode counts a one-time code that was entered after the right password.
	AllowCode(ctx context.Context, user uuid.UUID) bool
}

var (
	errTooManyAttempts = outreach.Errorf(outreach.CodeRateLimited, "Too many attempts. Try again in a minute.")
	errWrongPassword   = outreach.Errorf(outreach.CodeUnauthorized, "The address or the password is wrong.")
)

func (q queries) Viewer(ctx context.Context) (*outreach.Viewer, error) {
	actor, _ := outreach.ActorFrom(ctx)
	return actor.User, nil
}

// SignIn returns the same error for an unknown address and a wrong password.
func (m mutations) SignIn(ctx context.Context, email, password string, code *string) (outreach.Viewer, error) {
	login, err := m.authenticate(ctx, email, password, code)
	if err != nil {
		return outreach.Viewer{}, err
	}
	v := login.Viewer
	err = m.Sessions.Start(outreach.WithAudit(ctx, entryOf(ctx, v, outreach.AuditSignedIn, "")), v, login.PasswordHash)
	if errors.Is(err, outreach.ErrNotFound) { // the password was changed just now
		return outreach.Viewer{}, errWrongPassword
	}
	return v, err
}

// authenticate checks the password of an address, and the code of a user with a second
// factor. A failure of a known user is recorded in the audit log, after the answer: the time of the
// answer must not tell whether the address has an account.
func (m mutations) authenticate(ctx context.Context, email, password string, code *string) (outreach.Login, error) {
	if !m.Attempts.Allow(ctx, outreach.CanonicalEmail(email)) {
		return outreach.Login{}, errTooManyAttempts
	}
	login, err := m.Stores.PasswordStore.Login(ctx, email)
	if err != nil && !errors.Is(err, outreach.ErrNotFound) {
		return login, err
	}
	known := err == nil
	if !session.CheckPassword(login.PasswordHash, password) {
		if known {
			m.recordLater(ctx, entryOf(ctx, login.Viewer, outreach.AuditSignInFailed, "wrong password"))
		}
		return outreach.Login{}, errWrongPassword
	}
	if login.TOTPSecret != nil {
		if err := m.checkCode(ctx, login, code); err != nil {
			return outreach.Login{}, err
		}
	}
	m.Attempts.Passed(ctx, outreach.CanonicalEmail(email))
	return login, nil
}

// record writes an audit entry that belongs to no other change. If it cannot be written, it is
// logged.
func (m mutations) record(ctx context.Context, entry outreach.AuditEntry) {
	if err := m.Stores.AuditStore.RecordAudit(ctx, entry); err != nil {
		m.Logger.ErrorContext(ctx, "audit entry not written", slog.Any("error", err), slog.String("action", string(entry.Action)))
	}
}

// recordLimit is how long writing an entry in the background may take.
const recordLimit = 10 * time.Second

// recordLater is record in the background. If the process dies before, the entry is lost.
func (m mutations) recordLater(ctx context.Context, entry outreach.AuditEntry) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	go func() {
		defer cancel()
		m.record(ctx, entry)
	}()
}

func (m mutations) SignOut(ctx context.Context) (bool, error) {
	return true, m.Sessions.End(ctx)
}

// checkOwnPassword checks the password of the signed-in user, with the limit on
// attempts to sign in.
func (m mutations) checkOwnPassword(ctx context.Context, v *outreach.Viewer, path outreach.Path, password string) (outreach.Login, error) {
	if !m.Attempts.Allow(ctx, outreach.CanonicalEmail(v.Email)) {
		return outreach.Login{}, errTooManyAttempts
	}
	login, err := m.Stores.PasswordStore.Login(ctx, v.Email)
	if err != nil {
		return login, err
	}
	if !session.CheckPassword(login.PasswordHash, password) {
		var faults outreach.Faults
		faults.Add(path, outreach.FieldInvalid, "This is not your current password.")
		return login, faults.Err()
	}
	m.Attempts.Passed(ctx, outreach.CanonicalEmail(v.Email))
	return login, nil
}

func (m mutations) ConfirmPassword(ctx context.Context, password string) (bool, error) {
	v, err := user(ctx)
	if err != nil {
		return false, err
	}
	if _, err := m.checkOwnPassword(ctx, v, outreach.At("password"), password); err != nil {
		return false, err
	}
	return true, m.Stores.SessionStore.ConfirmSession(ctx, v.ID, v.SessionID)
}

// ChangePassword requires the current password, because another person may use an open browser.
func (m mutations) ChangePassword(ctx context.Context, current, next string) (bool, error) {
	v, err := user(ctx)
	if err != nil {
		return false, err
	}
	var faults outreach.Faults
	if session.ValidatePassword(&faults, outreach.At("new_password"), next, v.Email); len(faults) > 0 {
		return false, faults.Err()
	}
	login, err := m.checkOwnPassword(ctx, v, outreach.At("current_password"), current)
	if err != nil {
		return false, err
	}
	ctx = audited(ctx, outreach.AuditPasswordChanged, "")
	return true, m.Stores.PasswordStore.SetPassword(ctx, v.ID, login.PasswordHash, session.HashPassword(next), session.Present(ctx))
}

func (q queries) Sessions(ctx context.Context) ([]outreach.Session, error) {
	v, err := user(ctx)
	if err != nil {
		return nil, err
	}
	sessions, err := q.Stores.SessionStore.SessionsOf(ctx, v.ID)
	for i := range sessions {
		sessions[i].Current = sessions[i].ID == v.SessionID
	}
	return sessions, err
}

func (m mutations) EndSession(ctx context.Context, id uuid.UUID) (bool, error) {
	v, err := user(ctx)
	if err != nil {
		return false, err
	}
	return true, m.Stores.SessionStore.EndSessionByID(audited(ctx, outreach.AuditSessionEnded, ""), v.ID, id)
}

func (q queries) Workspaces(ctx context.Context) ([]outreach.Workspace, error) {
	v, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	return q.Stores.WorkspaceSwitch.WorkspacesOf(ctx, v.ID)
}

func (m mutations) SwitchWorkspace(ctx context.Context, id uuid.UUID) (outreach.Viewer, error) {
	v, err := signedIn(ctx)
	if err != nil {
		return outreach.Viewer{}, err
	}
	if err := m.Stores.WorkspaceSwitch.SwitchSession(ctx, v.ID, v.SessionID, id); err != nil {
		return outreach.Viewer{}, err
	}
	login, err := m.Stores.PasswordStore.Login(ctx, v.Email)
	return login.Viewer, err
}

// confirmed refuses a signed-in user who has not entered the password in the last 15
// minutes. An API token has no password to ask for.
func (r *Resolver) confirmed(ctx context.Context) error {
	actor, _ := outreach.ActorFrom(ctx)
	if actor.User == nil || r.Now().Sub(actor.User.ConfirmedAt) < outreach.ConfirmationLength {
		return nil
	}
	return outreach.Errorf(outreach.CodePasswordRequired, "Enter your password again to continue.")
}
