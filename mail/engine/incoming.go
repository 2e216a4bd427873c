package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
	"outreach/mail/classify"
)

// The bounds of what one incoming message may put into the store.
const (
	maxKey        = 900 // bytes of a Message-ID
	maxAddress    = 320
	maxSubject    = 1000
	maxReferences = 100
	maxBounces    = 100
	maxReport     = 8 << 10 // bytes of the text of a report
)

var faults = map[classify.Class]outreach.Fault{
	classify.RecipientFault: outreach.FaultRecipient,
	classify.Transient:      outreach.FaultTransient,
	classify.SenderFault:    outreach.FaultSender,
}

// reader is what reading a message of one mailbox needs to know.
type reader struct {
	own      string // the address of the mailbox
	keyring  *outreach.Keyring
	provider classify.Provider
}

func newReader(box *outreach.Mailbox, keyring *outreach.Keyring) *reader {
	return &reader{
		own: box.Email, keyring: keyring,
		provider: classify.NewProvider(box.SMTP.Host, box.IMAP.Host, outreach.EmailDomain(box.Email)),
	}
}

// signed returns the messages whose links a message holds, in the order in which
// they stand there.
func (r *reader) signed(m *classify.Message) (ids []uuid.UUID) {
	for _, token := range m.Tokens() {
		for _, kind := range []outreach.LinkKind{outreach.LinkUnsubscribe, outreach.LinkClick, outreach.LinkOpen} {
			if to, _, _, ok := outreach.OpenLink(r.keyring, kind, token); ok && !slices.Contains(ids, to.ID) {
				ids = append(ids, to.ID)
			}
		}
	}
	return ids
}

// letter is a message on its way from the server into the store.
type letter struct {
	*reader
	raw  []byte // until it is read
	in   outreach.Received
	text *classify.Message // of a reply that is not interpreted yet
	ours bool              // it is new, and about something of ours
	sent []string          // the texts of our messages to its author
}

// read finds out what a message may be about, and what a mail system reports. A
// reply by a person or a program stays to be interpreted. It cannot fail: what
// makes no sense is ignored. Of a message that has been read no more is kept than
// its text.
func (l *letter) read() {
	if l.in.Key != "" {
		return
	}
	raw := l.raw
	l.raw = nil
	defer l.survive(func() string { return hashOf(raw) })
	m, err := classify.Read(bytes.NewReader(raw))
	l.in.Key = hashOf(raw)
	if err == nil && m.MessageID != "" && len(m.MessageID) <= maxKey {
		l.in.Key = storable(m.MessageID, maxKey) + " " + contentOf(m, raw)
	}
	l.in.Kind = outreach.ReceivedIgnored
	if err != nil {
		return
	}
	verdict, report := m.Report()
	answer := !report
	if answer && outreach.FoldEmail(m.From) == outreach.FoldEmail(l.own) {
		return
	}
	l.in.From = storable(m.From, maxAddress)
	l.in.Links = l.signed(m)
	if subject := storable(m.Subject, maxSubject); subject != "" {
		l.in.Subject = &subject
	}
	if answer {
		l.in.Kind, l.in.References, l.text = outreach.ReceivedReply, references(m.Answered(), m), m
		l.in.Header = headerOf(m)
		m.Slim()
		return
	}
	l.in.References = references(verdict.OriginalMessageIDs, m)
	fill(&l.in, verdict)
	l.fillReport(m)
}

// maxThread bounds how many Message-IDs of a thread are kept.
const maxThread = 20

// headerOf returns what an answer to a mail goes by: what an answer's own header can
// hold, the first of the thread and the latest.
func headerOf(m *classify.Message) (h outreach.ReplyHeader) {
	if mail.ValidMessageID(m.MessageID) {
		h.ID = m.MessageID
	}
	named := m.References
	if len(named) == 0 && m.InReplyTo != "" {
		named = []string{m.InReplyTo} // RFC 5322, 3.6.4
	}
	for _, id := range named {
		if mail.ValidMessageID(id) && id != h.ID && !slices.Contains(h.Thread, id) {
			h.Thread = append(h.Thread, id)
		}
	}
	if n := len(h.Thread); n > maxThread {
		h.Thread = append(h.Thread[:1:1], h.Thread[n-maxThread+1:]...)
	}
	h.ReplyTo = storable(m.ReplyTo(), maxAddress)
	return h
}

// survive makes of a message at which its reader panicked one that is ignored:
// whatever a stranger can write must not stop a mailbox.
func (l *letter) survive(key func() string) {
	if recover() == nil {
		return
	}
	if l.in.Key == "" {
		l.in.Key = key()
	}
	l.in, l.text = outreach.Received{Key: l.in.Key, Kind: outreach.ReceivedIgnored}, nil
}

// interpret finds out what a reply says if it is about something of ours; a
// message that is not is only known again. What it says of days is meant from when
// it came, which may be long before it is read.
func (l *letter) interpret(now time.Time) {
	defer l.survive(nil)
	if !l.ours {
		l.in, l.text = outreach.Received{Key: l.in.Key, Kind: outreach.ReceivedIgnored}, nil
	}
	if l.text != nil {
		if came := l.in.At; !came.IsZero() && came.Before(now) {
			now = came
		}
		fillAnswer(&l.in, l.text.Answer(now, l.sent...))
		l.text = nil
	}
}

