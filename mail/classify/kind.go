package classify

import (
	"strings"
	"time"
)

// Kind decides what the message is. now limits the return date of an automatic reply if the message
// has no valid date. Nothing else depends on the clock.
//
// It checks in the order of the strength of the evidence: feedback reports, delivery reports and
// bounces in words, disposition notifications, automatic replies. Every other message is a person's
// reply.
func (m *Message) Kind(now time.Time) Verdict {
	if v, ok := m.Report(); ok {
		return v
	}
	return m.Correspondence(now)
}

// Report decides about messages that mail systems write, which is the first half of Kind. It
// returns false for any other message. Unlike Correspondence it does not need to separate the
// author's text from quotations.
func (m *Message) Report() (Verdict, bool) {
	v, ok := m.report()
	if !ok {
		return Verdict{}, false
	}
	v.OriginalMessageIDs = m.originals()
	v.Diagnostic = oneLine(v.Diagnostic)
	for i := range v.Recipients {
		v.Recipients[i].Diagnostic = oneLine(v.Recipients[i].Diagnostic)
	}
	return v, true
}

func (m *Message) report() (Verdict, bool) {
	if v, ok := m.complaint(); ok {
		return v, true
	}
	if v, ok := m.notification(); ok {
		return v, true
	}
	if v, ok := m.bounce(); ok {
		return v, true
	}
	return Verdict{Class: None, Reason: "a receipt for a message displayed or deleted"}, m.disposition()
}

// disposition reports whether the message is a read receipt (RFC 8098).
func (m *Message) disposition() bool {
	return m.hasPart("message/disposition-notification") ||
		strings.Contains(strings.ToLower(m.Header("Content-Type")), "disposition-notification")
}

// reference returns the day from which dates without a year are counted.
func (m *Message) reference(now time.Time) time.Time {
	if m.Date.IsZero() || m.Date.After(now.Add(48*time.Hour)) {
		return now.UTC()
	}
	return m.Date
}

func (m *Message) hasPart(mediaType string) bool {
	for _, p := range m.parts {
		if p.mediaType == mediaType {
			return true
		}
	}
	return false
}

// sum returns the verdict on a report from those on its recipients.
func sum(recipients []Recipient) Verdict {
	v := Verdict{Class: None, Recipients: recipients, Delayed: true}
	gravity := map[Class]int{RecipientFault: 4, SenderFault: 3, Transient: 2, None: 1}
	best := 0
	for _, r := range recipients {
		if gravity[r.Class] > best {
			best = gravity[r.Class]
			v.Class, v.Reason, v.Status, v.Diagnostic = r.Class, r.Reason, r.Status, r.Diagnostic
		}
		v.Delayed = v.Delayed && r.Delayed
	}
	return v
}

// oneLine returns a diagnostic as it is stored and shown.
func oneLine(s string) string {
	return clip(strings.Join(strings.Fields(s), " "), 500)
}
