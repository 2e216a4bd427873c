package storage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"outreach"
)

// connection stores an open attempt whose link has a secret of this hash.
func (s *stage) connection(secret byte) outreach.ConnectionAttempt {
	s.t.Helper()
	return got(s.CreateConnection(s.ctx,
		outreach.ConnectionAttempt{WorkspaceID: s.ws, Provider: outreach.ProviderGoogle}, [32]byte{secret}, nil))(s.t)
}

// tokens are good for an hour.
func (s *stage) tokens(access, refresh string) outreach.TokenSet {
	now := s.clock.Now()
	return outreach.TokenSet{Access: access, Refresh: refresh, ExpiresAt: now.Add(time.Hour), RenewAt: now.Add(55 * time.Minute)}
}

func (s *stage) googleBox(email string) outreach.Mailbox {
	box := outreach.NewMailbox()
	box.WorkspaceID, box.Email, box.Provider, box.Auth = s.ws, email, outreach.ProviderGoogle, outreach.AuthOAuth2
	server := outreach.MailServer{Host: "mail.google.test", Port: 465, Username: email, Security: outreach.SecurityTLS}
	box.SMTP, box.IMAP = server, server
	return box
}

// granted connects a mailbox by an attempt of its own.
func (s *stage) granted(email string) outreach.Mailbox {
	s.t.Helper()
	attempt := s.connection(byte(len(email)) + 100)
	return got(s.FinishConnection(s.ctx, outreach.Authorization{ConnectionAttempt: attempt}, s.googleBox(email),
		outreach.Grant{Provider: outreach.ProviderGoogle, ClientID: "client", TokenSet: s.tokens("access 1", "refresh 1")}))(s.t)
}

func (s *stage) grant(box outreach.Mailbox) outreach.Grant {
	s.t.Helper()
	return got(s.Grant(s.ctx, box.WorkspaceID, box.ID))(s.t)
}

func (s *stage) beginRenewal(box outreach.Mailbox, version int, holder string) *outreach.Renewal {
	s.t.Helper()
	return got(s.BeginRenewal(s.ctx, box.WorkspaceID, box.ID, version, holder, time.Minute))(s.t)
}

// Tokens and secrets lie sealed, for their own row alone.
func TestTokensAreSealed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box, other := s.granted("me@acme.test"), s.granted("other@acme.test")
	must(t, s.SetOAuthClient(s.ctx, s.ws,
		outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: "id", Secret: "client secret", Tenant: "acme.test"}))
	same(t, "tokens", []string{s.grant(box).Access, s.grant(box).Refresh}, []string{"access 1", "refresh 1"})
	for _, table := range []string{"mailbox_grants", "oauth_clients", "mailbox_connections", "mailboxes"} {
		for _, row := range rows[string](s, `SELECT encode(x::text::bytea, 'escape') FROM `+table+` x`) {
			for _, secret := range []string{"access 1", "refresh 1", "client secret"} {
				if strings.Contains(row, secret) || strings.Contains(row, hexOf(secret)) {
					t.Errorf("%s holds %q in clear", table, secret)
				}
			}
		}
	}
	s.exec(`
UPDATE mailbox_grants SET access_token = (SELECT access_token FROM mailbox_grants WHERE mailbox_id = $1)
WHERE mailbox_id = $2`, box.ID, other.ID)
	if _, err := s.Grant(s.ctx, s.ws, other.ID); err == nil {
		t.Error("one mailbox opens the token of another")
	}
}

func hexOf(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		const digits = "0123456789abcdef"
		b.WriteByte(digits[c>>4])
		b.WriteByte(digits[c&15])
	}
	return b.String()
}

