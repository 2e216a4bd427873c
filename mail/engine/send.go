package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
	"outreach/mail/classify"
)

// tickLimit bounds each call of a tick to the store. Without it a lost response would stop all
// mailboxes until TCP finds the connection dead, which takes many minutes.
const tickLimit = time.Minute

// sendTick runs maintenance and adds the mailboxes that can send to the worker pool. It does not
// wait for them. When ctx ends, nothing more is claimed; claimed messages continue until work ends.
func (e *Engine) sendTick(ctx, work context.Context) {
	if !e.early.Swap(false) { // an early tick only looks for senders
		e.maintain(ctx)
	}
	once, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	refs, err := e.Store.Senders(once)
	e.warn(ctx, "senders could not be listed", err)
	e.senders.add(refs, func(ref outreach.MailboxRef) bool {
		more := e.serve(ctx, work, ref)
		e.tickForNext(ctx)
		return more
	})
	e.tickForNext(ctx)
}

// soonestTick is the shortest time between early ticks.
const soonestTick = 200 * time.Millisecond

// tickForNext schedules an early tick for the time when the next mailbox may send, if that is
// before the next regular tick.
func (e *Engine) tickForNext(ctx context.Context) {
	once, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	at, err := e.Store.NextSender(once)
	e.warn(ctx, "the next sender could not be found", err)
	wait := at.Sub(e.Now())
	if err != nil || at.IsZero() || wait >= e.SendInterval {
		return
	}
	e.tickIn(max(wait, soonestTick))
}

// tickIn schedules a tick that only looks for senders.
func (e *Engine) tickIn(wait time.Duration) {
	time.AfterFunc(wait, func() {
		e.early.Store(true)
		select {
		case e.sendersDue <- struct{}{}:
		default: // a tick is already scheduled
		}
	})
}

// maintain runs the maintenance of a tick: it sweeps what other processes left behind and refreshes
// campaigns.
func (e *Engine) maintain(ctx context.Context) {
	once, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	swept, err := e.Store.SweepSteps(once)
	e.warn(ctx, "lost messages could not be swept", err)
	if swept > 0 && e.Hooks.Swept != nil {
		e.Hooks.Swept(swept)
	}
	e.warn(ctx, "campaigns could not be refreshed", e.Store.RefreshCampaigns(once))
}

// deliver sends one claimed message and settles it. goOn reports whether the mailbox should
// continue: false if its server cannot be reached or defers.
func (s *sending) deliver(out *outreach.Outgoing) (goOn bool) {
	s.current = out.Ref()
	s.engine.messages.Add(s.current)
	withdrawn := false
	outcome, err := s.send(out, func(ctx context.Context) error {
		s.settling.Wait() // at most one message of a mailbox may become unknown
		// Commit 2. If the process dies before it, the message was not sent and stays claimed. If
		// it dies after it, the message may have been sent and becomes unknown.
		err := s.engine.Store.CommitMessage(ctx, out.Ref(), s.engine.holder)
		withdrawn = s.engine.isWithdrawn(err)
		return err
	})
	if withdrawn {
		s.engine.messages.Remove(out.Ref())
		return true // the message was withdrawn or deleted
	}
	if err != nil {
		s.engine.Logger.LogAttrs(s.work, slog.LevelInfo, "server did not decide about a message",
			append(of(s.ref), slog.String("message_id", out.ID.String()), slog.String("status", string(outcome.Status)),
				slog.String("command", outcome.Command), slog.Any("error", err))...)
	}
	s.engine.noteOutcome(s.work, &s.box, out.Recipient, outcome)
	s.settle(out.Ref(), resultOf(outcome))
	return goesOn(outcome)
}

// settle records the outcome of a message. If the server accepted it, settle returns at once and
// the mailbox continues up to commit 2 of its next message. For any other outcome settle waits,
// because the outcome may concern the mailbox and the next claim must see it.
func (s *sending) settle(message outreach.Ref, result outreach.SendResult) {
	s.settling.Wait()
	s.settling.Go(func() {
		defer s.engine.messages.Remove(message)
		err := panics.Catch(func() error { s.engine.settle(s.work, message, result); return nil })
		s.engine.panicked(s.work, err, s.ref)
	})
	if result.Kind != outreach.SendSent {
		s.settling.Wait()
	}
}

