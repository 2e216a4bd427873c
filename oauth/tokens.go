package oauth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/google/uuid"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"outreach"
)

const (
	// renewalLease is how long one process may renew, renewalLimit how long it waits for the
	// provider. The difference is the time to store the tokens.
	renewalLease = time.Minute
	renewalLimit = 30 * time.Second
	// renewAhead is how early a token is renewed, half its life if that is less.
	renewAhead = 5 * time.Minute
	// assumedLife is the life of a token if the provider does not state it.
	assumedLife = time.Hour
	// spare is how long before its end a token is no longer used.
	spare = 5 * time.Second
	// renewalPause is the pause after the provider was unavailable or has refused the client.
	renewalPause = 15 * time.Second
	// renewalPoll is how often a process checks whether another one has renewed.
	renewalPoll = 50 * time.Millisecond
)

// Authorize sets the servers of a mailbox that logs in with tokens, always those of its provider,
// and a valid access token. It does nothing to other mailboxes. It returns an *outreach.TokenError
// if there is no token.
func (s *Service) Authorize(ctx context.Context, box *outreach.Mailbox) error {
	return s.authorize(ctx, box, "")
}

// Renew is Authorize after a server has refused the token of box: the token is renewed early.
func (s *Service) Renew(ctx context.Context, box *outreach.Mailbox) error {
	return s.authorize(ctx, box, box.SMTP.Token)
}

func (s *Service) authorize(ctx context.Context, box *outreach.Mailbox, refused string) error {
	if !box.Auth.UsesTokens() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, renewalLease)
	defer cancel()
	for renewed := false; ; {
		g, err := s.Store.Grant(ctx, box.WorkspaceID, box.ID)
		if err != nil {
			return fmt.Errorf("read grant: %w", err)
		}
		if g.Revoked != nil {
			return &outreach.TokenError{Reason: *g.Revoked, Refused: true}
		}
		usable := g.Access != refused && s.Now().Before(g.ExpiresAt.Add(-min(spare, g.ExpiresAt.Sub(g.RenewAt)/2)))
		if usable && s.Now().Before(g.RenewAt) || renewed { // even if the life of the new one is short
			return s.use(box, g)
		}
		renewed, err = s.renewOnce(ctx, g)
		failed, told := errors.AsType[*outreach.TokenError](err)
		switch {
		case err != nil && !told:
			return err
		case told && (failed.Refused || !usable):
			return err
		case usable && (told || !renewed):
			return s.use(box, g) // the provider is unavailable, or another process renews
		case !renewed && !wait(ctx):
			return away(g.Provider)
		}
	}
}

// wait sleeps and reports whether ctx is still active.
func wait(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(renewalPoll):
		return true
	}
}

// use sets a token and its servers in a mailbox.
func (s *Service) use(box *outreach.Mailbox, g outreach.Grant) error {
	servers, known := s.Servers(g.Provider)
	if !known {
		return &outreach.TokenError{Reason: g.Provider.Name() + " is not configured.", Refused: true}
	}
	box.SMTP, box.IMAP = servers.SMTP, servers.IMAP
	box.SMTP.Username, box.IMAP.Username = box.Email, box.Email
	box.SMTP.Token, box.IMAP.Token = g.Access, g.Access
	return nil
}

func away(p outreach.MailProvider) *outreach.TokenError {
	return &outreach.TokenError{Reason: p.Name() + " issues no access tokens at the moment. The service will try again."}
}

// renewOnce renews the tokens of a grant unless another process does. It reports whether new
// tokens are stored.
func (s *Service) renewOnce(ctx context.Context, g outreach.Grant) (renewed bool, err error) {
	if g.Postponed {
		return false, away(g.Provider)
	}
	r, err := s.Store.BeginRenewal(ctx, g.Mailbox.WorkspaceID, g.Mailbox.ID, g.Version, "oauth-"+uuid.NewString(), renewalLease)
	if err != nil || r == nil {
		return false, err
	}
	// New tokens must not be lost if the caller's context ends.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewalLease)
	defer cancel()
	return true, s.renew(ctx, *r)
}

