package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
)

// readLimit bounds one reading of one mailbox. The next tick continues from where this one stopped.
const readLimit = 5 * time.Minute

// rereadDays is how many days back a folder is read when it is new or its UIDVALIDITY has changed.
const rereadDays = 14

// maxIncoming is the size in bytes up to which a message is fetched whole. Of a larger message only
// the beginning is fetched.
const maxIncoming = 16 << 20

// receiveTick starts a goroutine for each mailbox that is due, as many as the semaphore has
// places. It
// leases no more mailboxes than that, so that other processes get the rest.
func (e *Engine) receiveTick(ctx, work context.Context) {
	// Slightly less than the interval: a mailbox that was leased just after the start of one tick
	// is then due at the start of the next one.
	every := e.ReceiveInterval - e.ReceiveInterval/10
	for {
		free := e.readers.take(ctx)
		if free == 0 {
			return
		}
		refs, err := e.leaseReaders(ctx, free, every)
		e.warn(ctx, "mailboxes to read could not be leased", err)
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

func (e *Engine) leaseReaders(ctx context.Context, free int, every time.Duration) ([]outreach.MailboxRef, error) {
	ctx, cancel := context.WithTimeout(ctx, tickLimit)
	defer cancel()
	return e.Store.Readers(ctx, outreach.ReadRequest{Holder: e.holder, Limit: free, Share: e.MaxReaders - e.MaxReaders/3, Every: every})
}

// read reads one mailbox and releases it. If the process dies meanwhile, the lease ends and the
// next reader begins at the last stored position. It may fetch messages that were ingested before;
// the store recognises them by key.
func (e *Engine) read(life, work context.Context, ref outreach.MailboxRef) {
	ctx, cancel := context.WithTimeout(life, readLimit)
	defer cancel()
	r := reading{engine: e, life: life, work: work}
	failure, err := r.once(ctx, ref)
	if err != nil && life.Err() != nil {
		e.leave(life, ref)
		return
	}
	if err != nil {
		// The store failed, or there was no memory. The mailbox keeps its status and is due again
		// when its lease ends.
		e.warn(ctx, "mailbox could not be read", err, of(ref)...)
		return
	}
	err = panics.Catch(func() error { return e.Store.DoneReading(work, ref.WorkspaceID, ref.ID, e.holder, failure) })
	e.warn(work, "mailbox could not be released", err, of(ref)...)
	if err == nil && r.watch { // not earlier: what a watcher sees before the release would wait for the next interval
		e.watchFor(life, r.box, r.inbox)
	}
}

// once reads one mailbox. failure is a text for the owner of the mailbox; err is an error of the
// store.
func (r *reading) once(ctx context.Context, ref outreach.MailboxRef) (failure *string, err error) {
	e := r.engine
	err = panics.Catch(func() error {
		var err error
		r.box, err = e.open(ctx, ref)
		if reason, refused := isRefused(err); refused {
			failure = &reason
			return nil
		}
		if err != nil {
			return err
		}
		failure, err = r.run(ctx)
		return err
	})
	if e.panicked(r.work, err, ref) {
		return new(internalFailure), nil
	}
	return failure, err
}

// leaveLimit bounds the last call to the store when the engine stops.
const leaveLimit = 5 * time.Second

// leave releases a mailbox whose reading was cancelled by shutdown. If the process dies before
// it, the lease has to end first; if it dies after it, another process can read at once.
func (e *Engine) leave(life context.Context, ref outreach.MailboxRef) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(life), leaveLimit)
	defer cancel()
	err := e.Store.LeaveReading(ctx, ref.WorkspaceID, ref.ID, e.holder)
	e.warn(ctx, "mailbox could not be released at shutdown", err, of(ref)...)
}

// reading is one reading of one mailbox.
type reading struct {
	engine *Engine
	life   context.Context // ends when the engine begins to stop
	work   context.Context // ends when the engine stops waiting
	box    outreach.Mailbox
	inbox  mail.Position
	sentAt mail.Position // where reading of the Sent folder stopped
	watch  bool          // the inbox can be watched from there

	missing []string // why folders that the owner named were not read
}

// run reads the mailbox. failure is a text for its owner; err is an error of the store.
func (r *reading) run(ctx context.Context) (failure *string, err error) {
	err = withToken(ctx, r.engine.Tokens, &r.box, func() error { return r.session(ctx) })
	if reason, refused := isRefused(err); refused {
		return &reason, nil
	}
	if refused, ok := errors.AsType[*mail.ServerError](err); ok {
		if r.work.Err() != nil || errors.Is(err, context.Canceled) {
			return nil, err
		}
		if r.defers(refused) {
			return nil, err // the server is asked again at the next interval
		}
		return new("IMAP: " + refused.Error()), nil
	}
	if err != nil {
		return nil, err
	}
	r.engine.noteIMAP(r.work, &r.box, false)
	if failure = r.checkSending(ctx); failure != nil && r.life.Err() != nil {
		return nil, r.life.Err()
	}
	if failure == nil && len(r.missing) > 0 {
		failure = new("IMAP: " + strings.Join(r.missing, "; "))
	}
	r.watch = r.inbox != (mail.Position{}) && (failure == nil || len(r.missing) > 0)
	return failure, nil
}

// defers reports whether the server asks to come back later and has not done so for too long.
func (r *reading) defers(refused *mail.ServerError) bool {
	if !refused.Busy {
		return false
	}
	r.engine.noteIMAP(r.work, &r.box, true)
	return !outreach.DeferredTooLong(r.box.IMAPDeferredSince, r.engine.Now())
}

