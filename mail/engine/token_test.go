package engine_test

import (
	"context"
	"errors"
	"testing"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// tokenSource counts the calls, and returns the same token or a new one.
type tokenSource struct {
	next               string // the token that it gives
	refuses            error
	authorized, renews int
}

func (s *tokenSource) Authorize(_ context.Context, box *outreach.Mailbox) error {
	s.authorized++
	return s.give(box)
}

func (s *tokenSource) Renew(_ context.Context, box *outreach.Mailbox) error {
	s.renews++
	return s.give(box)
}

func (s *tokenSource) give(box *outreach.Mailbox) error {
	if s.refuses == nil {
		box.SMTP.Token, box.IMAP.Token = s.next, s.next
	}
	return s.refuses
}

// A session that ends because its token did is opened again without an error. A token that a server
// refuses is replaced once. Nothing else is tried twice.
func TestTokensOfSessions(t *testing.T) {
	t.Parallel()
	cut := &mail.ServerError{Kind: mail.KindConnect, Reason: "connection closed by the server", Temporary: true}
	refused := &mail.ServerError{Kind: mail.KindLogin, Reason: "login refused"}
	busy := &mail.ServerError{Kind: mail.KindLogin, Reason: "too many sessions", Temporary: true, Busy: true}
	store := errors.New("the store failed")
	revoked := &outreach.TokenError{Reason: "Reconnect the mailbox.", Refused: true}
	for name, c := range map[string]struct {
		auth               outreach.MailAuth
		source             tokenSource
		failures           []error // of the first tries
		tries              int
		authorized, renews int
		want               error
	}{
		"it works":                     {outreach.AuthOAuth2, tokenSource{next: "new"}, nil, 1, 0, 0, nil},
		"cut, and the token has ended": {outreach.AuthOAuth2, tokenSource{next: "new"}, []error{cut}, 2, 1, 0, nil},
		"cut, of an application":       {outreach.AuthOAuth2App, tokenSource{next: "new"}, []error{cut}, 2, 1, 0, nil},
		"cut, and the token is good":   {outreach.AuthOAuth2, tokenSource{next: "old"}, []error{cut}, 1, 1, 0, cut},
		"cut again":                    {outreach.AuthOAuth2, tokenSource{next: "new"}, []error{cut, cut}, 2, 1, 0, cut},
		"refused once":                 {outreach.AuthOAuth2, tokenSource{next: "new"}, []error{refused}, 2, 0, 1, nil},
		"refused twice":                {outreach.AuthOAuth2, tokenSource{next: "new"}, []error{refused, refused}, 2, 0, 1, refused},
		"busy":                         {outreach.AuthOAuth2, tokenSource{next: "old"}, []error{busy}, 1, 1, 0, busy},
		"revoked":                      {outreach.AuthOAuth2, tokenSource{refuses: revoked}, []error{refused}, 1, 0, 1, revoked},
		"the provider is away": {outreach.AuthOAuth2, tokenSource{refuses: &outreach.TokenError{Reason: "away"}}, []error{refused},
			1, 0, 1, refused},
		"not the server's fault": {outreach.AuthOAuth2, tokenSource{next: "new"}, []error{store}, 1, 0, 0, store},
		"with a password":        {outreach.AuthPassword, tokenSource{next: "new"}, []error{refused}, 1, 0, 0, refused},
	} {
		box := outreach.NewMailbox()
		box.Auth, box.SMTP.Token = c.auth, "old"
		tries := 0
		err := engine.WithToken(t.Context(), &c.source, &box, func() error {
			tries++
			if tries > len(c.failures) {
				return nil
			}
			return c.failures[tries-1]
		})
		if !errors.Is(err, c.want) || tries != c.tries || c.source.authorized != c.authorized || c.source.renews != c.renews {
			t.Errorf("%s: %v after %d tries, asked for a token %d times and for a new one %d times", name, err, tries,
				c.source.authorized, c.source.renews)
		}
	}
}
