package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"outreach"
	"outreach/mail"
	"outreach/mail/classify"
)

// tickLimit bounds what a tick asks of the store, each time. An answer that was
// lost on the way would otherwise stop all mailboxes until the connection is found
// dead, which takes many minutes.
const tickLimit = time.Minute

// sendTick tends what needs it and hands the mailboxes that can send to the crew.
// It does not wait for them. Claims end with ctx; what is claimed goes on under
// work.
func (e *Engine) sendTick(ctx, work context.Context) {
	if !e.early.Swap(false) { // a tick for the end of a gap only looks for senders
		e.tend(ctx)
	}
	once, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	refs, err := e.Store.Senders(once)
	e.warn(ctx, "senders could not be listed", err)
	e.sending.add(refs, func(ref outreach.MailboxRef) bool {
		more := e.serve(ctx, work, ref)
		e.tickForNext(ctx)
		return more
	})
	e.tickForNext(ctx)
}

// soonestTick bounds how often mailboxes whose gap ends cause a tick of their own.
const soonestTick = 200 * time.Millisecond

// tickForNext causes a tick when the next mailbox is to be looked at, if that is
// before the next one: the end of a gap does not wait for it.
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

// tickIn causes a tick that only looks for senders.
func (e *Engine) tickIn(wait time.Duration) {
	time.AfterFunc(wait, func() {
		e.early.Store(true)
		select {
		case e.sendersDue <- struct{}{}:
		default: // a tick is coming already
		}
	})
}

// tend looks after what other processes left behind, and after the campaigns.
func (e *Engine) tend(ctx context.Context) {
	once, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	swept, err := e.Store.SweepCommitting(once)
	e.warn(ctx, "lost messages could not be swept", err)
	if swept > 0 && e.Hooks.Swept != nil {
		e.Hooks.Swept(swept)
	}
	e.warn(ctx, "campaigns could not be refreshed", e.Store.RefreshCampaigns(once))
}

// turnLength is how many messages a mailbox may send while others wait, and after
// how many it is read anew in any case.
const turnLength = 100

// serve gives one mailbox its turn.
func (e *Engine) serve(ctx, work context.Context, ref outreach.MailboxRef) (more bool) {
	if ctx.Err() != nil {
		return false
	}
	s := session{engine: e, work: work, ref: ref}
	err := protect(func() error {
		more = s.turn(ctx)
		return nil
	})
	if e.panicked(work, err, ref) {
		s.abandon()
		more = false
	}
	return more
}

// turn sends messages until the mailbox has no more, its server asks for patience,
// or others wait.
func (s *session) turn(ctx context.Context) (more bool) {
	e := s.engine
	defer s.settling.Wait()
	defer s.close()
	defer s.release()
	for sent := 0; ctx.Err() == nil; sent++ {
		if sent >= turnLength && e.sending.others() {
			return true
		}
		if sent%turnLength == 0 && !s.load(ctx) {
			return false
		}
		// A process that dies before commit 1 has done nothing. One that dies
		// after it leaves a lease and the message's bytes, which the next claim for
		// the mailbox takes over.
		s.settling.Wait() // one message of a mailbox is in flight at a time
		out, err := s.claim(ctx)
		if errors.Is(err, outreach.ErrMailboxBusy) {
			e.tickIn(soonestTick)
			return false
		}
		if err != nil {
			e.warn(ctx, "message could not be claimed", err, of(s.ref)...)
		}
		if err != nil || out == nil {
			return false
		}
		if goOn := s.deliver(out); !goOn {
			return false
		}
	}
	return false
}

// abandon leaves the message at which a panic ended the turn, and flags the
// mailbox. Without its lease the message is sent again if it never reached commit
// 2, and becomes unknown otherwise.
func (s *session) abandon() {
	s.engine.letters.Remove(s.current)
	err := protect(func() error {
		return s.engine.Store.NoteFailure(s.work, s.ref.WorkspaceID, s.ref.ID, internalFailure)
	})
	s.engine.warn(s.work, "failure of a mailbox could not be noted", err, of(s.ref)...)
}

// session is one mailbox's turn, on one SMTP connection as far as it lasts.
type session struct {
	engine *Engine
	work   context.Context
	box    outreach.Mailbox
	ref    outreach.MailboxRef
	conn   *mail.Conn

	current  outreach.Ref   // the message that was claimed last
	prepared prepared       // of the step that was compiled last
	settling sync.WaitGroup // of one message at most, which was accepted
}

