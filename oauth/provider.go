package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/uuid"
	"golang.org/x/oauth2"

	"outreach"
)

// Provider is one company that runs mailboxes, as the operator configured it.
type Provider struct {
	Name outreach.MailProvider
	// Issuer is the address of its OpenID configuration. {tenant} in it is replaced by the tenant
	// of a client.
	Issuer string
	// Servers are the only servers that get its tokens.
	Servers outreach.ProviderServers
	// Client is the installation's client; its ClientID is empty if there is none.
	Client outreach.OAuthClient
}

// The scopes that a mailbox needs.
var (
	googleScopes    = []string{oidc.ScopeOpenID, "email", "https://mail.google.com/"}
	microsoftScopes = []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess,
		"https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send"}
	appScopes = []string{"https://outlook.office365.com/.default"}
)

func scopesOf(p outreach.MailProvider) []string {
	if p == outreach.ProviderGoogle {
		return googleScopes
	}
	return microsoftScopes
}

// missingScope reports whether the answer to a token request lacks the right to use mail. An
// answer without scopes grants everything requested (RFC 6749, section 5.1).
func missingScope(p outreach.MailProvider, token *oauth2.Token) bool {
	text, _ := token.Extra("scope").(string)
	granted := strings.Fields(strings.ToLower(text))
	if len(granted) == 0 {
		return false
	}
	for _, scope := range scopesOf(p) {
		if !strings.HasPrefix(scope, "https://") {
			continue
		}
		found := false
		for _, g := range granted {
			found = found || g == strings.ToLower(scope)
		}
		if !found {
			return true
		}
	}
	return false
}

func (s *Service) provider(name outreach.MailProvider) (Provider, bool) {
	for _, p := range s.Providers {
		if p.Name == name {
			return p, true
		}
	}
	return Provider{}, false
}

// Servers returns the servers of a provider; none for custom.
func (s *Service) Servers(name outreach.MailProvider) (outreach.ProviderServers, bool) {
	p, ok := s.provider(name)
	return p.Servers, ok
}

// MissingSetting returns what to set before mailboxes of a provider can be connected in a
// workspace; empty if nothing is missing.
func (s *Service) MissingSetting(ctx context.Context, workspace uuid.UUID, name outreach.MailProvider) (string, error) {
	_, err := s.client(ctx, workspace, name)
	if refused, ok := errors.AsType[*outreach.Error](err); ok {
		return refused.Message, nil
	}
	return "", err
}

// client returns the workspace's own client, else that of the installation.
func (s *Service) client(ctx context.Context, workspace uuid.UUID, name outreach.MailProvider) (outreach.OAuthClient, error) {
	p, known := s.provider(name)
	if !known {
		return outreach.OAuthClient{}, outreach.ErrNotFound
	}
	own, err := s.Store.OAuthClient(ctx, workspace, name)
	if err == nil || outreach.CodeOf(err) != outreach.CodeNotFound {
		return own, err
	}
	if p.Client.ClientID != "" {
		return p.Client, nil
	}
	prefix := "OUTREACH_" + strings.ToUpper(string(name))
	return p.Client, outreach.Errorf(outreach.CodePrecondition,
		"No OAuth client is configured for %s. Set %s_CLIENT_ID and %s_CLIENT_SECRET, or add a client in the settings of "+
			"the workspace.", name.Name(), prefix, prefix)
}

// clientOf returns the client that a grant or an attempt belongs to; CodeNotFound if it is no
// longer configured.
func (s *Service) clientOf(ctx context.Context, workspace uuid.UUID, name outreach.MailProvider, own bool) (outreach.OAuthClient, error) {
	if own {
		return s.Store.OAuthClient(ctx, workspace, name)
	}
	p, _ := s.provider(name)
	if p.Client.ClientID == "" {
		return p.Client, outreach.ErrNotFound
	}
	return p.Client, nil
}

// endpoints is the OpenID configuration of a provider.
type endpoints struct {
	provider *oidc.Provider
	issuer   string // of its tokens; may contain {tenantid}
	// answers reports that the provider names itself in its answers (RFC 9207).
	answers bool
}

// maxDiscovered limits the configurations in memory, because users choose the tenants.
const maxDiscovered = 1000

const tenantID = "{tenantid}"

// discover reads a provider's configuration (OpenID Connect Discovery 1.0), once for
// each tenant.
func (s *Service) discover(ctx context.Context, c outreach.OAuthClient) (*endpoints, error) {
	p, known := s.provider(c.Provider)
	if !known {
		return nil, outreach.ErrNotFound
	}
	issuer := strings.ReplaceAll(p.Issuer, "{tenant}", c.Tenant)
	s.mu.Lock()
	found := s.discovered[issuer]
	s.mu.Unlock()
	if found != nil {
		return found, nil
	}
	found, err := s.ask(ctx, issuer, c.Provider == outreach.ProviderMicrosoft)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.discovered) >= maxDiscovered {
		clear(s.discovered)
	}
	s.discovered[issuer] = found
	return found, nil
}

