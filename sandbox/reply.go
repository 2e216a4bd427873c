package sandbox

import (
	"fmt"
	"strings"
	"time"
)

// The texts of the two personas that answer like people. A greeting comes before the text, the
// quoted original after it.
const (
	positiveText = "Thanks for your message. Yes, I am interested - this looks like just what we need.\n" +
		"Could you send me more details, and shall we have a call on Thursday?"
	negativeText = "Thanks, but we are not interested in this.\n" +
		"We are happy with what we have, so there is no need to follow up."
)

// awayFor is how long the persona out of office stays away.
const awayFor = 7 * 24 * time.Hour

// reply returns the answer of a person, in the thread, with the original below.
func (m incoming) reply(text string) []byte {
	var d draft
	me := m.me()
	m.head(&d, me, m.from(), answerTo(m.subject()))
	d.text(fmt.Sprintf("Hi %s,\n\n%s\n\nBest regards,\n%s\n\n%s", m.sender(), text, me.Name, m.quoted()))
	return d.Bytes()
}

func answerTo(subject string) string {
	if len(subject) >= 3 && strings.EqualFold(subject[:3], "re:") {
		return subject
	}
	return "Re: " + subject
}

// outOfOffice returns an automatic response (RFC 3834): marked as automatic, to the envelope
// sender, with a null reverse-path and the day of return.
func (m incoming) outOfOffice() []byte {
	var d draft
	me, back := m.me(), m.now.Add(awayFor)
	m.head(&d, me, m.From, "Automatic reply: "+m.subject())
	d.field("Auto-Submitted", "auto-replied")
	d.field("X-Auto-Response-Suppress", "All")
	d.text(fmt.Sprintf("Thank you for your message.\n\nI am out of the office and will be back on %s.\n"+
		"I will read your message then.\n\n%s\n", back.Format("Monday, 2 January 2006"), me.Name))
	return d.Bytes()
}