// Only one process renews at a time; another one takes over when its lease has ended,
// and knows that it did.
func TestOneProcessRenews(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.granted("me@acme.test")
	first := s.beginRenewal(box, 1, "a")
	same(t, "not interrupted", first.Interrupted, false)
	if again := s.beginRenewal(box, 1, "b"); again != nil {
		t.Fatal("two processes renew one grant")
	}
	must(t, s.StoreRenewal(s.ctx, *first, s.tokens("access 2", "refresh 2")))
	stored := s.grant(box)
	same(t, "rotated", []any{stored.Access, stored.Refresh, stored.Version}, []any{"access 2", "refresh 2", 2})
	if late := s.beginRenewal(box, 1, "b"); late != nil {
		t.Error("tokens that were renewed already are renewed again")
	}

	lost := s.beginRenewal(box, 2, "a")
	s.exec(`UPDATE mailbox_grants SET renew_lease = '-infinity'`) // the process died
	next := s.beginRenewal(box, 2, "b")
	same(t, "nothing was sent", next.Interrupted, false)
	refused(t, s.StoreRenewal(s.ctx, *lost, s.tokens("late", "late")), outreach.CodeNotFound)
	refused(t, s.RevokeGrant(s.ctx, *lost, "late"), outreach.CodeNotFound)
	must(t, s.PostponeRenewal(s.ctx, *next, time.Hour))
	if hasty := s.beginRenewal(box, 2, "c"); hasty != nil {
		t.Error("a renewal that was postponed is tried at once")
	}
	s.exec(`UPDATE mailbox_grants SET renew_lease = '-infinity'`)
	same(t, "giving up is not a death", s.beginRenewal(box, 2, "c").Interrupted, false)
	refused(t, s.NoteTokenSent(s.ctx, *next), outreach.CodeNotFound)
	other := s.room(t)
	if stolen := got(s.BeginRenewal(s.ctx, other.ws, box.ID, 2, "d", time.Minute))(t); stolen != nil {
		t.Error("another workspace renews the grant")
	}
}

// The next renewal knows that an answer may be lost, also after the provider was away, until new
// tokens are stored; not if the provider returns the refresh token that it got.
func TestLostAnswerOfRenewal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.granted("me@acme.test")
	begin := func(version int, holder string) *outreach.Renewal {
		s.exec(`UPDATE mailbox_grants SET renew_lease = '-infinity'`)
		return s.beginRenewal(box, version, holder)
	}
	must(t, s.NoteTokenSent(s.ctx, *begin(1, "a")))
	next := begin(1, "b")
	same(t, "interrupted", next.Interrupted, true)
	must(t, s.PostponeRenewal(s.ctx, *next, time.Hour))
	next = begin(1, "c")
	same(t, "interrupted after a postponement", next.Interrupted, true)
	must(t, s.StoreRenewal(s.ctx, *next, s.tokens("access 2", "refresh 2")))
	next = begin(2, "d")
	same(t, "after new tokens", next.Interrupted, false)
	must(t, s.NoteTokenSent(s.ctx, *next))
	must(t, s.StoreRenewal(s.ctx, *next, s.tokens("access 3", "refresh 2")))
	must(t, s.NoteTokenSent(s.ctx, *begin(3, "e")))
	same(t, "the provider keeps the token", begin(3, "f").Interrupted, false)
}

// A revoked grant puts the mailbox in error and is not renewed, until a new grant for
// the same mailbox ends that.
func TestRevokedGrantAsksForReconnect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.granted("me@acme.test")
	must(t, s.RevokeGrant(s.ctx, *s.beginRenewal(box, 1, "a"), "Google no longer accepts the grant. Reconnect the mailbox."))
	now := got(s.Mailbox(s.ctx, s.ws, box.ID))(t)
	same(t, "in error", []any{now.Status, *now.AuthError, *now.LastError},
		[]any{outreach.MailboxError, "Google no longer accepts the grant. Reconnect the mailbox.",
			"Google no longer accepts the grant. Reconnect the mailbox."})
	same(t, "attention", got(s.Attention(s.ctx, s.ws))(t)[0].Kind, outreach.AttentionMailboxError)
	if again := s.beginRenewal(box, 1, "a"); again != nil {
		t.Error("a revoked grant is renewed")
	}
	same(t, "revoked", *s.grant(box).Revoked, *now.AuthError)

	attempt := got(s.CreateConnection(s.ctx,
		outreach.ConnectionAttempt{WorkspaceID: s.ws, Provider: outreach.ProviderGoogle, MailboxID: &box.ID}, [32]byte{7}, nil))(t)
	again := got(s.FinishConnection(s.ctx, outreach.Authorization{ConnectionAttempt: attempt}, s.googleBox("me@acme.test"),
		outreach.Grant{ClientID: "client", TokenSet: s.tokens("access 9", "refresh 9")}))(t)
	same(t, "the same mailbox", again.ID, box.ID)
	same(t, "connected", []any{again.Status, again.AuthError, again.LastError},
		[]any{outreach.MailboxConnected, (*string)(nil), (*string)(nil)})
	same(t, "not revoked", s.grant(box).Revoked, nil)
	same(t, "attempt", got(s.Connection(s.ctx, s.ws, attempt.ID))(t).Status, outreach.ConnectionConnected)
}

