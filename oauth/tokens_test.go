package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"outreach"
	"outreach/mail/engine"
	"outreach/oauth"
	"outreach/sandbox"
)

// connected returns a mailbox of a provider whose token is due for renewal.
func (s *stage) connected(provider outreach.MailProvider) outreach.Mailbox {
	s.t.Helper()
	box := s.connect(outreach.ConnectionAttempt{Provider: provider}, sandbox.GoogleMailbox)
	s.clock.pass(57 * time.Minute)
	return box
}

func (s *stage) tokenError(err error) *outreach.TokenError {
	s.t.Helper()
	told, ok := errors.AsType[*outreach.TokenError](err)
	if !ok {
		s.t.Fatalf("the error is %v, want a TokenError", err)
	}
	return told
}

// leaseEnds lets the lease of a process that died run out.
func (s *stage) leaseEnds() {
	s.t.Helper()
	_, err := s.sql.Exec(s.ctx, `UPDATE mailbox_grants SET renew_lease = '-infinity'`)
	must(s.t, err)
}

// Four processes with eight callers each renew a token once.
func TestTokensAreRenewedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connected(outreach.ProviderGoogle)
	s.clock.pass(time.Hour) // it has ended: everybody waits for the new one
	var all sync.WaitGroup
	tokens := make(chan string, 32)
	for range 4 {
		process := s.process(s.db)
		for range 8 {
			all.Go(func() {
				mine := box
				if err := process.Authorize(s.ctx, &mine); err != nil {
					t.Errorf("authorize: %v", err)
				}
				tokens <- mine.SMTP.Token
			})
		}
	}
	all.Wait()
	close(tokens)
	first := <-tokens
	for token := range tokens {
		if token != first || token == "" {
			t.Error("callers got different tokens")
		}
	}
	if n := s.sandbox.Renewals(); n != 1 {
		t.Errorf("the provider was asked %d times, want once", n)
	}
}

// A token that a server refuses is replaced before its time.
func TestRefusedTokenIsReplaced(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connect(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}, sandbox.GoogleMailbox)
	must(t, s.service.Authorize(s.ctx, &box))
	old := box.SMTP.Token
	must(t, s.service.Renew(s.ctx, &box))
	if box.SMTP.Token == old {
		t.Error("the refused token is used again")
	}
}

// A check of both logins replaces a token that the servers refuse, once.
func TestProbeReplacesRefusedToken(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connect(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}, sandbox.GoogleMailbox)
	must(t, s.service.Authorize(s.ctx, &box))
	s.sandbox.Revoke(box.Email)
	s.connect(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle, MailboxID: &box.ID}, box.Email)
	if faults := (engine.Prober{Network: s.network()}).Probe(s.ctx, box); len(faults) != 2 {
		t.Errorf("with the token that was revoked: %v", faults)
	}
	if faults := (engine.Prober{Network: s.network(), Tokens: s.service}).Probe(s.ctx, box); len(faults) > 0 {
		t.Errorf("with a token that may be replaced: %v", faults)
	}
	if n := s.sandbox.Renewals(); n != 0 {
		t.Errorf("the token of the new sign-in was renewed %d times", n)
	}
}

// A token that lives for a moment only is asked for once, not again and again.
func TestShortTokens(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connected(outreach.ProviderGoogle)
	s.clock.pass(time.Hour)
	s.sandbox.SetQuirks(sandbox.Quirks{TokenLife: time.Second})
	must(t, s.service.Authorize(s.ctx, &box))
	if n := s.sandbox.Renewals(); n != 1 {
		t.Errorf("the provider was asked %d times, want once", n)
	}
}

// A revoked grant puts the mailbox in error; a reconnect ends that.
func TestRevokedGrant(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connected(outreach.ProviderGoogle)
	s.sandbox.Revoke(box.Email)
	const want = "Google no longer accepts our access: the password was changed, or the access was revoked. Reconnect the mailbox."
	for range 2 {
		if told := s.tokenError(s.service.Authorize(s.ctx, &box)); !told.Refused || told.Reason != want {
			t.Errorf("it says %+v", told)
		}
	}
	if after := s.box(box.ID); after.Status != outreach.MailboxError || after.AuthError == nil || *after.AuthError != want {
		t.Errorf("the mailbox is %+v", after)
	}
	s.connect(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle, MailboxID: &box.ID}, box.Email)
	must(t, s.service.Authorize(s.ctx, &box))
}

