package outreach

import (
	"bytes"
	"time"

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
	Excerpt    string // the start of the text
	At         time.Time
}

// excerptLength is the number of characters of a text in a list of mails.
const excerptLength = 200

// MergeMail merges two pages of one search and returns the first limit rows, newest first, ties by
// id descending.
func MergeMail(replies Rows[Reply], messages Rows[Message], limit int) (out Rows[FoundMail]) {
	out.Rows = make([]FoundMail, 0, limit)
	r, m := replies.Rows, messages.Rows
	for len(out.Rows) < limit && len(r)+len(m) > 0 {
		if len(m) == 0 || len(r) > 0 && newer(r[0].ReceivedAt, *m[0].SentAt, r[0].ID, m[0].ID) {
			out.Rows, r = append(out.Rows, r[0].found()), r[1:]
		} else {
			out.Rows, m = append(out.Rows, m[0].found()), m[1:]
		}
	}
	out.More = len(r)+len(m) > 0 || replies.More || messages.More
	if n := len(out.Rows); n > 0 {
		out.Last = Key{At: out.Rows[n-1].At, ID: out.Rows[n-1].ID}
	}
	return out
}

func newer(at, than time.Time, id, other uuid.UUID) bool {
	if !at.Equal(than) {
		return at.After(than)
	}
	return bytes.Compare(id[:], other[:]) > 0
}

func (r *Reply) found() FoundMail {
	return FoundMail{ID: r.ID, Kind: MailReply, ReplyID: &r.ID, ProspectID: r.ProspectID, Who: r.From,
		Subject: r.Subject, Excerpt: excerpt(r.Text), At: r.ReceivedAt}
}

func (m *Message) found() FoundMail {
	return FoundMail{ID: m.ID, Kind: MailKind(m.Kind), ReplyID: m.ReplyID, ProspectID: &m.ProspectID, Who: m.To,
		Subject: &m.Subject, Excerpt: excerpt(m.Text), At: *m.SentAt}
}

// excerpt returns the start of a text.
func excerpt(text string) string {
	n := 0
	for i := range text {
		if n == excerptLength {
			return text[:i]
		}
		n++
	}
	return text
}
