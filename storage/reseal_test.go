package storage_test

import (
	"crypto/rand"
	"encoding/base64"
	"testing"

	"outreach"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// A key goes out of use: what it had sealed for good is under the new one, and the
// rest of the service does not notice.
func TestResealLetsAKeyGo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	keys := [2]string{}
	for i := range keys {
		key := make([]byte, 32)
		rand.Read(key)
		keys[i] = base64.StdEncoding.EncodeToString(key)
	}
	with := func(keys string) {
		t.Helper()
		ring, err := outreach.ParseKeyring(keys)
		must(t, err)
		s.Stores, err = stores.Open(s.ctx,
			storage.Config{URL: s.url, Keyring: ring, BaseURL: "http://127.0.0.1", Now: s.clock.Now, MaxConns: 4}, webhook.Encode)
		must(t, err)
		t.Cleanup(s.Stores.Close)
	}
	with(keys[0])
	box, gone := s.mailbox("me@acme.test"), s.mailbox("gone@acme.test")
	sub := got(s.CreateSubscription(s.ctx,
		outreach.Subscription{WorkspaceID: s.ws, URL: "https://a.test/",
			Events: []outreach.SubscriptionEvent{outreach.OnSent}, Enabled: true}, "whsec_secret"))(t)
	user := got(s.AddUser(s.ctx, s.ws, "u@x.test", "hash", outreach.RoleMember, false))(t)
	must(t, s.StartTOTP(s.ctx, user, []byte("totp secret")))
	same(t, "sealed again without another key", got(s.Reseal(s.ctx))(t), 0)
	all := got(s.CountSeals(s.ctx))(t)
	same(t, "by one key", all, storage.SealCounts{First: all.First})

	with(keys[1] + "," + keys[0])
	late := s.mailbox("late@acme.test")
	sealed := func() []string {
		return rows[string](s, `SELECT encode(smtp_password, 'hex') || encode(imap_password, 'hex') FROM mailboxes WHERE id = $1`, late.ID)
	}
	before := sealed()
	lateOnes := storage.SealCounts{First: 2, Former: all.First}
	same(t, "by the new key and the former one", got(s.CountSeals(s.ctx))(t), lateOnes)
	same(t, "sealed again", got(s.Reseal(s.ctx))(t), all.First)
	same(t, "sealed again later", got(s.Reseal(s.ctx))(t), 0)
	same(t, "none left", got(s.CountSeals(s.ctx))(t), storage.SealCounts{First: all.First + 2})
	same(t, "left alone under the first key", sealed(), before)

	s.exec(`UPDATE mailboxes SET imap_password = '\x00' WHERE id = $1`, gone.ID)
	if _, err := s.Reseal(s.ctx); err == nil || err.Error() != "no key of the list opens 1 stored secrets" {
		t.Errorf("of a secret that nothing opens it says %v", err)
	}
	same(t, "one lost", got(s.CountSeals(s.ctx))(t), storage.SealCounts{First: all.First + 1, None: 1})

	with(keys[1])
	open := got(s.MailboxWithPasswords(s.ctx, s.ws, box.ID))(t)
	same(t, "passwords", []string{open.SMTP.Password, open.IMAP.Password}, []string{"smtp secret", "imap secret"})
	same(t, "TOTP secret", string(got(s.PendingTOTP(s.ctx, user))(t)), "totp secret")
	same(t, "signing secret", got(s.RevealSecret(s.ctx, s.ws, sub.ID))(t).Secret, "whsec_secret")
}
