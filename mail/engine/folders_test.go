package engine_test

import (
	"net"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/google/go-cmp/cmp"

	"outreach"
	"outreach/mail/engine"
	"outreach/sandbox"
)

// delivered is a message that a server accepted.
func delivered(n int) string { return "Received: from away.test by acme.test\r\n" + rawMessage(n) }

// file makes a folder, unless it is there, and puts mails into it.
func (p *post) file(folder string, use imap.MailboxAttr, mails ...string) {
	p.t.Helper()
	server := p.box.IMAP
	client, err := imapclient.DialInsecure(net.JoinHostPort(server.Host, strconv.Itoa(server.Port)), nil)
	must(p.t, err)
	defer func() { _ = client.Close() }()
	must(p.t, client.Login(server.Username, server.Password).Wait())
	options := &imap.CreateOptions{}
	if use != "" {
		options.SpecialUse = []imap.MailboxAttr{use}
	}
	if _, err := client.Status(folder, &imap.StatusOptions{NumMessages: true}).Wait(); err != nil {
		must(p.t, client.Create(folder, options).Wait())
	}
	for _, raw := range mails {
		put := client.Append(folder, int64(len(raw)), nil)
		_, err = put.Write([]byte(raw))
		must(p.t, err)
		must(p.t, put.Close())
		_, err = put.Wait()
		must(p.t, err)
	}
}

// takenSorted returns the Message-IDs that were ingested.
func takenSorted(store *fakeStore) []string {
	all := keys(store.taken)
	slices.Sort(all)
	return all
}

// The named folders are read, each from its own position, also those with letters beyond ASCII;
// others are not. What lies in two of them is ingested once; another mail with its Message-ID is
// another mail. What was never delivered is a copy of what the owner wrote.
func TestNamedFolders(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	p.in(store)
	store.boxes[0].Folders = []string{"inbox", "Antworten/März", "回信 & more"}
	p.file("INBOX", "", delivered(1))
	p.file("Antworten/März", "", delivered(1), delivered(2), rawMessage(8))
	p.file("回信 & more", "", delivered(3), delivered(3)+"Written by another person.\r\n")
	p.file("Junk", "", delivered(9))
	e := fakeEngine(store, nil)
	read(t, e, store)
	want := []string{"<m1@away.test>", "<m2@away.test>", "<m3@away.test>", "<m3@away.test>"}
	if diff := cmp.Diff(want, takenSorted(store)); diff != "" {
		t.Errorf("ingested (-want +got):\n%s", diff)
	}
	if len(store.positions) < 3 {
		t.Errorf("positions %v, want one of each folder", store.positions)
	}
	p.file("Antworten/März", "", delivered(4))
	read(t, e, store)
	if diff := cmp.Diff(append(want, "<m4@away.test>"), takenSorted(store)); diff != "" {
		t.Errorf("ingested afterwards (-want +got):\n%s", diff)
	}
}

// The owner gets the name of a folder that is missing, and the other folders are read.
func TestMissingFolder(t *testing.T) {
	t.Parallel()
	p, store := newPost(t), newFakeStore()
	p.in(store)
	store.boxes[0].Folders = []string{"Gone", "Kept"}
	p.file("Kept", "", delivered(1))
	read(t, fakeEngine(store, nil), store)
	if diff := cmp.Diff([]string{`me@acme.test IMAP: the mailbox has no folder "Gone"`}, store.done); diff != "" {
		t.Errorf("given back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"<m1@away.test>"}, keys(store.taken)); diff != "" {
		t.Errorf("ingested (-want +got):\n%s", diff)
	}
	faults := engine.Prober{Network: loopback}.Probe(t.Context(), store.boxes[0])
	if len(faults) != 1 || faults[0].Path.Pointer() != "/folders" || faults[0].Code != outreach.FieldInvalid {
		t.Errorf("faults %v", faults)
	}
}

// Of Google also All Mail is read, whatever its name; of others it is not.
func TestAllMail(t *testing.T) {
	t.Parallel()
	for provider, want := range map[outreach.MailProvider][]string{
		outreach.ProviderGoogle: {"<m1@away.test>", "<m2@away.test>", "<m3@away.test>"},
		outreach.ProviderCustom: {"<m1@away.test>", "<m2@away.test>"},
	} {
		t.Run(string(provider), func(t *testing.T) {
			t.Parallel()
			p, store := newPost(t), newFakeStore()
			p.in(store)
			store.boxes[0].Provider = provider
			p.file("INBOX", "", delivered(1))
			p.file("Junk", "", delivered(2))
			p.file("[Gmail]/Alle Nachrichten", imap.MailboxAttrAll, delivered(1), delivered(3), rawMessage(8))
			read(t, fakeEngine(store, nil), store)
			if diff := cmp.Diff(want, takenSorted(store)); diff != "" {
				t.Errorf("ingested (-want +got):\n%s", diff)
			}
		})
	}
}

// Some programs give every mail one Message-ID. The answers of two prospects that have it, filed
// into two folders, are two answers; the copy of one of them in the other folder is none.
func TestOneMessageIDOfTwoProspects(t *testing.T) {
	t.Parallel()
	w := newWorld(t, time.Now().UTC(), time.Millisecond)
	box := w.mailbox("me@acme.test", func(m *outreach.Mailbox) { m.Folders = []string{"INBOX", "Answers", "Customers"} })
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello"), BodyText: new("Hello {{ first_name }}")}}
	}, box)
	ann, bob := w.enroll(c, "ann@away.test", nil), w.enroll(c, "bob@away.test", nil)
	w.finish([]string{"ann@away.test", "bob@away.test"})
	answer := func(from string) string {
		return "Received: from away.test by acme.test\r\nFrom: " + from + "\r\nTo: me@acme.test\r\nMessage-ID: <1@away.test>\r\n" +
			"Date: Fri, 20 Nov 2026 09:00:00 +0000\r\nSubject: Re: Hello\r\n\r\nThis is my answer.\r\n"
	}
	p := &post{t: t, server: w.mail, box: sandbox.Mailbox{Email: box.Email, SMTP: box.SMTP, IMAP: box.IMAP}}
	p.box.IMAP.Password = "a secret"
	p.file("Answers", "", answer("ann@away.test"))
	p.file("Customers", "", answer("bob@away.test"), answer("ann@away.test"))
	w.engine.ReceiveOnce(w.ctx)
	w.engine.ReceiveOnce(w.ctx)
	for name, e := range map[string]outreach.Enrolled{"ann": ann, "bob": bob} {
		if diff := cmp.Diff([]string{"sent 1", "replied"}, w.history(e.Prospect.ID)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	got := rows[string](w, `SELECT sender FROM replies WHERE workspace_id = $1 ORDER BY sender`, w.ws)
	if diff := cmp.Diff([]string{"ann@away.test", "bob@away.test"}, got); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
}
