package mail

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// Position is where reading a folder stopped: the last UID that was handled, and the UIDVALIDITY
// for which it is valid (RFC 9051 2.3.1.1). The zero value is a folder that was never read.
type Position struct {
	UIDValidity uint32
	UID         uint32
}

// Limits limits one call of Fetch; zero means the default.
type Limits struct {
	Messages int   // most messages handled: 500
	MaxSize  int64 // bytes of a message that is read whole: 50 MiB
	// Since is how far back a folder is read that is new, or whose UIDs have changed: 14 days
	// before now. IMAP compares days, not times.
	Since time.Time
}

func (l Limits) withDefaults() Limits {
	l.Messages = cmp.Or(max(l.Messages, 0), 500)
	l.MaxSize = cmp.Or(max(l.MaxSize, 0), 50<<20)
	if l.Since.IsZero() {
		l.Since = time.Now().AddDate(0, 0, -14)
	}
	return l
}

// The sizes of single reads.
const (
	listBytes  = 16 << 20  // answers that list messages
	groupBytes = 8 << 20   // messages fetched in one command
	groupSize  = 50        // most of them
	headBytes  = 256 << 10 // what is read of a message over MaxSize

	responseBytes = 64 << 10  // one response; bodies do not count
	searchBytes   = 8 << 20   // one response to a search
	readingBytes  = 256 << 20 // a call of Fetch ends after this many
)

// Incoming is one message of a folder.
type Incoming struct {
	UID          uint32
	UIDValidity  uint32
	InternalDate time.Time // when the server received it
	Size         int64     // as reported by the server
	Raw          []byte    // the message, or its start
	Truncated    bool      // Raw is only the start
	Withheld     bool      // the server lists it but does not send it: Raw is empty
}

// withheldAfter is the age at which a message is skipped that its server does not send although it
// sends others. A younger one may still arrive.
const withheldAfter = time.Hour

// Fetch calls handle for every message after from, in the order of their UIDs, and returns the
// position for the next call, also along with an error. The position passes a message only after
// handle returned nil for it, or after it was deleted on the server. A message that the server
// lists and never sends is passed to handle as Withheld, so that it does not block the others
// forever. A folder that the server does not have counts as empty; a missing NamedFolder is an error of
// KindFolder, after which the session goes on.
//
// If the position is no longer valid (UIDVALIDITY changed, or UIDNEXT is lower than before), it
// starts again with the messages of the last 14 days. So handle gets some of them again and must
// recognise them by their Message-ID.
//
// If the process dies before the returned position is stored, the next call returns the same
// messages again.
//
// Errors of handle are returned unchanged, all others are *ServerError or ErrBusy. A server that
// hangs, sends too much or sends wrong data costs this call at most its time and a limited amount of
// memory: after 256 MiB the call ends early, with the position that it has reached.
func (m *Mailbox) Fetch(ctx context.Context, folder Folder, from Position, limits Limits, handle func(Incoming) error) (Position, error) {
	limits = limits.withDefaults()
	box, err := m.openFolder(ctx, folder)
	if err != nil || box == nil {
		return from, err
	}
	at, fresh, err := m.start(ctx, box, from, limits)
	if err != nil || !fresh {
		return at, err
	}
	entries, err := m.list(ctx, at.UID, limits.Messages)
	if err != nil {
		return at, err
	}
	for group := range groups(entries, limits.MaxSize) {
		if at, err = m.pass(ctx, at, group, limits, handle); err != nil || m.wire.total.Load() > readingBytes {
			return at, err
		}
	}
	return at, nil
}

// start checks the position against the folder and reports whether there may be messages after it.
func (m *Mailbox) start(ctx context.Context, box *imap.SelectData, from Position, limits Limits) (at Position, fresh bool, err error) {
	if box.UIDValidity == 0 {
		return from, false, &ServerError{Kind: KindProtocol, Reason: "the server does not send UIDVALIDITY"}
	}
	last := uint32(max(box.UIDNext, 1)) - 1 // 0 also when the server does not say
	at = from
	if from.UIDValidity != box.UIDValidity || last < from.UID && box.UIDNext != 0 {
		if at, err = m.rescan(ctx, Position{box.UIDValidity, last}, limits.Since); err != nil {
			return from, false, err
		}
	}
	// If the server does not send UIDNEXT, it must be asked.
	return at, box.NumMessages > 0 && at.UID != math.MaxUint32 && (box.UIDNext == 0 || last > at.UID), nil
}

