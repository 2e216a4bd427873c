package sandbox

import (
	"bytes"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jhillyerd/enmime/v2"
)

// incoming is a message as a persona reads it.
type incoming struct {
	task
	raw     []byte
	now     time.Time
	content *enmime.Envelope
}

// readIncoming reads a message. Parts that are broken are empty.
func readIncoming(t task, raw []byte, now time.Time) incoming {
	content, err := enmime.ReadEnvelope(bytes.NewReader(raw))
	if err != nil {
		content = &enmime.Envelope{Root: &enmime.Part{}}
	}
	return incoming{task: t, raw: raw, now: now, content: content}
}

func (m incoming) header(name string) string { return headerField(m.raw, name) }

func (m incoming) subject() string {
	decoded, err := new(mime.WordDecoder).DecodeHeader(m.header("Subject"))
	if err != nil {
		return m.header("Subject")
	}
	return decoded
}

// from returns the address for a person's answer: Reply-To, else From, else the envelope sender.
func (m incoming) from() string {
	for _, name := range []string{"Reply-To", "From"} {
		if list, err := mail.ParseAddressList(m.header(name)); err == nil {
			return list[0].Address
		}
	}
	return m.From
}

// sender returns the name for a greeting.
func (m incoming) sender() string {
	address, err := mail.ParseAddress(m.header("From"))
	if err != nil || address.Name == "" {
		return "there"
	}
	name, _, _ := strings.Cut(address.Name, " ")
	return name
}

// me returns the name and address of the persona: the name in To, else that of its address.
func (m incoming) me() mail.Address {
	list, _ := mail.ParseAddressList(m.header("To"))
	for _, address := range list {
		if fold(address.Address) == fold(m.To) && address.Name != "" {
			return *address
		}
	}
	return mail.Address{Name: nameOf(m.To), Address: m.To}
}

// nameOf returns the name of a person by their address: reply.anna.keller+7@example.com is Anna Keller.
func nameOf(address string) string {
	local, _, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	words := strings.FieldsFunc(local, func(c rune) bool { return c == '.' || c == '_' })
	if len(words) > 1 && personaOf(words[0]) != personaSilent {
		words = words[1:]
	}
	for i, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[i] = string(unicode.ToUpper(first)) + word[size:]
	}
	return strings.Join(words, " ")
}

func (m incoming) domain() string {
	return m.To[strings.LastIndexByte(m.To, '@')+1:]
}

// quoted returns the original text with marks of quotation.
func (m incoming) quoted() string {
	var b strings.Builder
	fmt.Fprintf(&b, "On %s, %s wrote:\n", m.At.Format("Mon, 2 Jan 2006 at 15:04"), m.header("From"))
	for line := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(m.content.Text, "\r\n", "\n")), "\n") {
		b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
	return b.String()
}

// draft is a message that is being written. Header fields keep their order.
type draft struct{ bytes.Buffer }

func (d *draft) field(name, value string) {
	if value != "" {
		fmt.Fprintf(d, "%s: %s\r\n", name, value)
	}
}

// head writes the header fields of every answer of a persona.
func (m incoming) head(d *draft, from mail.Address, to, subject string) {
	d.field("From", from.String())
	d.field("To", to)
	d.field("Subject", mime.QEncoding.Encode("utf-8", subject))
	d.field("Date", m.now.Format(time.RFC1123Z))
	d.field("Message-ID", "<"+uuid.NewString()+"@"+m.domain()+">")
	d.field("In-Reply-To", m.MessageID)
	d.field("References", strings.TrimSpace(m.header("References")+" "+m.MessageID))
	d.field("MIME-Version", "1.0")
}

// text ends the header and writes a body of plain text.
func (d *draft) text(body string) {
	d.field("Content-Type", "text/plain; charset=utf-8")
	d.field("Content-Transfer-Encoding", "quoted-printable")
	d.WriteString("\r\n")
	w := quotedprintable.NewWriter(d)
	// Writes to memory do not fail.
	_, _ = w.Write([]byte(strings.ReplaceAll(body, "\n", "\r\n")))
	_ = w.Close()
}
