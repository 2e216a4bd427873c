package classify

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"mime"
	"net/mail"
	"net/textproto"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jhillyerd/enmime/v2"
)

// Limits of what is read. They bound the memory for one message to a small multiple of maxBytes,
// whatever its size. Text and reports come before attachments, so the start of a message is enough.
const (
	maxText       = 256 << 10
	maxBoundaries = 200 // lines that begin with two hyphens
	maxNesting    = 8   // boundary parameters; enmime takes twice as long for each level left open
	maxPartErrors = 8
	maxRecipients = 100 // of one report
)

// Message is one received message, as far as classification needs it.
type Message struct {
	// MessageID and InReplyTo are identifiers in angle brackets, or empty.
	MessageID string
	InReplyTo string
	// References lists the identifiers of the thread, oldest first.
	References []string
	// From is the bare address of the author, FromName the display name.
	From     string
	FromName string
	// To holds the bare addresses of To and Cc.
	To      []string
	Subject string
	// Date is the Date header in UTC; zero when absent or unreadable.
	Date time.Time
	// Text is the body as plain text, made from HTML where there is no plain
	// part; at most 256 KiB.
	Text string

	header textproto.MIMEHeader
	parts  []part // leaves in order, text decoded
	rest   []byte // the raw body, for messages with a broken MIME structure
	trace  []traceField

	opaque string  // the kind of a message whose words cannot be read; empty for others
	answer string  // to an invitation: accepted, declined, tentative
	read   reader  // of its sentences
	inner  *string // the reply in the returned message, once it was looked for
}

// Split separates the author's text from quotations. sent holds the texts of our messages in the
// thread, if they are known.
func (m *Message) Split(sent ...string) Split { return splitText(m.Text, sent) }

// NewText returns what the author wrote, as shown to users; the whole text if nothing else is left.
func (m *Message) NewText(sent ...string) string {
	if written := m.Split(sent...).Written; written != "" {
		return written
	}
	return strings.TrimSpace(m.Text)
}

// Slim releases what only Report and Kind read, so that a waiting message needs little more memory
// than its text.
func (m *Message) Slim() { m.parts, m.rest = nil, nil }

// body returns the raw body, cut to the largest size of a part.
func (m *Message) body() string {
	return clip(string(m.rest[:min(len(m.rest), maxText+utf8.UTFMax)]), maxText)
}

// part is a leaf of the MIME tree.
type part struct {
	mediaType string
	text      string
	attached  bool // a file, which is never read as words
}

// attachedFile reports whether a part is a file rather than part of the text.
func attachedFile(p *enmime.Part) bool {
	return p.Disposition == "attachment" || p.FileName != ""
}

// Read parses one raw message. It skips a leading mbox "From " line and reads broken MIME as text.
// It reads and keeps only the first 4 MiB, so r may not be read to its end. It returns an error
// only if r does; malformed mail is not an error.
func Read(r io.Reader) (*Message, error) {
	raw, err := compact(r)
	if err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}
	raw = bound(skipEnvelopeLine(raw))
	m := &Message{trace: traceFields(raw)}
	m.header, m.rest = splitHeader(raw)
	if isPlain(m.header, m.rest) {
		m.parts = []part{{mediaType: "text/plain", text: m.body()}}
	} else if root := parse(raw); root != nil {
		m.takeParts(root)
	}
	m.takeHeader()
	m.takeText()
	return m, nil
}