// rescan returns the position before the oldest message since that day, or the end of the folder
// if there is none.
func (m *Mailbox) rescan(ctx context.Context, end Position, since time.Time) (Position, error) {
	found, err := m.search(ctx, &imap.SearchCriteria{Since: since})
	if err != nil {
		return Position{}, err
	}
	first := imap.UID(math.MaxUint32)
	for _, r := range found {
		first = min(first, max(min(r.Start, r.Stop), 1))
	}
	if len(found) == 0 {
		return end, nil
	}
	return Position{end.UIDValidity, uint32(first) - 1}, nil
}

// entry is a message in the folder.
type entry struct {
	uid  imap.UID
	size int64
	date time.Time
}

// list returns the messages after last with the lowest UIDs, at most limit. "n:*" always includes
// the newest message, even if its UID is lower than n.
func (m *Mailbox) list(ctx context.Context, last uint32, most int) ([]entry, error) {
	return phase(ctx, m, m.times.Data, listBytes, func() ([]entry, error) {
		var entries []entry
		cmd := m.client.Fetch(imap.UIDSet{{Start: imap.UID(last) + 1}}, &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: true})
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			if e := readEntry(msg); uint32(e.uid) > last {
				entries = append(entries, e)
			}
			if len(entries) >= 4*most+1000 {
				entries = lowest(entries, most)
			}
		}
		return lowest(entries, most), cmd.Close()
	})
}

func readEntry(msg *imapclient.FetchMessageData) (e entry) {
	for item := msg.Next(); item != nil; item = msg.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			e.uid = item.UID
		case imapclient.FetchItemDataRFC822Size:
			e.size = max(item.Size, 0)
		case imapclient.FetchItemDataInternalDate:
			e.date = item.Time
		}
	}
	return e
}

func lowest(entries []entry, most int) []entry {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.uid, b.uid) })
	return entries[:min(len(entries), most)]
}

// groups splits the list into groups for one command each. A message over maxSize is a group of
// its own.
func groups(entries []entry, maxSize int64) func(yield func([]entry) bool) {
	return func(yield func([]entry) bool) {
		for len(entries) > 0 {
			n, sum := 1, entries[0].size
			for n < len(entries) && n < groupSize && sum+entries[n].size <= groupBytes && entries[0].size <= maxSize {
				sum += entries[n].size
				n++
			}
			if !yield(entries[:n]) {
				return
			}
			entries = entries[n:]
		}
	}
}

// pass fetches one group and passes it to handle in order. The server may answer in any order, so
// the whole group is read first.
func (m *Mailbox) pass(ctx context.Context, at Position, group []entry, limits Limits, handle func(Incoming) error) (Position, error) {
	m.keeps = true
	defer func() {
		m.keeps = false
		m.wire.held.release()
	}()
	messages, err := m.fetchAll(ctx, group, limits.MaxSize)
	if err != nil {
		return at, err
	}
	for _, e := range group {
		msg, ok := messages[e.uid]
		if !ok {
			msg, ok, err = m.again(ctx, e, limits.MaxSize)
			if errors.Is(err, errWithheld) && len(messages) > 0 && !e.date.IsZero() && time.Since(e.date) > withheldAfter {
				msg, ok, err = Incoming{UID: uint32(e.uid), InternalDate: e.date, Withheld: true}, true, nil
			}
			if err != nil {
				return at, err
			}
		}
		if ok {
			msg.Size, msg.UIDValidity = e.size, at.UIDValidity
			if err := handle(msg); err != nil {
				return at, err
			}
		}
		at.UID = uint32(e.uid)
		if err := ctx.Err(); err != nil {
			return at, explain(err)
		}
	}
	return at, nil
}

// maxRefused is how many messages in a row are requested one by one while each is refused.
const maxRefused = 5

// fetchAll fetches a group. If the server refuses it, it fetches the messages one by one, because
// one of them may be the cause. Refused messages are missing in the result.
func (m *Mailbox) fetchAll(ctx context.Context, group []entry, maxSize int64) (map[imap.UID]Incoming, error) {
	all, err := m.fetch(ctx, group, maxSize)
	if err != nil || !all.refused {
		return all.messages, err
	}
	for i, e := range group {
		if _, there := all.messages[e.uid]; there {
			continue
		}
		if i == maxRefused && len(all.messages) == 0 {
			break
		}
		one, err := m.fetch(ctx, []entry{e}, maxSize)
		if err != nil {
			return nil, err
		}
		maps.Copy(all.messages, one.messages)
	}
	return all.messages, nil
}