// ask reads a configuration. With templated, its issuer may differ from the address that it was
// read from: Microsoft names its tenants by id, and groups of them by a template. The host must be
// the same.
func (s *Service) ask(ctx context.Context, issuer string, templated bool) (*endpoints, error) {
	// The provider keeps its context for later requests of keys.
	keep := s.with(context.WithoutCancel(ctx))
	if templated {
		keep = oidc.InsecureIssuerURLContext(keep, issuer)
	}
	provider, err := oidc.NewProvider(keep, issuer)
	if templated && lacksTenant(err) {
		return nil, errNoTenant
	}
	if err != nil {
		return nil, fmt.Errorf("read OpenID configuration of %s: %w", issuer, err)
	}
	var says struct {
		Issuer  string `json:"issuer"`
		Answers bool   `json:"authorization_response_iss_parameter_supported"`
	}
	if err := provider.Claims(&says); err != nil {
		return nil, fmt.Errorf("read OpenID configuration of %s: %w", issuer, err)
	}
	if !sameHost(says.Issuer, issuer) {
		return nil, fmt.Errorf("read OpenID configuration of %s: its issuer is of another host", issuer)
	}
	return &endpoints{provider: provider, issuer: says.Issuer, answers: says.Answers}, nil
}

// errNoTenant means that Microsoft has no tenant of the name that a client has.
var errNoTenant = errors.New("tenant not found")

// lacksTenant reports whether an error of oidc.NewProvider, whose text ends with the answer, means
// that Microsoft has no such tenant.
func lacksTenant(err error) bool {
	if err == nil {
		return false
	}
	_, answer, _ := strings.Cut(err.Error(), ": ")
	var says struct {
		Code        string `json:"error"`
		Description string `json:"error_description"`
	}
	return json.Unmarshal([]byte(answer), &says) == nil && namesNoTenant(says.Code, says.Description)
}

// namesNoTenant reports whether an answer of Microsoft is about the tenant. Discovery answers
// invalid_tenant, the token endpoint invalid_request. The description begins with AADSTS90002 for a
// tenant that does not exist, and with AADSTS900023 for a name that none can have.
func namesNoTenant(code, description string) bool {
	return code == "invalid_tenant" || strings.HasPrefix(description, "AADSTS90002")
}

func sameHost(a, b string) bool {
	first, err := url.Parse(strings.ReplaceAll(a, tenantID, "tenant"))
	second, other := url.Parse(b)
	return err == nil && other == nil && first.Scheme == second.Scheme && first.Host == second.Host
}

// with returns a context whose requests use the service's client.
func (s *Service) with(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, s.Client)
}

// isIssuer reports whether iss is the issuer of the configuration, with any tenant if the issuer
// is a template.
func (e *endpoints) isIssuer(iss string) bool {
	before, after, template := strings.Cut(e.issuer, tenantID)
	if !template {
		return iss == e.issuer
	}
	tenant, begins := strings.CutPrefix(iss, before)
	tenant, ends := strings.CutSuffix(tenant, after)
	return begins && ends && outreach.ValidTenant(tenant)
}

// config returns the OAuth configuration for token requests.
func (s *Service) config(e *endpoints, c outreach.OAuthClient) *oauth2.Config {
	endpoint := e.provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams // both accept it, and detecting costs a second request
	return &oauth2.Config{
		ClientID: c.ClientID, ClientSecret: c.Secret, Endpoint: endpoint, Scopes: scopesOf(c.Provider),
		RedirectURL: s.BaseURL + CallbackPath,
	}
}

// refusal is the answer of a provider's token endpoint, by who can correct the cause.
type refusal int

const (
	providerAway  refusal = iota // no answer, or an error of the provider
	grantRefused                 // the owner of the mailbox
	clientRefused                // the owner of the client
	noTenant                     // the owner of the client, whose tenant does not exist
)

// refusalOf classifies an error of a token request (RFC 6749, section 5.2).
func refusalOf(err error) refusal {
	if errors.Is(err, errNoTenant) {
		return noTenant
	}
	answered, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok || answered.Response == nil || answered.Response.StatusCode >= http.StatusInternalServerError {
		return providerAway
	}
	if namesNoTenant(answered.ErrorCode, answered.ErrorDescription) {
		return noTenant
	}
	switch answered.ErrorCode {
	case "invalid_grant", "interaction_required", "consent_required", "login_required":
		return grantRefused
	case "invalid_client", "unauthorized_client", "invalid_scope", "unsupported_grant_type":
		return clientRefused
	}
	return providerAway
}

// codeOf returns the text of an error for the log: never a text of the provider, which may contain
// a token.
func codeOf(err error) string {
	if answered, ok := errors.AsType[*oauth2.RetrieveError](err); ok && answered.Response != nil {
		return fmt.Sprintf("%d %s", answered.Response.StatusCode, plainCode(answered.ErrorCode))
	}
	if errors.Is(err, errNoTenant) {
		return "tenant not found"
	}
	return "no answer"
}

// plainCode returns an error code of the standards, "other" for every other text.
func plainCode(code string) string {
	for _, c := range []byte(code) {
		if (c < 'a' || c > 'z') && c != '_' {
			return "other"
		}
	}
	if code == "" || len(code) > 40 {
		return "other"
	}
	return code
}
