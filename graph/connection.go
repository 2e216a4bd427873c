package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// ConnectionReader reads attempts to connect a mailbox.
type ConnectionReader interface {
	Connection(ctx context.Context, workspace, id uuid.UUID) (outreach.ConnectionAttempt, error)
}

// OAuthClientStore keeps the OAuth clients of workspaces.
type OAuthClientStore interface {
	OAuthClients(ctx context.Context, workspace uuid.UUID) ([]outreach.OAuthClient, error)
	SetOAuthClient(ctx context.Context, workspace uuid.UUID, c outreach.OAuthClient) error
	DeleteOAuthClient(ctx context.Context, workspace uuid.UUID, provider outreach.MailProvider) error
}

// AppMailboxWriter creates mailboxes that the workspace's own client may use.
type AppMailboxWriter interface {
	CreateAppMailbox(ctx context.Context, m outreach.Mailbox, g outreach.Grant) (outreach.Mailbox, error)
}

// MailTokens provides access tokens for mailboxes.
type MailTokens interface {
	// Servers returns the servers of a provider; it reports none for custom.
	Servers(provider outreach.MailProvider) (outreach.ProviderServers, bool)
	// Authorize sets a valid token in a mailbox that logs in with tokens. It returns an
	// *outreach.TokenError if there is none.
	Authorize(ctx context.Context, box *outreach.Mailbox) error
	// AppGrant sets a token of the workspace's own client in a new mailbox.
	AppGrant(ctx context.Context, box *outreach.Mailbox) (outreach.Grant, error)
}

// Connector begins to connect mailboxes at providers.
type Connector interface {
	// Begin stores an attempt. Session is who begins it, nil for an API token.
	Begin(ctx context.Context, c outreach.ConnectionAttempt, session *uuid.UUID) (outreach.ConnectionAttempt, error)
	// CheckClient returns why the provider refuses a client, in a sentence; empty if it does not, or if that cannot
	// be known within a few seconds.
	CheckClient(ctx context.Context, c outreach.OAuthClient) string
	// MissingSetting returns the setting that is missing; empty if none is.
	MissingSetting(ctx context.Context, workspace uuid.UUID, provider outreach.MailProvider) (string, error)
}

func (q queries) MailboxConnection(ctx context.Context, id uuid.UUID) (outreach.ConnectionAttempt, error) {
	return inWorkspace(ctx, id, q.Stores.ConnectionReader.Connection)
}

func (q queries) MailProviders(ctx context.Context) ([]exec.MailProviderState, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, err
	}
	states := []exec.MailProviderState{{Provider: outreach.ProviderGoogle}, {Provider: outreach.ProviderMicrosoft}}
	for i := range states {
		missing, err := q.Connector.MissingSetting(ctx, ws, states[i].Provider)
		if err != nil {
			return nil, err
		}
		if missing != "" {
			states[i].Missing = &missing
		}
	}
	return states, nil
}

func (q queries) OauthClients(ctx context.Context) ([]outreach.OAuthClient, error) {
	return ofWorkspace(ctx, q.Stores.OAuthClientStore.OAuthClients)
}

func (m mutations) CreateMailboxConnection(ctx context.Context, in exec.ConnectionAttemptInput) (c outreach.ConnectionAttempt, err error) {
	if c.WorkspaceID, err = workspace(ctx); err != nil {
		return c, err
	}
	if err := m.confirmed(ctx); err != nil {
		return c, err
	}
	setOr(&c.Provider, in.Provider, "")
	set(&c.Email, in.Email)
	set(&c.MailboxID, in.MailboxID)
	var session *uuid.UUID
	if actor, _ := outreach.ActorFrom(ctx); actor.User != nil {
		session = &actor.User.SessionID
	}
	return m.Connector.Begin(ctx, c, session)
}

func (m mutations) SetOAuthClient(ctx context.Context, provider outreach.MailProvider,
	in exec.OAuthClientInput) (outreach.OAuthClient, error) {
	c := outreach.OAuthClient{Provider: provider, ClientID: in.ClientID, Secret: in.ClientSecret, Own: true}
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return c, err
	}
	setOr(&c.Tenant, in.Tenant, "")
	c.Normalize()
	if err := c.Validate(); err != nil {
		return c, err
	}
	done, err := m.Probes.Begin(ctx, v.WorkspaceID)
	if err != nil {
		return c, err
	}
	defer done()
	if why := m.Connector.CheckClient(ctx, c); why != "" {
		c.Fault = &why
	}
	return c, m.Stores.OAuthClientStore.SetOAuthClient(audited(ctx, outreach.AuditOAuthClientSet, provider.Name()), v.WorkspaceID, c)
}

func (m mutations) DeleteOAuthClient(ctx context.Context, provider outreach.MailProvider) (bool, error) {
	v, err := m.confirmedOwner(ctx)
	if err != nil {
		return false, err
	}
	return true, m.Stores.OAuthClientStore.DeleteOAuthClient(
		audited(ctx, outreach.AuditOAuthClientDeleted, provider.Name()), v.WorkspaceID, provider)
}
