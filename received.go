package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Received is one e-mail that arrived in a mailbox, parsed and classified.
type Received struct {
	// Key identifies the e-mail: its Message-ID, or a hash if it has none.
	Key  string
	Kind ReceivedKind
	// At is when the server received it; zero if unknown.
	At         time.Time
	From       string
	Subject    *string
	Text       string // what its author wrote, without quotations
	FullText   string // the whole text; empty if Text is all of it
	OptOut     bool   // the person asks for no more mail
	Interest   *Interest
	Reason     *string
	ReturnDate *time.Time
	Header     ReplyHeader
	// Attachments are the files of a reply.
	Attachments []Attachment
	// References are the Message-IDs of our messages that it may be about, the most likely first.
	References []string
	// Links are our messages whose signed links it contains.
	Links   []uuid.UUID
	Bounces []Bounce
	// Shown is the text of a report, with the text of the mail that it returns.
	Shown string
}

// ReceivedKind is the class of an incoming e-mail.
type ReceivedKind string

// Answer reports whether k is a reply, written by a person or by a program.
func (k ReceivedKind) Answer() bool { return k == ReceivedReply || k == ReceivedAutomatic }

// The kinds of incoming e-mail. Ignored mail is neither an answer nor a report.
const (
	ReceivedReply     ReceivedKind = "reply"
	ReceivedAutomatic ReceivedKind = "automatic"
	ReceivedBounce    ReceivedKind = "bounce"
	ReceivedComplaint ReceivedKind = "complaint"
	ReceivedIgnored   ReceivedKind = "ignored"
)

// Bounce is a final report on one recipient.
type Bounce struct {
	Address string // empty if the report does not name it
	Fault   Fault
	Error   string // the server's words
	// Vouched reports that the mailbox's provider wrote the report, or authenticated it as sent by
	// the recipient's domain.
	Vouched bool
}

// FolderPosition is the position at which reading a folder stopped.
type FolderPosition struct {
	Folder      string
	UIDValidity uint32
	UID         uint32
}

// Concern is what storage knows about a received message before it is classified.
type Concern struct {
	Ours bool       // it is new and belongs to a message of ours
	Sent []SentText // the last messages to the prospect, if it answers one of ours
	// ByAddress reports that only the sender's address shows that it may answer one of them.
	ByAddress bool
}

// SentText is what is compared with an answer to a message.
type SentText struct {
	Subject string
	Text    string
	At      time.Time // when the message was sent
}
