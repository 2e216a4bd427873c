package oauth

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Clients reads the OAuth clients of workspaces, and records which a provider refuses.
type Clients interface {
	// OAuthClient returns the workspace's own client with its secret; CodeNotFound if
	// it has none.
	OAuthClient(ctx context.Context, workspace uuid.UUID, provider outreach.MailProvider) (outreach.OAuthClient, error)
	NoteClientFault(ctx context.Context, workspace uuid.UUID, c outreach.OAuthClient, detail string) error
}

// Grants stores tokens, and lets one process at a time renew them.
type Grants interface {
	Grant(ctx context.Context, workspace, mailbox uuid.UUID) (outreach.Grant, error)
	// BeginRenewal returns nil if another process renews, or if the grant no longer has this
	// version.
	BeginRenewal(ctx context.Context, workspace, mailbox uuid.UUID, version int, holder string, ttl time.Duration) (*outreach.Renewal, error)
	// NoteTokenSent is called right before the refresh token is sent.
	NoteTokenSent(ctx context.Context, r outreach.Renewal) error
}

// Renewals ends a renewal that has begun.
type Renewals interface {
	StoreRenewal(ctx context.Context, r outreach.Renewal, tokens outreach.TokenSet) error
	PostponeRenewal(ctx context.Context, r outreach.Renewal, wait time.Duration) error
	RevokeGrant(ctx context.Context, r outreach.Renewal, reason string) error
}

// Attempts keeps attempts to connect a mailbox up to the provider's answer.
type Attempts interface {
	CreateConnection(ctx context.Context, c outreach.ConnectionAttempt, secret [32]byte,
		session *uuid.UUID) (outreach.ConnectionAttempt, error)
	ConnectionBySecret(ctx context.Context, hash [32]byte) (outreach.Authorization, error)
	StartConnection(ctx context.Context, workspace, id uuid.UUID, s outreach.AuthorizationStart) error
}

// Answers stores the outcome of an attempt.
type Answers interface {
	ConnectionByState(ctx context.Context, hash [32]byte) (outreach.Authorization, error)
	TakeConnection(ctx context.Context, workspace, id uuid.UUID) error
}

// Results ends an attempt.
type Results interface {
	FailConnection(ctx context.Context, workspace, id uuid.UUID, reason string) error
	FinishConnection(ctx context.Context, a outreach.Authorization, m outreach.Mailbox, g outreach.Grant) (outreach.Mailbox, error)
}

// TokenStore is the store for keeping tokens valid.
type TokenStore interface {
	Clients
	Grants
	Renewals
}

// AttemptStore is the store for connecting mailboxes.
type AttemptStore interface {
	Attempts
	Answers
	Results
}

// Store is the store of this package.
type Store interface {
	TokenStore
	AttemptStore
}

// Mail tests the logins of a mailbox.
type Mail interface {
	// Probe logs in to both servers and returns a fault for each login that failed.
	Probe(ctx context.Context, m outreach.Mailbox) outreach.Faults
}

// Config holds the dependencies of the service.
type Config struct {
	Store Store
	Mail  Mail
	// Providers are Google and Microsoft as the operator configured them.
	Providers []Provider
	// BaseURL is the address of the service, without a slash at its end.
	BaseURL string
	// Client makes the requests to providers. It must have a timeout, and must not follow
	// redirects: a token request contains a secret.
	Client *http.Client
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// Logger gets errors that are not shown to users; nil discards them.
	Logger *slog.Logger
}

// Service is safe for concurrent use.
type Service struct {
	Config
	mu         sync.Mutex
	discovered map[string]*endpoints // by issuer
}

// New returns the service. It makes no requests.
func New(config Config) *Service {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{Config: config, discovered: map[string]*endpoints{}}
}
