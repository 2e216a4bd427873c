package engine

import (
	"context"
	"errors"
	"sync"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
)

// sending is one round of sending of one mailbox. It uses one SMTP connection for as long as the
// connection lasts.
type sending struct {
	engine *Engine
	work   context.Context
	box    outreach.Mailbox
	ref    outreach.MailboxRef
	conn   *mail.Conn

	current  outreach.Ref   // the message claimed last
	prepared prepared       // the step compiled last
	settling sync.WaitGroup // counts one accepted message at most
}

// roundLength is how many messages a mailbox may send in one round while others wait. Its settings
// are read again after as many.
const roundLength = 100

// serve runs one round of a mailbox and reports whether it has more to send.
func (e *Engine) serve(ctx, work context.Context, ref outreach.MailboxRef) (more bool) {
	if ctx.Err() != nil {
		return false
	}
	s := sending{engine: e, work: work, ref: ref}
	err := panics.Catch(func() error {
		more = s.run(ctx)
		return nil
	})
	if e.panicked(work, err, ref) {
		s.abandon()
		more = false
	}
	return more
}

// run sends messages until the mailbox has no more, its server defers, or others wait.
func (s *sending) run(ctx context.Context) (more bool) {
	e := s.engine
	defer s.settling.Wait()
	defer s.close()
	defer s.release()
	for sent := 0; ctx.Err() == nil; sent++ {
		if sent >= roundLength && e.senders.others() {
			return true
		}
		if sent%roundLength == 0 && !s.load(ctx) {
			return false
		}
		// If the process dies before commit 1, nothing has happened. If it dies after it, it leaves
		// a lease and the bytes, which the next claim for the mailbox takes over.
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

// abandon releases the lease of the message at which a panic ended the round and marks the mailbox
// as failed. The message is sent again if it has not reached commit 2, and becomes unknown
// otherwise.
func (s *sending) abandon() {
	s.engine.messages.Remove(s.current)
	err := panics.Catch(func() error {
		return s.engine.Store.NoteFailure(s.work, s.ref.WorkspaceID, s.ref.ID, internalFailure)
	})
	s.engine.warn(s.work, "failure of a mailbox could not be noted", err, of(s.ref)...)
}

// load reads the settings of the mailbox. If its server or login has changed, the open connection
// is closed.
func (s *sending) load(ctx context.Context) bool {
	box, err := s.engine.open(ctx, s.ref)
	if _, refused := isRefused(err); refused {
		return false // the reason is recorded on the mailbox
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

// close closes the connection if there is one.
func (s *sending) close() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}