// A mailbox that goes back to a password loses its grant.
func TestPasswordEndsTheGrant(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.granted("me@acme.test")
	box.Auth, box.Provider, box.SMTP.Password, box.IMAP.Password = outreach.AuthPassword, outreach.ProviderCustom, "p", "p"
	same(t, "auth", got(s.UpdateMailbox(s.ctx, box))(t).Auth, outreach.AuthPassword)
	refused(t, second(s.Grant(s.ctx, s.ws, box.ID)), outreach.CodeNotFound)
}

// A client that is refused is one problem for its workspace, which the next renewal or
// new grant that succeeds ends.
func TestRefusedClientIsOneProblem(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.granted("me@acme.test")
	client := outreach.OAuthClient{Provider: outreach.ProviderGoogle}
	must(t, s.NoteClientFault(s.ctx, s.ws, client, "Google refuses the client."))
	must(t, s.NoteClientFault(s.ctx, s.ws, client, "Google refuses the client still."))
	other := s.room(t)
	same(t, "no other workspace's", len(got(s.Attention(s.ctx, other.ws))(t)), 0)
	found := got(s.Attention(s.ctx, s.ws))(t)
	same(t, "one problem", found,
		[]outreach.Attention{{Kind: outreach.AttentionOAuthClient, Title: "Google refuses the OAuth client",
			Detail: "Google refuses the client still."}},
		cmpopts.IgnoreFields(outreach.Attention{}, "SubjectID", "Since"))
	same(t, "the mailbox is well", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
	must(t, s.StoreRenewal(s.ctx, *s.beginRenewal(box, 1, "a"), s.tokens("access 2", "refresh 2")))
	same(t, "over", len(got(s.Attention(s.ctx, s.ws))(t)), 0)
	must(t, s.NoteClientFault(s.ctx, s.ws, client, "Google refuses the client."))
	s.granted("next@acme.test")
	same(t, "over with a new grant", len(got(s.Attention(s.ctx, s.ws))(t)), 0)
}

func TestOAuthClientsOfAWorkspace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.room(t)
	client := outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: "id", Secret: "one", Tenant: "acme.test", Own: true}
	must(t, s.SetOAuthClient(s.ctx, s.ws, client))
	client.Secret = "two"
	must(t, s.SetOAuthClient(s.ctx, s.ws, client))
	same(t, "with its secret", got(s.OAuthClient(s.ctx, s.ws, client.Provider))(t), client)
	client.Secret = ""
	same(t, "listed without", got(s.OAuthClients(s.ctx, s.ws))(t), []outreach.OAuthClient{client})
	client.Fault = new("Microsoft refuses it.")
	must(t, s.SetOAuthClient(s.ctx, s.ws, client))
	same(t, "with the fault that was found", got(s.OAuthClients(s.ctx, s.ws))(t), []outreach.OAuthClient{client})
	same(t, "one problem", got(s.Attention(s.ctx, s.ws))(t)[0].Detail, *client.Fault)
	client.Fault = nil
	must(t, s.SetOAuthClient(s.ctx, s.ws, client))
	same(t, "without it", got(s.OAuthClients(s.ctx, s.ws))(t), []outreach.OAuthClient{client})
	refused(t, second(s.OAuthClient(s.ctx, other.ws, client.Provider)), outreach.CodeNotFound)
	refused(t, s.DeleteOAuthClient(s.ctx, other.ws, client.Provider), outreach.CodeNotFound)
	must(t, s.DeleteOAuthClient(s.ctx, s.ws, client.Provider))
	same(t, "gone", len(got(s.OAuthClients(s.ctx, s.ws))(t)), 0)
}

