package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// WorkspaceReader reads the workspace of an API token.
type WorkspaceReader interface {
	Me(ctx context.Context, workspace uuid.UUID) (outreach.Me, error)
}

// WorkspaceWriter changes the settings of a workspace.
type WorkspaceWriter interface {
	UpdateMe(ctx context.Context, workspace uuid.UUID, change func(*outreach.Me)) (outreach.Me, error)
}

// TokenStore stores and revokes the API token.
type TokenStore interface {
	SetToken(ctx context.Context, workspace uuid.UUID, token outreach.TokenRecord) error
	RevokeToken(ctx context.Context, workspace uuid.UUID) error
}

// AddressBook finds the addresses of members and mailboxes.
type AddressBook interface {
	// OwnAddress returns the stored address of a member or a mailbox, empty if neither has it.
	OwnAddress(ctx context.Context, workspace uuid.UUID, email string) (string, error)
}

// Domains manages the tracking domain of a workspace.
type Domains interface {
	Domain(ctx context.Context, workspace uuid.UUID) (*outreach.TrackingDomain, error)
	// Set stores a host and checks whether it points to the service.
	Set(ctx context.Context, workspace uuid.UUID, host string) (outreach.TrackingDomain, error)
}

func (q queries) Me(ctx context.Context) (outreach.Me, error) {
	return ofWorkspace(ctx, q.Stores.WorkspaceReader.Me)
}

func (m mutations) UpdateMe(ctx context.Context, in exec.MeInput) (outreach.Me, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Me{}, err
	}
	if actor, _ := outreach.ActorFrom(ctx); actor.User != nil {
		if _, err := owner(ctx); err != nil {
			return outreach.Me{}, err
		}
	}
	return m.Stores.WorkspaceWriter.UpdateMe(ctx, ws, func(me *outreach.Me) {
		setOr(&me.ContactGapHours, in.ContactGapHours, outreach.DefaultContactGap)
	})
}

func (m mutations) RotateToken(ctx context.Context) (outreach.NewToken, error) {
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return outreach.NewToken{}, err
	}
	token, prefix, hash := m.NewToken()
	record := outreach.TokenRecord{Hash: hash, Prefix: prefix, CreatedBy: &v.ID}
	err = m.Stores.TokenStore.SetToken(audited(ctx, outreach.AuditTokenCreated, prefix), v.WorkspaceID, record)
	return outreach.NewToken{Token: token, TokenPrefix: prefix}, err
}

func (m mutations) RevokeToken(ctx context.Context) (bool, error) {
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return false, err
	}
	return true, m.Stores.TokenStore.RevokeToken(audited(ctx, outreach.AuditTokenRevoked, ""), v.WorkspaceID)
}

func (q queries) TrackingDomain(ctx context.Context) (*outreach.TrackingDomain, error) {
	return ofWorkspace(ctx, q.Domains.Domain)
}

func (m mutations) SetTrackingDomain(ctx context.Context, host string) (outreach.TrackingDomain, error) {
	v, err := owner(ctx)
	if err != nil {
		return outreach.TrackingDomain{}, err
	}
	return m.Domains.Set(audited(ctx, outreach.AuditTrackingDomainSet, host), v.WorkspaceID, host)
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
