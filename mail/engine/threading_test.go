package engine_test

import (
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"outreach"
)

// letter is what mail programs look at to find the conversation of a mail.
type letter struct {
	id, subject string
	refers      []string // In-Reply-To and References
}

func letterOf(h netmail.Header) letter {
	return letter{h.Get("Message-ID"), h.Get("Subject"), strings.Fields(h.Get("In-Reply-To") + " " + h.Get("References"))}
}

// base is the base subject of RFC 5256, 2.1, as far as our subjects need it.
func (l letter) base() string {
	subject := strings.TrimSpace(l.subject)
	for len(subject) > 3 && strings.EqualFold(subject[:3], "re:") {
		subject = strings.TrimSpace(subject[3:])
	}
	return subject
}

func (l letter) refersTo(thread []letter) bool {
	return slices.ContainsFunc(thread, func(other letter) bool { return slices.Contains(l.refers, other.id) })
}

// programs are the rules by which mail programs add a mail to a conversation.
var programs = map[string]func(thread []letter, l letter) bool{
	// RFC 5256, 3: THREAD=REFERENCES.
	"Thunderbird and Apple Mail": func(thread []letter, l letter) bool { return l.refersTo(thread) },
	// Gmail API, "Managing threads": References or In-Reply-To, and the same subject.
	"Gmail": func(thread []letter, l letter) bool { return l.refersTo(thread) && l.base() == thread[0].base() },
	// MS-OXOMSG, 2.2.1.2 and 2.2.1.3: without a conversation index it is the topic, which is the base subject.
	"Outlook": func(thread []letter, l letter) bool { return l.base() == thread[0].base() },
}

// Follow-ups, a reply and our answer to it are one conversation in every program, also for a person who
// has deleted one of the mails.
func TestOneConversationInEveryProgram(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	const ann = "ann@away.test"
	w.thread(ann)
	for n := 1; n <= 3; n++ {
		eventually(w, "mails", n, func() int {
			w.exec(`UPDATE mailboxes SET look_at = '-infinity'`)
			w.engine.SendOnce(w.ctx)
			return w.mails(ann)
		})
		w.clock.Advance(2 * time.Hour)
	}
	var thread []letter
	for _, header := range w.arrivedAt(ann) {
		thread = append(thread, letterOf(header))
	}
	last := thread[len(thread)-1]
	theirs := letter{"<hers@away.test>", "RE: Hello", append(slices.Clone(last.refers[1:]), last.id)}
	w.inboxGets("From: Ann <" + ann + ">\r\nTo: " + sender + "\r\nMessage-ID: " + theirs.id + "\r\nIn-Reply-To: " + last.id +
		"\r\nReferences: " + strings.Join(theirs.refers, " ") + "\r\nSubject: " + theirs.subject + "\r\n\r\nWhat does it cost?\r\n")
	w.engine.ReceiveOnce(w.ctx)
	replies, err := w.ListReplies(w.ctx, w.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 1})
	must(t, err)
	w.answer(replies.Rows[0])
	w.engine.AnswerOnce(w.ctx)
	arrived := w.arrivedAt(ann)
	if len(arrived) != 4 {
		t.Fatalf("%d mails arrived, want three steps and an answer", len(arrived))
	}
	thread = append(thread, theirs, letterOf(arrived[3]))

	for n := 1; n < len(thread); n++ {
		if n != 3 && strings.Count(strings.ToLower(thread[n].subject), "re:") != 1 {
			t.Errorf("mail %d has the subject %q, want one Re:", n+1, thread[n].subject)
		}
		for program, joins := range programs {
			if !joins(thread[:n], thread[n]) {
				t.Errorf("%s: mail %d begins a conversation of its own: %+v", program, n+1, thread[n])
			}
			for gone := 0; gone < n && n > 1; gone++ {
				if left := slices.Delete(slices.Clone(thread[:n]), gone, gone+1); !joins(left, thread[n]) {
					t.Errorf("%s: without mail %d mail %d begins a conversation of its own: %+v", program, gone+1, n+1, thread[n])
				}
			}
		}
	}
}
