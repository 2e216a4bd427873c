package outreach

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

// MailKind is the kind of a mail that a search found.
type MailKind string

// The kinds of mail.
const (
	MailReply  MailKind = "reply"
	MailStep   MailKind = "step"
	MailAnswer MailKind = "answer"
)

// FoundMail is one reply, step or answer that a search found.
type FoundMail struct {
	ID         uuid.UUID
	Kind       MailKind
	ReplyID    *uuid.UUID // of the reply, or of the reply that an answer belongs to
	ProspectID *uuid.UUID // nil for an unmatched reply
	Who        string     // the sender of a reply, else the recipient
	Subject    *string
	Excerpt    string // a piece of the text with a word that was found, else its start
	At         time.Time
}

// excerptLength is the number of characters of a text in a list of mails. A word that was found
// stands in the first excerptHead of them.
const (
	excerptLength = 200
	excerptHead   = 60
)

// MergeMail merges two pages of a search for words and returns the first limit rows, newest first,
// ties by id descending. A page that has fewer rows although more follows was read down to its Last:
// the result then ends there, as what is older in the other page follows what was not read.
func MergeMail(replies Rows[Reply], messages Rows[Message], limit int, words []string) (out Rows[FoundMail]) {
	out.Rows = make([]FoundMail, 0, limit)
	end := Key{} // where the page that was read least far ends
	if replies.More && len(replies.Rows) < limit {
		end = replies.Last
	}
	if messages.More && len(messages.Rows) < limit && !end.newer(messages.Last) {
		end = messages.Last
	}
	r, m := replies.Rows, messages.Rows
	for len(out.Rows) < limit && len(r)+len(m) > 0 {
		var next FoundMail
		if len(m) == 0 || len(r) > 0 && (Key{r[0].ReceivedAt, r[0].ID}).newer(Key{*m[0].SentAt, m[0].ID}) {
			next, r = r[0].found(words), r[1:]
		} else {
			next, m = m[0].found(words), m[1:]
		}
		if end.newer(Key{next.At, next.ID}) {
			return Rows[FoundMail]{Rows: out.Rows, More: true, Last: end}
		}
		out.Rows = append(out.Rows, next)
	}
	out.More = len(r)+len(m) > 0 || replies.More || messages.More
	out.Last = end
	if n := len(out.Rows); n == limit {
		out.Last = Key{At: out.Rows[n-1].At, ID: out.Rows[n-1].ID}
	}
	return out
}

// newer reports whether a key comes before another one in a list.
func (k Key) newer(than Key) bool {
	if !k.At.Equal(than.At) {
		return k.At.After(than.At)
	}
	return bytes.Compare(k.ID[:], than.ID[:]) > 0
}

func (r *Reply) found(words []string) FoundMail {
	return FoundMail{ID: r.ID, Kind: MailReply, ReplyID: &r.ID, ProspectID: r.ProspectID, Who: r.From,
		Subject: r.Subject, Excerpt: excerpt(r.Text, words), At: r.ReceivedAt}
}

func (m *Message) found(words []string) FoundMail {
	return FoundMail{ID: m.ID, Kind: MailKind(m.Kind), ReplyID: m.ReplyID, ProspectID: &m.ProspectID, Who: m.To,
		Subject: &m.Subject, Excerpt: excerpt(m.Text, words), At: *m.SentAt}
}

// excerpt returns excerptLength characters of a text. They begin with the text, or after a "…"
// shortly before the first of the words.
func excerpt(text string, words []string) string {
	from := firstFound(text, words)
	for n := 0; n < excerptHead && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	if from == 0 {
		return firstRunes(text, excerptLength)
	}
	if space := strings.IndexFunc(text[from:], unicode.IsSpace); space >= 0 && space < excerptHead {
		from += space
	}
	return "…" + firstRunes(strings.TrimLeftFunc(text[from:], unicode.IsSpace), excerptLength-1)
}

// firstFound returns where the first part between spaces begins that has one of the words, 0 if
// there is none.
func firstFound(text string, words []string) int {
	for from := 0; from < min(len(text), maxWordsText); {
		part := text[from:]
		if end := strings.IndexFunc(part, unicode.IsSpace); end >= 0 {
			part = part[:end]
		}
		if hasFound(part, words) {
			return from
		}
		from += len(part)
		_, size := utf8.DecodeRuneInString(text[from:])
		from += size
	}
	return 0
}

func hasFound(part string, words []string) bool {
	for _, word := range wordsOf(part) {
		for n, wanted := range words {
			if word == wanted || FindsLonger(words, n) && strings.HasPrefix(word, wanted) {
				return true
			}
		}
	}
	return false
}

// firstRunes returns the first n characters of a text.
func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
