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

// Bounds of the text that one incoming message may store.
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

// reader holds what is needed to interpret the messages of one mailbox.
type reader struct {
	own      string // the address of the mailbox
	mixed    bool   // the folder may also hold what its owner wrote
	keyring  *outreach.Keyring
	provider classify.Provider
}

func newReader(box *outreach.Mailbox, folder mail.Folder, keyring *outreach.Keyring) *reader {
	return &reader{
		own: box.Email, keyring: keyring, mixed: folder != mail.FolderInbox && folder != mail.FolderJunk,
		provider: classify.NewProvider(box.SMTP.Host, box.IMAP.Host, outreach.EmailDomain(box.Email)),
	}
}

// signedKinds are the tokens that name a message: those of its links, and its reference.
var signedKinds = []outreach.LinkKind{outreach.LinkUnsubscribe, outreach.LinkClick, outreach.LinkOpen, outreach.LinkMessage}

// signed returns the messages that the tracked links of m belong to, in the order of the links.
func (r *reader) signed(m *classify.Message) (ids []uuid.UUID) {
	for _, token := range m.Tokens() {
		for _, kind := range signedKinds {
			if to, _, _, ok := outreach.OpenLink(r.keyring, kind, token); ok && !slices.Contains(ids, to.ID) {
				ids = append(ids, to.ID)
			}
		}
	}
	return ids
}

// incoming is one incoming message while it is read, interpreted and ingested.
type incoming struct {
	*reader
	raw  []byte // nil after read
	cut  bool   // raw is only the beginning
	in   outreach.Received
	text *classify.Message   // set for a reply that is not interpreted yet
	ours bool                // the message is new, and matches something of the workspace
	sent []outreach.SentText // our messages to its author
	// byAddress reports that only the author's address matches one of sent.
	byAddress bool
}

// read determines which messages an incoming message may be about, and what a report says. A reply
// is interpreted later. read does not fail: a message that cannot be parsed is ignored. After read
// only the text is kept.
func (msg *incoming) read() {
	if msg.in.Key != "" {
		return
	}
	raw := msg.raw
	msg.raw = nil
	defer msg.survive(func() string { return hashOf(raw) })
	m, err := classify.Read(bytes.NewReader(raw))
	msg.in.Key = hashOf(raw)
	if err == nil && m.MessageID != "" && len(m.MessageID) <= maxKey {
		msg.in.Key = storable(m.MessageID, maxKey) + " " + contentOf(m, raw)
	}
	msg.in.Kind = outreach.ReceivedIgnored
	if err != nil {
		return
	}
	if _, _, _, check := outreach.OpenLink(msg.keyring, outreach.LinkPlacement, strings.TrimSpace(m.Header(mail.HeaderRef))); check {
		return // from another mailbox of the workspace
	}
	if msg.mixed && m.Header("Received") == "" {
		return // never delivered: a draft, or a copy of what was sent
	}
	verdict, report := m.Report()
	answer := !report
	if answer && outreach.SameEmail(m.From, msg.own) {
		return
	}
	msg.in.From = storable(m.From, maxAddress)
	msg.in.Links = msg.signed(m)
	if subject := storable(m.Subject, maxSubject); subject != "" {
		msg.in.Subject = &subject
	}
	if answer {
		msg.in.Kind, msg.in.References, msg.text = outreach.ReceivedReply, references(m.Answered(), m), m
		msg.in.Header = headerOf(m)
		if msg.in.Header.ID != "" { // by which the mail is found again
			msg.in.Attachments = mail.Attachments(raw, msg.cut)
		}
		m.Slim()
		return
	}
	msg.in.References = references(verdict.OriginalMessageIDs, m)
	fill(&msg.in, verdict)
	msg.fillReport(m)
}

// maxThread bounds how many Message-IDs of a thread are kept.
const maxThread = 20

// headerOf returns the header fields that an answer to m needs: its Message-ID, the first and the
// latest Message-IDs of the thread, and Reply-To.
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

