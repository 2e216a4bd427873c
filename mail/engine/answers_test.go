package engine_test

import (
	"context"
	netmail "net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// replied is a world with a prospect who has replied.
func replied(t *testing.T) (*world, outreach.Reply) {
	t.Helper()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	w.smallCampaign("reply@away.test")
	w.engine.SendOnce(w.ctx)
	eventually(w, "replies", 1, func() int {
		w.engine.ReceiveOnce(w.ctx)
		return len(rows[uuid.UUID](w, `SELECT id FROM replies`))
	})
	page, err := w.ListReplies(w.ctx, w.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 1})
	must(t, err)
	return w, page.Rows[0]
}

// answer writes an answer that is due at once.
func (w *world) answer(r outreach.Reply, cc ...string) outreach.Message {
	w.t.Helper()
	now := w.clock.Now()
	m, err := w.CreateAnswer(w.ctx, outreach.Answer{WorkspaceID: w.ws, ReplyID: r.ID, SendAt: &now, AnswerText: outreach.AnswerText{
		BodyHTML: new(`<p>Gladly: see <a href="https://acme.test/">our page</a>. {{ first_name }}</p>`), Cc: cc,
	}}, &engine.Composer{Keyring: keyring(w.t, w.secret)})
	must(w.t, err)
	return m
}

// filed counts the messages of the Sent folder with an id.
func (w *world) filed(messageID string) (n int) {
	w.t.Helper()
	box, err := w.MailboxWithPasswords(w.ctx, w.ws, rows[uuid.UUID](w, `SELECT id FROM mailboxes`)[0])
	must(w.t, err)
	return countSent(w.t, box, messageID)
}

func countSent(t testing.TB, box outreach.Mailbox, messageID string) (n int) {
	t.Helper()
	session, err := mail.OpenMailbox(t.Context(), mail.IMAPConfig{Server: box.IMAP, Network: loopback})
	must(t, err)
	defer session.Close()
	_, err = session.Fetch(t.Context(), "sent", mail.Position{}, mail.Limits{}, func(in mail.Incoming) error {
		if strings.Contains(string(in.Raw), "Message-ID: "+messageID) {
			n++
		}
		return nil
	})
	must(t, err)
	return n
}

func (w *world) messageStatus(id uuid.UUID) outreach.MessageStatus {
	w.t.Helper()
	m, err := w.Message(w.ctx, w.ws, id)
	must(w.t, err)
	return m.Status
}

// An answer goes to the prospect and to cc, in the thread of the reply, without links
// that track and without List-Unsubscribe, and lies in the Sent folder once.
func TestAnswerArrives(t *testing.T) {
	t.Parallel()
	w, reply := replied(t)
	m := w.answer(reply, "boss@away.test")
	w.engine.AnswerOnce(w.ctx)
	w.engine.AnswerOnce(w.ctx)
	if got := w.messageStatus(m.ID); got != outreach.MessageSent {
		t.Fatalf("the answer is %s", got)
	}
	var to []string
	var raw []byte
	for _, r := range w.mail.Received() {
		if r.MessageID == m.MessageID {
			to = append(to, r.To)
			var err error
			raw, err = r.Raw()
			must(t, err)
		}
	}
	slices.Sort(to)
	if diff := cmp.Diff([]string{"boss@away.test", "reply@away.test"}, to); diff != "" {
		t.Errorf("recipients (-want +got):\n%s", diff)
	}
	parsed, err := netmail.ReadMessage(strings.NewReader(string(raw)))
	must(t, err)
	want := map[string]string{"In-Reply-To": reply.Header.ID, "References": strings.Join(append(reply.Header.Thread, reply.Header.ID), " "),
		"Subject": "Re: Hello", "Cc": "<boss@away.test>", "List-Unsubscribe": ""}
	for field, value := range want {
		if got := parsed.Header.Get(field); got != value {
			t.Errorf("%s: %q, want %q", field, got, value)
		}
	}
	if text := string(raw); !strings.Contains(text, "https://acme.test/") || !strings.Contains(text, "{{ first_name }}") {
		t.Errorf("the text is not as it was written:\n%s", text)
	}
	w.clock.Advance(2 * time.Minute)
	for range 2 {
		w.engine.ReceiveOnce(w.ctx)
	}
	if n := w.filed(m.MessageID); n != 1 {
		t.Errorf("%d copies in the Sent folder", n)
	}
	if left := rows[bool](w, `
SELECT raw IS NULL FROM messages WHERE kind = 'answer' AND filed_at IS NOT NULL`); !slices.Equal(left, []bool{true}) {
		t.Errorf("filed without bytes: %v", left)
	}
}