// Header returns the first value of a header field, unfolded and decoded (RFC 2047), or an empty
// string.
func (m *Message) Header(name string) string {
	if values := m.HeaderValues(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// HeaderValues returns all values of a header field, unfolded and decoded.
func (m *Message) HeaderValues(name string) []string {
	raw := m.header.Values(name)
	values := make([]string, len(raw))
	for i, v := range raw {
		values[i] = decodeWords(v)
	}
	return values
}

// isPlain reports whether a body needs no decoding and its character set is the stated one.
func isPlain(header textproto.MIMEHeader, body []byte) bool {
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "", "7bit", "8bit":
	default:
		return false
	}
	if stated := header.Get("Content-Type"); stated != "" {
		mediaType, params, err := mime.ParseMediaType(stated)
		if charset := strings.ToLower(params["charset"]); err != nil || mediaType != "text/plain" || charset != "" &&
			charset != "us-ascii" && charset != "utf-8" {
			return false
		}
	}
	return len(body) > 0 && sound(body)
}

// sound reports whether a text is UTF-8. An escape may begin another character set.
func sound(text []byte) bool {
	return utf8.Valid(text) && bytes.IndexByte(text, 0x1b) < 0
}

// parse returns the MIME tree, or nil if there is none. It uses the stated character sets unless
// the text does not fit them. Then it reads the text byte by byte and guesses the character set.
func parse(raw []byte) *enmime.Part {
	root := parseTree(raw)
	if root == nil || root.DepthMatchFirst(doubtful) == nil {
		return root
	}
	again := parseTree(asBytes(raw))
	if again == nil {
		return root
	}
	stated := leaves(root)
	for i, p := range leaves(again) {
		if i < len(stated) && readable(strings.ToLower(p.ContentType)) {
			p.Content = []byte(guess(string(p.Content), stated[i].Charset))
		}
	}
	return again
}

// leaves returns the parts without parts of their own, in order.
func leaves(root *enmime.Part) []*enmime.Part {
	return root.DepthMatchAll(func(p *enmime.Part) bool { return p.FirstChild == nil })
}

// parseTree recovers from panics of the MIME library, so that they do not stop the reading of a
// mailbox.
func parseTree(raw []byte) (root *enmime.Part) {
	defer func() {
		if recover() != nil {
			root = nil
		}
	}()
	parser := enmime.NewParser(
		enmime.DisableCharacterDetection(true),
		enmime.SkipMalformedParts(true),
		enmime.MultipartWOBoundaryAsSinglePart(true),
		enmime.MaxStoredPartErrors(maxPartErrors),
		enmime.SetReadPartErrorPolicy(enmime.AllowCorruptTextPartErrorPolicy),
	)
	root, err := parser.ReadParts(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	return root
}

func (m *Message) takeParts(root *enmime.Part) {
	for _, p := range leaves(root) {
		mediaType := strings.ToLower(p.ContentType)
		if mediaType == "" {
			mediaType = "text/plain"
		}
		if !readable(mediaType) || len(p.Content) == 0 {
			m.opaque = cmp.Or(m.opaque, opaqueKinds[mediaType])
			continue
		}
		text := clip(string(p.Content), maxText)
		m.parts = append(m.parts, part{mediaType, text, attachedFile(p)})
	}
}

// readable reports whether a leaf is text of any kind. Others are never kept.
func readable(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.HasPrefix(mediaType, "message/") ||
		strings.HasPrefix(mediaType, "multipart/") || mediaType == "application/json"
}

func (m *Message) takeHeader() {
	m.MessageID = firstID(m.Header("Message-Id"))
	m.InReplyTo = firstID(m.Header("In-Reply-To"))
	m.References = messageIDs(strings.Join(m.HeaderValues("References"), " "))
	m.Subject = m.Header("Subject")
	if date, err := mail.ParseDate(m.header.Get("Date")); err == nil {
		m.Date = date.UTC()
	}
	m.FromName, m.From = splitAddress(m.Header("From"))
	to := append(m.HeaderValues("To"), m.HeaderValues("Cc")...)
	m.To = addresses(strings.Join(to, ", "))
}

// takeText sets Text from the parts of the message itself. If the words of a message cannot be
// read, Text names its kind.
func (m *Message) takeText() {
	var plain, html []string
	for _, p := range m.parts {
		switch {
		case p.attached:
		case p.mediaType == "text/plain":
			plain = append(plain, p.text)
		case p.mediaType == "text/html":
			html = append(html, p.text)
		}
	}
	m.Text = tidy(strings.Join(plain, "\n"))
	if strings.TrimSpace(m.Text) == "" {
		m.Text = tidy(htmlText(strings.Join(html, "\n")))
	}
	if m.Text == "" && len(m.parts) == 0 && m.opaque == "" {
		m.Text = tidy(m.body())
	}
	m.takeInvitation()
	m.takeOpaque()
}

// tidy returns text with plain line ends, in valid UTF-8 and without NUL.
func tidy(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	s = strings.ReplaceAll(s, "\x00", "")
	return clip(strings.ToValidUTF8(s, "\uFFFD"), maxText)
}

// clip cuts s to at most n bytes, never inside a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
