package engine

import (
	"context"
	"errors"

	"outreach"
	"outreach/mail"
)

// Tokens gets access tokens for mailboxes that log in with OAuth 2.0.
type Tokens interface {
	// Authorize sets a valid access token and the servers of the provider in box. It does nothing
	// for a mailbox with a password. It returns an *outreach.TokenError if there is no token.
	Authorize(ctx context.Context, box *outreach.Mailbox) error
	// Renew is Authorize after a server has refused the token of box.
	Renew(ctx context.Context, box *outreach.Mailbox) error
}

// open reads a mailbox with its secrets and gets its access token.
func (e *Engine) open(ctx context.Context, ref outreach.MailboxRef) (outreach.Mailbox, error) {
	box, err := e.Store.MailboxWithPasswords(ctx, ref.WorkspaceID, ref.ID)
	if err != nil || e.Tokens == nil {
		return box, err
	}
	return box, e.Tokens.Authorize(ctx, &box)
}

// isRefused reports whether only the owner of the mailbox can make logins possible again. reason is
// a text for the owner.
func isRefused(err error) (reason string, refused bool) {
	told, ok := errors.AsType[*outreach.TokenError](err)
	if !ok || !told.Refused {
		return "", false
	}
	return told.Reason, true
}

// withToken calls try, and calls it once more with a new token if the server refused the token or
// ended the session because of it. Passwords are not tried again.
func withToken(ctx context.Context, tokens Tokens, box *outreach.Mailbox, try func() error) error {
	err := try()
	if tokens == nil || !box.Auth.UsesTokens() || ctx.Err() != nil {
		return err
	}
	failed, told := errors.AsType[*mail.ServerError](err)
	if !told {
		return err
	}
	used := box.SMTP.Token
	renew := tokens.Authorize
	if failed.Kind == mail.KindLogin && !failed.Temporary {
		renew = tokens.Renew
	}
	if lacks := renew(ctx, box); lacks != nil {
		if _, refused := isRefused(lacks); refused {
			return lacks
		}
		return err
	}
	if box.SMTP.Token == used {
		return err
	}
	return try()
}

// dial opens a connection to the SMTP server of a mailbox.
func (e *Engine) dial(ctx context.Context, box *outreach.Mailbox) (conn *mail.Conn, err error) {
	err = withToken(ctx, e.Tokens, box, func() (err error) {
		conn, err = mail.DialSMTP(ctx, mail.SMTPConfig{Server: box.SMTP, Network: e.Network})
		return err
	})
	return conn, err
}
