package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
)

// maxAnswers bounds how many answers are sent at a time.
const maxAnswers = 16

// answerTick starts sending the answers that are due. It returns before they are sent.
func (e *Engine) answerTick(ctx, work context.Context) {
	once, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	swept, err := e.Store.SweepAnswers(once)
	e.warn(ctx, "lost answers could not be swept", err)
	if swept > 0 && e.Hooks.Swept != nil {
		e.Hooks.Swept(swept)
	}
	free := e.answers.take(once)
	if free == 0 {
		return
	}
	// Commit 1. If the process dies before it, nothing has happened. If it dies after it, the lease
	// ends and another process sends the stored bytes.
	claimed, err := e.Store.ClaimAnswers(once, e.holder, free, e.Composer.ComposeAnswer)
	e.warn(ctx, "answers could not be claimed", err)
	e.answers.give(free - len(claimed))
	for _, out := range claimed {
		go func() {
			defer e.answers.give(1)
			e.sendAnswer(work, out)
		}()
	}
}

// sendAnswer hands one claimed answer over and settles it.
func (e *Engine) sendAnswer(work context.Context, out outreach.OutgoingAnswer) {
	ref := outreach.MailboxRef{WorkspaceID: out.WorkspaceID, ID: out.MailboxID}
	e.messages.Add(out.Ref())
	defer e.messages.Remove(out.Ref())
	err := panics.Catch(func() error {
		outcome, withdrawn, err := e.handOver(work, ref, &out)
		if withdrawn {
			return nil // the answer was withdrawn or deleted
		}
		if err != nil {
			e.Logger.LogAttrs(work, slog.LevelInfo, "server did not decide about an answer",
				append(of(ref), slog.String("message_id", out.ID.String()), slog.String("status", string(outcome.Status)),
					slog.String("command", outcome.Command), slog.Any("error", err))...)
		}
		e.settleAnswer(work, out.Ref(), resultOf(outcome), outcome.Recipient)
		return nil
	})
	if !e.panicked(work, err, ref) {
		e.warn(work, "answer could not be sent", err, of(ref)...)
	}
}

// handOver sends a claimed answer on a connection of its own. withdrawn reports that the answer
// must no longer be sent and that there is nothing to settle.
func (e *Engine) handOver(work context.Context, ref outreach.MailboxRef,
	out *outreach.OutgoingAnswer) (outcome mail.Outcome, withdrawn bool, err error) {
	box, err := e.open(work, ref)
	if errors.Is(err, outreach.ErrNotFound) {
		return mail.Outcome{Status: mail.StatusRefused, Command: "MAIL", Text: "the mailbox was deleted"}, false, nil
	}
	if err != nil {
		out := mail.Outcome{Status: mail.StatusNotSent, Command: commit2}
		if _, ok := errors.AsType[*outreach.TokenError](err); ok {
			out.Command, out.Text = "connect", err.Error()
		}
		return out, false, err
	}
	conn, err := e.dial(work, &box)
	if err != nil {
		if busy, ok := errors.AsType[*mail.ServerError](err); ok && busy.Busy {
			e.noteSMTP(work, &box, true)
		}
		return mail.Outcome{Status: mail.StatusNotSent, Command: "connect", Text: err.Error()}, false, err
	}
	defer conn.Close()
	outcome, err = conn.Send(work, mail.Envelope{From: box.Email, To: out.Recipient, Cc: out.Cc}, out.Raw, func(ctx context.Context) error {
		// Commit 2. If the process dies before it, the answer was not sent. If it dies after it,
		// the answer may have been sent and becomes unknown.
		err := e.Store.CommitAnswer(ctx, out.Ref(), e.holder)
		withdrawn = e.isWithdrawn(err)
		return err
	})
	e.noteOutcome(work, &box, out.Recipient, outcome)
	return outcome, withdrawn, err
}

// settleAnswer is commit 3. It retries for as long as settle does for a step. If the process dies
// before it, the answer stays as commit 1 or 2 left it.
func (e *Engine) settleAnswer(ctx context.Context, answer outreach.Ref, result outreach.SendResult, refused string) {
	e.record(ctx, answer.ID, result.Kind, func(ctx context.Context) error {
		return e.Store.SettleAnswer(ctx, answer, e.holder, result, refused)
	})
}

// ComposeAnswer returns the bytes of an answer: the text as written, with the signature of the
// mailbox, in the thread of the reply, without tracking.
func (c *Composer) ComposeAnswer(a outreach.AnswerBytes) ([]byte, error) {
	d := mail.Draft{
		From: a.Mailbox.Email, FromName: value(a.Mailbox.DisplayName), To: a.To, ToName: a.Name, Cc: a.Cc,
		Subject: a.Subject, HTML: value(a.BodyHTML), Text: a.BodyText, SignatureHTML: value(a.Mailbox.SignatureHTML),
		MessageID: a.MessageID, References: a.Thread, Date: a.Date,
		Ref: c.reference(outreach.Ref{WorkspaceID: a.Mailbox.WorkspaceID, ID: a.ID}),
	}
	if n := len(a.Thread); n > 0 {
		d.InReplyTo = a.Thread[n-1]
	}
	return mail.Compose(d)
}

// reference returns the second id of a message, the value of mail.HeaderRef.
func (c *Composer) reference(message outreach.Ref) string {
	return outreach.SignLink(c.Keyring, outreach.LinkMessage, message, 0, "")
}

// NewMessageID returns a new Message-ID in the domain of the address from.
func (c *Composer) NewMessageID(from string) (string, error) {
	return mail.NewMessageID(from, cmp.Or(c.Random, rand.Reader))
}

// PlainText returns the text of an HTML body.
func (c *Composer) PlainText(html string) string { return mail.PlainText(html) }

// filedAfter is how long a provider has to file a sent message in the Sent folder.
const filedAfter = time.Minute

// fileAnswers appends sent answers to the Sent folder where the provider has not filed them. It
// searches for each answer first, because a process may have died after it filed the answer and
// before it recorded that.
func (r *reading) fileAnswers(ctx context.Context, session *mail.Mailbox) error {
	unfiled, err := r.engine.Store.Unfiled(ctx, r.box.Ref())
	if err != nil {
		return err
	}
	var filed []uuid.UUID
	for _, a := range unfiled {
		_, there, err := session.FindInSent(ctx, a.MessageID, r.engine.Composer.reference(outreach.Ref{WorkspaceID: r.box.WorkspaceID, ID: a.ID}))
		if err == nil && !there && r.engine.Now().Sub(a.SentAt) >= filedAfter {
			if r.box.Provider == outreach.ProviderCustom { // other providers file what they send
				_, err = session.FileInSent(ctx, a.Raw, a.SentAt)
			}
			there = true // filed already, or there is no Sent folder
		}
		if err != nil {
			return errors.Join(err, r.filed(filed))
		}
		if there {
			filed = append(filed, a.ID)
		}
	}
	return r.filed(filed)
}

func (r *reading) filed(ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	return r.engine.Store.Filed(r.work, r.box.WorkspaceID, ids)
}
