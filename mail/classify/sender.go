package classify

import (
	"fmt"
	"strings"
	"time"
)

// serviceAddress holds the local parts of addresses from which programs answer.
var serviceAddress = onceLexicon("automatic", "service address")

// deskFields are the prefixes of header fields that help desks and mailing programs write. People
// also answer through help desks, so the fields are only a hint.
var deskFields = []string{"X-Zendesk-", "X-Otrs-", "X-Freshdesk-", "X-Jira-", "X-Rt-", "Rt-Ticket", "X-Hubspot-", "X-Intercom-",
	"X-Helpscout-", "X-Kayako-", "X-Osticket-", "X-Glpi-", "X-Redmine-", "X-Zammad-", "X-Gorgias-", "X-Front-", "X-Sfdc-",
	"X-Servicenow-", "Feedback-Id", "X-Csa-Complaints"}

// ruleFields are fields that Exchange adds if a rule of a mailbox made or forwarded the mail.
var ruleFields = []string{"X-Ms-Exchange-Inbox-Rules-Loop", "X-Auto-Response-Suppress"}

// weighSender adds hints from header fields that do not call the mail automatic.
func (w *weighed) weighSender(m *Message) {
	hint := func(weight int, words string) { w.hints = append(w.hints, clue{weight, words}) }
	for _, name := range ruleFields {
		if value := strings.ToLower(m.Header(name)); value != "" && value != "none" {
			hint(hinting, "a rule or a program sent it ("+name+")")
			break
		}
	}
	for _, prefix := range deskFields {
		if m.hasField(prefix) {
			hint(hinting, "a help desk or a mailing program sent it ("+strings.TrimSuffix(prefix, "-")+")")
			break
		}
	}
	if local, _, _ := strings.Cut(m.From, "@"); addressedAs(serviceAddress(), local) {
		hint(slight, fmt.Sprintf("it comes from a service address: %q", local))
	}
}

// hasField reports whether the name of a header field begins with a prefix in
// canonical form.
func (m *Message) hasField(prefix string) bool {
	for name := range m.header {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// The least time that a person needs: to see and read our message, and for each word of an answer.
// After longestFast, time is not evidence.
const (
	readingTime = 5 * time.Second
	wordTime    = time.Second / 2
	longestFast = 30 * time.Second
	fastWords   = 4           // shorter answers may need only one touch
	clockSkew   = time.Minute // by which a clock may be behind ours
)

// lateAnswer is the time in which programs usually answer, including the delay of greylisting and
// of help desks that fetch mail.
const lateAnswer = 20 * time.Minute

// weighQuotation adds the evidence that a mail quotes ours and that it came late. Programs answer
// at once and rarely quote, so both together show a person; each alone is weak evidence.
func (w *weighed) weighQuotation(m *Message, split Split, arrived time.Time, sent []Sent) {
	quotes := len(split.Unsent) < len(m.Text)
	late := false
	for _, ours := range sent {
		took := arrived.Sub(ours.At)
		if !m.Date.IsZero() {
			took = min(took, m.Date.Sub(ours.At))
		}
		if ours.At.IsZero() || took < lateAnswer {
			late = false
			break
		}
		late = true
	}
	switch {
	case quotes && late:
		w.person = append(w.person, clue{likely, "it quotes our message and came later than programs answer"})
	case quotes:
		w.person = append(w.person, clue{slight, "it quotes our message"})
	}
}

// weighTime adds the evidence that an answer came faster than a person reads and writes. Both its
// date and its arrival must show this, because one clock may be wrong.
func (w *weighed) weighTime(m *Message, written string, arrived time.Time, sent []Sent) {
	words := wordCount(prepare(clip(written, noteLength)))
	if words < fastWords {
		return
	}
	least := min(readingTime+time.Duration(words)*wordTime, longestFast)
	for _, ours := range sent {
		took := arrived.Sub(ours.At)
		if !m.Date.IsZero() {
			took = max(took, m.Date.Sub(ours.At))
		}
		if !ours.At.IsZero() && took < least && took > -clockSkew {
			w.hints = append(w.hints, clue{hinting, fmt.Sprintf("its %d words came %d seconds after our message", words,
				max(0, int(took.Seconds())))})
			return
		}
	}
}
