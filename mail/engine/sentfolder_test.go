package engine_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
)

// sentMail is a mail that a person wrote in another program.
func sentMail(id, to, answered string) string {
	return fmt.Sprintf("From: Me <me@acme.test>\r\nTo: %s\r\nCc: boss@away.test\r\nSubject: Re: Hello\r\nMessage-ID: %s\r\n"+
		"In-Reply-To: %s\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHow about Tuesday?\r\n\r\n"+
		"On Mon, 23 Nov 2026 at 10:00, Ada <reply@away.test> wrote:\r\n> Yes, with pleasure.\r\n", to, id, answered)
}

// fileSent puts mails into the Sent folder of an account.
func fileSent(t *testing.T, server outreach.MailServer, options imap.AppendOptions, mails ...string) {
	t.Helper()
	fileIn(t, server, "Sent", options, mails...)
}

// fileIn puts mails into a folder of an account.
func fileIn(t testing.TB, server outreach.MailServer, folder string, options imap.AppendOptions, mails ...string) {
	t.Helper()
	client, err := imapclient.DialInsecure(net.JoinHostPort(server.Host, strconv.Itoa(server.Port)), nil)
	must(t, err)
	defer func() { _ = client.Close() }()
	must(t, client.Login(server.Username, server.Password).Wait())
	for _, raw := range mails {
		put := client.Append(folder, int64(len(raw)), &options)
		_, err = put.Write([]byte(raw))
		must(t, err)
		must(t, put.Close())
		_, err = put.Wait()
		must(t, err)
	}
}

// ownServer returns the IMAP server of the only mailbox.
func (w *world) ownServer() outreach.MailServer {
	w.t.Helper()
	box, err := w.MailboxWithPasswords(w.ctx, w.ws, rows[uuid.UUID](w, `SELECT id FROM mailboxes`)[0])
	must(w.t, err)
	return box.IMAP
}

// external returns the Message-IDs of the external answers, oldest first.
func (w *world) external() []string {
	return rows[string](w, `SELECT message_id FROM messages WHERE external ORDER BY sent_at, message_id`)
}

// A mail in the Sent folder that answers a mail of a conversation is shown in it. It changes
// nothing but when the prospect was last written to.
func TestExternalAnswer(t *testing.T) {
	t.Parallel()
	w, reply := replied(t)
	w.engine.ReceiveOnce(w.ctx)
	state := func() []string {
		return rows[string](w, `
SELECT row(e.*)::text FROM events e UNION ALL SELECT row(n.*)::text FROM enrollments n UNION ALL SELECT row(r.*)::text FROM replies r
UNION ALL SELECT p.status FROM prospects p UNION ALL SELECT row(d.*)::text FROM deliveries d ORDER BY 1`)
	}
	before, sentToday := state(), w.sentToday()
	at := w.clock.Now().Truncate(time.Second).Add(-time.Minute)
	fileSent(t, w.ownServer(), imap.AppendOptions{Time: at},
		sentMail("<own1@acme.test>", "reply@away.test", reply.Header.ID),
		sentMail("<other@acme.test>", "reply@away.test", "<unknown@away.test>"))
	for range 2 {
		w.engine.ReceiveOnce(w.ctx)
	}
	if diff := cmp.Diff([]string{"<own1@acme.test>"}, w.external()); diff != "" {
		t.Fatalf("external answers (-want +got):\n%s", diff)
	}
	m, err := w.Message(w.ctx, w.ws, rows[uuid.UUID](w, `SELECT id FROM messages WHERE external`)[0])
	must(t, err)
	want := outreach.Message{ID: m.ID, WorkspaceID: w.ws, Kind: outreach.MessageAnswer, External: true, CampaignID: reply.CampaignID,
		ProspectID: *reply.ProspectID, MailboxID: reply.MailboxID, ReplyID: &reply.ID, To: "reply@away.test", Cc: []string{"boss@away.test"},
		Subject: "Re: Hello", MessageID: "<own1@acme.test>", Status: outreach.MessageSent, SentAt: &at, Text: "How about Tuesday?"}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("the answer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, state()); diff != "" {
		t.Errorf("something else changed (-before +after):\n%s", diff)
	}
	if got := w.sentToday(); got != sentToday {
		t.Errorf("%d sent today, before %d", got, sentToday)
	}
	contacted := rows[time.Time](w, `SELECT last_contacted_at FROM prospects`)[0]
	first := rows[time.Time](w, `SELECT max(sent_at) FROM messages WHERE NOT external`)[0]
	if contacted.Before(at) || contacted.Before(first) {
		t.Errorf("last contacted %s", contacted)
	}
}

func (w *world) sentToday() int {
	boxes, err := w.ListMailboxes(w.ctx, w.ws)
	must(w.t, err)
	return boxes[0].SentToday
}

