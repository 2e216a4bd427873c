package mail

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/textproto"
	"strings"

	"github.com/emersion/go-imap/v2"
)

// FindInSent looks in the Sent folder for the copy of a message. It searches for the Message-ID
// (with angle brackets), then for the reference (HeaderRef), because a provider may have replaced
// the Message-ID. It returns the Message-ID of the copy, "" if that has none, and whether there is a
// copy. False does not show that the message was not sent: many servers keep no copy.
func (m *Mailbox) FindInSent(ctx context.Context, messageID, ref string) (copyID string, found bool, err error) {
	if !ValidMessageID(messageID) || !graphic(ref) {
		return "", false, fmt.Errorf("find in sent: %q or %q is not valid", messageID, ref)
	}
	name, err := m.name(ctx, FolderSent)
	if err != nil || name == "" {
		return "", false, err
	}
	if _, err := m.examine(ctx, name); err != nil {
		return "", false, err
	}
	at, err := m.searchHeader(ctx, "Message-ID", messageID)
	if err != nil || len(at) > 0 {
		return messageID, err == nil, err
	}
	if ref == "" {
		return "", false, nil
	}
	return m.findByRef(ctx, ref)
}

// findByRef searches the open folder for a reference. Some servers take a search for a field that
// they do not know for a search for everything, so what they find is compared.
func (m *Mailbox) findByRef(ctx context.Context, ref string) (copyID string, found bool, err error) {
	at, err := m.searchHeader(ctx, HeaderRef, ref)
	if err != nil {
		return "", false, err
	}
	var some []entry
	for _, r := range at {
		for uid := max(min(r.Start, r.Stop), 1); uid <= max(r.Start, r.Stop) && len(some) < mostAlike; uid++ {
			some = append(some, entry{uid: uid})
		}
	}
	if len(some) == 0 {
		return "", false, nil
	}
	heads, err := m.heads(ctx, some)
	if err != nil {
		return "", false, err
	}
	for _, head := range heads {
		// What cannot be read in a header is left out.
		fields, _ := textproto.NewReader(bufio.NewReader(bytes.NewReader(head.Fields))).ReadMIMEHeader()
		if head.Draft || strings.TrimSpace(fields.Get(HeaderRef)) != ref {
			continue
		}
		if id := strings.TrimSpace(fields.Get("Message-ID")); ValidMessageID(id) {
			copyID = id
		}
		return copyID, true, nil
	}
	return "", false, nil
}

func (m *Mailbox) searchHeader(ctx context.Context, key, value string) (imap.UIDSet, error) {
	return m.search(ctx, &imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: key, Value: value}}})
}