// The link of an attempt works once, its state works once, and neither works after
// ten minutes.
func TestConnectionSteps(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.connection(1)
	found := got(s.ConnectionBySecret(s.ctx, [32]byte{1}))(t)
	same(t, "found", []any{found.ID, found.WorkspaceName}, []any{c.ID, "Acme"})
	start := outreach.AuthorizationStart{State: [32]byte{2}, Browser: [32]byte{3}, Verifier: "verifier", Nonce: "nonce",
		ClientID: "client", OwnClient: true}
	must(t, s.StartConnection(s.ctx, s.ws, c.ID, start))
	refused(t, s.StartConnection(s.ctx, s.ws, c.ID, start), outreach.CodeNotFound)
	refused(t, second(s.ConnectionBySecret(s.ctx, [32]byte{1})), outreach.CodeNotFound)
	waiting := got(s.ConnectionByState(s.ctx, [32]byte{2}))(t)
	same(t, "kept", []any{waiting.Verifier, waiting.Nonce, waiting.ClientID, waiting.OwnClient}, []any{"verifier", "nonce", "client", true})
	must(t, s.TakeConnection(s.ctx, s.ws, c.ID))
	refused(t, s.TakeConnection(s.ctx, s.ws, c.ID), outreach.CodeNotFound)
	refused(t, second(s.ConnectionByState(s.ctx, [32]byte{2})), outreach.CodeNotFound)
	must(t, s.FailConnection(s.ctx, s.ws, c.ID, "You did not allow it."))
	same(t, "failed", *got(s.Connection(s.ctx, s.ws, c.ID))(t).Error, "You did not allow it.")

	late, started := s.connection(5), s.connection(6)
	must(t, s.StartConnection(s.ctx, s.ws, started.ID, outreach.AuthorizationStart{State: [32]byte{6}}))
	s.clock.Advance(outreach.ConnectionLength)
	refused(t, second(s.ConnectionBySecret(s.ctx, [32]byte{5})), outreach.CodeNotFound)
	refused(t, s.StartConnection(s.ctx, s.ws, late.ID, start), outreach.CodeNotFound)
	refused(t, second(s.ConnectionByState(s.ctx, [32]byte{6})), outreach.CodeNotFound)
	refused(t, s.TakeConnection(s.ctx, s.ws, started.ID), outreach.CodeNotFound)
	same(t, "expired", got(s.Connection(s.ctx, s.ws, late.ID))(t).Status, outreach.ConnectionExpired)
	s.clock.Advance(outreach.ConnectionKept + time.Second)
	s.connection(7)
	refused(t, second(s.Connection(s.ctx, s.ws, late.ID)), outreach.CodeNotFound)
}

// Another workspace's mailbox cannot be named, and open attempts are bounded.
func TestConnectionBounds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.room(t)
	box := s.granted("me@acme.test")
	_, err := s.CreateConnection(s.ctx,
		outreach.ConnectionAttempt{WorkspaceID: other.ws, Provider: outreach.ProviderGoogle, MailboxID: &box.ID}, [32]byte{1}, nil)
	refused(t, err, outreach.CodeUnknownReference)
	for i := range 100 {
		other.connection(byte(i))
	}
	_, err = s.CreateConnection(s.ctx,
		outreach.ConnectionAttempt{WorkspaceID: other.ws, Provider: outreach.ProviderGoogle}, [32]byte{200}, nil)
	refused(t, err, outreach.CodeQuotaReached)
}
