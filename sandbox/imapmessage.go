package sandbox

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-message/textproto"
)

// sighting is the state of a message for one session at one moment.
type sighting struct {
	message
	seq uint32
}

// append stores a message in one folder; r has the date, if any.
func (s *store) append(email, name string, raw []byte, r record, flags []imap.Flag) (*imap.AppendData, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.folder(email, name)
	if err != nil {
		return nil, &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeTryCreate, Text: "The folder does not exist"}
	}
	r.Kind, r.Size, r.MessageID = recordMail, len(raw), headerField(raw, "Message-ID")
	s.put(&r, fold(email), f.name, "", flags...)
	if err := s.commit(r, raw); err != nil {
		return nil, err
	}
	return &imap.AppendData{UID: r.Places[0].UID, UIDValidity: f.validity}, nil
}

// look returns the messages of a set. It holds the lock of the store only meanwhile, so a slow
// client does not delay others.
func (c *imapSession) look(set imap.NumSet) (seen []sighting) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	contains := c.matcher(set)
	for i, m := range c.folder.messages {
		seq := c.tracker.EncodeSeqNum(uint32(i) + 1)
		if seq != 0 && contains(seq, m.uid) {
			seen = append(seen, sighting{message: *m, seq: seq})
		}
	}
	return seen
}

// matcher reads a set, in which 0 stands for the last message ("*").
func (c *imapSession) matcher(set imap.NumSet) func(seq uint32, uid imap.UID) bool {
	switch set := set.(type) {
	case imap.SeqSet:
		return func(seq uint32, _ imap.UID) bool { return contains(set, seq, uint32(len(c.folder.messages))) }
	case imap.UIDSet:
		last := c.folder.next - 1
		if n := len(c.folder.messages); n > 0 {
			last = c.folder.messages[n-1].uid
		}
		return func(_ uint32, uid imap.UID) bool { return containsUID(set, uid, last) }
	}
	return func(uint32, imap.UID) bool { return false }
}

func contains(set imap.SeqSet, n, last uint32) bool {
	return slices.ContainsFunc(set, func(r imap.SeqRange) bool { return within(n, r.Start, r.Stop, last) })
}

func containsUID(set imap.UIDSet, uid, last imap.UID) bool {
	return slices.ContainsFunc(set, func(r imap.UIDRange) bool {
		return within(uint32(uid), uint32(r.Start), uint32(r.Stop), uint32(last))
	})
}

// within reports whether a range contains a number. Its ends may come in either order (RFC 3501,
// section 9), so that n:* always contains the last message.
func within(n, start, stop, last uint32) bool {
	start, stop = cmp.Or(start, last), cmp.Or(stop, last)
	return min(start, stop) <= n && n <= max(start, stop)
}

// Fetch writes the requested items. In a folder that is not read-only, it marks messages as seen
// whose text was read without PEEK.
func (c *imapSession) Fetch(w *imapserver.FetchWriter, set imap.NumSet, options *imap.FetchOptions) error {
	marks := !c.readOnly && slices.ContainsFunc(options.BodySection, func(b *imap.FetchItemBodySection) bool { return !b.Peek })
	for _, seen := range c.look(set) {
		if marks && !slices.Contains(seen.flags, imap.FlagSeen) {
			seen.flags = canonical(append(slices.Clone(seen.flags), imap.FlagSeen))
			if err := c.setFlags(seen.uid, seen.flags); err != nil {
				return err
			}
		}
		if err := c.fetchOne(w, seen, options); err != nil {
			return err
		}
	}
	return nil
}

func (c *imapSession) fetchOne(w *imapserver.FetchWriter, seen sighting, options *imap.FetchOptions) error {
	var text []byte
	if options.Envelope || options.BodyStructure != nil ||
		len(options.BodySection)+len(options.BinarySection)+len(options.BinarySectionSize) > 0 {
		var err error
		if text, err = c.store.text(seen.message); err != nil {
			return err
		}
	}
	m := w.CreateMessage(seen.seq)
	m.WriteUID(seen.uid)
	if options.Flags {
		m.WriteFlags(seen.flags)
	}
	if options.InternalDate {
		m.WriteInternalDate(seen.at)
	}
	if options.RFC822Size {
		m.WriteRFC822Size(seen.size())
	}
	if err := writeText(m, text, options); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return m.Close()
}

