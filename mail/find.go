package mail

import (
	"context"
	"errors"
	"fmt"

	"github.com/emersion/go-imap/v2"
)

// mostAlike is how many mails with the same Message-ID are compared in one folder.
const mostAlike = 5

// Find returns the mail with this Message-ID (with angle brackets) that wanted accepts, from the
// inbox, from the folders to which people move mail (junk, archive, trash, or all mail), or from
// others. It reports false if none of them has it. A mail over maxSize is cut.
func (m *Mailbox) Find(
	ctx context.Context, messageID string, maxSize int64, wanted func(raw []byte) bool, others ...Folder,
) (in Incoming, ok bool, err error) {
	if !ValidMessageID(messageID) {
		return in, false, fmt.Errorf("find mail: %q is not a message id", messageID)
	}
	usual := []Folder{FolderInbox, FolderJunk, folderArchive, FolderAll, folderTrash}
	for _, folder := range append(usual, others...) {
		box, err := m.openFolder(ctx, folder)
		if failed, told := errors.AsType[*ServerError](err); told && failed.Kind == KindFolder {
			continue
		}
		if err != nil {
			return in, false, err
		}
		if box == nil {
			continue
		}
		if in, ok, err = m.findHere(ctx, messageID, maxSize, wanted); err != nil || ok {
			return in, ok, err
		}
	}
	return in, false, nil
}

// findHere searches the open folder.
func (m *Mailbox) findHere(
	ctx context.Context, messageID string, maxSize int64, wanted func(raw []byte) bool,
) (in Incoming, ok bool, err error) {
	found, err := m.search(ctx, &imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: "Message-ID", Value: messageID}}})
	if err != nil {
		return in, false, err
	}
	left := mostAlike
	for _, r := range found {
		for uid := r.Start; uid <= r.Stop && left > 0; uid++ {
			left--
			got, err := m.fetch(ctx, []entry{{uid: uid, size: maxSize}}, maxSize)
			if err != nil {
				return in, false, err
			}
			if in, there := got.messages[uid]; there && wanted(in.Raw) {
				return in, true, nil
			}
		}
	}
	return in, false, nil
}
