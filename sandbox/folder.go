package sandbox

import (
	"cmp"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

// The folders that every account has.
const (
	folderInbox = "INBOX"
	folderSent  = "Sent"
	folderJunk  = "Junk"
)

// box is the mail of one account.
type box struct {
	email   string
	folders map[string]*folder
}

// folder is one IMAP mailbox. The lock of the store protects all of it.
type folder struct {
	name     string
	use      imap.MailboxAttr // RFC 6154, empty for none
	validity uint32
	next     imap.UID
	messages []*message // ascending UID
	tracker  *imapserver.MailboxTracker
	changed  chan struct{} // closed at the next change; nil while no session waits
}

// message is one message in one folder. Its text is trace and then the body.
type message struct {
	uid    imap.UID
	at     time.Time
	flags  []imap.Flag // sorted
	trace  string
	offset int64
	body   int
}

func newBox(email string, validity uint32) *box {
	b := &box{email: email, folders: map[string]*folder{}}
	for name, use := range map[string]imap.MailboxAttr{
		folderInbox: "", folderSent: imap.MailboxAttrSent, folderJunk: imap.MailboxAttrJunk,
	} {
		b.folders[name] = newFolder(name, use, validity)
	}
	return b
}

func newFolder(name string, use imap.MailboxAttr, validity uint32) *folder {
	return &folder{name: name, use: use, validity: validity, next: 1, tracker: imapserver.NewMailboxTracker(0)}
}

func (m *message) size() int64 { return int64(len(m.trace) + m.body) }

// add appends a message and notifies the sessions that watch.
func (f *folder) add(m *message) {
	f.messages = append(f.messages, m)
	f.next = m.uid + 1
	f.tracker.QueueNumMessages(uint32(len(f.messages)))
	f.announce()
}

// find returns the position of a message, -1 if it was removed.
func (f *folder) find(uid imap.UID) int {
	i, found := slices.BinarySearchFunc(f.messages, uid, func(m *message, uid imap.UID) int { return cmp.Compare(m.uid, uid) })
	if !found {
		return -1
	}
	return i
}

// setFlags sets the flags of a message and notifies the sessions that watch.
func (f *folder) setFlags(i int, flags []imap.Flag) {
	f.messages[i].flags = flags
	f.tracker.QueueMessageFlags(uint32(i)+1, f.messages[i].uid, flags, nil)
	f.announce()
}

// remove removes a message and notifies the sessions that watch.
func (f *folder) remove(i int) {
	f.messages = slices.Delete(f.messages, i, i+1)
	f.tracker.QueueExpunge(uint32(i) + 1)
	f.announce()
}

func (f *folder) announce() {
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// nextChange returns a channel that is closed at the next change of the folder.
func (f *folder) nextChange() <-chan struct{} {
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}

func (f *folder) count(flag imap.Flag) uint32 {
	var n uint32
	for _, m := range f.messages {
		if slices.Contains(m.flags, flag) {
			n++
		}
	}
	return n
}

func (f *folder) status(options *imap.StatusOptions) *imap.StatusData {
	data := &imap.StatusData{Mailbox: f.name, UIDNext: f.next, UIDValidity: f.validity}
	if options.NumMessages {
		data.NumMessages = new(uint32(len(f.messages)))
	}
	if options.NumUnseen {
		data.NumUnseen = new(uint32(len(f.messages)) - f.count(imap.FlagSeen))
	}
	if options.NumDeleted {
		data.NumDeleted = new(f.count(imap.FlagDeleted))
	}
	if options.NumRecent {
		data.NumRecent = new(uint32)
	}
	if options.Size {
		data.Size = new(f.totalSize())
	}
	return data
}

func (f *folder) totalSize() int64 {
	var size int64
	for _, m := range f.messages {
		size += m.size()
	}
	return size
}
