// Package classify decides what a received e-mail is: a person's reply, an
// automatic answer, a bounce, a complaint or nothing that matters. It reads one
// raw message at a time and looks at its structure first, at the codes of
// RFC 3463 next and at words last.
//
// It must not know of campaigns, prospects, databases or networks: it is given
// bytes and a clock and answers with a Verdict. What follows from the verdict is
// its caller's business.
package classify

import "time"

// Class is what a message, or what it says about one recipient, amounts to.
type Class string

// The classes that a message can have. Recipient, Transient and Sender are the
// three kinds of bounce.
const (
	// Reply is an ordinary message written by a person.
	Reply Class = "reply"
	// Automatic is an answer by a program (RFC 3834): out of office, receipt
	// of a ticket and the like.
	Automatic Class = "automatic"
	// RecipientFault means that the address or its host is dead.
	RecipientFault Class = "recipient"
	// Transient means that the same message may get through later.
	Transient Class = "transient"
	// SenderFault means that content, reputation, policy or set-up on our side
	// was refused; the address may be fine.
	SenderFault Class = "sender"
	// Complaint is a feedback report (RFC 5965): somebody called it spam.
	Complaint Class = "complaint"
	// None reports no failure: delivered, relayed, displayed.
	None Class = "none"
)

// Bounce tells whether c is one of the three kinds of bounce.
func (c Class) Bounce() bool {
	return c == RecipientFault || c == Transient || c == SenderFault
}

// Verdict says what a message is and why.
type Verdict struct {
	// Class sums the message up. Where recipients differ it is the gravest of
	// theirs, in the order recipient, sender, transient, none.
	Class Class
	// Reason is a short English clause that a user may read.
	Reason string
	// Status is the enhanced status code (RFC 3463) that decided, or empty.
	Status string
	// Diagnostic is what the refusing server said, on one line, at most 500
	// bytes, or empty.
	Diagnostic string
	// Delayed is set when the report says that delivery is still being tried
	// for every recipient. Such a notice is never a bounce, whatever Class is.
	Delayed bool
	// FeedbackType is that of a complaint in lower case: abuse, fraud,
	// opt-out, auth-failure … An auth-failure report (RFC 6591) is made by a
	// program about a signature and says nothing about its recipient's wishes.
	FeedbackType string
	// Recipients holds one verdict for each address reported, in the order of
	// the report. A bounce or complaint has at least one; its address is empty
	// where the report does not name it.
	Recipients []Recipient
	// OriginalMessageIDs are the identifiers, in angle brackets, of the
	// message that this one is about: those of a returned message first, then
	// In-Reply-To and References, then any found in the text.
	OriginalMessageIDs []string
	// ReturnDate is the day, at midnight UTC, on which the writer of an
	// automatic reply is back; nil when it names none.
	ReturnDate *time.Time
}

// Recipient is the verdict on one address of a report.
type Recipient struct {
	// Address is the address that failed, Original the one that we wrote to
	// where the report names it (RFC 3464, section 2.3.1). Both without angle
	// brackets, as spelled in the report.
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
