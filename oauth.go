package outreach

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// MailProvider is the company that runs a mailbox.
type MailProvider string

// The providers. Every other one is custom.
const (
	ProviderCustom    MailProvider = "custom"
	ProviderGoogle    MailProvider = "google"
	ProviderMicrosoft MailProvider = "microsoft"
)

// Name returns the name of the provider for people.
func (p MailProvider) Name() string {
	switch p {
	case ProviderGoogle:
		return "Google"
	case ProviderMicrosoft:
		return "Microsoft"
	}
	return "Other"
}

// MailAuth is the way in which the service logs in to a mailbox.
type MailAuth string

// The ways to log in.
const (
	AuthPassword  MailAuth = "password"
	AuthOAuth2    MailAuth = "oauth2"     // with a grant of the mailbox's owner
	AuthOAuth2App MailAuth = "oauth2_app" // with the rights of the workspace's own client
)

// UsesTokens reports whether the mailbox logs in with access tokens.
func (a MailAuth) UsesTokens() bool { return a == AuthOAuth2 || a == AuthOAuth2App }

// OAuthClient is the registration of this service at a provider.
type OAuthClient struct {
	Provider MailProvider
	ClientID string
	// Secret is plain text in memory; storage seals it.
	Secret string
	// Tenant is the directory at Microsoft: an id, a domain, organizations or
	// common. It is empty for Google.
	Tenant string
	// Own reports that the client belongs to the workspace, not to the installation.
	Own bool
	// Fault is why the provider last refused the client, nil if it did not.
	Fault *string
}

// Normalize trims the texts of a client.
func (c *OAuthClient) Normalize() {
	c.ClientID, c.Secret, c.Tenant = strings.TrimSpace(c.ClientID), strings.TrimSpace(c.Secret), strings.TrimSpace(c.Tenant)
}

// Validate returns an error that lists every invalid field, nil if there is none.
func (c *OAuthClient) Validate() error {
	var faults Faults
	for _, field := range []struct{ name, text string }{{"client_id", c.ClientID}, {"client_secret", c.Secret}} {
		require(&faults, At(field.name), field.text)
		ValidateText(&faults, At(field.name), &field.text, MaxText)
	}
	switch {
	case c.Provider == ProviderGoogle && c.Tenant != "":
		faults.Add(At("tenant"), FieldInvalid, "tenant must be empty for Google.")
	case c.Provider == ProviderMicrosoft && c.Tenant == "":
		faults.Add(At("tenant"), FieldRequired, "tenant is required.")
	case c.Provider == ProviderMicrosoft && !ValidTenant(c.Tenant):
		faults.Add(At("tenant"), FieldInvalid, "tenant must be a directory id, a domain, organizations or common.")
	case c.Provider == ProviderCustom:
		faults.Add(At("provider"), FieldInvalid, "provider must be google or microsoft.")
	}
	return faults.Err()
}

// maxTenant is the length of the longest domain.
const maxTenant = 253

// ValidTenant reports whether text can name a directory at Microsoft. It becomes
// part of a URL, so it has letters, digits, dots and hyphens only.
func ValidTenant(text string) bool {
	for _, c := range []byte(text) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (c < '0' || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return text != "" && len(text) <= maxTenant && text[0] != '.' && !strings.Contains(text, "..")
}

// NamesOneTenant reports whether the tenant is one directory, not a group of directories.
func (c OAuthClient) NamesOneTenant() bool {
	switch strings.ToLower(c.Tenant) {
	case "", "common", "organizations", "consumers":
		return false
	}
	return true
}

// TokenSet holds the tokens that a provider issued. All texts are secrets.
type TokenSet struct {
	Access string
	// Refresh is empty if the provider issued none.
	Refresh   string
	ExpiresAt time.Time
	// RenewAt is when the access token should be replaced, some time before its end.
	RenewAt time.Time
}

// Grant is the right of the service to use a mailbox, with its tokens.
type Grant struct {
	Mailbox  MailboxRef
	Provider MailProvider
	Auth     MailAuth
	// ClientID and OwnClient identify the client that received the grant. Other clients cannot use
	// its refresh token.
	ClientID  string
	OwnClient bool
	TokenSet
	// Version increases with each stored set of tokens.
	Version int
	// Postponed reports that the provider must not be asked for some time.
	Postponed bool
	// Revoked is why the provider no longer accepts the grant, nil while it does.
	Revoked *string
}

// Renewal is the right of one process to renew the tokens of a grant.
type Renewal struct {
	Grant  Grant
	Holder string
	// Interrupted reports that an earlier renewal sent the refresh token, and that the answer is
	// not known: it may have held the only token that the provider accepts. It is false if the
	// provider's last renewal returned the refresh token that it got.
	Interrupted bool
}

// TokenError is the reason why a mailbox has no usable access token.
type TokenError struct {
	// Reason is one sentence for the owner of the mailbox.
	Reason string
	// Refused reports that only a person can correct this. Otherwise the provider is unavailable,
	// and a later try may succeed.
	Refused bool
}

// Error returns the reason.
func (e *TokenError) Error() string { return e.Reason }

// ConnectionLength is how long a person has to connect a mailbox.
const ConnectionLength = 10 * time.Minute

// ConnectionKept is how long an attempt can be read after it has ended.
const ConnectionKept = 24 * time.Hour

// ConnectionStatus is the state of an attempt to connect a mailbox.
type ConnectionStatus string

// The states of an attempt.
const (
	ConnectionPending   ConnectionStatus = "pending"
	ConnectionConnected ConnectionStatus = "connected"
	ConnectionFailed    ConnectionStatus = "failed"
	ConnectionExpired   ConnectionStatus = "expired"
)

// ConnectionAttempt is one attempt to connect a mailbox at a provider.
type ConnectionAttempt struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Provider    MailProvider
	// Email is the account that must be chosen, nil for any account.
	Email *string
	// MailboxID is the mailbox that gets a new grant, or the one that was created.
	MailboxID *uuid.UUID
	Status    ConnectionStatus
	// AuthorizeURL is shown once, to the caller who began the attempt.
	AuthorizeURL *string
	Error        *string
	ExpiresAt    time.Time
	CreatedAt    time.Time
}

// Validate returns an error that lists every invalid field, nil if there is none.
func (c *ConnectionAttempt) Validate() error {
	var faults Faults
	switch c.Provider {
	case ProviderGoogle, ProviderMicrosoft:
	case "":
		faults.Add(At("provider"), FieldRequired, "provider is required.")
	default:
		faults.Add(At("provider"), FieldInvalid, "provider must be google or microsoft.")
	}
	if c.Email != nil {
		ValidateEmail(&faults, At("email"), *c.Email)
	}
	return faults.Err()
}

// Authorization is the stored data of an attempt between its steps.
type Authorization struct {
	ConnectionAttempt
	WorkspaceName string
	// Mailbox is the address of MailboxID, empty without one.
	Mailbox string
	// SessionID is the session that began the attempt, nil for an API token.
	SessionID *uuid.UUID
	ClientID  string
	OwnClient bool
	// Verifier and Nonce are set once the attempt has started.
	Verifier, Nonce string
	// Browser is the SHA-256 of the cookie of the browser that started it.
	Browser []byte
}

// AuthorizationStart is the data that starting an attempt stores. State and Browser are hashes.
type AuthorizationStart struct {
	State, Browser  [32]byte
	Verifier, Nonce string
	ClientID        string
	OwnClient       bool
}
