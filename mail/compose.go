package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// Draft is the input for composing one message. From, To, MessageID, Date and one body are
// required.
type Draft struct {
	From, FromName string // address and display name
	To, ToName     string
	Cc             []string
	Subject        string
	HTML, Text     string // without Text it is made from HTML
	SignatureHTML  string // appended to both bodies

	MessageID  string   // with its angle brackets, from NewMessageID
	InReplyTo  string   // Message-ID of the step before, empty on the first
	References []string // Message-IDs of the thread, oldest first

	// UnsubscribeURL is the one-click address (RFC 8058), UnsubscribeSubject what a
	// mail to From must have as its subject to do the same. Without the URL there is
	// no header for either.
	UnsubscribeURL     string
	UnsubscribeSubject string
	// Ref identifies the message in a header that providers do not change, unlike some the
	// Message-ID; empty: no header.
	Ref  string
	Date time.Time
}

// Compose returns the bytes of a message with CRLF line ends (RFC 5322): HTML and plain text as
// multipart/alternative, or plain text only. The same draft always has the same bytes, so a
// message that is sent again after a crash is identical. No header names the host or library, and
// none marks the message as bulk mail, which would suppress the out-of-office answers that the
// service reads.
//
// Line breaks in names and the subject become spaces. It returns an error for an address, message
// id or URL that is not valid in a header.
func Compose(d Draft) ([]byte, error) {
	msg := gomail.NewMsg(
		gomail.WithNoDefaultUserAgent(),
		gomail.WithBoundary(boundary(d.MessageID)),
		gomail.WithEncoding(gomail.EncodingQP),
	)
	if err := d.headers(msg); err != nil {
		return nil, err
	}
	if err := d.bodies(msg); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if _, err := msg.WriteTo(&buf); err != nil {
		return nil, fmt.Errorf("compose message: %w", err)
	}
	return buf.Bytes(), nil
}

// boundary is derived from the Message-ID: a random one would make every composition of a message
// different. Outsiders cannot predict it.
func boundary(messageID string) string {
	sum := sha256.Sum256([]byte("boundary " + messageID))
	return hex.EncodeToString(sum[:20])
}

func (d Draft) headers(msg *gomail.Msg) error {
	from, err := mailAddress(d.FromName, d.From)
	if err != nil {
		return fmt.Errorf("sender: %w", err)
	}
	to, err := mailAddress(d.ToName, d.To)
	if err != nil {
		return fmt.Errorf("recipient: %w", err)
	}
	if d.Date.IsZero() {
		return errors.New("compose message: no date")
	}
	msg.FromMailAddress(from)
	msg.ToMailAddress(to)
	for _, address := range d.Cc {
		cc, err := mailAddress("", address)
		if err != nil {
			return fmt.Errorf("recipient: %w", err)
		}
		msg.AddCcMailAddress(cc)
	}
	msg.SetDateWithValue(d.Date.UTC())
	subject := oneLine(strings.ToValidUTF8(d.Subject, "\ufffd"))
	if len(subject) > maxSubject {
		return fmt.Errorf("subject: longer than %d bytes", maxSubject)
	}
	msg.SetGenHeaderPreformatted(gomail.HeaderSubject, foldSubject(subject))
	if d.Ref != "" {
		if !graphic(d.Ref) || len(d.Ref) > 200 {
			return fmt.Errorf("compose message: %q is not a valid reference", d.Ref)
		}
		msg.SetGenHeader(HeaderRef, d.Ref)
	}
	return d.threading(msg)
}

// HeaderRef is the header that holds Draft.Ref.
const HeaderRef = "X-Message-Ref"

// maxSubject keeps an unbroken subject within a header line (RFC 5322 2.1.1).
const maxSubject = 900

