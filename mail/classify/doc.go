// Package classify decides what a received e-mail is: a person's reply, an automatic reply, a
// bounce, a complaint or none of them. It reads one raw message at a time: first its structure,
// then the codes of RFC 3463, and last its words.
//
// It must not know campaigns, prospects, databases or networks. It gets bytes and a clock and
// returns a Verdict. The caller acts on the verdict.
package classify

import "time"

// Class is the kind of a message, or of its report on one recipient.
type Class string

// The classes that a message can have. Recipient, Transient and Sender are the
// three kinds of bounce.
const (
	// Reply is an ordinary message written by a person.
	Reply Class = "reply"
	// Automatic is a reply by a program (RFC 3834), such as an out-of-office note or the receipt of
	// a ticket.
	Automatic Class = "automatic"
	// RecipientFault means that the address or its host does not exist or accepts no mail.
	RecipientFault Class = "recipient"
	// Transient means that the same message may get through later.
	Transient Class = "transient"
	// SenderFault means that our content, reputation, policy or set-up was refused. The address may
	// be valid.
	SenderFault Class = "sender"
	// Complaint is a feedback report (RFC 5965): the recipient marked a message as spam.
	Complaint Class = "complaint"
	// None reports no failure: delivered, relayed, displayed.
	None Class = "none"
)

// Bounce reports whether c is one of the three kinds of bounce.
func (c Class) Bounce() bool {
	return c == RecipientFault || c == Transient || c == SenderFault
}

// Verdict holds what a message is and why.
type Verdict struct {
	// Class is that of the whole message. If recipients differ, it is the most severe one, in the
	// order recipient, sender, transient, none.
	Class Class
	// Reason is a short English clause for users.
	Reason string
	// Status is the enhanced status code (RFC 3463) that decided, or empty.
	Status string
	// Diagnostic is the answer of the refusing server on one line, at most 500 bytes, or empty.
	Diagnostic string
	// Delayed is set when the report says that delivery is still being tried
	// for every recipient. Such a notice is never a bounce, whatever Class is.
	Delayed bool
	// FeedbackType is that of a complaint in lower case: abuse, fraud, opt-out, auth-failure and
	// others. A program makes an auth-failure report (RFC 6591) about a signature; it does not show
	// what the recipient wants.
	FeedbackType string
	// Recipients holds one verdict for each reported address, in the order of the report. A bounce
	// or complaint has at least one. Its address is empty if the report does not name it.
	Recipients []Recipient
	// OriginalMessageIDs are the identifiers, in angle brackets, of the
	// message that this one is about: those of a returned message first, then
	// In-Reply-To and References, then any found in the text.
	OriginalMessageIDs []string
	// ReturnDate is the day, at midnight UTC, on which the author of an automatic reply is back;
	// nil if it names none.
	ReturnDate *time.Time
}

// Recipient is the verdict on one address of a report.
type Recipient struct {
	// Address is the address that failed. Original is the one that we wrote to, if the report names
	// it (RFC 3464, section 2.3.1). Both are as in the report, without angle brackets.
	Address  string
	Original string
	Class    Class
	Reason   string
	// Action is that of RFC 3464, section 2.3.3, in lower case, or empty.
	Action     string
	Status     string
	Diagnostic string
	// Delayed is set when delivery to this address is still being tried.
	Delayed bool
}
