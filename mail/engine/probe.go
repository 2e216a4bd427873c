package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"outreach"
	"outreach/mail"
)

// probeLimit bounds a try of both logins. The caller waits for the result.
const probeLimit = 12 * time.Second

// Prober tries the logins of a mailbox.
type Prober struct {
	Network mail.Network
	// Tokens replaces an access token that a server refuses, and finds out why there is none any more.
	// It is nil for mailboxes that are not stored yet.
	Tokens Tokens
}

// Probe logs in to both servers at the same time, within 12 seconds. It returns a fault under /smtp
// or /imap for each login that failed, and under /folders for a folder that is missing. It sends and
// reads no mail, and leaves nothing behind if the process dies.
func (p Prober) Probe(ctx context.Context, m outreach.Mailbox) outreach.Faults {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	var smtp, imap error
	var both sync.WaitGroup
	both.Go(func() {
		box := m
		smtp = withToken(ctx, p.Tokens, &box, func() error {
			return mail.CheckSMTP(ctx, mail.SMTPConfig{Server: box.SMTP, Network: p.Network})
		})
	})
	both.Go(func() {
		box := m
		imap = withToken(ctx, p.Tokens, &box, func() error {
			return mail.CheckIMAP(ctx, mail.IMAPConfig{Server: box.IMAP, Network: p.Network}, namedFolders(m)...)
		})
	})
	both.Wait()
	var faults outreach.Faults
	if smtp != nil {
		faults.Add(outreach.At("smtp"), outreach.CodeMailboxUnreachable, "SMTP: %v", smtp)
	}
	if missing, ok := errors.AsType[*mail.ServerError](imap); ok && missing.Kind == mail.KindFolder {
		faults.Add(outreach.At("folders"), outreach.FieldInvalid, "IMAP: %v", imap)
	} else if imap != nil {
		faults.Add(outreach.At("imap"), outreach.CodeMailboxUnreachable, "IMAP: %v", imap)
	}
	return faults
}
