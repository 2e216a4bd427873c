package storage_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"outreach"
)

// Passwords lie sealed, come out for the mail engine only, and open for their own
// row alone.
func TestMailboxPasswords(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box, other := s.mailbox("me@acme.test"), s.mailbox("other@acme.test")
	same(t, "shown without", got(s.Mailbox(s.ctx, s.ws, box.ID))(t), box)
	same(t, "no password in an answer", box.SMTP.Password+box.IMAP.Password, "")
	open := got(s.MailboxWithPasswords(s.ctx, s.ws, box.ID))(t)
	same(t, "for the engine", []string{open.SMTP.Password, open.IMAP.Password}, []string{"smtp secret", "imap secret"})
	for _, sealed := range rows[[]byte](s, `SELECT smtp_password FROM mailboxes UNION ALL SELECT imap_password FROM mailboxes`) {
		if bytes.Contains(sealed, []byte("secret")) {
			t.Error("a password lies in the clear")
		}
	}
	s.exec(`UPDATE mailboxes SET smtp_password = (SELECT smtp_password FROM mailboxes WHERE id = $1) WHERE id = $2`, box.ID, other.ID)
	if _, err := s.MailboxWithPasswords(s.ctx, s.ws, other.ID); err == nil {
		t.Error("one mailbox opens the password of another")
	}
	open.SMTP.Password, open.Email = "new", "Me2@acme.test"
	got(s.UpdateMailbox(s.ctx, open))(t)
	again := got(s.MailboxWithPasswords(s.ctx, s.ws, box.ID))(t)
	same(t, "updated", []string{again.Email, again.SMTP.Password, again.IMAP.Password}, []string{"Me2@acme.test", "new", "imap secret"})
}

func TestMailboxIsConnectedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	box.Email = "ME@acme.test"
	_, err := s.CreateMailbox(s.ctx, box)
	refused(t, err, outreach.CodeMailboxExists)
	other := s.mailbox("other@acme.test")
	other.Email = "Me@acme.test"
	_, err = s.UpdateMailbox(s.ctx, other)
	refused(t, err, outreach.CodeMailboxExists)
}

func TestDeleteMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box, other := s.mailbox("me@acme.test"), s.mailbox("other@acme.test")
	c := s.campaign("C", box, steps(0)...)
	d := s.draft("D", box, steps(0)...)
	got(s.UpdateCampaign(s.ctx, s.ws, d.ID, func(d *outreach.Campaign) { d.MailboxIDs = append(d.MailboxIDs, other.ID) }))(t)
	refused(t, s.DeleteMailbox(s.ctx, s.ws, box.ID), outreach.CodeInUse)
	must(t, s.pause(c.ID))
	must(t, s.DeleteMailbox(s.ctx, s.ws, box.ID))
	refused(t, s.DeleteMailbox(s.ctx, s.ws, box.ID), outreach.CodeNotFound)
	same(t, "forgotten", got(s.Campaign(s.ctx, s.ws, d.ID))(t).MailboxIDs, []uuid.UUID{other.ID})
	same(t, "forgotten by the paused one", got(s.Campaign(s.ctx, s.ws, c.ID))(t).MailboxIDs, []uuid.UUID{}, cmpopts.EquateEmpty())
	refused(t, s.activate(c.ID), outreach.CodePrecondition)
}

func TestMailboxStates(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	_, err := s.ResumeMailbox(s.ctx, s.ws, box.ID)
	refused(t, err, outreach.CodeInvalidState)
	same(t, "paused", got(s.PauseMailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxPaused)
	_, err = s.PauseMailbox(s.ctx, s.ws, box.ID)
	refused(t, err, outreach.CodeInvalidState)
	s.clock.Advance(time.Minute)
	checked := got(s.NoteCheck(s.ctx, s.ws, box.ID, new("smtp: login refused")))(t)
	same(t, "a check does not end a pause", checked.Status, outreach.MailboxPaused)
	same(t, "but says what it found", []any{checked.LastError, checked.LastCheckedAt}, []any{new("smtp: login refused"), new(s.clock.Now())})
	same(t, "resumed", got(s.ResumeMailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
	same(t, "error", got(s.NoteCheck(s.ctx, s.ws, box.ID, new("x")))(t).Status, outreach.MailboxError)
	same(t, "connected", got(s.NoteCheck(s.ctx, s.ws, box.ID, nil))(t).Status, outreach.MailboxConnected)
}

func TestMailboxesComeWholeAndNewestFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var want []uuid.UUID
	for i := range 120 {
		s.clock.Advance(time.Second)
		want = append([]uuid.UUID{s.mailbox(string(rune('a'+i%26)) + uuid.NewString() + "@acme.test").ID}, want...)
	}
	var found []uuid.UUID
	for _, m := range got(s.ListMailboxes(s.ctx, s.ws))(t) {
		found = append(found, m.ID)
	}
	same(t, "order", found, want)
}

// The folders of a mailbox are kept in order; null is not an empty list.
func TestMailboxFolders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	same(t, "at first", box.Folders, []string(nil))
	for _, folders := range [][]string{{"INBOX", "Antworten/März"}, nil} {
		box = got(s.MailboxWithPasswords(s.ctx, s.ws, box.ID))(t)
		box.Folders = folders
		got(s.UpdateMailbox(s.ctx, box))(t)
		same(t, "stored", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Folders, folders)
	}
}
