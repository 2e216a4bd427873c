package engine

import (
	"context"
	"errors"
	"time"

	"outreach"
	"outreach/mail"
)

// readLimit bounds one reading of one mailbox. What it does not reach is read at
// the next tick, from where this one stopped.
const readLimit = 5 * time.Minute

// rereadDays is how far back a folder is read that is new, or numbers its
// messages anew.
const rereadDays = 14

// maxIncoming is the size up to which a message is read whole; of a larger one
// the beginning has to do.
const maxIncoming = 16 << 20

// slots bounds how many mailboxes are read, or answers sent, at a time.
type slots struct{ taken chan struct{} }

func newSlots(n int) *slots { return &slots{taken: make(chan struct{}, n)} }

// take waits for one free slot and takes all others that are free too.
func (s *slots) take(ctx context.Context) (n int) {
	select {
	case s.taken <- struct{}{}:
	case <-ctx.Done():
		return 0
	}
	for n = 1; ; n++ {
		select {
		case s.taken <- struct{}{}:
		default:
			return n
		}
	}
}

func (s *slots) give(n int) {
	for range n {
		<-s.taken
	}
}

// wait returns when every slot is free, and leaves none: nothing is read after.
func (s *slots) wait() {
	for range cap(s.taken) {
		s.taken <- struct{}{}
	}
}

// receiveTick hands every mailbox that is due to a goroutine of its own, as many
// at a time as there are slots. It claims no more than can be read at once, so
// that other processes share in.
func (e *Engine) receiveTick(ctx, work context.Context) {
	// A little less than the interval: a mailbox that was claimed just after one
	// tick began is due again when the next one does.
	every := e.ReceiveInterval - e.ReceiveInterval/10
	for {
		free := e.readers.take(ctx)
		if free == 0 {
			return
		}
		refs, err := e.claimReaders(ctx, free, every)
		e.warn(ctx, "mailboxes to read could not be claimed", err)
		refs = refs[:min(len(refs), free)]
		e.readers.give(free - len(refs))
		for _, ref := range refs {
			e.reading.Add(ref)
			go func() {
				defer e.readers.give(1)
				defer e.reading.Remove(ref)
				e.read(ctx, work, ref)
			}()
		}
		if err != nil || len(refs) < free {
			return
		}
	}
}

func (e *Engine) claimReaders(ctx context.Context, free int, every time.Duration) ([]outreach.MailboxRef, error) {
	ctx, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	return e.Store.Readers(ctx, outreach.ReadClaim{Holder: e.holder, Limit: free, Share: e.MaxReaders - e.MaxReaders/3, Every: every})
}

// read reads one mailbox and gives it back. A process that dies meanwhile leaves
// a lease; the next reader begins where the last stored position is and meets
// messages again that were taken in already, which the store knows.
func (e *Engine) read(life, work context.Context, ref outreach.MailboxRef) {
	ctx, cancel := context.WithTimeout(life, readLimit)
	defer cancel()
	failure, err := e.readOnce(ctx, life, work, ref)
	if err != nil && life.Err() != nil {
		e.leave(life, ref)
		return
	}
	if err != nil {
		// The store's fault, or there was no memory for it: the mailbox is not
		// judged, and is due again when its lease is over.
		e.warn(ctx, "mailbox could not be read", err, of(ref)...)
		return
	}
	err = protect(func() error { return e.Store.DoneReading(work, ref.WorkspaceID, ref.ID, e.holder, failure) })
	e.warn(work, "mailbox could not be given back", err, of(ref)...)
}

// readOnce reads one mailbox. The failure is what its owner should know; the error
// is not the mailbox's fault.
func (e *Engine) readOnce(ctx, life, work context.Context, ref outreach.MailboxRef) (failure *string, err error) {
	err = protect(func() error {
		box, err := e.open(ctx, ref)
		if reason, refused := isRefused(err); refused {
			failure = &reason
			return nil
		}
		if err != nil {
			return err
		}
		r := reading{engine: e, life: life, work: work, box: box}
		failure, err = r.run(ctx)
		return err
	})
	if e.panicked(work, err, ref) {
		return new(internalFailure), nil
	}
	return failure, err
}

// leaveLimit is the time for the last word to the store when the engine ends.
const leaveLimit = 5 * time.Second

// leave gives back a mailbox whose reading the engine's end broke off. A process
// that dies before leaves a lease; one that dies after has told the others.
func (e *Engine) leave(life context.Context, ref outreach.MailboxRef) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(life), leaveLimit)
	defer cancel()
	err := e.Store.LeaveReading(ctx, ref.WorkspaceID, ref.ID, e.holder)
	e.warn(ctx, "mailbox could not be left to others", err, of(ref)...)
}