// load reads the mailbox. With another server, or another login, a connection that
// is there has had its time.
func (s *session) load(ctx context.Context) bool {
	box, err := s.engine.open(ctx, s.ref)
	if _, refused := isRefused(err); refused {
		return false // the mailbox says so already
	}
	if err != nil {
		s.engine.warn(ctx, "mailbox could not be read", err, of(s.ref)...)
		return false
	}
	if box.SMTP != s.box.SMTP {
		s.close()
	}
	s.box = box
	return true
}

// close ends the connection, if there is one.
func (s *session) close() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

// deliver hands one claimed message over and settles it. It reports whether the
// mailbox should go on: not when its server is away or asks for patience.
func (s *session) deliver(out *outreach.Outgoing) (goOn bool) {
	s.current = out.Ref()
	s.engine.letters.Add(s.current)
	withdrawn := false
	outcome, err := s.send(out, func(ctx context.Context) error {
		s.settling.Wait() // one message of a mailbox at a time may become unknown
		// Commit 2. A process that dies before it has surely not sent, and the
		// message stays claimed. One that dies after it may have, as far as
		// anybody can tell, and the message becomes unknown.
		err := s.engine.Store.CommitMessage(ctx, out.Ref(), s.engine.holder)
		withdrawn = s.engine.isWithdrawn(err)
		return err
	})
	if withdrawn {
		s.engine.letters.Remove(out.Ref())
		return true // there is no row to settle any more
	}
	if err != nil {
		s.engine.Logger.LogAttrs(s.work, slog.LevelInfo, "message was not answered for",
			append(of(s.ref), slog.String("message_id", out.ID.String()), slog.String("status", string(outcome.Status)),
				slog.String("command", outcome.Command), slog.Any("error", err))...)
	}
	s.settle(out.Ref(), resultOf(outcome))
	return goesOn(outcome)
}

// settle writes down how a message ended. When the server took it, the mailbox
// goes on beside that, up to commit 2 of its next one. Whatever else came of it
// may be the mailbox's own matter, which the next claim has to see.
func (s *session) settle(message outreach.Ref, result outreach.SendResult) {
	s.settling.Wait()
	s.settling.Go(func() {
		defer s.engine.letters.Remove(message)
		err := protect(func() error { s.engine.settle(s.work, message, result); return nil })
		s.engine.panicked(s.work, err, s.ref)
	})
	if result.Kind != outreach.SendSent {
		s.settling.Wait()
	}
}

// send opens the connection when there is none. A connection that carried a
// message before may have been closed by the server since, or be closed now with
// a 421: what ends so before anything of it was decided is tried once more on a
// new one, whose answer counts.
func (s *session) send(out *outreach.Outgoing, beforeCommit func(context.Context) error) (mail.Outcome, error) {
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
	if err != nil {
		return s.unreachable(err), err
	}
	s.conn = conn
	return conn.Send(s.work, envelope, out.Raw, beforeCommit)
}

// isStale holds when the first commands show that the server is not there any
// more, or has had enough of this connection (421, RFC 5321 3.8): the message has
// surely not been sent.
func isStale(o mail.Outcome) bool {
	first := o.Command == "connect" || o.Command == "RSET" || o.Command == "MAIL"
	return first && (o.Status == mail.StatusNotSent || o.Status == mail.StatusDeferred && o.Code == 421)
}

// unreachable flags the mailbox, so that it claims nothing more until it is well
// again.
func (s *session) unreachable(err error) mail.Outcome {
	words := "SMTP: " + err.Error()
	if s.work.Err() == nil {
		noted := s.engine.Store.NoteFailure(s.work, s.ref.WorkspaceID, s.ref.ID, words)
		s.engine.warn(s.work, "failure of a mailbox could not be noted", noted, of(s.ref)...)
	}
	return mail.Outcome{Status: mail.StatusNotSent, Command: "connect", Text: words}
}

// resultOf translates an outcome into the ledger's words.
func resultOf(o mail.Outcome) outreach.SendResult {
	result := outreach.SendResult{Response: o.Text}
	switch o.Status {
	case mail.StatusAccepted:
		result.Kind = outreach.SendSent
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

// faultOf finds who is to blame for a final refusal. What is refused before a
// recipient was named is the sender's, unless the recipient's address is what the
// server cannot carry (RFC 6531).
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

// goesOn tells a mailbox whose server works from one that should be left alone
// until the next tick: deferred at the recipient is that recipient's matter
// (greylisting), at any other command it is everybody's.
func goesOn(o mail.Outcome) bool {
	switch o.Status {
	case mail.StatusAccepted, mail.StatusRefused:
		return true
	case mail.StatusDeferred:
		return o.Command == "RCPT" && o.Code != 421
	}
	return false
}
