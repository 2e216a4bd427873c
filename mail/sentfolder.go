package mail

import (
	"context"
	"errors"
	"slices"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// FolderSent is the folder of what the owner has sent. Fetch does not read it: FetchSent does.
const FolderSent Folder = "sent"

// SentHead is what FetchSent reads of every mail of the Sent folder.
type SentHead struct {
	// Fields holds Message-ID, In-Reply-To, References and HeaderRef as they stand in the header,
	// at most 16 kB. It is empty if the server did not return them.
	Fields []byte
	// Draft reports whether the server marks the mail as a draft.
	Draft bool
}

// SentTaker decides what FetchSent reads and takes it. Its errors end the call and are returned
// unchanged.
type SentTaker interface {
	// Wanted reports of which mails the text is to be fetched, in the order of heads.
	Wanted(heads []SentHead) ([]bool, error)
	// Take takes the text of one wanted mail. It is the beginning of a large one.
	Take(in Incoming) error
	// Store stores what was taken since the last call, and that reading continues after at.
	Store(at Position) error
}

const (
	sentHeads     = 100      // mails whose header fields are fetched by one command
	sentHeadBytes = 16 << 10 // of the fields of one mail
	sentFirst     = 2000     // mails that are read of a folder that is new
)

// sentFields are the header fields that FetchSent reads of every mail.
var sentFields = []string{"Message-ID", "In-Reply-To", "References", HeaderRef}

// FetchSent reads the mails of the Sent folder after from: four header fields of each, and the
// text of those that to wants. At most limits.Messages mails are looked at; the next call goes on.
// A folder that is new, or whose UIDVALIDITY has changed, is read from limits.Since on, and of
// that at most the newest 2,000 mails. A server without a Sent folder, or one that does not open
// it, has an empty one.
//
// If the process dies before to.Store has returned, the next call reads the same mails again.
func (m *Mailbox) FetchSent(ctx context.Context, from Position, limits Limits, to SentTaker) error {
	limits = limits.withDefaults()
	name, err := m.name(ctx, FolderSent)
	if err != nil || name == "" {
		return err
	}
	box, err := m.examineIfAllowed(ctx, name)
	if err != nil || box == nil {
		return err
	}
	at, fresh, err := m.start(ctx, box, from, limits)
	if err != nil {
		return err
	}
	if at.UIDValidity != from.UIDValidity || at.UID < from.UID {
		if at, err = m.skipOld(ctx, box, at); err != nil {
			return err
		}
	}
	if !fresh {
		if at == from {
			return nil
		}
		return to.Store(at)
	}
	entries, err := m.list(ctx, at.UID, limits.Messages)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(entries, sentHeads) {
		if at, err = m.takeSent(ctx, at, chunk, limits, to); err != nil || m.wire.total.Load() > readingBytes {
			return err
		}
	}
	return nil
}

// takeSent reads some mails and stores where to continue, also if reading fails in between.
func (m *Mailbox) takeSent(ctx context.Context, at Position, chunk []entry, limits Limits, to SentTaker) (Position, error) {
	heads, err := m.heads(ctx, chunk)
	if err != nil {
		return at, err
	}
	wanted, err := to.Wanted(heads)
	if err != nil {
		return at, err
	}
	var some []entry
	for i, e := range chunk {
		if wanted[i] {
			some = append(some, e)
		}
	}
	from := at
	for group := range groups(some, limits.MaxSize) {
		if at, err = m.pass(ctx, at, group, limits, to.Take); err != nil {
			if at != from {
				err = errors.Join(err, to.Store(at))
			}
			return at, err
		}
	}
	at.UID = uint32(chunk[len(chunk)-1].uid)
	return at, to.Store(at)
}

// heads fetches the header fields of mails, in their order. A server that refuses to return some
// leaves them empty.
func (m *Mailbox) heads(ctx context.Context, chunk []entry) ([]SentHead, error) {
	var set imap.UIDSet
	for _, e := range chunk {
		set.AddNum(e.uid)
	}
	section := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, HeaderFields: sentFields, Peek: true,
		Partial: &imap.SectionPartial{Size: sentHeadBytes}}
	options := &imap.FetchOptions{UID: true, Flags: true, BodySection: []*imap.FetchItemBodySection{section}}
	return phase(ctx, m, m.times.Data, 2*sentHeadBytes*int64(len(chunk))+controlBytes, func() ([]SentHead, error) {
		found := map[imap.UID]SentHead{}
		cmd := m.client.Fetch(set, options)
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			uid, head, err := readHead(msg)
			if err != nil {
				return nil, err
			}
			found[uid] = head
		}
		err := cmd.Close()
		if answer, ok := errors.AsType[*imap.Error](err); ok && answer.Type == imap.StatusResponseTypeNo && !isBusy(answer) {
			err = nil
		}
		heads := make([]SentHead, len(chunk))
		for i, e := range chunk {
			heads[i] = found[e.uid]
		}
		return heads, err
	})
}

func readHead(msg *imapclient.FetchMessageData) (uid imap.UID, head SentHead, err error) {
	for item := msg.Next(); item != nil; item = msg.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			uid = item.UID
		case imapclient.FetchItemDataFlags:
			head.Draft = slices.Contains(item.Flags, imap.FlagDraft)
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			if head.Fields, err = readAtMost(item.Literal, sentHeadBytes); err != nil {
				return uid, head, err
			}
		}
	}
	return uid, head, nil
}

// skipOld moves a position to before the newest sentFirst mails of the folder that is open.
func (m *Mailbox) skipOld(ctx context.Context, box *imap.SelectData, at Position) (Position, error) {
	if box.NumMessages <= sentFirst {
		return at, nil
	}
	return phase(ctx, m, m.times.Command, controlBytes, func() (Position, error) {
		cmd := m.client.Fetch(imap.SeqSetNum(box.NumMessages-sentFirst), &imap.FetchOptions{UID: true})
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			at.UID = max(at.UID, uint32(readEntry(msg).uid))
		}
		return at, cmd.Close()
	})
}

// examineIfAllowed opens a folder read-only. It returns nil if the server refuses.
func (m *Mailbox) examineIfAllowed(ctx context.Context, name string) (*imap.SelectData, error) {
	return phase(ctx, m, m.times.Command, controlBytes, func() (*imap.SelectData, error) {
		box, err := m.client.Select(name, &imap.SelectOptions{ReadOnly: true}).Wait()
		if refused, ok := errors.AsType[*imap.Error](err); ok && refused.Type == imap.StatusResponseTypeNo && !isBusy(refused) {
			return nil, nil // it was removed meanwhile, or is not for us
		}
		return box, err
	})
}