// reading is one reading of one mailbox.
type reading struct {
	engine *Engine
	life   context.Context // the engine's, until it is told to stop
	work   context.Context // the engine's, until it stops waiting
	box    outreach.Mailbox
	inbox  mail.Position
}

// run gives the reason why the mailbox is not well, for its owner; or the error
// of the store.
func (r *reading) run(ctx context.Context) (failure *string, err error) {
	err = r.engine.withToken(ctx, &r.box, func() error { return r.session(ctx) })
	if reason, refused := isRefused(err); refused {
		return &reason, nil
	}
	if refused, ok := errors.AsType[*mail.ServerError](err); ok {
		if r.work.Err() != nil || errors.Is(err, context.Canceled) {
			return nil, err
		}
		return new("IMAP: " + refused.Error()), nil
	}
	if err != nil {
		return nil, err
	}
	if failure = r.checkSending(ctx); failure != nil && r.life.Err() != nil {
		return nil, r.life.Err()
	}
	if failure == nil {
		r.engine.watchFor(r.life, r.box, r.inbox)
	}
	return failure, nil
}

// session reads all folders on one connection.
func (r *reading) session(ctx context.Context) error {
	session, err := mail.OpenMailbox(ctx, r.imap())
	if err != nil {
		return err
	}
	defer session.Close()
	if err := r.folders(ctx, session); err != nil {
		return err
	}
	if err := r.proveUnknowns(ctx, session); err != nil {
		return err
	}
	return r.fileAnswers(ctx, session)
}

func (r *reading) imap() mail.IMAPConfig {
	return r.engine.imap(r.box)
}

func (e *Engine) imap(box outreach.Mailbox) mail.IMAPConfig {
	return mail.IMAPConfig{Server: box.IMAP, Network: e.Network, Memory: e.memory, Owner: box.WorkspaceID.String()}
}

// checkSending tries the other login of a mailbox in error: it is well again only
// when both are.
func (r *reading) checkSending(ctx context.Context) *string {
	if r.box.Status != outreach.MailboxError {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	if err := mail.CheckSMTP(ctx, mail.SMTPConfig{Server: r.box.SMTP, Network: r.engine.Network}); err != nil {
		return new("SMTP: " + err.Error())
	}
	return nil
}

func (r *reading) folders(ctx context.Context, session *mail.Mailbox) error {
	stored, err := r.engine.Store.Positions(ctx, r.box.Ref())
	if err != nil {
		return err
	}
	at := map[string]mail.Position{}
	for _, p := range stored {
		at[p.Folder] = mail.Position{UIDValidity: p.UIDValidity, UID: p.UID}
	}
	for _, folder := range []mail.Folder{mail.FolderInbox, mail.FolderJunk} {
		end, err := r.folder(ctx, session, folder, at[string(folder)])
		if err != nil {
			return err
		}
		if folder == mail.FolderInbox {
			r.inbox = end
		}
	}
	return nil
}

// listing is how many messages one listing of a folder leads to.
const listing = 5000

// folder reads one folder to its end. While some messages are fetched, those
// before are read and those before these stored.
func (r *reading) folder(ctx context.Context, session *mail.Mailbox, folder mail.Folder, from mail.Position) (mail.Position, error) {
	for moved := false; ; moved = true {
		seen, in := 0, startIntake(r, folder)
		limits := mail.Limits{Messages: listing, MaxSize: maxIncoming, Since: r.engine.Now().AddDate(0, 0, -rereadDays)}
		at, err := session.Fetch(ctx, folder, from, limits, func(msg mail.Incoming) error {
			seen++
			return protect(func() error { return in.add(msg) })
		})
		if failed := in.end(at, at != from); failed != nil {
			return from, failed
		}
		if isSlow(ctx, err) && (moved || at != from) {
			return at, nil // its time is over, but it got on
		}
		if err != nil || seen < listing {
			return at, err
		}
		from = at
	}
}

// isSlow holds when reading ended because the time for it was over.
func isSlow(ctx context.Context, err error) bool {
	return err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
}

// maxProofs bounds how many unknowns are looked for at one reading.
const maxProofs = 20

// proveUnknowns looks in the Sent folder for messages whose answer was lost.
// Finding one proves that it left; not finding it proves nothing. Where there are
// many, each reading looks for others.
func (r *reading) proveUnknowns(ctx context.Context, session *mail.Mailbox) error {
	unknown, err := r.engine.Store.Unknowns(ctx, r.box.Ref())
	if err != nil {
		return err
	}
	first := 0
	if len(unknown) > maxProofs {
		first = int(r.engine.Now().Unix()) % len(unknown)
	}
	for i := range min(len(unknown), maxProofs) {
		out := unknown[(first+i)%len(unknown)]
		found, err := session.FindInSent(ctx, out.MessageID)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := r.engine.Store.ProveSent(r.work, out.Ref()); err != nil {
			return err
		}
	}
	return nil
}
