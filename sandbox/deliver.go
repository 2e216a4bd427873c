package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Received is one message that one prospect received over SMTP.
type Received struct {
	At        time.Time
	Login     string // account that submitted it
	From      string // envelope sender, empty for the null reverse-path
	To        string // envelope recipient as the client spelled it
	MessageID string // header, with its angle brackets
	Size      int    // bytes after DATA

	offset  int64
	body    int
	journal *journal
}

// ErrBodyDiscarded is the error of Raw for a message whose body was not kept
// (Config.DiscardBodies).
var ErrBodyDiscarded = errors.New("the sandbox is configured to keep no bodies")

// Raw returns the message byte for byte as it came after DATA. It works until the server is closed.
func (r Received) Raw() ([]byte, error) {
	if r.body == 0 && r.Size > 0 {
		return nil, ErrBodyDiscarded
	}
	return r.journal.read(r.offset, r.body)
}

// deliver stores a message and returns the persona addresses that will act on it. When it returns
// nil, the message is in the journal: a process that dies before has delivered nothing, one that
// dies after has delivered everything.
func (s *store) deliver(e envelope) (woken []Received, err error) {
	r := record{Kind: recordMail, At: s.now().UTC(), Login: e.login, From: e.from,
		MessageID: headerField(e.raw, "Message-ID"), Size: len(e.raw), Persona: e.persona, Acted: e.persona != ""}
	s.mu.Lock()
	defer s.mu.Unlock()
	first := len(s.received)
	body := e.raw
	if s.route(&r, e) {
		s.address(&r, e)
	} else {
		body = nil
	}
	if err := s.commit(r, body); err != nil {
		return nil, err
	}
	return s.wake(s.received[first:]), nil
}

// route separates the recipients into places (accounts) and prospects, and reports whether the body
// is needed. Only mail that came over SMTP counts for prospects: mail between personas makes no
// persona act.
func (s *store) route(r *record, e envelope) (needed bool) {
	needed = !s.lean
	for _, to := range e.to {
		if s.boxes[fold(to)] != nil {
			needed = true
		} else if e.login != "" {
			r.Prospects = append(r.Prospects, to)
			needed = needed || s.due(to)
		} else {
			needed = true
		}
	}
	return needed
}

// address adds the message to its places: INBOX of each account, the catch-all for prospects, and
// the sender's Sent folder, like the large providers do for mail that they relay. A message in
// several folders is stored once.
func (s *store) address(r *record, e envelope) {
	for _, to := range e.to {
		home := fold(to)
		if s.boxes[home] == nil {
			home = e.home
		}
		folder, written := folderInbox, trace(e.from, to, r.At)
		if e.login != "" && s.boxes[fold(to)] != nil {
			folder, written = folderFor(to), authentication(e, to)+written
		}
		s.put(r, home, folder, written)
	}
	if e.login != "" && !s.lean {
		s.put(r, fold(e.login), folderSent, "", imap.FlagSeen)
	}
}

// put adds one place. Two places in one folder get consecutive UIDs.
func (s *store) put(r *record, account, name, trace string, flags ...imap.Flag) {
	f, err := s.folder(account, name)
	if err != nil {
		return
	}
	uid := f.next
	for _, p := range r.Places {
		if p.Account == account && p.Folder == f.name {
			uid++
		}
	}
	r.Places = append(r.Places, place{Account: account, Folder: f.name, UID: uid, Flags: canonical(flags), Trace: trace})
}

// due reports whether mail to the address makes its persona act.
func (s *store) due(address string) bool {
	stance := s.stances[fold(address)]
	return personaOf(address).acts() && !stance.acted && !stance.waiting
}

// wake returns the first messages of personas that have not acted, and marks these personas as
// waiting to act.
func (s *store) wake(received []Received) (woken []Received) {
	for _, r := range received {
		if r.body > 0 && s.due(r.To) {
			s.stances[fold(r.To)] = stance{waiting: true}
			woken = append(woken, r)
		}
	}
	return woken
}

// overdue is wake at the start: it returns the tasks that an earlier process did not finish.
func (s *store) overdue() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wake(s.received)
}

// trace returns the header lines that final delivery adds at the top (RFC 5321, section 4.4).
// Delivered-To shows the recipient to readers of the catch-all.
func trace(from, to string, at time.Time) string {
	return fmt.Sprintf("Return-Path: <%s>\r\nDelivered-To: %s\r\nReceived: from sandbox by %s with ESMTPA; %s\r\n",
		from, to, hostName, at.Format(time.RFC1123Z))
}

// junkName is the local part of accounts whose mail arrives as junk.
const junkName = "junk"

// folderFor returns the folder for mail from one account to another.
func folderFor(to string) string {
	if local, _, _ := strings.Cut(fold(to), "@"); local == junkName {
		return folderJunk
	}
	return folderInbox
}

// unsignedLabel is the first label of domains whose mail has no DKIM signature and fails DMARC.
const unsignedLabel = "unsigned."

// authentication returns the field with the verdicts of the recipient's provider on a mail (RFC
// 8601).
func authentication(e envelope, to string) string {
	_, own, _ := strings.Cut(fold(e.from), "@")
	_, theirs, _ := strings.Cut(fold(to), "@")
	dkim, dmarc := "pass header.d="+own, "pass"
	if strings.HasPrefix(own, unsignedLabel) {
		dkim, dmarc = "none", "fail"
	}
	return fmt.Sprintf("Authentication-Results: mx.%s;\r\n spf=pass smtp.mailfrom=%s;\r\n dkim=%s;\r\n dmarc=%s header.from=%s\r\n",
		theirs, e.from, dkim, dmarc, own)
}

// headerField returns the unfolded value of the first header field of that name. It allocates
// nothing for other fields.
func headerField(raw []byte, name string) string {
	for len(raw) > 0 {
		line, rest := cutField(raw)
		if len(bytes.TrimSpace(line)) == 0 {
			return ""
		}
		if key, value, found := bytes.Cut(line, []byte{':'}); found && strings.EqualFold(string(bytes.TrimSpace(key)), name) {
			return strings.Join(strings.Fields(string(value)), " ")
		}
		raw = rest
	}
	return ""
}

// cutField splits off one header field with its continuation lines.
func cutField(raw []byte) (field, rest []byte) {
	for i, c := range raw {
		if c == '\n' && (i+1 == len(raw) || raw[i+1] != ' ' && raw[i+1] != '\t') {
			return raw[:i+1], raw[i+1:]
		}
	}
	return raw, nil
}