// An answer of which the Sent folder has no copy is filed by us after a minute, once,
// also when the process dies before it has noted that.
func TestAnswerIsFiledOnce(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	box := p.in(store)
	now := time.Now()
	unfiled := []outreach.UnfiledAnswer{
		{ID: uuid.New(), MessageID: "<old@acme.test>", SentAt: now.Add(-2 * time.Minute),
			Raw: []byte("From: me@acme.test\r\nMessage-ID: <old@acme.test>\r\n\r\nhello\r\n")},
		{ID: uuid.New(), MessageID: "<new@acme.test>", SentAt: now,
			Raw: []byte("From: me@acme.test\r\nMessage-ID: <new@acme.test>\r\n\r\nhello\r\n")},
	}
	e := fakeEngine(store, func(c *engine.Config) { c.Now = func() time.Time { return now } })
	for range 2 {
		store.unfiled = slices.Clone(unfiled)
		read(t, e, store)
	}
	if n := countSent(t, box, "<old@acme.test>"); n != 1 {
		t.Errorf("%d copies of an old answer", n)
	}
	if n := countSent(t, box, "<new@acme.test>"); n != 0 {
		t.Errorf("%d copies of an answer that the provider may still file", n)
	}
	if len(store.unfiled) != 1 || store.unfiled[0].MessageID != "<new@acme.test>" {
		t.Errorf("unfiled: %v", store.unfiled)
	}
}

// A server that refuses one recipient of an answer sends to no recipient, and the error names it.
func TestOneRefusedRecipient(t *testing.T) {
	t.Parallel()
	server := startSMTP(t, func(c, n int, command, line string) string {
		if command == "RCPT" && strings.Contains(line, "boss@") {
			return "550 5.1.1 no such user"
		}
		return fine(c, n, command, line)
	})
	store := newFakeStore()
	box := store.box("me@acme.test", server.MailServer)
	store.answers = []outreach.OutgoingAnswer{{MailboxID: box.ID, Cc: []string{"boss@away.test"},
		Outgoing: outreach.Outgoing{ID: uuid.New(), Recipient: "ann@away.test", Raw: []byte("Subject: x\r\n\r\nhello\r\n")}}}
	fakeEngine(store, nil).AnswerOnce(t.Context())
	if diff := cmp.Diff([]string{"answer refused boss@away.test"}, store.settled); diff != "" {
		t.Errorf("settled (-want +got):\n%s", diff)
	}
	if got := server.received(); len(got) != 0 {
		t.Errorf("sent to %v", got)
	}
}

// A process dies at each boundary of an answer; another finishes. The prospect gets it
// once at most, and what is unknown is settled by the Sent folder.
func TestAnswerAfterDeath(t *testing.T) {
	t.Parallel()
	want := map[boundary]struct {
		after, proven outreach.MessageStatus
		mails         int
	}{
		beforeClaim:  {outreach.MessageSent, outreach.MessageSent, 1},
		afterClaim:   {outreach.MessageSent, outreach.MessageSent, 1},
		beforeCommit: {outreach.MessageSent, outreach.MessageSent, 1},
		afterCommit:  {outreach.MessageUnknown, outreach.MessageUnknown, 0},
		beforeSettle: {outreach.MessageUnknown, outreach.MessageSent, 1},
		afterSettle:  {outreach.MessageSent, outreach.MessageSent, 1},
	}
	for _, where := range boundaries {
		t.Run(string(where), func(t *testing.T) {
			t.Parallel()
			w, reply := replied(t)
			m := w.answer(reply)
			w.dies(where, 1, time.Minute, answersOnly)
			w.engine.AnswerOnce(w.ctx)
			if got := w.messageStatus(m.ID); got != want[where].after {
				t.Fatalf("after the second process it is %s, want %s", got, want[where].after)
			}
			w.engine.ReceiveOnce(w.ctx)
			if got := w.messageStatus(m.ID); got != want[where].proven {
				t.Errorf("after reading the Sent folder it is %s, want %s", got, want[where].proven)
			}
			mails := 0
			for _, r := range w.mail.Received() {
				if r.MessageID == m.MessageID {
					mails++
				}
			}
			if mails != want[where].mails {
				t.Errorf("%d mails, want %d", mails, want[where].mails)
			}
		})
	}
}

func (m *mortal) ClaimAnswers(ctx context.Context, holder string, most int,
	compose func(outreach.AnswerBytes) ([]byte, error)) ([]outreach.OutgoingAnswer, error) {
	m.pass(beforeClaim)
	out, err := m.Store.ClaimAnswers(ctx, holder, most, compose)
	if len(out) > 0 {
		m.pass(afterClaim)
	}
	return out, err
}

func (m *mortal) CommitAnswer(ctx context.Context, id outreach.Ref, holder string) error {
	m.pass(beforeCommit)
	err := m.Store.CommitAnswer(ctx, id, holder)
	m.pass(afterCommit)
	return err
}

func (m *mortal) SettleAnswer(ctx context.Context, id outreach.Ref, holder string, result outreach.SendResult, refused string) error {
	m.pass(beforeSettle)
	err := m.Store.SettleAnswer(ctx, id, holder, result, refused)
	m.pass(afterSettle)
	return err
}
