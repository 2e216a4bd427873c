package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// SubscriptionReader reads event subscriptions.
type SubscriptionReader interface {
	Subscription(ctx context.Context, workspace, id uuid.UUID) (outreach.Subscription, error)
	ListSubscriptions(ctx context.Context, workspace uuid.UUID, page outreach.Page) (outreach.Rows[outreach.Subscription], error)
}

// SubscriptionWriter creates, changes and deletes event subscriptions.
type SubscriptionWriter interface {
	CreateSubscription(ctx context.Context, s outreach.Subscription, secret string) (outreach.SubscriptionSecret, error)
	UpdateSubscription(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Subscription)) (outreach.Subscription, error)
	DeleteSubscription(ctx context.Context, workspace, id uuid.UUID) error
}

// SecretStore replaces and shows signing secrets.
type SecretStore interface {
	RotateSecret(ctx context.Context, workspace, id uuid.UUID, secret string) (outreach.SubscriptionSecret, error)
	RevealSecret(ctx context.Context, workspace, id uuid.UUID) (outreach.SubscriptionSecret, error)
}

// Webhooks is the part of webhook delivery that subscriptions use.
type Webhooks interface {
	// CheckURL returns a client error for a URL that must not be called.
	CheckURL(ctx context.Context, url string) error
	// NewSecret returns a new signing secret.
	NewSecret() (string, error)
	// Test makes one attempt of a test delivery at once and returns its row.
	Test(ctx context.Context, workspace, subscription uuid.UUID) (outreach.Delivery, error)
}

func (q queries) Subscription(ctx context.Context, id uuid.UUID) (outreach.Subscription, error) {
	return inWorkspace(ctx, id, q.Stores.SubscriptionReader.Subscription)
}

func (q queries) Subscriptions(ctx context.Context, first int, after *string) (c exec.SubscriptionConnection, err error) {
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"subscriptions", first, after}, nil,
		unfiltered(q.Stores.SubscriptionReader.ListSubscriptions))
	return c, err
}

func (m mutations) CreateSubscription(ctx context.Context, in exec.SubscriptionInput) (out outreach.SubscriptionSecret, err error) {
	s := outreach.Subscription{Enabled: true}
	if s.WorkspaceID, err = workspace(ctx); err != nil {
		return out, err
	}
	if err := m.confirmed(ctx); err != nil {
		return out, err
	}
	changeSubscription(in)(&s)
	err = outreach.FindAll(ctx,
		func(context.Context) error { return s.Validate() },
		func(ctx context.Context) error { return m.Webhooks.CheckURL(ctx, s.URL) })
	if err != nil {
		return out, err
	}
	secret, err := m.Webhooks.NewSecret()
	if err != nil {
		return out, err
	}
	return m.Stores.SubscriptionWriter.CreateSubscription(audited(ctx, outreach.AuditSubscriptionCreated, s.URL), s, secret)
}

// UpdateSubscription checks a new URL before the row is locked, because looking up a name can take
// seconds. A new URL needs the password like a new subscription: it gets all events from then on.
func (m mutations) UpdateSubscription(ctx context.Context, id uuid.UUID, in exec.SubscriptionInput) (outreach.Subscription, error) {
	s, err := inWorkspace(ctx, id, m.Stores.SubscriptionReader.Subscription)
	if err != nil {
		return s, err
	}
	before := s.URL
	changeSubscription(in)(&s)
	if s.URL != before {
		if err := m.confirmed(ctx); err != nil {
			return s, err
		}
	}
	err = outreach.FindAll(ctx,
		func(context.Context) error { return s.Validate() },
		func(ctx context.Context) error {
			if s.URL == before {
				return nil
			}
			return m.Webhooks.CheckURL(ctx, s.URL)
		})
	if err != nil {
		return s, err
	}
	ctx = audited(ctx, outreach.AuditSubscriptionChanged, s.URL)
	return m.Stores.SubscriptionWriter.UpdateSubscription(ctx, s.WorkspaceID, id, changeSubscription(in))
}

func (m mutations) DeleteSubscription(ctx context.Context, id uuid.UUID) (bool, error) {
	s, err := inWorkspace(ctx, id, m.Stores.SubscriptionReader.Subscription)
	if err != nil {
		return false, err
	}
	ctx = audited(ctx, outreach.AuditSubscriptionDeleted, s.URL)
	return deleted(ctx, id, m.Stores.SubscriptionWriter.DeleteSubscription)
}

func (m mutations) TestSubscription(ctx context.Context, id uuid.UUID) (outreach.Delivery, error) {
	return inWorkspace(ctx, id, m.Webhooks.Test)
}

func (m mutations) RotateSubscriptionSecret(ctx context.Context, id uuid.UUID) (out outreach.SubscriptionSecret, err error) {
	s, err := inWorkspace(ctx, id, m.Stores.SubscriptionReader.Subscription)
	if err != nil {
		return out, err
	}
	if err := m.confirmed(ctx); err != nil {
		return out, err
	}
	secret, err := m.Webhooks.NewSecret()
	if err != nil {
		return out, err
	}
	return m.Stores.SecretStore.RotateSecret(audited(ctx, outreach.AuditSecretRotated, s.URL), s.WorkspaceID, id, secret)
}

func (m mutations) RevealSubscriptionSecret(ctx context.Context, id uuid.UUID) (out outreach.SubscriptionSecret, err error) {
	v, err := user(ctx)
	if err != nil {
		return out, err
	}
	if err := m.confirmed(ctx); err != nil {
		return out, err
	}
	s, err := m.Stores.SubscriptionReader.Subscription(ctx, v.WorkspaceID, id)
	if err != nil {
		return out, err
	}
	return m.Stores.SecretStore.RevealSecret(audited(ctx, outreach.AuditSecretShown, s.URL), v.WorkspaceID, id)
}

func changeSubscription(in exec.SubscriptionInput) func(*outreach.Subscription) {
	return func(s *outreach.Subscription) {
		setOr(&s.URL, in.URL, "")
		set(&s.Events, in.Events)
		setOr(&s.Enabled, in.Enabled, true)
	}
}
