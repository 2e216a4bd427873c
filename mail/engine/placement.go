package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
	"outreach/mail/classify"
)

// maxPlacements bounds how many placement checks are worked on at a time.
const maxPlacements = 4

// placementLimit bounds one attempt on a check; it is shorter than PlacementLease.
const placementLimit = 90 * time.Second

// placementTick sends the mails of placement checks that are due, or looks for them. It
// does not wait.
func (e *Engine) placementTick(ctx, work context.Context) {
	once, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	free := e.placements.take(once)
	if free == 0 {
		return
	}
	claimed, err := e.Store.ClaimPlacementChecks(once, free)
	e.warn(ctx, "placement checks could not be claimed", err)
	e.placements.give(free - len(claimed))
	for _, check := range claimed {
		go func() {
			defer e.placements.give(1)
			e.checkPlacement(ctx, work, check)
		}()
	}
}

// checkPlacement makes one attempt on a check and records its result. If the process dies before that,
// the check is due again after its lease. A mail that may have been sent is then looked for and not sent
// again.
func (e *Engine) checkPlacement(life, work context.Context, check outreach.PlacementCheck) {
	ctx, cancel := context.WithTimeout(life, placementLimit)
	defer cancel()
	from := outreach.MailboxRef{WorkspaceID: check.WorkspaceID, ID: check.MailboxID}
	var result outreach.PlacementResult
	err := panics.Catch(func() (err error) {
		if check.SentAt == nil {
			result, err = e.sendPlacement(ctx, check, from)
		} else {
			result, err = e.findPlacement(ctx, check, from)
		}
		return err
	})
	if errors.Is(err, outreach.ErrNotFound) || life.Err() != nil && result.Folder == "" && result.Failure == "" {
		return // a mailbox was deleted, or the engine stops: another process continues after the lease
	}
	if err != nil {
		e.warn(work, "placement check could not go on", err, of(from)...)
		result.Problem = internalFailure
	}
	err = panics.Catch(func() error { _, err := e.Store.NotePlacement(work, check.Ref(), result); return err })
	e.warn(work, "placement check could not be recorded", err, of(from)...)
}

// sendPlacement sends the mail of a check. Whatever happens before commit leaves the
// check waiting for another attempt.
func (e *Engine) sendPlacement(ctx context.Context, check outreach.PlacementCheck, from outreach.MailboxRef) (
	r outreach.PlacementResult, err error) {
	box, err := e.open(ctx, from)
	if reason, refused := isRefused(err); refused {
		return outreach.PlacementResult{Failure: reason}, nil
	}
	if err != nil {
		return r, err
	}
	to, err := e.Store.MailboxWithPasswords(ctx, check.WorkspaceID, check.ToMailboxID)
	if err != nil {
		return r, err
	}
	draft, err := e.placementMail(check, box, to)
	if err != nil {
		return r, err
	}
	raw, err := mail.Compose(draft)
	if err != nil {
		return r, err
	}
	conn, err := e.dial(ctx, &box)
	if err != nil {
		return unsent(err), nil
	}
	defer conn.Close()
	outcome, err := conn.Send(ctx, mail.Envelope{From: box.Email, To: to.Email}, raw, func(ctx context.Context) error {
		// A process that dies before this commit has not sent; one that dies after
		// it may have, and the mail is looked for.
		return e.Store.CommitPlacement(ctx, check.Ref(), e.Now())
	})
	switch {
	case errors.Is(err, outreach.ErrNotFound):
		return r, err
	case outcome.Status == mail.StatusRefused:
		r.Failure = fmt.Sprintf("%s could not send the mail: %s", box.Email, outcome.Text)
	case outcome.Status == mail.StatusDeferred || outcome.Status == mail.StatusNotSent:
		r.Problem = fmt.Sprintf("%s could not send the mail: %s", box.Email, outcome.Text)
		if outcome.Command == "." {
			r.Failure = r.Problem // it was committed, and is not sent again
		}
	}
	return r, nil
}

