package classify

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Answer is the judgement of a message that is not a report of a mail system.
type Answer struct {
	// Verdict has the class Reply or Automatic.
	Verdict
	// Text is what the author wrote, as shown to users. It is not empty unless FullText is.
	Text string
	// FullText is the whole text of the message.
	FullText string
	// Interest is one of Positive, Neutral and Negative for a reply, empty for an
	// automatic one. InterestReason quotes the words that decided.
	Interest       string
	InterestReason string
	// OptOut is set when a person asks to be left alone.
	OptOut bool
}

// Answer judges a message for which Report returned false. sent holds our messages in its thread,
// whose texts are removed from what the author wrote. now is the time of arrival, if known: it
// limits the return date if the message has no valid date, and shows whether an answer came too
// fast for a person.
func (m *Message) Answer(now time.Time, sent ...Sent) Answer {
	split := m.Split(textsOf(sent)...)
	a := Answer{Text: cmp.Or(split.Written, strings.TrimSpace(m.Text)), FullText: m.Text}
	a.Verdict = m.correspondence(now, split, sent)
	if a.Class == Automatic {
		return a
	}
	a.Interest, a.InterestReason = m.interest(split.Written)
	if ours := len(split.Unsent) < len(m.Text); a.Interest == Positive && m.answer == "" && !ours {
		if words, ok := m.forMany(split.Written); ok {
			a.Interest, a.InterestReason = Neutral, "no answer to an offer: "+words
		} else if m.answersAnother(sent) {
			a.Interest, a.InterestReason = Neutral, "no answer to an offer: its subject is that of another mail"
		}
	}
	if _, a.OptOut = m.read.optOut(split.Written, true); a.OptOut || len(sent) == 0 {
		return a
	}
	if words, ok := m.read.optOut(split.Unsent, false); ok {
		a.OptOut, a.Interest, a.InterestReason = true, Negative, fmt.Sprintf("asks to be left alone: %q", words)
	}
	return a
}

// interest judges the text, or the answer to an invitation.
func (m *Message) interest(written string) (interest, reason string) {
	switch m.answer {
	case "accepted":
		return Positive, "accepts an invitation"
	case "declined", "tentatively accepted":
		return Neutral, m.answer + " an invitation"
	}
	return m.read.interest(written, m.Subject, marksReply(m.Subject) || m.InReplyTo != "" || len(m.References) > 0)
}

// Correspondence decides whether a message for which Report returned false is automatic or from a
// person.
func (m *Message) Correspondence(now time.Time) Verdict {
	return m.correspondence(now, m.Split(), nil)
}

func (m *Message) correspondence(now time.Time, split Split, sent []Sent) Verdict {
	written := split.Written
	v := Verdict{Class: Reply, Reason: "written by a person", OriginalMessageIDs: m.Answered()}
	if m.answer != "" {
		v.Reason = "answers an invitation"
		return v
	}
	w := m.weigh(written)
	w.weighForm(m.Text)
	w.weighTime(m, written, now, sent)
	if marksReply(m.Subject) && len(split.Unsent) < len(m.Text) {
		w.doubtBulk()
	}
	if !w.header {
		w.weighQuotation(m, split, now, sent)
	}
	w.weighDates(m.Subject, written, m.reference(now))
	automatic, reason := w.verdict()
	v.Reason = reason
	if automatic {
		v.Class, v.ReturnDate = Automatic, w.returnDate(m.Subject, written, m.reference(now))
	}
	return v
}
