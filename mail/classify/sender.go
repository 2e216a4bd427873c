package classify

import (
	"fmt"
	"strings"
	"time"
)

// serviceAddress are the local parts of addresses that programs answer from.
var serviceAddress = onceLexicon("automatic", "service address")

// deskFields begin the names of header fields that help desks and programs for many
// mails write. Their agents are people, so the fields are a hint only.
var deskFields = []string{"X-Zendesk-", "X-Otrs-", "X-Freshdesk-", "X-Jira-", "X-Rt-", "Rt-Ticket", "X-Hubspot-", "X-Intercom-",
	"X-Helpscout-", "X-Kayako-", "X-Osticket-", "X-Glpi-", "X-Redmine-", "X-Zammad-", "X-Gorgias-", "X-Front-", "X-Sfdc-",
	"X-Servicenow-", "Feedback-Id", "X-Csa-Complaints"}

// ruleFields are fields that Exchange adds where a rule of a mailbox made the mail, or
// passed it on.
var ruleFields = []string{"X-Ms-Exchange-Inbox-Rules-Loop", "X-Auto-Response-Suppress"}

// weighSender adds what header fields hint at that do not call the mail automatic.
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

// The time that a person needs at least: to see and read our message, and for each word
// of an answer. Beyond longestFast nothing is concluded.
const (
	readingTime = 5 * time.Second
	wordTime    = time.Second / 2
	longestFast = 30 * time.Second
	fastWords   = 4           // shorter answers may be made with one touch
	clockSkew   = time.Minute // by which a clock may be behind ours
)

// lateAnswer is the time after which programs have answered, as a rule: mail that waits
// for greylisting arrives within it, and help desks have fetched theirs.
const lateAnswer = 20 * time.Minute

// weighQuotation adds that a mail quotes ours, and that it came late. Programs answer
// at once and quote little; either alone happens to them too.
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

// weighTime adds that an answer came faster than a person reads and writes. The date
// that it bears and its arrival must both say so: one clock may be wrong.
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
