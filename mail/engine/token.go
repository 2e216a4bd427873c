package engine

import (
	"context"
	"errors"

	"outreach"
	"outreach/mail"
)

// Tokens gets access tokens for mailboxes that log in with them.
type Tokens interface {
	// Authorize puts a valid token and the servers of the provider into a mailbox. It
	// does nothing to one that has a password. The error is an *outreach.TokenError
	// when there is no token.
	Authorize(ctx context.Context, box *outreach.Mailbox) error
	// Renew is Authorize after a server has refused the token that box has.
	Renew(ctx context.Context, box *outreach.Mailbox) error
}

// open reads a mailbox with what it logs in with.
func (e *Engine) open(ctx context.Context, ref outreach.MailboxRef) (outreach.Mailbox, error) {
	box, err := e.Store.MailboxWithPasswords(ctx, ref.WorkspaceID, ref.ID)
	if err != nil || e.Tokens == nil {
		return box, err
	}
	return box, e.Tokens.Authorize(ctx, &box)
}

// isRefused reports whether err says that only the owner of the mailbox can make a
// login possible again; the reason is a sentence for the owner.
func isRefused(err error) (reason string, refused bool) {
	told, ok := errors.AsType[*outreach.TokenError](err)
	if !ok || !told.Refused {
		return "", false
	}
	return told.Reason, true
}

// withToken runs try, and once more with a new token if the server has refused the one
// that box has, or has ended the session since another one is in use. Passwords are
// not tried again.
func (e *Engine) withToken(ctx context.Context, box *outreach.Mailbox, try func() error) error {
	err := try()
	if e.Tokens == nil || !box.Auth.UsesTokens() || ctx.Err() != nil {
		return err
	}
	failed, told := errors.AsType[*mail.ServerError](err)
	if !told {
		return err
	}
	used := box.SMTP.Token
	renew := e.Tokens.Authorize
	if failed.Kind == mail.KindLogin && !failed.Temporary {
		renew = e.Tokens.Renew
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

// dial opens a connection to the sending server of a mailbox.
func (e *Engine) dial(ctx context.Context, box *outreach.Mailbox) (conn *mail.Conn, err error) {
	err = e.withToken(ctx, box, func() (err error) {
		conn, err = mail.DialSMTP(ctx, mail.SMTPConfig{Server: box.SMTP, Network: e.Network})
		return err
	})
	return conn, err
}