// renew asks the provider for new tokens and stores them. The access token is not used before the
// refresh token that came with it is committed.
//
// If the process dies before the provider gets the request, another process renews when the lease
// ends. If it dies after the answer, only the former refresh token is left. If the provider still
// accepts it, the next renewal succeeds; otherwise the owner has to reconnect the mailbox.
func (s *Service) renew(ctx context.Context, r outreach.Renewal) error {
	g := r.Grant
	client, err := s.clientOf(ctx, g.Mailbox.WorkspaceID, g.Provider, g.OwnClient)
	switch {
	case outreach.CodeOf(err) == outreach.CodeNotFound:
		client = outreach.OAuthClient{Provider: g.Provider, Own: g.OwnClient}
		return s.clientFault(ctx, r, client, "The OAuth client that mailboxes were connected with is no longer configured.")
	case err != nil:
		return err
	case g.Auth == outreach.AuthOAuth2App && !client.NamesOneTenant():
		return s.clientFault(ctx, r, client, tenantReason(client))
	case g.Auth != outreach.AuthOAuth2App && client.ClientID != g.ClientID:
		return s.revoke(ctx, r, "The OAuth client for "+g.Provider.Name()+" was replaced. Reconnect the mailbox.")
	}
	asking, cancel := context.WithTimeout(ctx, renewalLimit)
	defer cancel()
	tokens, err := s.request(asking, client, &r)
	if err == nil {
		return s.keep(ctx, r, tokens)
	}
	s.Logger.LogAttrs(ctx, slog.LevelWarn, "access token could not be renewed", slog.String("mailbox_id", g.Mailbox.ID.String()),
		slog.String("provider", string(g.Provider)), slog.String("answer", codeOf(err)))
	switch refused := refusalOf(err); {
	case refused == providerAway:
		return s.postpone(ctx, r)
	case refused == grantRefused && g.Auth != outreach.AuthOAuth2App:
		return s.revoke(ctx, r, revokedReason(r))
	}
	// The mailbox of an application has no grant that its owner could give again.
	return s.clientFault(ctx, r, client, clientReason(client, refusalOf(err)))
}

// revokedReason returns why a refresh token is refused. That the provider ended it for a newer one
// is the reason only if an earlier renewal may have lost that one.
func revokedReason(r outreach.Renewal) string {
	name := r.Grant.Provider.Name()
	if r.Interrupted {
		return "The service was interrupted while it renewed its access, and " + name +
			" no longer accepts the previous token. Reconnect the mailbox."
	}
	return name + " no longer accepts our access: the password was changed, or the access was revoked. Reconnect the mailbox."
}

// clientReason returns why a provider refuses a client, and what its owner has to do.
func clientReason(c outreach.OAuthClient, why refusal) string {
	switch {
	case why == noTenant && c.Own:
		return c.Provider.Name() + " did not find the tenant " + c.Tenant + ": correct it in the settings of the workspace."
	case why == noTenant:
		return c.Provider.Name() + " did not find the tenant " + c.Tenant + ": correct OUTREACH_MICROSOFT_TENANT."
	}
	return c.Provider.Name() + " refuses the OAuth client. Check its id, its secret, and when the secret expires."
}

func tenantReason(c outreach.OAuthClient) string {
	return "The OAuth client for " + c.Provider.Name() + " must name one tenant, not " + c.Tenant + "."
}

// request requests new tokens with the refresh token, or with the client's own rights. It sets
// r.Interrupted if the refresh token was sent and the answer is not known.
func (s *Service) request(ctx context.Context, client outreach.OAuthClient, r *outreach.Renewal) (outreach.TokenSet, error) {
	g := r.Grant
	found, err := s.discover(ctx, client)
	if err != nil {
		return outreach.TokenSet{}, err
	}
	if g.Auth == outreach.AuthOAuth2App {
		return s.appTokens(ctx, found, client)
	}
	if err := s.Store.NoteTokenSent(ctx, *r); err != nil {
		return outreach.TokenSet{}, err
	}
	token, err := s.config(found, client).TokenSource(s.with(ctx), &oauth2.Token{RefreshToken: g.Refresh}).Token()
	if err != nil {
		r.Interrupted = r.Interrupted || answerLost(err)
		return outreach.TokenSet{}, fmt.Errorf("renew token: %w", err)
	}
	tokens := s.setOf(token)
	if tokens.Refresh == "" {
		tokens.Refresh = g.Refresh
	}
	return tokens, nil
}

// appTokens uses the client credentials grant (RFC 6749, section 4.4).
func (s *Service) appTokens(ctx context.Context, found *endpoints, client outreach.OAuthClient) (outreach.TokenSet, error) {
	config := clientcredentials.Config{ClientID: client.ClientID, ClientSecret: client.Secret,
		TokenURL: found.provider.Endpoint().TokenURL, Scopes: appScopes, AuthStyle: oauth2.AuthStyleInParams}
	token, err := config.Token(s.with(ctx))
	if err != nil {
		return outreach.TokenSet{}, fmt.Errorf("get token of application: %w", err)
	}
	return s.setOf(token), nil
}