// Google ends the grants of a client in testing after seven days: the mailbox works up to then, and
// asks for a reconnect.
func TestGrantThatEnds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const week = 7 * 24 * time.Hour
	s.sandbox.SetQuirks(sandbox.Quirks{GrantLife: week})
	box := s.connected(outreach.ProviderGoogle)
	s.clock.pass(week - 2*time.Hour)
	must(t, s.service.Authorize(s.ctx, &box))
	s.clock.pass(2 * time.Hour)
	if told := s.tokenError(s.service.Authorize(s.ctx, &box)); !told.Refused || !strings.HasSuffix(told.Reason, "Reconnect the mailbox.") {
		t.Errorf("it says %+v", told)
	}
	s.connect(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle, MailboxID: &box.ID}, box.Email)
	must(t, s.service.Authorize(s.ctx, &box))
}

// A provider that is away changes no mailbox: its token serves up to the end.
func TestProviderAway(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connected(outreach.ProviderMicrosoft)
	s.sandbox.SetQuirks(sandbox.Quirks{Away: true})
	must(t, s.service.Authorize(s.ctx, &box))
	s.clock.pass(time.Hour)
	for range 2 { // asked, then not asked for a while
		if told := s.tokenError(s.service.Authorize(s.ctx, &box)); told.Refused {
			t.Errorf("it says %+v", told)
		}
	}
	if after := s.box(box.ID); after.Status != outreach.MailboxConnected || after.AuthError != nil {
		t.Errorf("the mailbox is %+v", after)
	}
	s.sandbox.SetQuirks(sandbox.Quirks{})
	s.leaseEnds()
	must(t, s.service.Authorize(s.ctx, &box))
}

// A client that is refused is one problem, and no mailbox's fault.
func TestClientRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connected(outreach.ProviderGoogle)
	s.clock.pass(time.Hour)
	s.sandbox.SetQuirks(sandbox.Quirks{RefusesClient: true})
	if told := s.tokenError(s.service.Authorize(s.ctx, &box)); told.Refused {
		t.Errorf("it says %+v", told)
	}
	found, err := s.db.Attention(s.ctx, s.ws)
	must(t, err)
	if len(found) != 1 || found[0].Kind != outreach.AttentionOAuthClient || s.box(box.ID).Status != outreach.MailboxConnected {
		t.Errorf("attention: %+v", found)
	}
}

// dying is a store whose process dies before it commits new tokens.
type dying struct{ oauth.Store }

type death struct{}

func (dying) StoreRenewal(context.Context, outreach.Renewal, outreach.TokenSet) error {
	panic(death{})
}

// dieIn lets a process with this store die while it renews.
func (s *stage) dieIn(store oauth.Store, box outreach.Mailbox) {
	s.t.Helper()
	defer func() {
		if (recover() != death{}) {
			s.t.Fatal("the process lives")
		}
	}()
	_ = s.process(store).Authorize(s.ctx, &box)
}

// When a process dies before it has stored new tokens, the next one renews with the
// former refresh token. Only an issuer that ends that one makes a reconnect necessary,
// and the mailbox says why.
func TestDeathBetweenAnswerAndCommit(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]bool{"the previous token stays valid": false, "the previous token ends": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.sandbox.SetQuirks(sandbox.Quirks{EndsFormer: ends})
			box := s.connected(outreach.ProviderMicrosoft)
			s.clock.pass(time.Hour)
			s.dieIn(dying{s.db}, box)
			s.leaseEnds()
			err := s.service.Authorize(s.ctx, &box)
			if !ends {
				must(t, err)
				return
			}
			const want = "The service was interrupted while it renewed its access, and Microsoft no longer accepts " +
				"the previous token. Reconnect the mailbox."
			if told := s.tokenError(err); !told.Refused || told.Reason != want {
				t.Errorf("it says %+v", told)
			}
			if after := s.box(box.ID); after.AuthError == nil || *after.AuthError != want {
				t.Errorf("the mailbox is %+v", after)
			}
			s.connect(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft, MailboxID: &box.ID}, box.Email)
		})
	}
}

