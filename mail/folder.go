package mail

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"golang.org/x/text/unicode/norm"
)

// namedPrefix marks a Folder that is a name and not a purpose.
const namedPrefix = "name:"

// NamedFolder returns the folder with a name as mail programs show it. INBOX is FolderInbox (RFC
// 9051, 5.1).
func NamedFolder(name string) Folder {
	if strings.EqualFold(name, "INBOX") {
		return FolderInbox
	}
	return Folder(namedPrefix + norm.NFC.String(name))
}

// named returns the name of a folder that NamedFolder returned.
func (f Folder) named() (name string, ok bool) { return strings.CutPrefix(string(f), namedPrefix) }

// findNamed returns the name under which a server has a folder, "" if it has none. Some servers
// decompose letters (RFC 5198, 3), so names are compared in one form.
func findNamed(list []*imap.ListData, name string) string {
	found := ""
	for _, box := range list {
		if hasAttr(box.Attrs, imap.MailboxAttrNoSelect) || hasAttr(box.Attrs, imap.MailboxAttrNonExistent) {
			continue
		}
		if box.Mailbox == name {
			return name
		}
		if norm.NFC.String(box.Mailbox) == name {
			found = box.Mailbox
		}
	}
	return found
}

// noFolder is the error for a named folder that the server does not have.
func noFolder(name string) *ServerError {
	return &ServerError{Kind: KindFolder, Reason: fmt.Sprintf("the mailbox has no folder %q", name)}
}

// openFolder opens a folder read-only. It returns nil for one that the server does not have, if its
// purpose and not its name is given. A named folder that is missing, or that the server does not
// open, is an error of KindFolder, which leaves the session as it was.
func (m *Mailbox) openFolder(ctx context.Context, folder Folder) (*imap.SelectData, error) {
	name, err := m.name(ctx, folder)
	if err != nil {
		return nil, err
	}
	wanted, named := folder.named()
	switch {
	case name == "" && named:
		return nil, noFolder(wanted)
	case name == "":
		return nil, nil
	case !named:
		return m.examine(ctx, name)
	}
	box, err := m.examineIfAllowed(ctx, name)
	if err == nil && box == nil {
		err = &ServerError{Kind: KindFolder, Reason: fmt.Sprintf("the server does not open the folder %q", wanted)}
	}
	return box, err
}

// missing returns the reason why one of some folders cannot be read, nil if all can.
func (m *Mailbox) missing(ctx context.Context, folders []Folder) error {
	if !slices.ContainsFunc(folders, func(f Folder) bool { _, named := f.named(); return named }) {
		return nil
	}
	list, err := m.folders(ctx)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if name, named := folder.named(); named && findNamed(list, name) == "" {
			return noFolder(name)
		}
	}
	return nil
}