// given is what a server returned for some messages, and whether it refused to send more.
type given struct {
	messages map[imap.UID]Incoming
	refused  bool
}

func (m *Mailbox) fetch(ctx context.Context, group []entry, maxSize int64) (given, error) {
	var set imap.UIDSet
	sum := int64(0)
	for _, e := range group {
		set.AddNum(e.uid)
		sum += min(e.size, maxSize)
	}
	// Some servers report sizes that are slightly wrong.
	bytes := 2*sum + maxSize + controlBytes
	return phase(ctx, m, m.times.Data, bytes, func() (given, error) {
		return m.read(set, bodyOf(group, maxSize), maxSize)
	})
}

var errWithheld = errors.New("a message is withheld")

// again requests a message that was listed but not returned. It may have been deleted; or the
// server sent the body before the UID, which the library drops, so this request uses the sequence
// number. It returns errWithheld for a message that exists and is not sent.
func (m *Mailbox) again(ctx context.Context, e entry, maxSize int64) (Incoming, bool, error) {
	type answer struct {
		msg          Incoming
		ok, withheld bool
	}
	got, err := phase(ctx, m, m.times.Data, 2*maxSize+controlBytes, func() (answer, error) {
		cmd := m.client.Fetch(imap.UIDSetNum(e.uid), &imap.FetchOptions{UID: true})
		seq := uint32(0)
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			seq = msg.SeqNum
		}
		if err := cmd.Close(); err != nil || seq == 0 {
			return answer{}, err
		}
		read, err := m.read(imap.SeqSetNum(seq), bodyOf([]entry{e}, maxSize), maxSize)
		msg, ok := read.messages[e.uid]
		return answer{msg, ok, !ok}, err
	})
	if err == nil && got.withheld {
		err = &ServerError{Kind: KindProtocol, Reason: "the server lists a message that it does not send", Temporary: true, cause: errWithheld}
	}
	return got.msg, got.ok, err
}

// bodyOf requests the whole message without marking it as read, or the start of one that is too
// large.
func bodyOf(group []entry, maxSize int64) *imap.FetchItemBodySection {
	section := &imap.FetchItemBodySection{Peek: true}
	if group[0].size > maxSize {
		section.Partial = &imap.SectionPartial{Offset: 0, Size: headBytes}
	}
	return section
}

func (m *Mailbox) read(set imap.NumSet, section *imap.FetchItemBodySection, maxSize int64) (given, error) {
	messages := map[imap.UID]Incoming{}
	cmd := m.client.Fetch(set, &imap.FetchOptions{UID: true, InternalDate: true, BodySection: []*imap.FetchItemBodySection{section}})
	for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
		in, complete, err := readMessage(msg, maxSize)
		if err != nil {
			// The connection broke inside a body. The command is not finished: continuing would
			// read the rest of a body that the library no longer expects.
			return given{}, err
		}
		in.Truncated = in.Truncated || section.Partial != nil
		if complete {
			messages[imap.UID(in.UID)] = in
		}
	}
	err := cmd.Close()
	if answer, ok := errors.AsType[*imap.Error](err); ok && answer.Type == imap.StatusResponseTypeNo && !isBusy(answer) {
		return given{messages, true}, nil // the connection is still usable
	}
	return given{messages, false}, err
}

// readMessage reads one answer. It is complete if it has a UID and a body.
func readMessage(msg *imapclient.FetchMessageData, maxSize int64) (in Incoming, complete bool, err error) {
	body := false
	for item := msg.Next(); item != nil; item = msg.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			in.UID = uint32(item.UID)
		case imapclient.FetchItemDataInternalDate:
			in.InternalDate = item.Time
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			body = true
			keep := min(item.Literal.Size(), maxSize)
			if in.Truncated = item.Literal.Size() > maxSize; in.Truncated {
				keep = headBytes
			}
			if in.Raw, err = readAtMost(item.Literal, keep); err != nil {
				return in, false, err
			}
		}
	}
	return in, body && in.UID != 0, nil
}

// readAtMost reads the beginning of a literal. It fails if the connection breaks before its end.
func readAtMost(literal imap.LiteralReader, most int64) ([]byte, error) {
	most = min(most, literal.Size())
	raw, err := io.ReadAll(io.LimitReader(literal, most))
	if err == nil && int64(len(raw)) < most {
		err = io.ErrUnexpectedEOF
	}
	return raw, err
}
