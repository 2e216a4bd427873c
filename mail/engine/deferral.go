package engine

import (
	"cmp"
	"context"
	"time"

	"outreach"
	"outreach/mail"
)

// A server may ask to come back later, whatever is tried (docs/reference.md#servers-that-defer). The
// store keeps since when it does. After outreach.DeferralAllowed the next reading of the mailbox puts
// the mailbox in error. If a process dies before it has recorded anything, the next try records it.

// noteOutcome records whether an attempt to send to a recipient was deferred.
func (e *Engine) noteOutcome(ctx context.Context, box *outreach.Mailbox, recipient string, o mail.Outcome) {
	switch {
	case !isEarly(o):
		e.noteSMTP(ctx, box, false)
		e.noteRecipient(ctx, box, cmp.Or(o.Recipient, recipient), o)
	case o.Status == mail.StatusDeferred:
		e.noteSMTP(ctx, box, true)
	}
}

// noteRecipient records whether a server deferred a message after its recipient was named. If it has
// done so to all for too long, the mailbox is set to error with the answer. If the process dies
// between the two writes, the next deferral at two domains sets it.
func (e *Engine) noteRecipient(ctx context.Context, box *outreach.Mailbox, recipient string, o mail.Outcome) {
	before, tell := box.RecipientDeferral, false
	switch o.Status {
	case mail.StatusDeferred:
		after := outreach.RecipientDeferral{}
		if before != nil {
			after = *before
		}
		after, tell = after.Add(outreach.EmailDomain(recipient), "SMTP: "+o.Text, e.Now())
		if before != nil && after == *before {
			return
		}
		box.RecipientDeferral = &after
	case mail.StatusAccepted, mail.StatusRefused:
		box.RecipientDeferral = nil
	}
	d := box.RecipientDeferral
	if d == before {
		return
	}
	e.warn(ctx, "deferral of recipients could not be noted", e.Store.NoteRecipientsDeferred(ctx, box.Ref(), d), of(box.Ref())...)
	if tell {
		e.warn(ctx, "failure of a mailbox could not be noted", e.Store.NoteFailure(ctx, box.WorkspaceID, box.ID, d.Answer), of(box.Ref())...)
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
