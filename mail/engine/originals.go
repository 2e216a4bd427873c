package engine

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
	"outreach/mail/classify"
)

// Bounds of reading a mail again while a member waits.
const (
	originalLimit   = 25 * time.Second
	maxOriginal     = 32 << 20 // bytes of a mail
	originalsAtOnce = 4        // in one process
	ofOneWorkspace  = 2        // of them
	downloadsAtOnce = 12       // in one process: each holds up to maxOriginal until its client has it
	downloadsOfOne  = 3        // of them
)

// ReplyStore knows replies and the mailboxes that they lie in.
type ReplyStore interface {
	Reply(ctx context.Context, workspace, id uuid.UUID) (outreach.Reply, error)
	MailboxWithPasswords(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error)
}

// Originals reads replies again, as they lie in their mailbox: their files and their HTML.
// Nothing of it is stored, and the mail is not marked as read. A process that dies
// meanwhile leaves nothing behind. It is safe for concurrent use.
type Originals struct {
	Store   ReplyStore
	Tokens  Tokens // nil when no mailbox logs in with tokens
	Network mail.Network

	reads, downloads concurrency
}

// Begin counts a download of a workspace until done is called, after the last byte was sent: a slow
// client keeps the file in memory for long. It returns CodeRateLimited if there are too many.
func (o *Originals) Begin(workspace uuid.UUID) (done func(), err error) {
	done, ok := o.downloads.take(workspace, downloadsAtOnce, downloadsOfOne)
	if !ok {
		return nil, errDownloads
	}
	return done, nil
}

// Attachment returns a file of a reply. It returns CodeNotFound if the reply has no such file, or if
// the mail is no longer in the mailbox.
func (o *Originals) Attachment(ctx context.Context, workspace, reply uuid.UUID, id string) (f outreach.File, err error) {
	r, err := o.Store.Reply(ctx, workspace, reply)
	if err != nil {
		return f, err
	}
	if !slices.ContainsFunc(r.Attachments, func(a outreach.Attachment) bool { return a.ID == id }) {
		return f, outreach.ErrNotFound
	}
	err = o.read(ctx, r, func(raw []byte) error {
		var ok bool
		if f, ok = mail.ReadAttachment(raw, id); !ok {
			return errGone
		}
		return nil
	})
	return f, err
}

// Original returns the HTML of a reply, safe to show in a frame that runs no scripts. It
// returns CodeNotFound if the mail is no longer in the mailbox.
func (o *Originals) Original(ctx context.Context, workspace, reply uuid.UUID) (page outreach.Original, err error) {
	r, err := o.Store.Reply(ctx, workspace, reply)
	if err != nil {
		return page, err
	}
	err = o.read(ctx, r, func(raw []byte) error {
		page.HTML = sanitiseMail(mail.HTMLOf(raw))
		page.Remote = remotePicture.MatchString(page.HTML)
		return nil
	})
	return page, err
}

// remotePicture finds what is loaded from another server when a page is shown.
var remotePicture = regexp.MustCompile(`(?i)(<img[^>]*\ssrc="|url\(\s*(['"]|&#39;|&#34;)?)https?:`)

var (
	errGone     = outreach.Errorf(outreach.CodeNotFound, "The mail is no longer in the mailbox.")
	errTooLarge = outreach.Errorf(outreach.CodeInvalidState, "The mail is larger than %d MB. Open it in your mail program.", maxOriginal>>20)
	errWait     = outreach.Errorf(outreach.CodeRateLimited, "Several mails are being read. Try again in a moment.")

	errDownloads = outreach.Errorf(outreach.CodeRateLimited, "Several files are being downloaded. Try again in a moment.")
)

// read finds the mail of a reply, and calls use with its bytes.
func (o *Originals) read(ctx context.Context, r outreach.Reply, use func(raw []byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, originalLimit)
	defer cancel()
	if r.Header.ID == "" {
		return errGone // without a Message-ID it cannot be found
	}
	done, ok := o.reads.take(r.WorkspaceID, originalsAtOnce, ofOneWorkspace)
	if !ok {
		return errWait
	}
	defer done()
	box, err := o.open(ctx, r)
	if err != nil {
		return err
	}
	var raw []byte
	err = withToken(ctx, o.Tokens, &box, func() (err error) {
		raw, err = o.find(ctx, box, r)
		return err
	})
	if told, ok := errors.AsType[*mail.ServerError](err); ok {
		return outreach.Errorf(outreach.CodeMailboxUnreachable, "The mailbox could not be read: %s.", told.Reason)
	}
	if err != nil {
		return err
	}
	return panics.Catch(func() error { return use(raw) })
}

// open returns the mailbox that the reply lies in, with what it logs in with.
func (o *Originals) open(ctx context.Context, r outreach.Reply) (outreach.Mailbox, error) {
	box, err := o.Store.MailboxWithPasswords(ctx, r.WorkspaceID, r.ReadIn)
	if outreach.CodeOf(err) == outreach.CodeNotFound {
		return box, errGone
	}
	if err != nil || o.Tokens == nil {
		return box, err
	}
	err = o.Tokens.Authorize(ctx, &box)
	if reason, refused := isRefused(err); refused {
		return box, outreach.Errorf(outreach.CodeMailboxUnreachable, "The mailbox could not be read: %s", reason)
	}
	return box, err
}

func (o *Originals) find(ctx context.Context, box outreach.Mailbox, r outreach.Reply) ([]byte, error) {
	session, err := mail.OpenMailbox(ctx, mail.IMAPConfig{Server: box.IMAP, Network: o.Network})
	if err != nil {
		return nil, err
	}
	defer session.Close()
	in, ok, err := session.Find(ctx, r.Header.ID, maxOriginal, func(raw []byte) bool {
		m, err := classify.Read(bytes.NewReader(raw))
		return err == nil && outreach.SameEmail(m.From, r.From)
	}, namedFolders(box)...)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errGone
	case in.Truncated:
		return nil, errTooLarge
	}
	return in.Raw, nil
}