// Steps and answers of this service are not external, for any program that filed them and any
// Message-ID. A draft is not sent.
func TestOwnMailIsNotExternal(t *testing.T) {
	t.Parallel()
	w, reply := replied(t)
	m := w.answer(reply)
	w.engine.AnswerOnce(w.ctx)
	var raw []byte
	for _, r := range w.mail.Received() {
		if r.MessageID == m.MessageID {
			var err error
			raw, err = r.Raw()
			must(t, err)
		}
	}
	replaced := strings.Replace(string(raw), m.MessageID, "<replaced@provider.test>", 1)
	if replaced == string(raw) {
		t.Fatalf("no %s in %s", m.MessageID, raw)
	}
	fileSent(t, w.ownServer(), imap.AppendOptions{}, string(raw), replaced)
	fileSent(t, w.ownServer(), imap.AppendOptions{Flags: []imap.Flag{imap.FlagDraft}},
		sentMail("<draft@acme.test>", "reply@away.test", reply.Header.ID))
	w.clock.Advance(2 * time.Minute)
	for range 2 {
		w.engine.ReceiveOnce(w.ctx)
	}
	if got := w.external(); len(got) != 0 {
		t.Errorf("external: %v", got)
	}
	// An answer to an answer of ours belongs to the same reply. One without a Message-ID is known by its bytes.
	fileSent(t, w.ownServer(), imap.AppendOptions{}, sentMail("<second@acme.test>", "reply@away.test", m.MessageID),
		strings.Replace(sentMail("<third@acme.test>", "reply@away.test", m.MessageID), "Message-ID: <third@acme.test>\r\n", "", 1))
	w.engine.ReceiveOnce(w.ctx)
	w.exec(`UPDATE mailbox_folders SET uid_validity = uid_validity + 1 WHERE folder = 'sent'`) // all is read again
	w.engine.ReceiveOnce(w.ctx)
	got := rows[string](w, `SELECT CASE WHEN message_id LIKE '%@sent.invalid>' THEN 'hash' ELSE message_id END || ' ' || (reply_id = $1)
FROM messages WHERE external ORDER BY 1`, reply.ID)
	if diff := cmp.Diff([]string{"<second@acme.test> true", "hash true"}, got); diff != "" {
		t.Errorf("external (-want +got):\n%s", diff)
	}
}

// Of a Sent folder that is new the newest mails are looked at, and of those only the ones of a
// conversation are fetched. Afterwards only what is new is looked at.
func TestSentFolderIsReadInProportion(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	box := p.in(store)
	e := fakeEngine(store, nil)
	store.ours = []string{"<ours@acme.test>"}
	var mails []string
	for n := range 2100 {
		mails = append(mails, sentMail(fmt.Sprintf("<m%d@acme.test>", n), "ann@away.test", "<theirs@away.test>"))
	}
	fileSent(t, box.IMAP, imap.AppendOptions{}, mails...)
	read(t, e, store)
	if n := len(store.looked); n != 2000 || len(store.elsewhere) != 0 {
		t.Errorf("looked at %d mails, took %d", n, len(store.elsewhere))
	}
	store.looked = nil
	fileSent(t, box.IMAP, imap.AppendOptions{}, sentMail("<new@acme.test>", "ann@away.test", "<ours@acme.test>"))
	for range 2 {
		read(t, e, store)
	}
	if len(store.looked) != 1 || len(store.elsewhere) != 1 || store.elsewhere[0].MessageID != "<new@acme.test>" {
		t.Errorf("looked at %d mails, took %v", len(store.looked), store.elsewhere)
	}
}

// A process dies right before and right after it stores what it read; the next one
// neither loses an answer nor doubles it.
func TestExternalAnswerAfterDeath(t *testing.T) {
	t.Parallel()
	for _, where := range []boundary{beforeSent, afterSent} {
		t.Run(string(where), func(t *testing.T) {
			t.Parallel()
			w, reply := replied(t)
			fileSent(t, w.ownServer(), imap.AppendOptions{},
				sentMail("<one@acme.test>", "reply@away.test", reply.Header.ID), sentMail("<two@acme.test>", "reply@away.test", reply.Header.ID))
			w.exec(`DELETE FROM mailbox_folders WHERE folder = 'sent'`)
			w.exec(`UPDATE mailboxes SET receive_at = '-infinity'`)
			w.dies(where, 1, time.Minute, receiveOnly)
			stored := 0
			if where == afterSent {
				stored = 2
			}
			if got := w.external(); len(got) != stored {
				t.Errorf("%v are stored by the first process, want %d", got, stored)
			}
			w.exec(`UPDATE mailboxes SET receive_at = '-infinity', receive_lease = NULL`)
			w.engine.ReceiveOnce(w.ctx)
			if got := w.external(); !slices.Equal(got, []string{"<one@acme.test>", "<two@acme.test>"}) {
				t.Errorf("external: %v", got)
			}
		})
	}
}

const (
	beforeSent boundary = "before the Sent folder is stored"
	afterSent  boundary = "after the Sent folder is stored"
)

func (m *mortal) TakeSent(ctx context.Context, box outreach.MailboxRef, answers []outreach.ExternalAnswer,
	at outreach.FolderPosition) error {
	m.pass(beforeSent)
	err := m.Store.TakeSent(ctx, box, answers, at)
	m.pass(afterSent)
	return err
}

var _ engine.SentFolder = (*mortal)(nil)
