package classify

import (
	"bytes"
	"fmt"
	"io"
	"net/mail"
	"net/textproto"
	"strings"
	"time"

	"github.com/jhillyerd/enmime/v2"
)

// Limits of what is looked at. They bound the memory for one message to a small
// multiple of maxBytes whatever its size: text and reports stand before
// attachments, so the head of a message decides.
const (
	maxBytes      = 4 << 20 // of the raw message
	maxText       = 256 << 10
	maxBoundaries = 200 // lines that begin with two hyphens
	maxNesting    = 8   // boundary parameters; enmime takes twice as long for each level left open
	maxPartErrors = 8
)

// Message is one received message, read as far as classification needs it.
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
	// part. NewText is the part of it that its author wrote: without quoted
	// text, without the header block of the original, without a signature.
	// Both hold at most 256 KiB.
	Text    string
	NewText string

	header textproto.MIMEHeader
	parts  []part // leaves in order, text decoded
	html   string
	body   string // the raw body, for messages whose MIME structure is broken
}

// part is a leaf of the MIME tree.
type part struct {
	mediaType string
	text      string
}

// Read parses one raw message. A leading mbox "From " line is skipped; broken
// MIME is survived and read as text. Only the first 4 MiB are read and kept, so
// r may be left unread. The error is that of r; malformed mail is no error.
func Read(r io.Reader) (*Message, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxBytes))
	if err != nil {
		return nil, fmt.Errorf("read message: %w", err)
	}
	raw = bound(skipEnvelopeLine(raw))
	m := &Message{}
	m.header, m.body = splitHeader(raw)
	if root := parse(raw); root != nil {
		m.takeParts(root)
	}
	m.takeHeader()
	m.takeText()
	return m, nil
}

// Header gives the first value of a header field, unfolded and decoded
// (RFC 2047), or an empty string.
func (m *Message) Header(name string) string {
	if values := m.HeaderValues(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// HeaderValues gives every value of a header field, unfolded and decoded.
func (m *Message) HeaderValues(name string) []string {
	raw := m.header.Values(name)
	values := make([]string, len(raw))
	for i, v := range raw {
		values[i] = decodeWords(v)
	}
	return values
}

// parse gives the MIME tree, or nil when there is none to be had. A panic of
// the MIME library must not stop the reading of a mailbox.
func parse(raw []byte) (root *enmime.Part) {
	defer func() {
		if recover() != nil {
			root = nil
		}
	}()
	parser := enmime.NewParser(
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
	root.DepthMatchAll(func(p *enmime.Part) bool {
		mediaType := strings.ToLower(p.ContentType)
		if mediaType == "" {
			mediaType = "text/plain"
		}
		if p.FirstChild == nil && readable(mediaType) && len(p.Content) > 0 {
			m.parts = append(m.parts, part{mediaType, clip(string(p.Content), maxText)})
		}
		return false
	})
}

// readable tells which leaves are text of some sort; the others are never kept.
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

// takeText fills Text and NewText from the parts that are the message's own.
func (m *Message) takeText() {
	var plain, html []string
	for _, p := range m.parts {
		switch p.mediaType {
		case "text/plain":
			plain = append(plain, p.text)
		case "text/html":
			html = append(html, p.text)
		}
	}
	m.html = strings.Join(html, "\n")
	m.Text = tidy(strings.Join(plain, "\n"))
	if strings.TrimSpace(m.Text) == "" {
		m.Text = tidy(htmlText(m.html))
	}
	if m.Text == "" && len(m.parts) == 0 {
		m.Text = tidy(clip(m.body, maxText))
	}
	m.NewText = newText(m.Text)
}

// tidy gives text with plain line ends, valid UTF-8 and no NUL.
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