// dyingEarly is a store whose process dies before it sends a token.
type dyingEarly struct{ oauth.Store }

func (dyingEarly) NoteTokenSent(context.Context, outreach.Renewal) error { panic(death{}) }

// A refused grant blames an interruption only if an answer of the provider may be lost.
func TestReasonOfRefusal(t *testing.T) {
	t.Parallel()
	early := func(s *stage, box outreach.Mailbox) { s.dieIn(dyingEarly{s.db}, box) }
	late := func(s *stage, box outreach.Mailbox) { s.dieIn(dying{s.db}, box) }
	away := func(s *stage, box outreach.Mailbox) {
		s.sandbox.SetQuirks(sandbox.Quirks{Away: true})
		_ = s.tokenError(s.service.Authorize(s.ctx, &box)) // that it failed is enough here
		s.sandbox.SetQuirks(sandbox.Quirks{})
	}
	renewed := func(s *stage, box outreach.Mailbox) {
		must(s.t, s.service.Authorize(s.ctx, &box))
		s.clock.pass(2 * time.Hour)
	}
	type event func(*stage, outreach.Mailbox)
	tests := map[string]struct {
		provider outreach.MailProvider
		events   []event
		blames   bool
	}{
		"nothing else":                         {outreach.ProviderMicrosoft, nil, false},
		"death before the token is sent":       {outreach.ProviderMicrosoft, []event{early}, false},
		"the provider was away":                {outreach.ProviderMicrosoft, []event{away}, false},
		"death after the answer":               {outreach.ProviderMicrosoft, []event{late}, true},
		"death after the answer, then away":    {outreach.ProviderMicrosoft, []event{late, away}, true},
		"death after the answer, then early":   {outreach.ProviderMicrosoft, []event{late, early}, true},
		"death, then renewed":                  {outreach.ProviderMicrosoft, []event{late, renewed}, false},
		"death, and the provider keeps tokens": {outreach.ProviderGoogle, []event{renewed, late}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			box := s.connected(test.provider)
			s.clock.pass(time.Hour)
			for _, happen := range test.events {
				happen(s, box)
				s.leaseEnds()
			}
			s.sandbox.Revoke(box.Email)
			told := s.tokenError(s.service.Authorize(s.ctx, &box))
			if !told.Refused || strings.Contains(told.Reason, "interrupted") != test.blames {
				t.Errorf("it says %+v", told)
			}
		})
	}
}

// Rotated refresh tokens are stored before anything uses what came with them, many
// times in a row.
func TestRotation(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.sandbox.SetQuirks(sandbox.Quirks{EndsFormer: true})
	box := s.connected(outreach.ProviderMicrosoft)
	for range 5 {
		must(t, s.service.Authorize(s.ctx, &box))
		s.clock.pass(57 * time.Minute)
	}
	if n := s.sandbox.Renewals(); n != 5 {
		t.Errorf("renewed %d times, want 5", n)
	}
}

// A grant belongs to the client that it was given to.
func TestReplacedClientAsksForReconnect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.connected(outreach.ProviderGoogle)
	s.service.Providers[0].Client.ClientID = "another"
	if told := s.tokenError(s.service.Authorize(s.ctx, &box)); !told.Refused ||
		told.Reason != "The OAuth client for Google was replaced. Reconnect the mailbox." {
		t.Errorf("it says %+v", told)
	}
}