// writeText writes the items that are made from the text.
func writeText(m *imapserver.FetchResponseWriter, text []byte, options *imap.FetchOptions) error {
	if options.Envelope {
		m.WriteEnvelope(imapserver.ExtractEnvelope(header(text)))
	}
	if options.BodyStructure != nil {
		m.WriteBodyStructure(imapserver.ExtractBodyStructure(bytes.NewReader(text)))
	}
	for _, section := range options.BodySection {
		part := imapserver.ExtractBodySection(bytes.NewReader(text), section)
		if err := writeAll(m.WriteBodySection(section, int64(len(part))), part); err != nil {
			return err
		}
	}
	for _, section := range options.BinarySection {
		part := imapserver.ExtractBinarySection(bytes.NewReader(text), section)
		if err := writeAll(m.WriteBinarySection(section, int64(len(part))), part); err != nil {
			return err
		}
	}
	for _, section := range options.BinarySectionSize {
		m.WriteBinarySectionSize(section, imapserver.ExtractBinarySectionSize(bytes.NewReader(text), section))
	}
	return nil
}

func writeAll(w io.WriteCloser, part []byte) error {
	_, err := w.Write(part)
	if closing := w.Close(); err == nil {
		err = closing
	}
	return err
}

// header reads the header of a text. It reads a broken header up to the first error.
func header(text []byte) textproto.Header {
	h, _ := textproto.ReadHeader(bufio.NewReader(bytes.NewReader(text)))
	return h
}

// Store changes flags.
func (c *imapSession) Store(w *imapserver.FetchWriter, set imap.NumSet, change *imap.StoreFlags, _ *imap.StoreOptions) error {
	if c.readOnly {
		return errUnsupported
	}
	for _, seen := range c.look(set) {
		if err := c.setFlags(seen.uid, changed(seen.flags, change)); err != nil {
			return err
		}
	}
	if change.Silent {
		return nil
	}
	return c.Fetch(w, set, &imap.FetchOptions{Flags: true})
}

func changed(flags []imap.Flag, change *imap.StoreFlags) []imap.Flag {
	given := canonical(change.Flags)
	switch change.Op {
	case imap.StoreFlagsSet:
		return given
	case imap.StoreFlagsAdd:
		return canonical(append(slices.Clone(flags), given...))
	default:
		return slices.DeleteFunc(slices.Clone(flags), func(f imap.Flag) bool { return slices.Contains(given, f) })
	}
}

// canonical returns the flags sorted, without duplicates, and system flags in their usual spelling.
func canonical(flags []imap.Flag) []imap.Flag {
	list := make([]imap.Flag, 0, len(flags))
	for _, flag := range flags {
		for _, known := range []imap.Flag{imap.FlagSeen, imap.FlagAnswered, imap.FlagFlagged, imap.FlagDeleted, imap.FlagDraft} {
			if strings.EqualFold(string(flag), string(known)) {
				flag = known
			}
		}
		list = append(list, flag)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (c *imapSession) setFlags(uid imap.UID, flags []imap.Flag) error {
	return c.change(record{Kind: recordFlags, UID: uid, Flags: flags})
}

// change commits a change to one message of the folder. It does nothing if another session has
// removed the message.
func (c *imapSession) change(r record) error {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	if c.folder.find(r.UID) < 0 {
		return nil
	}
	r.Account, r.Folder = c.email, c.folder.name
	return c.store.commit(r, nil)
}

// Expunge removes the messages flagged as deleted. The client gets the removals in the poll after
// each command.
func (c *imapSession) Expunge(_ *imapserver.ExpungeWriter, uids *imap.UIDSet) error {
	if c.readOnly {
		return nil
	}
	for _, seen := range c.look(imap.UIDSet{{Start: 1, Stop: 0}}) {
		if !slices.Contains(seen.flags, imap.FlagDeleted) || uids != nil && !uids.Contains(seen.uid) {
			continue
		}
		if err := c.change(record{Kind: recordExpunge, UID: seen.uid}); err != nil {
			return err
		}
	}
	return nil
}

// Copy appends the messages to another folder, one by one.
func (c *imapSession) Copy(set imap.NumSet, target string) (*imap.CopyData, error) {
	data := &imap.CopyData{}
	for _, seen := range c.look(set) {
		text, err := c.store.text(seen.message)
		if err != nil {
			return nil, err
		}
		appended, err := c.store.append(c.email, target, text, record{At: seen.at}, seen.flags)
		if err != nil {
			return nil, err
		}
		data.UIDValidity = appended.UIDValidity
		data.SourceUIDs.AddNum(seen.uid)
		data.DestUIDs.AddNum(appended.UID)
	}
	return data, nil
}