// send opens a connection if there is none. A server may close a connection that has carried a
// message, or end it with 421. If that happens before the message was decided, send tries once more
// on a new connection, whose answer counts.
func (s *sending) send(out *outreach.Outgoing, beforeCommit func(context.Context) error) (mail.Outcome, error) {
	envelope := mail.Envelope{From: s.box.Email, To: out.Recipient}
	if s.conn != nil {
		outcome, err := s.conn.Send(s.work, envelope, out.Raw, beforeCommit)
		if !isStale(outcome) || s.work.Err() != nil {
			return outcome, err
		}
		s.close()
	}
	conn, err := s.engine.dial(s.work, &s.box)
	if reason, refused := isRefused(err); refused {
		return mail.Outcome{Status: mail.StatusNotSent, Command: "connect", Text: reason}, err
	}
	if busy, ok := errors.AsType[*mail.ServerError](err); ok && busy.Busy {
		// Nothing is wrong with the mailbox yet. Its messages wait as after any other 4xx.
		return mail.Outcome{Status: mail.StatusDeferred, Command: "connect", Text: busy.Reason}, nil
	}
	if err != nil {
		return s.unreachable(err), err
	}
	s.conn = conn
	return conn.Send(s.work, envelope, out.Raw, beforeCommit)
}

// isStale reports whether the first commands found the connection closed by the server or about to
// be closed (421, RFC 5321, section 3.8). The message was then not sent.
func isStale(o mail.Outcome) bool {
	return isEarly(o) && (o.Status == mail.StatusNotSent || o.Status == mail.StatusDeferred && o.Code == 421)
}

// isEarly reports whether the outcome was decided before the server knew the recipient.
func isEarly(o mail.Outcome) bool {
	return o.Command == "connect" || o.Command == "RSET" || o.Command == "MAIL"
}

// unreachable marks the mailbox as failed, so that it claims nothing until a check succeeds.
func (s *sending) unreachable(err error) mail.Outcome {
	words := "SMTP: " + err.Error()
	if s.work.Err() == nil {
		noted := s.engine.Store.NoteFailure(s.work, s.ref.WorkspaceID, s.ref.ID, words)
		s.engine.warn(s.work, "failure of a mailbox could not be noted", noted, of(s.ref)...)
	}
	return mail.Outcome{Status: mail.StatusNotSent, Command: "connect", Text: words}
}

// commit2 is the command of an outcome that commit 2 decided, not the server.
const commit2 = "commit"

// resultOf converts an SMTP outcome to the result that the ledger stores.
func resultOf(o mail.Outcome) outreach.SendResult {
	if o.Status == mail.StatusNotSent && o.Command == commit2 {
		return outreach.SendResult{Kind: outreach.SendUncommitted}
	}
	result := outreach.SendResult{Response: o.Text}
	switch o.Status {
	case mail.StatusAccepted:
		result.Kind, result.NamedID = outreach.SendSent, o.NamedID
	case mail.StatusRefused:
		result.Kind, result.Fault = outreach.SendRefused, faultOf(o)
		advice := adviceFor(o)
		if advice != "" {
			result.Fault, result.Response = outreach.FaultSender, advice+": "+o.Text
		}
		if advice != "" || o.Command == "MAIL" && result.Fault == outreach.FaultSender {
			result.Kind = outreach.SendBlocked
		}
	case mail.StatusDeferred:
		result.Kind, result.Fault = outreach.SendDeferred, outreach.FaultTransient
	case mail.StatusUnknown:
		result.Kind = outreach.SendUnknown
	default:
		result.Kind = outreach.SendFailed
	}
	return result
}

// faultOf returns who caused a final refusal. A refusal before RCPT is the sender's fault, unless
// the server cannot carry the recipient's address (RFC 6531).
func faultOf(o mail.Outcome) outreach.Fault {
	if o.Command == "MAIL" {
		if o.Enhanced == "5.6.7" {
			return outreach.FaultRecipient
		}
		return outreach.FaultSender
	}
	class, _ := classify.SMTP(o.Code, o.Enhanced, o.Text)
	return faults[class]
}

// goesOn reports whether a mailbox may send more before the next tick. A deferral of the recipient
// (greylisting) concerns that recipient only; a deferral of any other command concerns the mailbox.
func goesOn(o mail.Outcome) bool {
	switch o.Status {
	case mail.StatusAccepted, mail.StatusRefused:
		return true
	case mail.StatusDeferred:
		return o.Command == "RCPT" && o.Code != 421
	}
	return false
}