// A mailbox of an application needs the workspace's own client, for one tenant, and
// renews without a refresh token.
func TestAppMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := outreach.NewMailbox()
	box.WorkspaceID, box.Email, box.Provider, box.Auth = s.ws, sandbox.MicrosoftMailbox, outreach.ProviderMicrosoft, outreach.AuthOAuth2App
	_, err := s.service.AppGrant(s.ctx, &box)
	if outreach.CodeOf(err) != outreach.CodePrecondition {
		t.Errorf("with the client of the installation: %v", err)
	}
	client := outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: sandbox.ClientID,
		Secret: sandbox.ClientSecret, Tenant: "organizations"}
	must(t, s.db.SetOAuthClient(s.ctx, s.ws, client))
	if _, err = s.service.AppGrant(s.ctx, &box); outreach.CodeOf(err) != outreach.CodePrecondition {
		t.Errorf("without a tenant: %v", err)
	}
	client.Tenant = sandbox.Tenant
	must(t, s.db.SetOAuthClient(s.ctx, s.ws, client))
	grant, err := s.service.AppGrant(s.ctx, &box)
	must(t, err)
	if faults := s.service.Mail.Probe(s.ctx, box); len(faults) > 0 {
		t.Fatal(faults)
	}
	grant.ClientID = "former" // its client was replaced since
	made, err := s.db.CreateAppMailbox(s.ctx, box, grant)
	must(t, err)
	s.clock.pass(2 * time.Hour)
	must(t, s.service.Authorize(s.ctx, &made))
	if faults := s.service.Mail.Probe(s.ctx, made); len(faults) > 0 {
		t.Error(faults)
	}

	client.Tenant = "common"
	must(t, s.db.SetOAuthClient(s.ctx, s.ws, client))
	s.clock.pass(2 * time.Hour)
	told := s.tokenError(s.service.Authorize(s.ctx, &made))
	if told.Refused || told.Reason != "The OAuth client for Microsoft must name one tenant, not common." {
		t.Errorf("with a group of tenants: %+v", told)
	}
	if after := s.box(made.ID); after.Status != outreach.MailboxConnected || after.AuthError != nil {
		t.Errorf("the mailbox is %+v", after)
	}
}

// A mailbox of an application has no owner who could reconnect it: whatever the provider refuses is
// the client's problem.
func TestAppMailboxIsNotReconnected(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	must(t, s.db.SetOAuthClient(s.ctx, s.ws, outreach.OAuthClient{Provider: outreach.ProviderMicrosoft,
		ClientID: sandbox.ClientID, Secret: sandbox.ClientSecret, Tenant: sandbox.Tenant}))
	box := outreach.NewMailbox()
	box.WorkspaceID, box.Email, box.Provider, box.Auth = s.ws, sandbox.MicrosoftMailbox, outreach.ProviderMicrosoft, outreach.AuthOAuth2App
	grant, err := s.service.AppGrant(s.ctx, &box)
	must(t, err)
	made, err := s.db.CreateAppMailbox(s.ctx, box, grant)
	must(t, err)
	s.clock.pass(2 * time.Hour)
	s.answers.set(func(answer map[string]any) int {
		clear(answer)
		answer["error"] = "invalid_grant"
		return http.StatusBadRequest
	})
	if told := s.tokenError(s.service.Authorize(s.ctx, &made)); told.Refused {
		t.Errorf("it says %+v", told)
	}
	found, err := s.db.Attention(s.ctx, s.ws)
	must(t, err)
	if len(found) != 1 || found[0].Kind != outreach.AttentionOAuthClient || s.box(made.ID).Status != outreach.MailboxConnected {
		t.Errorf("attention: %+v", found)
	}
}

// A token is renewed 5 minutes before its end, one with a short life at half of it.
func TestWhenTokensAreRenewed(t *testing.T) {
	t.Parallel()
	for life, due := range map[time.Duration]time.Duration{time.Hour: 55 * time.Minute, 4 * time.Minute: 2 * time.Minute} {
		t.Run(life.String(), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.sandbox.SetQuirks(sandbox.Quirks{TokenLife: life})
			box := s.connect(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}, sandbox.GoogleMailbox)
			s.clock.pass(due - time.Minute)
			must(t, s.service.Authorize(s.ctx, &box))
			if n := s.sandbox.Renewals(); n != 0 {
				t.Errorf("%d renewals a minute before %s", n, due)
			}
			s.clock.pass(time.Minute)
			must(t, s.service.Authorize(s.ctx, &box))
			if n := s.sandbox.Renewals(); n != 1 {
				t.Errorf("%d renewals after %s, want one", n, due)
			}
		})
	}
}
