package engine

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"outreach"
	"outreach/mail"
	"outreach/mail/classify"
)

const (
	maxSentRead = 1 << 20 // bytes up to which a sent mail is fetched whole
	maxSentCc   = 50      // further recipients that are kept
)

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
	stored bool
}

// Wanted implements mail.SentTaker.
func (t *sentTaker) Wanted(heads []mail.SentHead) (wanted []bool, err error) {
	read := make([]outreach.SentHead, len(heads))
	err = protect(func() error {
		for i, h := range heads {
			if !h.Draft {
				read[i] = t.headOf(h.Fields)
			}
		}
		wanted, err = t.engine.Store.AnswersElsewhere(t.work, t.box.Ref(), read)
		return err
	})
	return wanted, err
}

// headOf reads header fields. The head is empty if the mail answers nothing or comes from this
// service: a provider may have replaced the Message-ID, but not the signed reference.
func (t *sentTaker) headOf(fields []byte) (head outreach.SentHead) {
	m, err := classify.Read(bytes.NewReader(fields))
	if err != nil {
		return head
	}
	ref := strings.TrimSpace(m.Header(mail.HeaderRef))
	for _, kind := range []outreach.LinkKind{outreach.LinkMessage, outreach.LinkPlacement} {
		if _, _, _, ours := outreach.OpenLink(t.engine.Composer.Keyring, kind, ref); ours {
			return head
		}
	}
	for _, id := range m.Answered() {
		if mail.ValidMessageID(id) && !slices.Contains(head.Answered, id) && len(head.Answered) < maxReferences {
			head.Answered = append(head.Answered, id)
		}
	}
	if mail.ValidMessageID(m.MessageID) {
		head.MessageID = m.MessageID
	}
	return head
}

// Take implements mail.SentTaker.
func (t *sentTaker) Take(in mail.Incoming) error {
	return protect(func() error {
		if in.Withheld {
			return nil
		}
		m, err := classify.Read(bytes.NewReader(in.Raw))
		if err != nil {
			return nil //nolint:nilerr // what cannot be read is not shown
		}
		a := outreach.ExternalAnswer{SentHead: t.headOf(in.Raw), Subject: storable(m.Subject, maxSubject),
			Text: storable(m.NewText(), outreach.MaxBody), At: in.InternalDate}
		if a.MessageID == "" { // some programs leave it to the server, which adds it to what it sends alone
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

// Store implements mail.SentTaker.
func (t *sentTaker) Store(at mail.Position) error {
	err := protect(func() error {
		return t.engine.Store.TakeSent(t.work, t.box.Ref(), t.taken,
			outreach.FolderPosition{Folder: string(mail.FolderSent), UIDValidity: at.UIDValidity, UID: at.UID})
	})
	t.taken, t.stored = nil, err == nil
	return err
}
