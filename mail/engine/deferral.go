package engine

import (
	"context"
	"time"

	"outreach"
	"outreach/mail"
)

// A server may ask to come back later, whatever is tried (docs/reference.md#servers-that-defer). The
// store keeps since when it does. After outreach.DeferralAllowed the next reading of the mailbox puts
// the mailbox in error. If a process dies before it has recorded anything, the next try records it.

// noteOutcome records whether an attempt to send was deferred before a recipient was named.
func (e *Engine) noteOutcome(ctx context.Context, box *outreach.Mailbox, o mail.Outcome) {
	early := o.Command == "connect" || o.Command == "RSET" || o.Command == "MAIL"
	switch {
	case !early:
		e.noteSMTP(ctx, box, false)
	case o.Status == mail.StatusDeferred:
		e.noteSMTP(ctx, box, true)
	}
}

// noteSMTP records whether the SMTP server of a mailbox defers everything.
func (e *Engine) noteSMTP(ctx context.Context, box *outreach.Mailbox, defers bool) {
	e.noteDeferral(ctx, box, &box.SMTPDeferredSince, defers, e.Store.NoteSMTPDeferred)
}

// noteIMAP is noteSMTP for the IMAP server.
func (e *Engine) noteIMAP(ctx context.Context, box *outreach.Mailbox, defers bool) {
	e.noteDeferral(ctx, box, &box.IMAPDeferredSince, defers, e.Store.NoteIMAPDeferred)
}

// noteDeferral sets since when a server of a mailbox defers, nil if it does not, and stores a change.
func (e *Engine) noteDeferral(ctx context.Context, box *outreach.Mailbox, since **time.Time, defers bool,
	store func(context.Context, outreach.MailboxRef, *time.Time) error) {
	if defers == (*since != nil) {
		return
	}
	*since = nil
	if defers {
		*since = new(e.Now())
	}
	e.warn(ctx, "deferral of a mailbox could not be noted", store(ctx, box.Ref(), *since), of(box.Ref())...)
}
