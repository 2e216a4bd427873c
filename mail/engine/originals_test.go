package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// withFile is a world with a reply that brings a file, a picture within and one of another server.
func withFile(t *testing.T) (*world, outreach.Reply, *engine.Originals) {
	t.Helper()
	w := newWorld(t, time.Now().UTC(), time.Hour)
	w.smallCampaign("anna@away.test")
	w.engine.SendOnce(w.ctx)
	ours := rows[string](w, `SELECT message_id FROM messages`)[0]
	w.arrives("anna@away.test", "Message-ID: <file@away.test>", "In-Reply-To: "+ours, "Subject: Re: files", "MIME-Version: 1.0",
		`Content-Type: multipart/mixed; boundary="b"`, "",
		"--b", "Content-Type: text/html", "",
		`<p onclick="alert(1)">Here you are.</p><script>alert(1)</script>`+
			`<form action="https://evil.test"><input></form><img src="https://spy.test/a.png">`,
		"--b", `Content-Type: text/html; name="offer.html"`, "Content-Disposition: attachment", "", "<script>alert(1)</script>",
		"--b--")
	eventually(w, "replies", 1, func() int {
		w.engine.ReceiveOnce(w.ctx)
		return len(rows[uuid.UUID](w, `SELECT id FROM replies`))
	})
	page, err := w.ListReplies(w.ctx, w.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 1})
	must(t, err)
	return w, page.Rows[0], &engine.Originals{Store: w.Stores, Network: loopback}
}

// arrives puts a mail into the only mailbox, which sends it itself.
func (w *world) arrives(from string, lines ...string) {
	w.t.Helper()
	w.arrivesAs("", from, lines...)
}

// arrivesAs puts a mail into the only mailbox. Its server notes envelope as who sent it, or the
// mailbox itself if that is empty.
func (w *world) arrivesAs(envelope, from string, lines ...string) {
	w.t.Helper()
	box, err := w.MailboxWithPasswords(w.ctx, w.ws, rows[uuid.UUID](w, `SELECT id FROM mailboxes`)[0])
	must(w.t, err)
	sender := box.Email
	if envelope != "" {
		sender = envelope
	}
	raw := "From: " + from + "\r\n" + strings.Join(lines, "\r\n") + "\r\n"
	out, err := mail.Send(w.ctx, mail.SMTPConfig{Server: box.SMTP, Network: loopback},
		mail.Envelope{From: sender, To: box.Email}, []byte(raw), func(context.Context) error { return nil })
	must(w.t, err)
	if out.Status != mail.StatusAccepted {
		w.t.Fatalf("the mail was %s: %s", out.Status, out.Text)
	}
}

// A reply lists its files; each is read from the mailbox, and the mail with it, cleaned.
func TestOriginals(t *testing.T) {
	t.Parallel()
	w, reply, originals := withFile(t)
	want := []outreach.Attachment{{ID: "1", Filename: "offer.html", ContentType: "text/html", Size: new(25)}}
	if diff := cmp.Diff(want, reply.Attachments); diff != "" {
		t.Fatal(diff)
	}
	file, err := originals.Attachment(w.ctx, w.ws, reply.ID, "1")
	if err != nil || string(file.Content) != "<script>alert(1)</script>" {
		t.Errorf("the file is %q: %v", file.Content, err)
	}
	page, err := originals.Original(w.ctx, w.ws, reply.ID)
	must(t, err)
	if !strings.Contains(page.HTML, "Here you are.") || !page.Remote {
		t.Errorf("the original is %+v", page)
	}
	for _, unwanted := range []string{"<script", "onclick", "<form", "<input"} {
		if strings.Contains(page.HTML, unwanted) {
			t.Errorf("the original holds %s: %s", unwanted, page.HTML)
		}
	}
}

// Another workspace, another file and a mail that is gone are all not found.
func TestOriginalsThatAreNotThere(t *testing.T) {
	t.Parallel()
	w, reply, originals := withFile(t)
	other, err := w.CreateWorkspace(w.ctx, "Other")
	must(t, err)
	gone := func(what string, err error) {
		t.Helper()
		if outreach.CodeOf(err) != outreach.CodeNotFound {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = originals.Attachment(w.ctx, other, reply.ID, "1")
	gone("a file of another workspace", err)
	_, err = originals.Original(w.ctx, other, reply.ID)
	gone("a mail of another workspace", err)
	_, err = originals.Attachment(w.ctx, w.ws, reply.ID, "2")
	gone("a file that the mail lacks", err)
	w.exec(`UPDATE replies SET header_id = '<elsewhere@away.test>'`)
	_, err = originals.Attachment(w.ctx, w.ws, reply.ID, "1")
	gone("a file of a mail that was deleted", err)
	_, err = originals.Original(w.ctx, w.ws, reply.ID)
	gone("a mail that was deleted", err)
}

// A mailbox that cannot be read is an error, and the place of the read is free again.
func TestOriginalsOfABrokenMailbox(t *testing.T) {
	t.Parallel()
	w, reply, originals := withFile(t)
	w.exec(`UPDATE mailboxes SET imap_port = 1`)
	for range 10 {
		_, err := originals.Original(w.ctx, w.ws, reply.ID)
		if told, ok := errors.AsType[*outreach.Error](err); !ok || told.Code != outreach.CodeMailboxUnreachable {
			t.Fatalf("a mailbox that is away: %v", err)
		}
	}
}

// A workspace has three downloads at a time, all of them together twelve; each counts to its end.
func TestDownloadsAreBounded(t *testing.T) {
	t.Parallel()
	originals := &engine.Originals{}
	var ends []func()
	for range 4 {
		busy := uuid.New()
		for range 3 {
			done, err := originals.Begin(busy)
			must(t, err)
			ends = append(ends, done)
		}
		if _, err := originals.Begin(busy); outreach.CodeOf(err) != outreach.CodeRateLimited {
			t.Errorf("a fourth one of a workspace: %v", err)
		}
	}
	if _, err := originals.Begin(uuid.New()); outreach.CodeOf(err) != outreach.CodeRateLimited {
		t.Errorf("a thirteenth one: %v", err)
	}
	ends[0]()
	if _, err := originals.Begin(uuid.New()); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
}
