package oauth

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/oauth2"

	"outreach"
)

// checkLimit is how long a user at a form waits for the check of a client.
const checkLimit = 5 * time.Second

// noCode is a code that no provider has issued.
const noCode = "check-of-the-client"

// CheckClient returns why the provider refuses a client, in a sentence; empty if it does not, or if that cannot
// be known. It asks the token endpoint that connections use, and stores nothing.
//
// Only two answers decide: invalid_client, which means that id and secret do not fit (RFC 6749, section 5.2), and
// that the tenant does not exist. Any other answer proves nothing: a provider may look at the code before the
// secret, and a client of another tenant is unknown to Microsoft until its administrator has approved it.
func (s *Service) CheckClient(ctx context.Context, c outreach.OAuthClient) string {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	found, err := s.discover(ctx, c)
	if err == nil {
		err = s.tryClient(ctx, found, c)
	}
	answered, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case err == nil:
		return ""
	case refusalOf(err) == noTenant:
		return clientReason(c, noTenant)
	case ok && answered.ErrorCode == "invalid_client":
		return clientReason(c, clientRefused)
	}
	s.Logger.LogAttrs(ctx, slog.LevelInfo, "OAuth client not checked", slog.String("provider", string(c.Provider)),
		slog.String("answer", codeOf(err)))
	return ""
}

// tryClient makes a token request that needs nothing but the client: with its own rights where those are of one
// tenant, else with a code that does not exist.
func (s *Service) tryClient(ctx context.Context, found *endpoints, c outreach.OAuthClient) error {
	if c.NamesOneTenant() {
		_, err := s.appTokens(ctx, found, c)
		return err
	}
	_, err := s.config(found, c).Exchange(s.with(ctx), noCode, oauth2.VerifierOption(oauth2.GenerateVerifier()))
	return err
}
