package graph

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"outreach"
	"outreach/session"
)

// WorkspaceReader reads the workspace of a token.
type WorkspaceReader interface {
	Me(ctx context.Context, workspace uuid.UUID) (outreach.Me, error)
}

// PasswordStore reads and replaces password hashes.
type PasswordStore interface {
	Login(ctx context.Context, email string) (v outreach.Viewer, passwordHash string, err error)
	// SetPassword replaces a password hash and ends the sessions of the user but
	// the one with the hash here.
	SetPassword(ctx context.Context, user uuid.UUID, from, to string, here [32]byte) error
}

// TokenStore stores and revokes the API token.
type TokenStore interface {
	SetToken(ctx context.Context, workspace uuid.UUID, hash [32]byte, prefix string) error
	RevokeToken(ctx context.Context, workspace uuid.UUID) error
}

// MemberStore lists, adds and removes members.
type MemberStore interface {
	Members(ctx context.Context, workspace uuid.UUID) ([]outreach.Member, error)
	AddUser(ctx context.Context, workspace uuid.UUID, email, passwordHash string, role outreach.Role, admin bool) (uuid.UUID, error)
	RemoveMember(ctx context.Context, workspace, user uuid.UUID) error
}

// AddressBook knows the addresses of members and mailboxes.
type AddressBook interface {
	// OwnAddress gives the address of a member or a mailbox as it is written there,
	// empty when it is neither's.
	OwnAddress(ctx context.Context, workspace uuid.UUID, email string) (string, error)
}

// Sessions begins and ends sessions, and limits attempts to begin one.
type Sessions interface {
	// Start begins a session of v, whose password had this hash when it was
	// checked; ErrNotFound when it has another now.
	Start(ctx context.Context, v outreach.Viewer, passwordHash string) error
	End(ctx context.Context) error
	// Allow reports whether another attempt may be made for an address from the
	// client behind ctx.
	Allow(ctx context.Context, email string) bool
}

// Domains looks after the tracking domain of a workspace.
type Domains interface {
	Domain(ctx context.Context, workspace uuid.UUID) (*outreach.TrackingDomain, error)
	// Set stores a host and looks up whether it leads here.
	Set(ctx context.Context, workspace uuid.UUID, host string) (outreach.TrackingDomain, error)
}

func (q queries) Me(ctx context.Context) (outreach.Me, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Me{}, err
	}
	return q.Stores.WorkspaceReader.Me(ctx, ws)
}

func (q queries) Viewer(ctx context.Context) (*outreach.Viewer, error) {
	actor, _ := outreach.ActorFrom(ctx)
	return actor.User, nil
}

var errTooManyAttempts = outreach.Errorf(outreach.CodeRateLimited, "Too many attempts; try again in a minute.")

// SignIn answers the same to an unknown address and a wrong password.
func (m mutations) SignIn(ctx context.Context, email, password string) (outreach.Viewer, error) {
	if !m.Sessions.Allow(ctx, outreach.FoldEmail(email)) {
		return outreach.Viewer{}, errTooManyAttempts
	}
	v, hash, err := m.Stores.PasswordStore.Login(ctx, email)
	if err != nil && !errors.Is(err, outreach.ErrNotFound) {
		return v, err
	}
	if session.CheckPassword(hash, password) {
		err = m.Sessions.Start(ctx, v, hash)
	} else {
		err = outreach.ErrNotFound
	}
	if errors.Is(err, outreach.ErrNotFound) {
		return outreach.Viewer{}, outreach.Errorf(outreach.CodeUnauthorized, "This address and password do not belong together.")
	}
	return v, err
}

func (m mutations) SignOut(ctx context.Context) (bool, error) {
	return true, m.Sessions.End(ctx)
}

// ChangePassword asks for the password in force, as a session may be somebody
// else's who found the browser open.
func (m mutations) ChangePassword(ctx context.Context, current, next string) (bool, error) {
	v, err := user(ctx)
	if err != nil {
		return false, err
	}
	var faults outreach.Faults
	if outreach.ValidatePassword(&faults, outreach.At("new_password"), next); len(faults) > 0 {
		return false, faults.Err()
	}
	if !m.Sessions.Allow(ctx, outreach.FoldEmail(v.Email)) {
		return false, errTooManyAttempts
	}
	_, hash, err := m.Stores.PasswordStore.Login(ctx, v.Email)
	if err != nil {
		return false, err
	}
	if !session.CheckPassword(hash, current) {
		faults.Add(outreach.At("current_password"), outreach.FieldInvalid, "This is not the current password.")
		return false, faults.Err()
	}
	return true, m.Stores.PasswordStore.SetPassword(ctx, v.ID, hash, session.HashPassword(next), session.Present(ctx))
}

func (m mutations) RotateToken(ctx context.Context) (outreach.NewToken, error) {
	v, err := user(ctx)
	if err != nil {
		return outreach.NewToken{}, err
	}
	token, prefix, hash := m.NewToken()
	return outreach.NewToken{Token: token, TokenPrefix: prefix}, m.Stores.TokenStore.SetToken(ctx, v.WorkspaceID, hash, prefix)
}

func (m mutations) RevokeToken(ctx context.Context) (bool, error) {
	v, err := user(ctx)
	if err != nil {
		return false, err
	}
	return true, m.Stores.TokenStore.RevokeToken(ctx, v.WorkspaceID)
}

func (q queries) TrackingDomain(ctx context.Context) (*outreach.TrackingDomain, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, err
	}
	return q.Domains.Domain(ctx, ws)
}

func (m mutations) SetTrackingDomain(ctx context.Context, host string) (outreach.TrackingDomain, error) {
	v, err := owner(ctx)
	if err != nil {
		return outreach.TrackingDomain{}, err
	}
	return m.Domains.Set(ctx, v.WorkspaceID, host)
}

func (m mutations) VerifyTrackingDomain(ctx context.Context) (outreach.TrackingDomain, error) {
	v, err := user(ctx)
	if err != nil {
		return outreach.TrackingDomain{}, err
	}
	d, err := m.Domains.Domain(ctx, v.WorkspaceID)
	if err != nil {
		return outreach.TrackingDomain{}, err
	}
	if d == nil {
		return outreach.TrackingDomain{}, outreach.Errorf(outreach.CodeInvalidState, "Set a tracking domain first.")
	}
	return m.Domains.Set(ctx, v.WorkspaceID, d.Host)
}

func (q queries) Members(ctx context.Context) ([]outreach.Member, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, err
	}
	return q.Stores.MemberStore.Members(ctx, ws)
}

func (m mutations) AddMember(ctx context.Context, email string, role outreach.Role) (outreach.NewMember, error) {
	v, err := owner(ctx)
	if err != nil {
		return outreach.NewMember{}, err
	}
	password := session.NewPassword()
	id, err := m.Stores.MemberStore.AddUser(ctx, v.WorkspaceID, email, session.HashPassword(password), role, false)
	return outreach.NewMember{ID: id, Email: email, Role: role, Password: password}, err
}

func (m mutations) RemoveMember(ctx context.Context, id uuid.UUID) (bool, error) {
	v, err := owner(ctx)
	if err != nil {
		return false, err
	}
	if id == v.ID {
		return false, outreach.Errorf(outreach.CodeInvalidState, "Nobody can remove themselves.")
	}
	return true, m.Stores.MemberStore.RemoveMember(ctx, v.WorkspaceID, id)
}
