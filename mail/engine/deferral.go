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
	since := e.deferredSince(box.SMTPDeferredSince, defers)
	if since == box.SMTPDeferredSince {
		return
	}
	box.SMTPDeferredSince = since
	err := e.Store.NoteSMTPDeferred(ctx, box.Ref(), since)
	e.warn(ctx, "deferral of a mailbox could not be noted", err, of(box.Ref())...)
}

// noteIMAP records whether the IMAP server of a mailbox defers everything.
func (e *Engine) noteIMAP(ctx context.Context, box *outreach.Mailbox, defers bool) {
	since := e.deferredSince(box.IMAPDeferredSince, defers)
	if since == box.IMAPDeferredSince {
		return
	}
	box.IMAPDeferredSince = since
	err := e.Store.NoteIMAPDeferred(ctx, box.Ref(), since)
	e.warn(ctx, "deferral of a mailbox could not be noted", err, of(box.Ref())...)
}

// deferredSince returns since when a server defers after one more attempt, nil if it does not.
func (e *Engine) deferredSince(before *time.Time, defers bool) *time.Time {
	switch {
	case !defers:
		return nil
	case before != nil:
		return before
	}
	return new(e.Now())
}
