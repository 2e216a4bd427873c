package mail

import (
	"strings"
	"unicode/utf8"
)

// The most characters of a header line, and of one encoded word (RFC 2047, section
// 2).
const (
	headerLine  = 76
	encodedWord = 75
)

// foldSubject returns the value of a Subject header with its folds (RFC 5322,
// section 2.2.3). The first word stands on the line of the name: some programs show
// nothing of a subject that begins on the next one.
func foldSubject(subject string) string {
	words := strings.Split(subject, " ")
	if strings.Contains(subject, "=?") || !printable(subject) {
		words = encodeWords(subject)
	}
	var out strings.Builder
	used := len("Subject: ")
	for i, word := range words {
		switch {
		case i == 0:
		case used+1+len(word) > headerLine:
			out.WriteString("\r\n ")
			used = 1
		default:
			out.WriteByte(' ')
			used++
		}
		out.WriteString(word)
		used += len(word)
	}
	return out.String()
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// encodeWords encodes a text as words of which the first fits behind the name of
// the header.
func encodeWords(text string) (words []string) {
	room := headerLine - len("Subject: ")
	for text != "" {
		n := 0
		word := ""
		for n < len(text) {
			_, size := utf8.DecodeRuneInString(text[n:])
			longer := encode(text[:n+size])
			if len(longer) > room {
				break
			}
			n, word = n+size, longer
		}
		words = append(words, word)
		text, room = text[n:], encodedWord
	}
	return words
}

// encode makes one encoded word of a text (RFC 2047, section 4.2).
func encode(text string) string {
	var out strings.Builder
	out.WriteString("=?utf-8?q?")
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ':
			out.WriteByte('_')
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("!*+-/.,", c) >= 0:
			out.WriteByte(c)
		default:
			const hex = "0123456789ABCDEF"
			out.Write([]byte{'=', hex[c>>4], hex[c&15]})
		}
	}
	out.WriteString("?=")
	return out.String()
}
