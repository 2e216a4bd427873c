package graph

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"

	"github.com/google/uuid"

	"outreach"
	"outreach/session"
)

// MemberStore lists and removes members.
type MemberStore interface {
	Members(ctx context.Context, workspace uuid.UUID) ([]outreach.Member, error)
	RemoveMember(ctx context.Context, workspace, user uuid.UUID) error
}

// InvitationStore creates, lists and revokes invitations.
type InvitationStore interface {
	Invite(ctx context.Context, workspace uuid.UUID, in outreach.Invitation, hash [32]byte) (outreach.Invitation, error)
	Invitations(ctx context.Context, workspace uuid.UUID) ([]outreach.Invitation, error)
	RevokeInvitation(ctx context.Context, workspace, id uuid.UUID) error
}

// InvitationDoor shows and accepts an invitation by the hash of its token.
type InvitationDoor interface {
	OpenInvitation(ctx context.Context, workspace uuid.UUID, hash [32]byte) (outreach.OpenInvitation, error)
	// AcceptInvitation adds the account of the invited address, or a new one if user is uuid.Nil,
	// and returns its id.
	AcceptInvitation(ctx context.Context, workspace uuid.UUID, hash [32]byte, user uuid.UUID, passwordHash string) (uuid.UUID, error)
}

// invitationToken is the workspace of an invitation followed by the secret of its link.
type invitationToken [16 + 20]byte

func newInvitationToken(workspace uuid.UUID) (t invitationToken) {
	copy(t[:16], workspace[:])
	rand.Read(t[16:])
	return t
}

func parseInvitationToken(text string) (t invitationToken, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != len(t) {
		return t, false
	}
	return invitationToken(raw), true
}

func (t invitationToken) text() string         { return base64.RawURLEncoding.EncodeToString(t[:]) }
func (t invitationToken) workspace() uuid.UUID { return uuid.UUID(t[:16]) }
func (t invitationToken) hash() [32]byte       { return sha256.Sum256(t[:]) }

func (q queries) Members(ctx context.Context) ([]outreach.Member, error) {
	return ofWorkspace(ctx, q.Stores.MemberStore.Members)
}

func (q queries) Invitations(ctx context.Context) ([]outreach.Invitation, error) {
	v, err := owner(ctx)
	if err != nil {
		return nil, err
	}
	return q.Stores.InvitationStore.Invitations(ctx, v.WorkspaceID)
}

func (m mutations) InviteMember(ctx context.Context, email string, role outreach.Role) (outreach.NewInvitation, error) {
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return outreach.NewInvitation{}, err
	}
	token := newInvitationToken(v.WorkspaceID)
	invited := outreach.Invitation{Email: email, Role: role, InvitedBy: v.Email}
	made, err := m.Stores.InvitationStore.Invite(audited(ctx, outreach.AuditMemberInvited, email), v.WorkspaceID, invited, token.hash())
	return outreach.NewInvitation{ID: made.ID, Email: made.Email, Role: made.Role, ExpiresAt: made.ExpiresAt, Token: token.text()}, err
}

func (m mutations) RevokeInvitation(ctx context.Context, id uuid.UUID) (bool, error) {
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return false, err
	}
	return true, m.Stores.InvitationStore.RevokeInvitation(audited(ctx, outreach.AuditInvitationRevoked, ""), v.WorkspaceID, id)
}

var errInvitation = outreach.Errorf(outreach.CodeNotFound, "This invitation is no longer valid. Ask for a new one.")

func (q queries) Invitation(ctx context.Context, text string) (outreach.OpenInvitation, error) {
	token, ok := parseInvitationToken(text)
	if !ok {
		return outreach.OpenInvitation{}, errInvitation
	}
	open, err := q.Stores.InvitationDoor.OpenInvitation(ctx, token.workspace(), token.hash())
	if errors.Is(err, outreach.ErrNotFound) {
		return open, errInvitation
	}
	return open, err
}

// AcceptInvitation creates an account, or checks the password of the existing one and adds it. The
// rules of a new password hold for both, so that they do not reveal whether an account exists.
func (m mutations) AcceptInvitation(ctx context.Context, text, password string, code *string) (outreach.Viewer, error) {
	open, err := queries(m).Invitation(ctx, text)
	if err != nil {
		return outreach.Viewer{}, err
	}
	var faults outreach.Faults
	if session.ValidatePassword(&faults, outreach.At("password"), password, open.Email); len(faults) > 0 {
		return outreach.Viewer{}, faults.Err()
	}
	token, _ := parseInvitationToken(text)
	v := outreach.Viewer{Email: open.Email, Role: open.Role, WorkspaceID: token.workspace(), WorkspaceName: open.WorkspaceName}
	var hash string
	_, err = m.Stores.PasswordStore.Login(ctx, open.Email)
	switch {
	case err == nil:
		login, err := m.authenticate(ctx, open.Email, password, code)
		if err != nil {
			return outreach.Viewer{}, err
		}
		v.ID, v.Admin, v.TOTP, hash = login.Viewer.ID, login.Viewer.Admin, login.Viewer.TOTP, login.PasswordHash
	case errors.Is(err, outreach.ErrNotFound):
		hash = session.HashPassword(password)
	default:
		return outreach.Viewer{}, err
	}
	joined := outreach.WithAudit(ctx, entryOf(ctx, v, outreach.AuditMemberJoined, open.Email))
	if v.ID, err = m.Stores.InvitationDoor.AcceptInvitation(joined, v.WorkspaceID, token.hash(), v.ID, hash); err != nil {
		if errors.Is(err, outreach.ErrNotFound) {
			err = errInvitation
		}
		return outreach.Viewer{}, err
	}
	return v, m.Sessions.Start(ctx, v, hash)
}

func (m mutations) RemoveMember(ctx context.Context, id uuid.UUID) (bool, error) {
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return false, err
	}
	if id == v.ID {
		return false, outreach.Errorf(outreach.CodeInvalidState, "You cannot remove yourself.")
	}
	members, err := m.Stores.MemberStore.Members(ctx, v.WorkspaceID)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(members, func(member outreach.Member) bool { return member.ID == id })
	if at < 0 {
		return false, outreach.ErrNotFound
	}
	ctx = audited(ctx, outreach.AuditMemberRemoved, members[at].Email)
	return true, m.Stores.MemberStore.RemoveMember(ctx, v.WorkspaceID, id)
}
