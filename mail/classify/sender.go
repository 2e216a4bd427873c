package classify

import (
	"fmt"
	"net/textproto"
	"strings"
	"sync"
	"time"
)

// serviceAddress holds the local parts of addresses from which programs answer.
var serviceAddress = onceLexicon("automatic", "service address")

// fieldLists holds the lists of tables/field.txt, in lower case.
var fieldLists = sync.OnceValue(func() map[string][]string {
	lists := map[string][]string{}
	for _, e := range readTable("field") {
		lists[e.list] = append(lists[e.list], strings.ToLower(e.phrase))
	}
	return lists
})

// fieldOf returns the first field that the message has of a list of fields. Values such as "no" mean
// that a program did not write it.
func (m *Message) fieldOf(list string) (name string, ok bool) {
	for _, entry := range fieldLists()[list] {
		name, part, _ := strings.Cut(entry, ": ")
		name = textproto.CanonicalMIMEHeaderKey(name)
		for _, value := range m.header[name] {
			value = strings.ToLower(strings.TrimSpace(value))
			if value != "" && value != "no" && value != "none" && value != "false" && strings.Contains(value, part) {
				return name, true
			}
		}
	}
	return "", false
}

// weighSender adds hints from header fields that do not call the mail automatic.
func (w *weighed) weighSender(m *Message) {
	hint := func(weight int, words string) { w.hints = append(w.hints, clue{weight, words}) }
	if name, ok := m.fieldOf("rule"); ok {
		hint(hinting, "a rule or a program sent it ("+name+")")
	}
	if shown, ok := m.desk(); ok {
		hint(hinting, "a help desk or a mailing program sent it ("+shown+")")
	}
	if local, _, _ := strings.Cut(m.From, "@"); addressedAs(serviceAddress(), local) {
		hint(slight, fmt.Sprintf("it comes from a service address: %q", local))
	}
}

// newsletter reports whether a list sent the message and it answers nothing.
func (m *Message) newsletter() bool {
	return (m.Header("List-Unsubscribe") != "" || m.Header("List-Id") != "") &&
		m.InReplyTo == "" && len(m.References) == 0 && !marksReply(m.Subject)
}

// desk returns what in the header shows a help desk, a mailing program or a list. People also answer
// through help desks.
func (m *Message) desk() (shown string, ok bool) {
	lists := fieldLists()
	for _, start := range lists["desk"] {
		if m.hasField(textproto.CanonicalMIMEHeaderKey(start)) {
			return start, true
		}
	}
	mailer := strings.ToLower(m.Header("X-Mailer") + " " + m.Header("User-Agent"))
	id := strings.ToLower(m.MessageID)
	for _, part := range lists["mailer"] {
		if strings.Contains(mailer, part) {
			return part, true
		}
	}
	for _, part := range lists["message id"] {
		if strings.Contains(id, part) {
			return part, true
		}
	}
	return "", false
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

// The time that a person needs at least for an answer of instantWords or more: the author opens our message when it
// arrives, and types sixty words a minute. Signatures count as words, so instantMost limits it.
const (
	instantWords = 8 // an answer with fewer may be one that a mail program offers
	instantStart = 10 * time.Second
	instantWord  = time.Second
	instantMost  = time.Minute
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

// weighTime adds the evidence that an answer came faster than a person reads and writes, and stronger
// evidence if it takes longer to type it. Both its date and its arrival must show this,
// because one clock may be wrong. Of several messages of ours, the answer may be to an earlier one.
func (w *weighed) weighTime(m *Message, written string, arrived time.Time, sent []Sent) {
	words := wordCount(prepare(clip(written, noteLength)))
	if words < fastWords {
		return
	}
	least := min(readingTime+time.Duration(words)*wordTime, longestFast)
	if words >= instantWords {
		least = instantMost
	}
	for _, ours := range sent {
		took := arrived.Sub(ours.At)
		if !m.Date.IsZero() {
			took = max(took, m.Date.Sub(ours.At))
		}
		if ours.At.IsZero() || took >= least || took <= -clockSkew {
			continue
		}
		weight := hinting
		if words >= instantWords {
			w.quick = len(sent) == 1
			if took < instantStart+time.Duration(words)*instantWord {
				weight, w.instant, w.alone = strong, true, w.quick
			}
		}
		w.hints = append(w.hints, clue{weight, fmt.Sprintf("its %d words came %d seconds after our message", words,
			max(0, int(took.Seconds())))})
		return
	}
}
