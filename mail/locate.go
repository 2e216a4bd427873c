package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// FolderOther is a folder that is neither inbox nor junk.
const FolderOther Folder = "other"

// Located is the result of Locate.
type Located struct {
	Folder  Folder // inbox, junk or other
	Header  []byte // the start of it
	Arrived time.Time
}

// maxOthers is how many folders are searched besides inbox and junk.
const maxOthers = 40

// Locate looks for a mail that arrived since a day, first in the inbox, then in the junk folder,
// then in the others. It matches the Message-ID or, if a provider has replaced that, the reference
// (HeaderRef). It returns nil if no folder has the mail.
func (m *Mailbox) Locate(ctx context.Context, messageID, ref string, since time.Time) (*Located, error) {
	if !ValidMessageID(messageID) || !graphic(ref) {
		return nil, fmt.Errorf("locate: %q or %q is not valid", messageID, ref)
	}
	list, err := m.folders(ctx)
	if err != nil {
		return nil, err
	}
	for _, at := range spotsOf(list) {
		found, err := m.locateIn(ctx, at, messageID, ref, since)
		if err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// spot is a folder to search.
type spot struct {
	folder Folder
	name   string
}

// spotsOf returns the folders to search, in order. Sent mail and drafts are not arrivals. All Mail
// contains the other folders, so it comes last.
func spotsOf(list []*imap.ListData) []spot {
	junk, sent := pickFolder(list, FolderJunk), pickFolder(list, FolderSent)
	spots := []spot{{FolderInbox, "INBOX"}}
	if junk != "" {
		spots = append(spots, spot{FolderJunk, junk})
	}
	var last []spot
	for _, box := range list {
		skip := []imap.MailboxAttr{imap.MailboxAttrNoSelect, imap.MailboxAttrNonExistent, imap.MailboxAttrSent, imap.MailboxAttrDrafts}
		if strings.EqualFold(box.Mailbox, "INBOX") || box.Mailbox == junk || box.Mailbox == sent ||
			slices.ContainsFunc(skip, func(attr imap.MailboxAttr) bool { return hasAttr(box.Attrs, attr) }) {
			continue
		}
		other := spot{FolderOther, box.Mailbox}
		if hasAttr(box.Attrs, imap.MailboxAttrAll) {
			last = append(last, other)
		} else if len(spots) < maxOthers {
			spots = append(spots, other)
		}
	}
	return append(spots, last[:min(len(last), 1)]...)
}

func (m *Mailbox) locateIn(ctx context.Context, at spot, messageID, ref string, since time.Time) (*Located, error) {
	opened, err := phase(ctx, m, m.times.Command, controlBytes, func() (bool, error) {
		_, err := m.client.Select(at.name, &imap.SelectOptions{ReadOnly: true}).Wait()
		if refused, ok := errors.AsType[*imap.Error](err); ok && refused.Type == imap.StatusResponseTypeNo && at.folder != FolderInbox {
			return false, nil // it was deleted, or is another mail
		}
		return err == nil, err
	})
	if err != nil || !opened {
		return nil, err
	}
	for _, field := range []imap.SearchCriteriaHeaderField{{Key: "Message-ID", Value: messageID}, {Key: HeaderRef, Value: ref}} {
		found, err := m.search(ctx, &imap.SearchCriteria{Since: since, Header: []imap.SearchCriteriaHeaderField{field}})
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue
		}
		first := imap.UIDSetNum(max(min(found[0].Start, found[0].Stop), 1))
		read, err := phase(ctx, m, m.times.Data, 2*headBytes+controlBytes, func() (given, error) {
			section := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, Peek: true, Partial: &imap.SectionPartial{Size: headBytes}}
			return m.read(first, section, headBytes)
		})
		if err != nil {
			return nil, err
		}
		for _, in := range read.messages {
			return &Located{Folder: at.folder, Header: in.Raw, Arrived: in.InternalDate}, nil
		}
	}
	return nil, nil
}