// unsent is the result when there is no connection to the sending server.
func unsent(err error) (r outreach.PlacementResult) {
	if reason, refused := isRefused(err); refused {
		r.Failure = reason
		return r
	}
	if failed, ok := errors.AsType[*mail.ServerError](err); ok && failed.Kind == mail.KindLogin && !failed.Temporary {
		r.Failure = "SMTP: " + failed.Error()
		return r
	}
	r.Problem = "SMTP: " + err.Error()
	return r
}

// placementMail is the mail of a check: plain, and the same bytes at each attempt.
func (e *Engine) placementMail(check outreach.PlacementCheck, from, to outreach.Mailbox) (mail.Draft, error) {
	id, ref, err := e.placementIDs(check, from)
	return mail.Draft{
		From: from.Email, FromName: value(from.DisplayName), To: to.Email, ToName: value(to.DisplayName),
		Subject: "Where does this mail arrive?",
		Text: "Hello,\n\nthis mail checks whether mail from " + from.Email + " arrives in the inbox of " + to.Email +
			".\nA member of your team asked for it. You can delete it.\n",
		MessageID: id, Ref: ref, Date: check.CreatedAt,
	}, err
}

// placementIDs returns the two ids of the mail of a check.
func (e *Engine) placementIDs(check outreach.PlacementCheck, from outreach.Mailbox) (messageID, ref string, err error) {
	ref = outreach.SignLink(e.Composer.Keyring, outreach.LinkPlacement, check.Ref(), 0, "")
	messageID, err = mail.NewMessageID(from.Email, strings.NewReader(ref))
	return messageID, ref, err
}

// findPlacement looks for the mail of a check where it was sent to.
func (e *Engine) findPlacement(ctx context.Context, check outreach.PlacementCheck, from outreach.MailboxRef) (
	r outreach.PlacementResult, err error) {
	sender, err := e.Store.MailboxWithPasswords(ctx, from.WorkspaceID, from.ID)
	if err != nil {
		return r, err
	}
	box, err := e.open(ctx, outreach.MailboxRef{WorkspaceID: check.WorkspaceID, ID: check.ToMailboxID})
	if reason, refused := isRefused(err); refused {
		return outreach.PlacementResult{Problem: reason}, nil
	}
	if err != nil {
		return r, err
	}
	id, ref, err := e.placementIDs(check, sender)
	if err != nil {
		return r, err
	}
	var found *mail.Located
	err = withToken(ctx, e.Tokens, &box, func() error {
		session, err := mail.OpenMailbox(ctx, e.imap(box))
		if err != nil {
			return err
		}
		defer session.Close()
		found, err = session.Locate(ctx, id, ref, check.CreatedAt.AddDate(0, 0, -1))
		return err
	})
	if err != nil {
		return outreach.PlacementResult{Problem: fmt.Sprintf("%s could not be read: %v", box.Email, err)}, nil
	}
	if found == nil {
		return r, nil
	}
	return placed(found, sender, box), nil
}

// placed is the result when the mail was found.
func placed(found *mail.Located, from, to outreach.Mailbox) outreach.PlacementResult {
	own, theirs := outreach.EmailDomain(from.Email), outreach.EmailDomain(to.Email)
	seen := classify.Authenticated(found.Header, own,
		classify.NewProvider(from.SMTP.Host, from.IMAP.Host, own), classify.NewProvider(to.SMTP.Host, to.IMAP.Host, theirs))
	r := outreach.PlacementResult{
		Folder: outreach.PlacementFolder(found.Folder), Arrived: found.Arrived,
		Authentication: outreach.MailAuthentication{
			SPF: outreach.RecordResult(seen.SPF), DKIM: outreach.RecordResult(seen.DKIM), DMARC: outreach.RecordResult(seen.DMARC),
			Signer: seen.Signer,
		},
	}
	if own != theirs && !seen.Internal {
		r.Domain = own
	}
	return r
}