// answerLost reports whether a token request was sent and its answer did not arrive.
func answerLost(err error) bool {
	_, answered := errors.AsType[*oauth2.RetrieveError](err)
	failed, network := errors.AsType[*net.OpError](err)
	return !answered && !(network && failed.Op == "dial")
}

func (s *Service) setOf(token *oauth2.Token) outreach.TokenSet {
	now := s.Now()
	life := assumedLife
	if token.ExpiresIn > 0 {
		life = time.Duration(token.ExpiresIn) * time.Second
	}
	return outreach.TokenSet{Access: token.AccessToken, Refresh: token.RefreshToken,
		ExpiresAt: now.Add(life), RenewAt: now.Add(life - min(renewAhead, life/2))}
}

// storeTries is how often storing new tokens is repeated while the database is unavailable: they
// may be the only ones that the provider accepts.
const storeTries = 20

func (s *Service) keep(ctx context.Context, r outreach.Renewal, tokens outreach.TokenSet) (err error) {
	for range storeTries {
		err = s.Store.StoreRenewal(ctx, r, tokens)
		if err == nil || outreach.CodeOf(err) == outreach.CodeNotFound {
			return nil // a new grant replaced this one
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
	return err
}

// revoke records that only the owner of the mailbox can correct this. If a new grant has replaced
// this one, it has no effect.
func (s *Service) revoke(ctx context.Context, r outreach.Renewal, reason string) error {
	err := s.Store.RevokeGrant(ctx, r, reason)
	if err == nil {
		return &outreach.TokenError{Reason: reason, Refused: true}
	}
	if outreach.CodeOf(err) == outreach.CodeNotFound {
		return nil
	}
	return err
}

// clientFault records a problem of the client. The mailbox keeps its state.
func (s *Service) clientFault(ctx context.Context, r outreach.Renewal, client outreach.OAuthClient, detail string) error {
	if err := s.Store.NoteClientFault(ctx, r.Grant.Mailbox.WorkspaceID, client, detail); err != nil {
		return err
	}
	if err := s.Store.PostponeRenewal(ctx, r, renewalPause); err != nil {
		return err
	}
	return &outreach.TokenError{Reason: detail}
}

func (s *Service) postpone(ctx context.Context, r outreach.Renewal) error {
	if err := s.Store.PostponeRenewal(ctx, r, renewalPause); err != nil {
		return err
	}
	return away(r.Grant.Provider)
}

// AppGrant sets the servers of a new mailbox that the workspace's own client may use,
// with an access token, and returns the grant to store with it.
func (s *Service) AppGrant(ctx context.Context, box *outreach.Mailbox) (outreach.Grant, error) {
	g := outreach.Grant{Provider: box.Provider, Auth: outreach.AuthOAuth2App, OwnClient: true}
	client, err := s.Store.OAuthClient(ctx, box.WorkspaceID, box.Provider)
	if outreach.CodeOf(err) == outreach.CodeNotFound {
		return g, outreach.Errorf(outreach.CodePrecondition, "Add an OAuth client for %s in the settings of the "+
			"workspace first.", box.Provider.Name())
	}
	if err != nil {
		return g, err
	}
	if !client.NamesOneTenant() {
		return g, outreach.Errorf(outreach.CodePrecondition, "%s", tenantReason(client))
	}
	ctx, cancel := context.WithTimeout(ctx, appLimit)
	defer cancel()
	found, err := s.discover(ctx, client)
	if err == nil {
		g.TokenSet, err = s.appTokens(ctx, found, client)
	}
	g.ClientID = client.ClientID
	switch {
	case err == nil:
		return g, s.use(box, g)
	case refusalOf(err) == providerAway:
		s.Logger.LogAttrs(ctx, slog.LevelWarn, "access token not available",
			slog.String("provider", string(box.Provider)), slog.String("answer", codeOf(err)))
		return g, outreach.Errorf(outreach.CodePrecondition, "%s gives no access token for the OAuth client at the "+
			"moment. Try again.", box.Provider.Name())
	}
	return g, outreach.Errorf(outreach.CodePrecondition, "%s", clientReason(client, refusalOf(err)))
}

// appLimit is how long a user at a form waits for a token.
const appLimit = 10 * time.Second
