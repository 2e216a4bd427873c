//go:build full

package realtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// A rule of the server moves an answer into a folder whose name is not ASCII. The answer is read
// only once the mailbox names the folder. While a named folder is missing, last_error names it and
// the other folders are read. When it exists, the error is cleared.
func TestFolders(t *testing.T) { //nolint:paralleltest // each runs servers of its own, one set at a time
	w := newWorld(t, startServers(t, freePort(t), me, ada, bob))
	box := w.mailbox(me, w.Submission)
	c := w.campaign(box, firstStep)
	toAda, toBob := w.enroll(c, ada), w.enroll(c, bob)
	both := func() [][]string { return [][]string{w.history(toAda), w.history(toBob)} }
	runs(w, "first step", [][]string{{"sent 1"}, {"sent 1"}}, both)
	march := func(from, id string) {
		raw := answer(from, id, w.inbox(from, 1)[0].Get("Message-Id"), "Yes, Tuesday suits me.")
		w.write(from, me, strings.Replace(raw, "Re: Hello", "Re: Hello [March]", 1))
	}
	march(ada, "a1@prospects.example")
	eventually(w, "mail that the rule filed", 1, func() int { return len(w.messages(me, filed)) })
	w.write("eve@elsewhere.example", me, answer("eve@elsewhere.example", "e1@elsewhere.example", "<none@acme.example>", "Hello."))
	eventually(w, "mail in the inbox", 1, func() int { return len(w.messages(me, "")) })
	position := func() int { return rows[int](w, `SELECT count(*)::int FROM mailbox_folders WHERE folder = 'inbox'`)[0] }
	runs(w, "the inbox is read", 1, position)
	if diff := cmp.Diff([][]string{{"sent 1"}, {"sent 1"}}, both()); diff != "" {
		t.Fatalf("a folder was read that the mailbox does not name (-want +got):\n%s", diff)
	}

	w.nameFolders(box, "INBOX", "Antworten.März", "Projekte")
	runs(w, "the filed answer", [][]string{{"sent 1", "replied"}, {"sent 1"}}, both)
	state := func() string {
		box, err := w.Mailbox(w.ctx, w.ws, box.ID)
		must(t, err)
		if box.LastError == nil {
			return string(box.Status)
		}
		return string(box.Status) + ": " + *box.LastError
	}
	missing := `error: IMAP: the mailbox has no folder "Projekte"`
	runs(w, "the missing folder", missing, state)
	march(bob, "b1@prospects.example")
	runs(w, "an answer beside the missing folder", [][]string{{"sent 1", "replied"}, {"sent 1", "replied"}}, both)
	if got := state(); got != missing {
		t.Errorf("the mailbox is %q, want %q", got, missing)
	}
	w.doveadm("mailbox", "create", "-u", me, "Projekte")
	runs(w, "the folder exists", "connected", state)
}

// nameFolders sets the folders that are read of a mailbox.
func (w *world) nameFolders(box outreach.Mailbox, names ...string) {
	w.t.Helper()
	box, err := w.MailboxWithPasswords(w.ctx, w.ws, box.ID)
	must(w.t, err)
	box.Folders = names
	_, err = w.UpdateMailbox(w.ctx, box)
	must(w.t, err)
}
