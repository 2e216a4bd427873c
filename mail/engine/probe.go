package engine

import (
	"context"
	"sync"
	"time"

	"outreach"
	"outreach/mail"
)

// probeLimit bounds a try of both logins: somebody waits for it at a form.
const probeLimit = 12 * time.Second

// Prober tries the logins of a mailbox.
type Prober struct {
	Network mail.Network
}

// Probe logs in to both servers at once and says, under /smtp and /imap, which of
// them failed and how, within 12 seconds. It sends nothing and reads nothing; a
// process that dies meanwhile leaves nothing behind.
func (p Prober) Probe(ctx context.Context, m outreach.Mailbox) outreach.Faults {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	var smtp, imap error
	var both sync.WaitGroup
	both.Go(func() { smtp = mail.CheckSMTP(ctx, mail.SMTPConfig{Server: m.SMTP, Network: p.Network}) })
	both.Go(func() { imap = mail.CheckIMAP(ctx, mail.IMAPConfig{Server: m.IMAP, Network: p.Network}) })
	both.Wait()
	var faults outreach.Faults
	if smtp != nil {
		faults.Add(outreach.At("smtp"), outreach.CodeMailboxUnreachable, "SMTP: %v", smtp)
	}
	if imap != nil {
		faults.Add(outreach.At("imap"), outreach.CodeMailboxUnreachable, "IMAP: %v", imap)
	}
	return faults
}