// session reads all folders on one connection.
func (r *reading) session(ctx context.Context) error {
	session, err := mail.OpenMailbox(ctx, r.engine.imap(r.box))
	if err != nil {
		return err
	}
	defer func() { session.Close() }()
	stored, err := r.engine.Store.Positions(ctx, r.box.Ref())
	if err != nil {
		return err
	}
	unread, err := r.sentCopies(ctx, session, stored)
	if failed, ok := errors.AsType[*mail.ServerError](err); ok && !failed.Busy && ctx.Err() == nil {
		// The inbox matters more. The Sent folder is tried again after it, and then its error is reported.
		session.Close()
		unread = true
		session, err = mail.OpenMailbox(ctx, r.engine.imap(r.box))
	}
	if err != nil {
		return err
	}
	if err := r.folders(ctx, session, stored); err != nil {
		return err
	}
	if err := r.proveUnknowns(ctx, session); err != nil {
		return err
	}
	if err := r.fileAnswers(ctx, session); err != nil {
		return err
	}
	if !unread {
		return nil
	}
	return r.sentFolder(ctx, session)
}

func (e *Engine) imap(box outreach.Mailbox) mail.IMAPConfig {
	return mail.IMAPConfig{Server: box.IMAP, Network: e.Network, Memory: e.memory, Owner: box.WorkspaceID.String()}
}

// checkSending tries the SMTP server of a mailbox that is in error, or whose server has deferred
// everything for too long. The mailbox is connected again only if both servers work, and if the last
// deferral of all recipients is half an hour old.
func (r *reading) checkSending(ctx context.Context) *string {
	if r.box.Status != outreach.MailboxError && !outreach.DeferredTooLong(r.box.SMTPDeferredSince, r.engine.Now()) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	err := mail.CheckSender(ctx, mail.SMTPConfig{Server: r.box.SMTP, Network: r.engine.Network}, r.box.Email)
	if err != nil {
		return new("SMTP: " + err.Error())
	}
	r.engine.noteSMTP(r.work, &r.box, false)
	if d := r.box.RecipientDeferral; d.Holds(r.engine.Now()) {
		return &d.Answer
	}
	return nil
}

func (r *reading) folders(ctx context.Context, session *mail.Mailbox, stored []outreach.FolderPosition) error {
	at := map[string]mail.Position{}
	for _, p := range stored {
		at[p.Folder] = mail.Position{UIDValidity: p.UIDValidity, UID: p.UID}
	}
	r.missing = nil
	for _, folder := range foldersOf(r.box) {
		end, err := r.folder(ctx, session, folder, at[string(folder)])
		if failed, ok := errors.AsType[*mail.ServerError](err); ok && failed.Kind == mail.KindFolder {
			r.missing = append(r.missing, failed.Reason)
			continue
		}
		if err != nil {
			return err
		}
		if folder == mail.FolderInbox {
			r.inbox = end
		}
	}
	return nil
}

// foldersOf returns the folders that are read of a mailbox.
func foldersOf(box outreach.Mailbox) []mail.Folder {
	switch {
	case box.Folders != nil:
		return namedFolders(box)
	case box.Provider == outreach.ProviderGoogle:
		// A filter may take an answer out of the inbox. All Mail still has it.
		return []mail.Folder{mail.FolderInbox, mail.FolderJunk, mail.FolderAll}
	}
	return []mail.Folder{mail.FolderInbox, mail.FolderJunk}
}

// namedFolders returns the folders that the owner of a mailbox named.
func namedFolders(box outreach.Mailbox) []mail.Folder {
	folders := make([]mail.Folder, len(box.Folders))
	for i, name := range box.Folders {
		folders[i] = mail.NamedFolder(name)
	}
	return folders
}

// listing is how many messages one listing of a folder returns.
const listing = 5000

// folder reads one folder to its end, in a pipeline: while some messages are fetched, the ones
// before are interpreted, and those before them are stored.
func (r *reading) folder(ctx context.Context, session *mail.Mailbox, folder mail.Folder, from mail.Position) (mail.Position, error) {
	for moved := false; ; moved = true {
		seen, in := 0, startIntake(r, folder)
		limits := mail.Limits{Messages: listing, MaxSize: maxIncoming, Since: r.engine.Now().AddDate(0, 0, -rereadDays)}
		at, err := session.Fetch(ctx, folder, from, limits, func(msg mail.Incoming) error {
			seen++
			return panics.Catch(func() error { return in.add(msg) })
		})
		if failed := in.end(at, at != from); failed != nil {
			return from, failed
		}
		if isSlow(ctx, err) && (moved || at != from) {
			return at, nil // out of time, but some messages were stored
		}
		if err != nil || seen < listing {
			return at, err
		}
		from = at
	}
}

// isSlow reports whether reading ended because its time was over.
func isSlow(ctx context.Context, err error) bool {
	return err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
}

// maxProofs bounds how many unknown messages are searched in one reading.
const maxProofs = 20

// proveUnknowns searches the Sent folder for unknown messages, also under a Message-ID that the
// provider gave them. A message that is found was sent. A message that is not found stays unknown.
// If there are many, each reading searches for others.
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
		filed, found, err := out.CopyID, out.CopyID != "", error(nil)
		if !found {
			filed, found, err = session.FindInSent(ctx, out.MessageID, r.engine.Composer.reference(out.Ref()))
		}
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		copies := []outreach.SentCopy{{Message: out.Ref(), MessageID: filed}}
		if err := r.engine.Store.NoteCopies(r.work, r.box.WorkspaceID, copies); err != nil {
			return err
		}
	}
	return nil
}
