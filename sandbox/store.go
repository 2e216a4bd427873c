package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
)

// store holds all mail of the sandbox: an index in memory over a journal on disk. Every change is
// in the journal before it is visible.
type store struct {
	now     func() time.Time
	lean    bool // keep no body that is not needed
	journal *journal

	mu       sync.Mutex
	validity uint32
	boxes    map[string]*box // by address, folded
	received []Received
	// stances holds the stance of each persona address that acts. An address that does not act, or
	// has no mail, has none.
	stances map[string]stance
}

// stance is the progress of the one action of a persona.
type stance struct {
	acted   bool
	waiting bool // on the agenda, or running
}

// envelope is a message that is being stored.
type envelope struct {
	login string   // account that submitted it, empty for the sandbox's own
	from  string   // reverse-path, empty for the null one
	to    []string // forward-paths
	raw   []byte
	// home gets mail for unknown addresses; empty for prospects.
	home string
	// persona is the address whose action this message is; empty for none.
	persona string
}

func openStore(path string, now func() time.Time, lean bool) (*store, error) {
	s := &store{now: now, lean: lean, journal: &journal{}, boxes: map[string]*box{}, stances: map[string]stance{}}
	if err := s.journal.open(path, s.replay); err != nil {
		return nil, err
	}
	if s.validity != 0 {
		return s, nil
	}
	// A new journal has new UIDs, so its UIDVALIDITY must differ from that of every earlier journal
	// at this path.
	s.validity = uint32(now().Unix())
	if _, err := s.journal.append(record{Kind: recordOrigin, At: now(), UIDValidity: s.validity}, nil); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *store) close() error { return s.journal.close() }

// fold returns the form in which two spellings of one address are equal.
func fold(address string) string { return strings.ToLower(strings.TrimSpace(address)) }

// addBox creates the folders of the account if they are missing.
func (s *store) addBox(email string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.boxes[fold(email)] != nil {
		return nil
	}
	return s.commit(record{Kind: recordAccount, Account: fold(email)}, nil)
}

// addFolder creates a folder for a client. use is its special use (RFC 6154), empty for none.
func (s *store) addFolder(email, name string, use imap.MailboxAttr) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	validity := max(uint32(s.now().Unix()), s.validity+1)
	return s.commit(record{Kind: recordFolder, Account: fold(email), Folder: name, Use: use, UIDValidity: validity}, nil)
}

// commit writes a record and applies it with the same code that reads the journal at a restart.
func (s *store) commit(r record, body []byte) error {
	if r.At.IsZero() {
		r.At = s.now().UTC()
	}
	offset, err := s.journal.append(r, body)
	if err != nil {
		return err
	}
	r.Body = len(body)
	return s.replay(r, offset)
}

// replay applies one record to the index.
func (s *store) replay(r record, offset int64) error {
	switch r.Kind {
	case recordOrigin:
		s.validity = r.UIDValidity
	case recordAccount:
		s.boxes[r.Account] = newBox(r.Account, s.validity)
	case recordFolder:
		s.boxes[r.Account].folders[r.Folder] = newFolder(r.Folder, r.Use, r.UIDValidity)
	case recordMail:
		return s.replayMail(r, offset)
	case recordFlags, recordExpunge:
		return s.replayChange(r)
	case recordAct:
		s.stances[r.Persona] = stance{acted: r.Acted}
	default:
		return fmt.Errorf("unknown kind %q", r.Kind)
	}
	return nil
}

func (s *store) replayMail(r record, offset int64) error {
	for _, p := range r.Places {
		f, err := s.folder(p.Account, p.Folder)
		if err != nil {
			return err
		}
		f.add(&message{uid: p.UID, at: r.At, flags: p.Flags, trace: p.Trace, offset: offset, body: r.Body})
	}
	for _, address := range r.Prospects {
		s.received = append(s.received, Received{
			At: r.At, Login: r.Login, From: r.From, To: address, MessageID: r.MessageID,
			Size: r.Size, offset: offset, body: r.Body, journal: s.journal,
		})
	}
	if r.Persona != "" {
		s.stances[r.Persona] = stance{acted: r.Acted}
	}
	return nil
}

func (s *store) replayChange(r record) error {
	f, err := s.folder(r.Account, r.Folder)
	if err != nil {
		return err
	}
	i := f.find(r.UID)
	switch {
	case i < 0:
		return fmt.Errorf("%s of message %d, which is not in %s", r.Kind, r.UID, r.Folder)
	case r.Kind == recordExpunge:
		f.remove(i)
	default:
		f.setFlags(i, r.Flags)
	}
	return nil
}

// folder returns a folder by its name; INBOX is not case-sensitive (RFC 3501, section 5.1).
func (s *store) folder(email, name string) (*folder, error) {
	if strings.EqualFold(name, folderInbox) {
		name = folderInbox
	}
	if b := s.boxes[fold(email)]; b != nil && b.folders[name] != nil {
		return b.folders[name], nil
	}
	return nil, errNoFolder
}

var errNoFolder = &imap.Error{
	Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeNonExistent, Text: "The folder does not exist",
}

// text returns a message as IMAP clients see it.
func (s *store) text(m message) ([]byte, error) {
	body, err := s.journal.read(m.offset, m.body)
	if err != nil {
		return nil, err
	}
	return append([]byte(m.trace), body...), nil
}

// setActed records whether a persona has acted. If it has not, it is still waiting until release.
func (s *store) setActed(address string, acted bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.commit(record{Kind: recordAct, Persona: address, Acted: acted}, nil); err != nil {
		return err
	}
	s.stances[address] = stance{acted: acted, waiting: !acted}
	return nil
}

// release makes a persona whose message had nothing to act on wait for its next message.
func (s *store) release(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stances[address] = stance{acted: s.stances[address].acted}
}

func (s *store) list() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}
