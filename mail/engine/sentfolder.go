package engine

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
	"outreach/mail/classify"
)

const (
	maxCopies   = 300     // mails that are looked at before the inbox is read
	maxSentRead = 1 << 20 // bytes up to which a sent mail is fetched whole
	maxSentCc   = 50      // further recipients that are kept
)

// sentCopies looks for copies of messages of this service in the Sent folder. It does so before the
// inbox is read: a report about a message may already name the Message-ID that the provider gave it.
// It stores how far it has read as long as it meets no answer to a mail; those are read after the
// inbox, where that mail may be. unread reports whether they, or more mails, are left.
func (r *reading) sentCopies(ctx context.Context, session *mail.Mailbox, stored []outreach.FolderPosition) (unread bool, err error) {
	for _, p := range stored {
		if p.Folder == string(mail.FolderSent) {
			r.sentAt = mail.Position{UIDValidity: p.UIDValidity, UID: p.UID}
		}
	}
	limits := mail.Limits{Messages: maxCopies, MaxSize: maxSentRead, Since: r.engine.Now().AddDate(0, 0, -rereadDays)}
	to := &copyTaker{sentTaker: sentTaker{reading: r}}
	err = session.FetchSent(ctx, r.sentAt, limits, to)
	return to.answers || to.looked >= maxCopies, err
}

// copyTaker records the copies of our messages and ignores other mails.
type copyTaker struct {
	sentTaker
	looked  int
	answers bool // there are answers that people wrote
}

// Wanted implements mail.SentTaker.
func (t *copyTaker) Wanted(heads []mail.SentHead) ([]bool, error) {
	err := panics.Catch(func() error {
		t.looked += len(heads)
		for _, h := range heads {
			if h.Draft {
				continue
			}
			head, ours := t.headOf(h.Fields)
			if ours != nil {
				t.copies = append(t.copies, *ours)
			}
			t.answers = t.answers || len(head.Answered) > 0
		}
		return nil
	})
	return make([]bool, len(heads)), err
}

// Store implements mail.SentTaker.
func (t *copyTaker) Store(at mail.Position) error {
	if !t.answers {
		err := t.sentTaker.Store(at)
		if err == nil {
			t.sentAt = at
		}
		return err
	}
	copies := t.copies
	t.copies = nil
	return panics.Catch(func() error { return t.engine.Store.NoteCopies(t.work, t.box.WorkspaceID, copies) })
}

// sentFolder reads what the owner of the mailbox has written in other programs. It looks at the
// header of each new mail of the Sent folder and fetches the text of those that answer a mail of a
// conversation of this mailbox. Mails of this service and drafts are not fetched.
//
// If the process dies before the store's commit, the same mails are read again. If it dies after
// it, reading continues behind them: the answers and the position are one transaction.
func (r *reading) sentFolder(ctx context.Context, session *mail.Mailbox) error {
	limits := mail.Limits{Messages: listing, MaxSize: maxSentRead, Since: r.engine.Now().AddDate(0, 0, -rereadDays)}
	to := &sentTaker{reading: r}
	err := session.FetchSent(ctx, r.sentAt, limits, to)
	if isSlow(ctx, err) && to.stored {
		return nil // out of time, but some mails were stored
	}
	return err
}

// sentTaker takes the mails of one Sent folder.
type sentTaker struct {
	*reading
	taken  []outreach.ExternalAnswer
	copies []outreach.SentCopy // of messages of this service
	stored bool
}

// Wanted implements mail.SentTaker.
func (t *sentTaker) Wanted(heads []mail.SentHead) (wanted []bool, err error) {
	read := make([]outreach.SentHead, len(heads))
	err = panics.Catch(func() error {
		for i, h := range heads {
			if h.Draft {
				continue
			}
			var ours *outreach.SentCopy
			if read[i], ours = t.headOf(h.Fields); ours != nil {
				t.copies = append(t.copies, *ours)
			}
		}
		wanted, err = t.engine.Store.AnswersElsewhere(t.work, t.box.Ref(), read)
		return err
	})
	return wanted, err
}

// headOf reads header fields. The head is empty if the mail answers nothing or comes from this
// service: a provider may have replaced the Message-ID, but not the signed reference. ours is set
// for a copy of a message.
func (t *sentTaker) headOf(fields []byte) (head outreach.SentHead, ours *outreach.SentCopy) {
	m, err := classify.Read(bytes.NewReader(fields))
	if err != nil {
		return head, nil
	}
	if mail.ValidMessageID(m.MessageID) {
		head.MessageID = m.MessageID
	}
	ring, ref := t.engine.Composer.Keyring, strings.TrimSpace(m.Header(mail.HeaderRef))
	if message, _, _, ok := outreach.OpenLink(ring, outreach.LinkMessage, ref); ok {
		return outreach.SentHead{}, &outreach.SentCopy{Message: message, MessageID: head.MessageID}
	}
	if _, _, _, ok := outreach.OpenLink(ring, outreach.LinkPlacement, ref); ok {
		return outreach.SentHead{}, nil
	}
	for _, id := range m.Answered() {
		if mail.ValidMessageID(id) && !slices.Contains(head.Answered, id) && len(head.Answered) < maxReferences {
			head.Answered = append(head.Answered, id)
		}
	}
	return head, nil
}

// Take implements mail.SentTaker.
func (t *sentTaker) Take(in mail.Incoming) error {
	return panics.Catch(func() error {
		if in.Withheld {
			return nil
		}
		m, err := classify.Read(bytes.NewReader(in.Raw))
		if err != nil {
			return nil //nolint:nilerr // what cannot be read is not shown
		}
		head, _ := t.headOf(in.Raw)
		a := outreach.ExternalAnswer{SentHead: head, Subject: storable(m.Subject, maxSubject),
			Text: storable(m.NewText(), outreach.MaxBody), At: in.InternalDate}
		if a.MessageID == "" { // some programs let the server add one, which is then missing in this copy
			a.MessageID = "<" + strings.TrimPrefix(hashOf(in.Raw), "sha256:") + "@sent.invalid>"
		}
		for _, address := range m.To[:min(len(m.To), maxSentCc+1)] {
			a.Cc = append(a.Cc, storable(address, maxAddress))
		}
		if len(a.Cc) > 0 {
			a.To, a.Cc = a.Cc[0], a.Cc[1:]
		}
		t.taken = append(t.taken, a)
		return nil
	})
}

// Store implements mail.SentTaker. If the process dies between the two calls to the store, the same
// mails are read again, and the first call changes nothing more.
func (t *sentTaker) Store(at mail.Position) error {
	err := panics.Catch(func() error {
		if err := t.engine.Store.NoteCopies(t.work, t.box.WorkspaceID, t.copies); err != nil {
			return err
		}
		return t.engine.Store.TakeSent(t.work, t.box.Ref(), t.taken,
			outreach.FolderPosition{Folder: string(mail.FolderSent), UIDValidity: at.UIDValidity, UID: at.UID})
	})
	t.taken, t.copies, t.stored = nil, nil, err == nil
	return err
}
