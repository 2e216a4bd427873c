//go:build full

package realtest

import (
	"fmt"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

var (
	firstStep  = outreach.Step{Subject: new("Hello {{ first_name }}"), BodyHTML: new(`<p>Hi {{ first_name }}, shall we talk?</p>`)}
	secondStep = outreach.Step{DelayMinutes: 60, BodyText: new("Did you see my mail, {{ first_name }}?")}
)

// A sequence of two steps goes out through a login at Postfix; its second message
// stands in the thread of the first; a reply, filed by Postfix and read from
// Dovecot, is matched and ends it. Messages that arrive twice, or before the one
// that they answer, count once.
func TestConversation(t *testing.T) { //nolint:paralleltest // each runs servers of its own, one set at a time
	w := newWorld(t, startServers(t, freePort(t), me, ada, bob))
	box := w.mailbox(me, w.Submission)
	c := w.campaign(box, firstStep, secondStep)
	toAda, toBob := w.enroll(c, ada), w.enroll(c, bob)
	runs(w, "first step", [][]string{{"sent 1"}, {"sent 1"}}, func() [][]string { return [][]string{w.history(toAda), w.history(toBob)} })
	first := w.inbox(bob, 1)[0]
	w.write(bob, me,
		answer(bob, "b1@prospects.example", first.Get("Message-Id"),
			"Yes, with pleasure. Tuesday?\n\nOn Monday Ada wrote:\n> Hi Ada, shall we talk?"))
	runs(w, "reply", []string{"sent 1", "replied"}, func() []string { return w.history(toBob) })

	w.ahead += 2 * time.Hour
	runs(w, "second step", []string{"sent 1", "sent 2"}, func() []string { return w.history(toAda) })
	checkThread(t, w.inbox(ada, 2))
	second := w.inbox(ada, 2)
	// Two messages of one conversation, the later one first; then the same again.
	late := answer(ada, "a2@prospects.example", second[1].Get("Message-Id"), "One more thing: not before June.")
	early := answer(ada, "a1@prospects.example", second[0].Get("Message-Id"), "Please send me more.")
	for _, raw := range []string{late, early, late, early, early} {
		w.write(ada, me, raw)
	}
	w.quiet()
	taken := func() []string {
		return rows[string](w, `SELECT sender || ' ' || split_part(body_text, '.', 1) FROM replies ORDER BY body_text COLLATE "C"`)
	}
	want := []string{ada + " One more thing: not before June", ada + " Please send me more", bob + " Yes, with pleasure"}
	runs(w, "replies", want, taken)
	if texts := rows[string](w, `SELECT body_text FROM replies WHERE sender = $1`, bob); strings.Contains(texts[0], "shall we talk") {
		t.Errorf("what was quoted is in the reply: %q", texts[0])
	}
	for name, e := range map[string]outreach.Enrolled{"ada": toAda, "bob": toBob} {
		if got := w.fate(e); got.Prospect != outreach.ProspectReplied {
			t.Errorf("%s is %+v, want replied", name, got)
		}
	}
	if n := len(w.inbox(bob, 1)); n != 1 {
		t.Errorf("bob got %d messages though he had replied", n)
	}
	w.checkRenumbering(want, taken)
}

// checkThread: the second message answers the first and keeps its subject.
func checkThread(t *testing.T, messages []mail.Header) {
	t.Helper()
	if messages[0].Get("In-Reply-To") != "" {
		messages[0], messages[1] = messages[1], messages[0]
	}
	first := messages[0].Get("Message-Id")
	want := map[string]string{"Subject": "Re: Hello Ada", "In-Reply-To": first, "References": first, "List-Unsubscribe-Post": ""}
	got := map[string]string{}
	for name := range want {
		got[name] = messages[1].Get(name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("second message (-want +got):\n%s", diff)
	}
}

// checkRenumbering makes Dovecot number the inbox anew. All of it is read again,
// and nothing is handled again.
func (w *world) checkRenumbering(want []string, taken func() []string) {
	w.t.Helper()
	events := func() int { return rows[int](w, `SELECT count(*)::int FROM events`)[0] }
	position := func() int64 {
		return rows[int64](w, `SELECT uid_validity FROM mailbox_folders WHERE folder = 'inbox'`)[0]
	}
	before, validity := events(), position()
	w.doveadm("mailbox", "update", "-u", me, "--uid-validity", fmt.Sprint(validity+1000), "INBOX")
	runs(w, "UIDVALIDITY", validity+1000, position)
	if diff := cmp.Diff(want, taken()); diff != "" || events() != before {
		w.t.Errorf("after renumbering: %d events, were %d; replies (-want +got):\n%s", events(), before, diff)
	}
	w.write(ada, me, answer(ada, "a3@prospects.example", "<nobody@acme.example>", "After the move."))
	runs(w, "a message under new numbers", len(want)+1, func() int { return len(taken()) })
}