// survive turns a message at which the reader panicked into an ignored message, so that no content
// can stop a mailbox.
func (msg *incoming) survive(key func() string) {
	if recover() == nil {
		return
	}
	if msg.in.Key == "" {
		msg.in.Key = key()
	}
	msg.ignore()
}

// ignore keeps nothing of the message but its key.
func (msg *incoming) ignore() {
	msg.in, msg.text = outreach.Received{Key: msg.in.Key, Kind: outreach.ReceivedIgnored}, nil
}

// interpret classifies a reply that matches something of the workspace. Other replies are only
// recorded by key. Dates in the text are relative to the time of arrival, which may be long before
// now.
func (msg *incoming) interpret(now time.Time) {
	defer msg.survive(nil)
	if !msg.ours {
		msg.ignore()
	}
	if msg.text == nil {
		return
	}
	if came := msg.in.At; !came.IsZero() && came.Before(now) {
		now = came
	}
	sent := make([]classify.Sent, len(msg.sent))
	for i, ours := range msg.sent {
		sent[i] = classify.Sent{Text: ours.Text, At: ours.At}
		if msg.byAddress {
			sent[i].Subject = ours.Subject
		}
	}
	fillAnswer(&msg.in, msg.text.Answer(now, sent...))
	msg.text = nil
}

// meaningless reports whether the message need not be recorded by key.
func (msg incoming) meaningless() bool {
	return msg.in.Kind == outreach.ReceivedIgnored && len(msg.in.References) == 0
}

// fillReport adds the text by which a report without a known Message-ID is matched, and the text
// that is shown for an unmatched one.
func (msg *incoming) fillReport(m *classify.Message) {
	if msg.in.Kind != outreach.ReceivedBounce && msg.in.Kind != outreach.ReceivedComplaint {
		return
	}
	msg.in.Text = storable(m.Text, maxReport)
	if len(msg.in.References)+len(msg.in.Links) > 0 && msg.in.Kind == outreach.ReceivedComplaint {
		return
	}
	msg.in.Shown = m.Shown()
	origin := m.Origin(msg.provider)
	for i := range msg.in.Bounces {
		msg.in.Bounces[i].Vouched = origin.Provider || origin.From(outreach.EmailDomain(msg.in.Bounces[i].Address))
	}
}

// fill adds the fields of the message's kind.
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

// fillAnswer adds the fields of a reply.
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

// bouncesOf returns the recipients of a final report, without those for which the server still
// retries.
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

// addressesOf returns the recipients named by a complaint. They have no fault.
func addressesOf(v classify.Verdict) (who []outreach.Bounce) {
	for _, r := range v.Recipients[:min(len(v.Recipients), maxBounces)] {
		if address := addressOf(r); address != "" {
			who = append(who, outreach.Bounce{Address: address, Error: storable(v.Reason, maxSubject)})
		}
	}
	return who
}

// addressOf returns the original recipient, or the final one if the report does not name the
// original.
func addressOf(r classify.Recipient) string {
	if r.Original != "" {
		return storable(r.Original, maxAddress)
	}
	return storable(r.Address, maxAddress)
}

// references returns the Message-IDs that a message may be about, most likely first: those in its
// header or in the returned message, then those that its text quotes.
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

// ours matches a Message-ID made by mail.NewMessageID in a quoted text.
var ours = regexp.MustCompile(`^[a-z2-7]{24}@[A-Za-z0-9.-]{1,200}[A-Za-z0-9]`)

const ourLength = 24 // length of the part before the @

// quotedIDs returns the Message-IDs made by this service that a text quotes.
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

const maxDomain = 202 // longest domain of such an id, with the @

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

// contentOf returns a hash of sender, date and body. Copies of a message in several folders have
// the same hash; different messages with one Message-ID do not.
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

// hashOf returns the key of a message without a Message-ID.
func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// storable returns s as text that Postgres accepts: valid UTF-8 without NUL, at most most bytes.
func storable(s string, most int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\x00", "")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}
