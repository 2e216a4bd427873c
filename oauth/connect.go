package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/google/uuid"
	"golang.org/x/oauth2"

	"outreach"
)

// The paths of the pages, below the base URL.
const (
	StartPath    = "/oauth/start/"
	CallbackPath = "/oauth/callback"
)

// Begin stores an attempt to connect a mailbox, and returns it with the address that a browser has
// to open. session is the caller's, nil for an API token.
func (s *Service) Begin(ctx context.Context, c outreach.ConnectionAttempt, session *uuid.UUID) (outreach.ConnectionAttempt, error) {
	if err := c.Validate(); err != nil {
		return c, err
	}
	if _, err := s.client(ctx, c.WorkspaceID, c.Provider); err != nil {
		return c, err
	}
	secret := rand.Text() + rand.Text()
	c, err := s.Store.CreateConnection(ctx, c, sha256.Sum256([]byte(secret)), session)
	if err != nil {
		return c, err
	}
	address := s.BaseURL + StartPath + secret
	c.AuthorizeURL = &address
	return c, nil
}

// start uses up the link of an attempt and returns the provider's address, and the value of the
// cookie that binds the attempt to the browser. It asks the provider first, so that the link stays
// valid if the provider is unavailable or the client has to be corrected.
func (s *Service) start(ctx context.Context, a outreach.Authorization) (address, cookie string, err error) {
	client, err := s.client(ctx, a.WorkspaceID, a.Provider)
	if err != nil {
		return "", "", err
	}
	found, err := s.discover(ctx, client)
	if refusalOf(err) == noTenant {
		reason := clientReason(client, noTenant)
		if noted := s.Store.NoteClientFault(ctx, a.WorkspaceID, client, reason); noted != nil {
			return "", "", noted
		}
		return "", "", outreach.Errorf(outreach.CodePrecondition, "%s", reason)
	}
	if err != nil {
		return "", "", err
	}
	state, cookie := rand.Text()+rand.Text(), rand.Text()+rand.Text()
	begun := outreach.AuthorizationStart{
		State: sha256.Sum256([]byte(state)), Browser: sha256.Sum256([]byte(cookie)),
		Verifier: oauth2.GenerateVerifier(), Nonce: rand.Text(), ClientID: client.ClientID, OwnClient: client.Own,
	}
	if err := s.Store.StartConnection(ctx, a.WorkspaceID, a.ID, begun); err != nil {
		return "", "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(begun.Nonce), oauth2.S256ChallengeOption(begun.Verifier)}
	if a.Provider == outreach.ProviderGoogle { // required to get a refresh token
		options = append(options, oauth2.AccessTypeOffline, oauth2.SetAuthURLParam("prompt", "consent"))
	}
	if account := accountOf(a); account != "" {
		options = append(options, oauth2.SetAuthURLParam("login_hint", account))
	} else if a.Provider == outreach.ProviderMicrosoft {
		options = append(options, oauth2.SetAuthURLParam("prompt", "select_account"))
	}
	return s.config(found, client).AuthCodeURL(state, options...), cookie, nil
}

// accountOf returns the account that an attempt is for, empty for any.
func accountOf(a outreach.Authorization) string {
	if a.Mailbox != "" {
		return a.Mailbox
	}
	if a.Email != nil {
		return *a.Email
	}
	return ""
}

// finishLimit limits all steps after a provider's answer: the tokens and two logins.
const finishLimit = 60 * time.Second

// finish creates or updates a mailbox after a provider's answer. Refusals are *outreach.Error,
// with a message for the user. If the process dies before the last step, it has only stored that
// the answer was used; the attempt expires, and the user begins again.
func (s *Service) finish(ctx context.Context, a outreach.Authorization, answer url.Values) (outreach.Mailbox, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishLimit)
	defer cancel()
	box := outreach.NewMailbox()
	client, err := s.clientOf(ctx, a.WorkspaceID, a.Provider, a.OwnClient)
	if outreach.CodeOf(err) == outreach.CodeNotFound || err == nil && client.ClientID != a.ClientID {
		return box, refuse("The OAuth client has been changed. Connect the mailbox again.")
	}
	if err != nil {
		return box, err
	}
	found, err := s.discover(ctx, client)
	if err != nil {
		return box, s.tokenRefused(ctx, a, client, err)
	}
	// The answer must come from the provider that was asked (RFC 9207): a code of another issuer
	// is never sent to this one.
	if iss := answer.Get("iss"); iss != "" && !found.isIssuer(iss) || iss == "" && found.answers {
		return box, refuse("The answer is not from %s. Connect the mailbox again.", a.Provider.Name())
	}
	if code := answer.Get("error"); code != "" {
		return box, deniedBy(a.Provider, code, answer.Get("error_description"))
	}
	token, err := s.config(found, client).Exchange(s.with(ctx), answer.Get("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return box, s.tokenRefused(ctx, a, client, err)
	}
	who, err := s.identify(ctx, found, client, a, token)
	if err != nil {
		return box, err
	}
	if err := checkToken(a, token); err != nil {
		return box, err
	}
	box.WorkspaceID, box.Provider, box.Auth, box.Email = a.WorkspaceID, a.Provider, outreach.AuthOAuth2, who
	grant := outreach.Grant{Provider: a.Provider, Auth: box.Auth, ClientID: client.ClientID, OwnClient: client.Own, TokenSet: s.setOf(token)}
	if err := s.use(&box, grant); err != nil {
		return box, err
	}
	// The logins prove that the account owns the address; the claims of the token do not.
	if faults := s.Mail.Probe(ctx, box); len(faults) > 0 {
		return box, refuse("%s", faults.Details())
	}
	return s.Store.FinishConnection(ctx, a, box, grant)
}

func refuse(format string, args ...any) error {
	return outreach.Errorf(outreach.CodeMailboxUnreachable, format, args...)
}

// checkToken returns an error for tokens that cannot keep a mailbox connected.
func checkToken(a outreach.Authorization, token *oauth2.Token) error {
	switch {
	case missingScope(a.Provider, token):
		return refuse("Access to mail was not allowed. Connect the mailbox again, and allow everything that is requested.")
	case token.RefreshToken == "":
		return refuse("%s granted only temporary access. Connect the mailbox again.", a.Provider.Name())
	}
	return nil
}

// identify returns the address of the account that signed in. It returns an error if the attempt
// is for another account.
func (s *Service) identify(ctx context.Context, found *endpoints, client outreach.OAuthClient,
	a outreach.Authorization, token *oauth2.Token) (string, error) {
	raw, _ := token.Extra("id_token").(string)
	verifier := found.provider.Verifier(
		&oidc.Config{ClientID: client.ClientID, Now: s.Now, SkipIssuerCheck: strings.Contains(found.issuer, tenantID) ||
			a.Provider == outreach.ProviderMicrosoft})
	identity, err := verifier.Verify(s.with(ctx), raw)
	var claims struct {
		Email    string `json:"email"`
		Name     string `json:"preferred_username"`
		TenantID string `json:"tid"`
	}
	if err == nil {
		err = identity.Claims(&claims)
	}
	wrong := err != nil || identity.Nonce == "" || identity.Nonce != a.Nonce
	if !wrong && a.Provider == outreach.ProviderMicrosoft {
		wrong = identity.Issuer != strings.ReplaceAll(found.issuer, tenantID, claims.TenantID) || !outreach.ValidTenant(claims.TenantID)
	}
	if wrong {
		return "", refuse("The answer of %s could not be verified. Connect the mailbox again.", a.Provider.Name())
	}
	want := accountOf(a)
	for _, has := range []string{claims.Email, claims.Name} {
		var faults outreach.Faults
		outreach.ValidateEmail(&faults, nil, has)
		if len(faults) == 0 && (want == "" || outreach.SameEmail(has, want)) {
			return has, nil
		}
	}
	if want == "" {
		return "", refuse("The account has no e-mail address.")
	}
	return "", refuse("You signed in with another account. Connect again, and choose %s.", want)
}

// tokenRefused returns the user's error for a token request that failed.
func (s *Service) tokenRefused(ctx context.Context, a outreach.Authorization, client outreach.OAuthClient, err error) error {
	s.Logger.LogAttrs(ctx, slog.LevelWarn, "mailbox could not be connected", slog.String("connection_id", a.ID.String()),
		slog.String("provider", string(a.Provider)), slog.String("answer", codeOf(err)))
	switch refused := refusalOf(err); refused {
	case grantRefused:
		return refuse("%s did not accept the answer. Connect the mailbox again.", a.Provider.Name())
	case clientRefused, noTenant:
		reason := clientReason(client, refused)
		if noted := s.Store.NoteClientFault(ctx, a.WorkspaceID, client, reason); noted != nil {
			return noted
		}
		return refuse("%s", reason)
	}
	return refuse("%s is not available at the moment. Connect the mailbox again.", a.Provider.Name())
}

// deniedBy returns the user's error for an answer without a code (RFC 6749, section 4.1.2.1). It
// shows no text of the provider, because any person can put a text into a link.
func deniedBy(p outreach.MailProvider, code, description string) error {
	for _, sign := range []string{"AADSTS65001", "AADSTS90094", "AADSTS900941"} {
		if strings.Contains(description, sign) {
			return refuse("Your administrator has to approve the application at %s first.", p.Name())
		}
	}
	switch code {
	case "access_denied", "consent_declined":
		return refuse("Access was not allowed.")
	case "server_error", "temporarily_unavailable":
		return refuse("%s is not available at the moment. Connect the mailbox again.", p.Name())
	}
	return refuse("%s refuses to connect the mailbox (%s).", p.Name(), plainCode(code))
}

// fail ends an attempt and returns the text for the user.
func (s *Service) fail(ctx context.Context, a outreach.Authorization, err error) string {
	reason := "Something went wrong here. Connect the mailbox again."
	if refused, ok := errors.AsType[*outreach.Error](err); ok {
		reason = refused.Message
	} else {
		s.Logger.ErrorContext(ctx, "mailbox could not be connected", slog.String("connection_id", a.ID.String()), slog.Any("error", err))
	}
	if err := s.Store.FailConnection(context.WithoutCancel(ctx), a.WorkspaceID, a.ID, reason); err != nil {
		s.Logger.ErrorContext(ctx, "failed connection could not be recorded", slog.String("connection_id", a.ID.String()), slog.Any("error", err))
	}
	return reason
}

// audited makes the change write an entry of the audit log.
func audited(r *http.Request, a outreach.Authorization) context.Context {
	ctx := r.Context()
	entry := outreach.AuditEntry{WorkspaceID: a.WorkspaceID, Actor: "connection link", Action: outreach.AuditMailboxCreated}
	if viewer := viewerOf(r, a); viewer != nil {
		entry.Actor, entry.UserID = viewer.Email, &viewer.ID
	}
	if a.MailboxID != nil {
		entry.Action = outreach.AuditMailboxChanged
	}
	subject := a.Provider.Name()
	if account := accountOf(a); account != "" {
		subject = account
	}
	entry.Subject = &subject
	if client := outreach.ClientFrom(ctx); client != "" {
		entry.Client = &client
	}
	return outreach.WithAudit(ctx, entry)
}

// viewerOf returns the signed-in user of a request if it is a member of the attempt's workspace,
// else nil.
func viewerOf(r *http.Request, a outreach.Authorization) *outreach.Viewer {
	actor, ok := outreach.ActorFrom(r.Context())
	if !ok || actor.User == nil || actor.WorkspaceID != a.WorkspaceID {
		return nil
	}
	return actor.User
}