// meaningless holds for what need not even be known again.
func (l letter) meaningless() bool {
	return l.in.Kind == outreach.ReceivedIgnored && len(l.in.References) == 0
}

// fillReport adds what a report without any of our ids is judged by, and what is
// shown of one that does not count.
func (l *letter) fillReport(m *classify.Message) {
	if l.in.Kind != outreach.ReceivedBounce && l.in.Kind != outreach.ReceivedComplaint {
		return
	}
	l.in.Text = storable(m.Text, maxReport)
	if len(l.in.References)+len(l.in.Links) > 0 && l.in.Kind == outreach.ReceivedComplaint {
		return
	}
	l.in.Shown = m.Shown()
	origin := m.Origin(l.provider)
	for i := range l.in.Bounces {
		l.in.Bounces[i].Vouched = origin.Provider || origin.From(outreach.EmailDomain(l.in.Bounces[i].Address))
	}
}

// fill adds what belongs to the kind of the message.
func fill(in *outreach.Received, v classify.Verdict) {
	switch {
	case v.Class == classify.Complaint && v.FeedbackType != "auth-failure":
		in.Kind, in.Bounces = outreach.ReceivedComplaint, addressesOf(v)
	case v.Class.Bounce() && !v.Delayed:
		if in.Bounces = bouncesOf(v); len(in.Bounces) > 0 {
			in.Kind = outreach.ReceivedBounce
		}
	}
}

// fillAnswer adds what a person or a program answered.
func fillAnswer(in *outreach.Received, a classify.Answer) {
	in.Kind, in.Text, in.OptOut = outreach.ReceivedReply, storable(a.Text, len(a.Text)), a.OptOut
	if full := storable(strings.TrimSpace(a.FullText), len(a.FullText)); full != in.Text {
		in.FullText = full
	}
	if a.Class == classify.Automatic {
		in.Kind, in.Reason, in.ReturnDate = outreach.ReceivedAutomatic, new(storable(a.Reason, maxSubject)), a.ReturnDate
		return
	}
	in.Interest, in.Reason = new(outreach.Interest(a.Interest)), new(storable(a.InterestReason, maxSubject))
}

// bouncesOf gives the recipients that a report gives up. One that is still being
// tried may yet get the message.
func bouncesOf(v classify.Verdict) (bounces []outreach.Bounce) {
	for _, r := range v.Recipients[:min(len(v.Recipients), maxBounces)] {
		if r.Delayed || !r.Class.Bounce() {
			continue
		}
		words := r.Diagnostic
		if words == "" {
			words = strings.TrimSpace(r.Status + " " + r.Reason)
		}
		bounces = append(bounces, outreach.Bounce{Address: addressOf(r), Fault: faults[r.Class], Error: storable(words, maxSubject)})
	}
	return bounces
}

// addressesOf gives whom a complaint is from, without a fault: nothing failed.
func addressesOf(v classify.Verdict) (who []outreach.Bounce) {
	for _, r := range v.Recipients[:min(len(v.Recipients), maxBounces)] {
		if address := addressOf(r); address != "" {
			who = append(who, outreach.Bounce{Address: address, Error: storable(v.Reason, maxSubject)})
		}
	}
	return who
}

// addressOf prefers the address that we wrote to over the one it led to.
func addressOf(r classify.Recipient) string {
	if r.Original != "" {
		return storable(r.Original, maxAddress)
	}
	return storable(r.Address, maxAddress)
}

// references are the ids that a message may be about, likeliest first: those that
// it names in its header or returns, then any that its text quotes.
func references(named []string, m *classify.Message) []string {
	ids := append(slices.Clone(named), quotedIDs(m.Text)...)
	seen := map[string]bool{"": true, m.MessageID: true}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		useless := seen[id] || len(id) > maxKey || storable(id, maxKey) != id
		seen[id] = true
		return useless
	})
	return ids[:min(len(ids), maxReferences)]
}

// ours is what mail.NewMessageID makes, as far as a quotation shows it.
var ours = regexp.MustCompile(`^[a-z2-7]{24}@[A-Za-z0-9.-]{1,200}[A-Za-z0-9]`)

const ourLength = 24 // of the part before the @

// quotedIDs finds ids of ours in a text.
func quotedIDs(text string) (ids []string) {
	for at := 0; len(ids) < maxReferences; at++ {
		next := strings.IndexByte(text[at:], '@')
		if next < 0 {
			break
		}
		at += next
		start := at - ourLength
		if start < 0 || start > 0 && isWord(text[start-1]) {
			continue
		}
		if id := ours.FindString(text[start:min(len(text), at+maxDomain)]); id != "" {
			ids = append(ids, "<"+id+">")
		}
	}
	return ids
}

const maxDomain = 202 // of an id of ours, with the @

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

// contentOf tells apart messages that bear one Message-ID: a message in several
// folders is one, two people's answers are two.
func contentOf(m *classify.Message, raw []byte) string {
	_, body, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !found {
		_, body, _ = bytes.Cut(raw, []byte("\n\n"))
	}
	hash := sha256.New()
	io.WriteString(hash, strings.ToLower(m.From)+"\n"+m.Date.Format(time.RFC3339)+"\n")
	hash.Write(body)
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// hashOf knows a message again that has no Message-ID.
func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// storable is text that Postgres takes: valid UTF-8 without NUL, at most so many
// bytes.
func storable(s string, most int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}