// threading sets Message-ID, In-Reply-To, References and List-Unsubscribe.
func (d Draft) threading(msg *gomail.Msg) error {
	ids := append([]string{d.MessageID}, d.References...)
	if d.InReplyTo != "" {
		ids = append(ids, d.InReplyTo)
	}
	for _, id := range ids {
		if !ValidMessageID(id) {
			return fmt.Errorf("compose message: %q is not a message id", id)
		}
	}
	msg.SetMessageIDWithValue(strings.Trim(d.MessageID, "<>"))
	if d.InReplyTo != "" {
		msg.SetGenHeader(gomail.HeaderInReplyTo, d.InReplyTo)
	}
	if refs := d.references(); len(refs) > 0 {
		msg.SetGenHeader(gomail.HeaderReferences, strings.Join(refs, " "))
	}
	if d.UnsubscribeURL == "" {
		return nil
	}
	link, err := url.Parse(d.UnsubscribeURL)
	if err != nil || link.Host == "" || link.Scheme != "https" && link.Scheme != "http" || !graphic(d.UnsubscribeURL) {
		return errors.New("compose message: the unsubscribe address is not a URL")
	}
	ways := "<" + d.UnsubscribeURL + ">"
	if d.UnsubscribeSubject != "" {
		from, err := envelopeAddress(d.From)
		if err != nil {
			return err
		}
		ways += ", <mailto:" + (&url.URL{Path: from}).EscapedPath() + "?subject=" + url.PathEscape(d.UnsubscribeSubject) + ">"
	}
	msg.SetGenHeader(gomail.HeaderListUnsubscribe, ways)
	if link.Scheme == "https" { // RFC 8058, section 3.1
		msg.SetGenHeader(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	return nil
}

// maxReferences limits the header: the first message and the latest ones are enough to place a
// reply in its thread.
const maxReferences = 20

func (d Draft) references() []string {
	refs := d.References
	if d.InReplyTo != "" && (len(refs) == 0 || refs[len(refs)-1] != d.InReplyTo) {
		refs = append(refs[:len(refs):len(refs)], d.InReplyTo)
	}
	if n := len(refs); n > maxReferences {
		refs = append([]string{refs[0]}, refs[n-maxReferences+1:]...)
	}
	return refs
}

func (d Draft) bodies(msg *gomail.Msg) error {
	text := d.Text
	if text != "" && d.SignatureHTML != "" {
		text = strings.TrimRight(text, "\r\n") + "\n\n" + PlainText(d.SignatureHTML) + "\n"
	}
	page := d.HTML
	if page != "" && d.SignatureHTML != "" {
		page = beforeBodyEnd(page, d.SignatureHTML)
	}
	switch {
	case text == "" && page == "":
		return errors.New("compose message: no body")
	case text == "":
		text = PlainText(page)
	}
	msg.SetBodyString(gomail.TypeTextPlain, crlf(text))
	if page != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, crlf(page))
	}
	return nil
}

// crlf ends every line of a body with CRLF (RFC 5322 2.3): one server reads a bare CR or LF inside
// a message as a line end, and another does not.
func crlf(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r", "\n"), "\x00", "")
	return strings.ReplaceAll(s, "\n", "\r\n")
}

// NewMessageID returns a Message-ID with angle brackets from 15 bytes of random, under the domain
// of the sending address or a bare domain. It does not reveal the host.
func NewMessageID(from string, random io.Reader) (string, error) {
	domain := from[strings.LastIndexByte(from, '@')+1:]
	domain, err := idna.Lookup.ToASCII(domain)
	domain = strings.TrimSuffix(domain, ".")
	if err != nil || domain == "" || !graphic(domain) {
		return "", fmt.Errorf("message id: %q is not a domain", domain)
	}
	var b [15]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("message id: %w", err)
	}
	left := strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
	return "<" + left + "@" + strings.ToLower(domain) + ">", nil
}

// ValidMessageID reports whether id can be written into a header without folding or encoding.
func ValidMessageID(id string) bool {
	inner, ok := strings.CutPrefix(id, "<")
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, ">")
	return ok && inner != "" && len(inner) < 900 && graphic(inner) && !strings.ContainsAny(inner, "<>")
}

// graphic reports whether s is visible ASCII without blanks and angle brackets.
func graphic(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || s[i] == '<' || s[i] == '>' {
			return false
		}
	}
	return true
}

// mailAddress checks one address and maps its domain to ASCII (RFC 5891). The part before the @ is
// unchanged, including UTF-8 (RFC 6532).
func mailAddress(name, address string) (*netmail.Address, error) {
	addr, err := envelopeAddress(address)
	if err != nil {
		return nil, err
	}
	// net/mail leaves a backslash inside an encoded word, where it may not be.
	name = strings.ReplaceAll(oneLine(strings.ToValidUTF8(name, "\ufffd")), `\`, "/")
	return &netmail.Address{Name: name, Address: addr}, nil
}

// envelopeAddress returns an address for MAIL FROM and RCPT TO. It returns an error for characters
// that could end the command early or extend it (RFC 5321 4.1.2).
func envelopeAddress(address string) (string, error) {
	address = strings.TrimSuffix(address, ".")
	at := strings.LastIndexByte(address, '@')
	if at < 1 || len(address) > 320 {
		return "", fmt.Errorf("%q is not an e-mail address", address)
	}
	parsed, err := netmail.ParseAddress("<" + address + ">")
	if err != nil || parsed.Address != address {
		return "", fmt.Errorf("%q is not an e-mail address", address)
	}
	if strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || isControl(r) || strings.ContainsRune(`<>"\,;:`, r) }) {
		return "", fmt.Errorf("%q is not an e-mail address", address)
	}
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil {
		return "", fmt.Errorf("%q is not an e-mail address", address)
	}
	return address[:at+1] + strings.TrimSuffix(domain, "."), nil
}
