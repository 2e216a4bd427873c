package classify

import (
	"bytes"
	"io"
	"mime"
	"net/mail"
	"net/textproto"
	"regexp"
	"strings"

	"golang.org/x/net/html/charset"
)

// skipEnvelopeLine drops blank lines and an mbox "From " line that some
// mailboxes put before the header.
func skipEnvelopeLine(raw []byte) []byte {
	raw = bytes.TrimLeft(raw, "\r\n")
	for bytes.HasPrefix(raw, []byte("From ")) || bytes.HasPrefix(raw, []byte(">From ")) {
		_, rest, found := bytes.Cut(raw, []byte("\n"))
		if !found {
			return nil
		}
		raw = rest
	}
	return raw
}

// bound cuts a message off if it has more parts or deeper nesting than real mail, so that a small
// message cannot become a huge tree.
func bound(raw []byte) []byte {
	boundaries, nesting := 0, 0
	for at := 0; at < len(raw); {
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			end = len(raw) - at - 1
		}
		line := raw[at : at+end+1]
		if bytes.HasPrefix(line, []byte("--")) {
			boundaries++
		}
		if len(line) < 1000 && hasBoundary(line) {
			nesting++
		}
		if boundaries > maxBoundaries || nesting > maxNesting {
			return raw[:at]
		}
		at += end + 1
	}
	return raw
}

// hasBoundary reports whether a line names a boundary, in any case.
func hasBoundary(line []byte) bool {
	const name = "boundary"
	for at, rest := 0, line; ; {
		i := bytes.IndexByte(rest, '=')
		if i < 0 {
			return false
		}
		at += i
		if at >= len(name) && strings.EqualFold(string(line[at-len(name):at]), name) {
			return true
		}
		at++
		rest = line[at:]
	}
}

// splitHeader reads the header leniently: a line that is not a field is skipped, unless it is the
// first one. Then there is no header.
func splitHeader(raw []byte) (header textproto.MIMEHeader, body []byte) {
	header = textproto.MIMEHeader{}
	last, value := "", []byte(nil) // the field that is being read; it may continue on the next line
	keep := func() {
		if last != "" {
			header[last] = append(header[last], string(value))
		}
	}
	defer keep()
	for len(raw) > 0 {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			return header, rest
		}
		if (line[0] == ' ' || line[0] == '\t') && last != "" {
			value = append(append(value, ' '), bytes.TrimSpace(line)...)
		} else if name, text, ok := field(string(line)); ok {
			keep()
			last, value = textproto.CanonicalMIMEHeaderKey(name), []byte(text)
		} else if last == "" {
			return header, raw
		}
		raw = rest
	}
	return header, nil
}

// field splits one header line; the name must look like one (RFC 5322, 2.2).
func field(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(line, ":")
	name = strings.TrimRight(name, " \t")
	if !ok || name == "" || len(name) > 76 {
		return "", "", false
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return "", "", false
		}
	}
	return name, strings.TrimSpace(value), true
}

var words = mime.WordDecoder{CharsetReader: func(label string, input io.Reader) (io.Reader, error) {
	return charset.NewReaderLabel(label, input)
}}

// decodeWords decodes encoded words. It returns the value unchanged if they are malformed.
func decodeWords(value string) string {
	if decoded, err := words.DecodeHeader(value); err == nil {
		value = decoded
	}
	return strings.ToValidUTF8(value, "\uFFFD")
}

var (
	addressForm = regexp.MustCompile(
		`(?:"[^"\s]{1,64}"|[\p{L}\p{N}._%+\-=/!#$&'*?^{|}~]{1,128})@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\-]{0,62})\.?){1,12}`)
	idForm = regexp.MustCompile(`<[^<>\s@]{1,250}@[^<>\s@]{1,250}>`)
)

// splitAddress returns display name and bare address of a From header; they are empty if they
// cannot be found.
func splitAddress(value string) (name, address string) {
	if a, err := mail.ParseAddress(value); err == nil {
		return a.Name, a.Address
	}
	address = addressForm.FindString(value)
	name = strings.Trim(strings.ReplaceAll(value, address, ""), " \t\"'<>()")
	return name, address
}

// addresses lists the bare addresses found in a value, each once.
func addresses(value string) []string {
	return unique(addressForm.FindAllString(value, 100))
}

func unique(list []string) []string {
	seen := map[string]bool{}
	var kept []string
	for _, s := range list {
		s = strings.TrimRight(s, ".")
		if key := strings.ToLower(s); !seen[key] {
			seen[key] = true
			kept = append(kept, s)
		}
	}
	return kept
}

// messageIDs lists the identifiers in a value, each once, in angle brackets.
func messageIDs(value string) []string {
	return unique(idForm.FindAllString(value, 200))
}

// firstID returns the first identifier of a value, with angle brackets even if the value has none.
func firstID(value string) string {
	if id := idForm.FindString(value); id != "" {
		return id
	}
	word, _, _ := strings.Cut(strings.Trim(value, " \t<>"), " ")
	if word == "" || len(word) > 500 {
		return ""
	}
	return "<" + word + ">"
}
