package oauth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
	"outreach/sandbox"
)

// A link of the API connects a mailbox in any browser, at both providers, and the
// mailbox logs in with tokens at the servers of its provider.
func TestConnect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for provider, account := range map[outreach.MailProvider]string{
		outreach.ProviderGoogle: sandbox.GoogleMailbox, outreach.ProviderMicrosoft: sandbox.MicrosoftMailbox,
	} {
		box := s.connect(outreach.ConnectionAttempt{Provider: provider}, account)
		if box.Provider != provider || box.Auth != outreach.AuthOAuth2 || box.Email != account || box.Status != outreach.MailboxConnected {
			t.Errorf("%s: the mailbox is %+v", provider, box)
		}
		box.SMTP.Host, box.IMAP.Host = "evil.test", "evil.test" // as if the row had been changed
		must(t, s.service.Authorize(s.ctx, &box))
		if faults := (engine.Prober{Network: s.network()}).Probe(s.ctx, box); len(faults) > 0 {
			t.Errorf("%s: %v", provider, faults)
		}
	}
	if entries, err := s.db.ListAudit(s.ctx, s.ws, outreach.AuditFilter{}, outreach.Page{Limit: 5}); err != nil ||
		len(entries.Rows) != 2 || entries.Rows[0].Action != outreach.AuditMailboxCreated {
		t.Errorf("audit log: %v %v", entries.Rows, err)
	}
}

// The session that began an attempt is not asked again; another one is.
func TestOwnSessionIsLedOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	session := uuid.New()
	begun, err := s.service.Begin(s.ctx, outreach.ConnectionAttempt{WorkspaceID: s.ws, Provider: outreach.ProviderGoogle}, &session)
	must(t, err)
	b := s.browser()
	s.viewer = &outreach.Viewer{WorkspaceID: s.ws, SessionID: uuid.New(), Email: "eve@x.test"}
	if asked := b.get(*begun.AuthorizeURL); asked.status != http.StatusOK {
		t.Errorf("another session gets %d", asked.status)
	}
	s.viewer = &outreach.Viewer{WorkspaceID: s.ws, SessionID: session, Email: "ann@x.test"}
	led := b.get(*begun.AuthorizeURL)
	if led.status != http.StatusSeeOther || !strings.HasPrefix(led.location, s.sandbox.OpenID().Page+"google/authorize?") {
		t.Fatalf("its own session gets %d %s", led.status, led.location)
	}
	asked, err := url.Parse(led.location)
	must(t, err)
	for name, want := range map[string]string{"access_type": "offline", "prompt": "consent", "response_type": "code",
		"code_challenge_method": "S256",
		"scope":                 "openid email https://mail.google.com/", "redirect_uri": s.web.URL + "/oauth/callback"} {
		if got := asked.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	done := b.get(b.choose(led.location, sandbox.GoogleMailbox))
	if done.status != http.StatusSeeOther || !strings.HasPrefix(done.location, s.web.URL+"/mailboxes/") {
		t.Errorf("the callback leads to %d %s", done.status, done.location)
	}
}

// What strangers, other accounts and answers of others cannot do.
func TestAnswersThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	theirs := "other@sandbox.test"
	for _, account := range []string{theirs, "ghost@"} {
		_, err := s.sandbox.AddMailbox(account, "p")
		must(t, err)
	}
	google, microsoft := outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle},
		outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft}
	wanted := sandbox.GoogleMailbox
	for _, c := range []struct {
		name    string
		attempt outreach.ConnectionAttempt
		account string
		set     url.Values
		status  int
		says    string
	}{
		{"a forged state", google, wanted, url.Values{"state": {"forged"}}, 400, "This answer cannot be used"},
		{"no state", google, wanted, url.Values{"state": nil}, 400, "This answer cannot be used"},
		{"another issuer", google, wanted, url.Values{"iss": {"https://evil.test"}}, 422, "The answer is not from Google"},
		{"no issuer where it names itself", google, wanted, url.Values{"iss": nil}, 422, "The answer is not from Google"},
		{"a forged code", google, wanted, url.Values{"code": {"forged"}}, 422, "Google did not accept the answer"},
		{"access denied", google, "", nil, 422, "Access was not allowed"},
		{"a text of a stranger", google, wanted, url.Values{"error": {"<script>x"}, "error_description": {"call 555-1234"}},
			422, "Google refuses to connect the mailbox (other)."},
		{"a provider that is away", google, wanted, url.Values{"error": {"temporarily_unavailable"}}, 422,
			"Google is not available at the moment"},
		{"no consent of the administrator", microsoft, wanted, url.Values{"error": {"access_denied"},
			"error_description": {"AADSTS65001: The user or administrator has not consented to use the application."}}, 422,
			"Your administrator has to approve the application at Microsoft first."},
		{"an account without an address", google, "ghost@", nil, 422, "The account has no e-mail address."},
		{"another account", outreach.ConnectionAttempt{Provider: google.Provider, Email: &theirs}, wanted, nil, 422, "choose other@sandbox.test"},
	} {
		begun, b := s.begin(c.attempt), s.browser()
		got := b.get(with(t, b.choose(b.toProvider(*begun.AuthorizeURL), c.account), c.set))
		if got.status != c.status || !strings.Contains(got.text, c.says) || strings.Contains(got.text, "555") ||
			strings.Contains(got.text, "<script>") {
			t.Errorf("%s: %d %s", c.name, got.status, got.text)
		}
		if after := s.attempt(begun.ID); c.status == 422 && (after.Status != outreach.ConnectionFailed || after.Error == nil) {
			t.Errorf("%s: the attempt is %+v", c.name, after)
		}
	}
	if boxes, err := s.db.ListMailboxes(s.ctx, s.ws); err != nil || len(boxes) > 0 {
		t.Errorf("mailboxes were made: %v %v", boxes, err)
	}
}

// Tokens that cannot keep a mailbox connected, and identities that are not those of this attempt.
func TestTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const access, identity = "Access to mail was not allowed. Connect the mailbox again, and allow everything that is requested.",
		" could not be verified. Connect the mailbox again."
	var former any // the identity of another attempt
	for _, c := range []struct {
		name     string
		provider outreach.MailProvider
		change   func(answer map[string]any)
		says     string // empty if the mailbox is connected
	}{
		{"no right to use mail", outreach.ProviderGoogle, func(a map[string]any) { former, a["scope"] = a["id_token"], "openid email" }, access},
		{"the right to read alone", outreach.ProviderMicrosoft,
			func(a map[string]any) { a["scope"] = "https://outlook.office.com/IMAP.AccessAsUser.All" }, access},
		{"no refresh token", outreach.ProviderGoogle, func(a map[string]any) { delete(a, "refresh_token") },
			"Google granted only temporary access. Connect the mailbox again."},
		{"no identity", outreach.ProviderGoogle, func(a map[string]any) { delete(a, "id_token") }, "The answer of Google" + identity},
		{"a replayed identity", outreach.ProviderGoogle, func(a map[string]any) { a["id_token"] = former }, "The answer of Google" + identity},
		{"an identity of Google", outreach.ProviderMicrosoft, func(a map[string]any) { a["id_token"] = former },
			"The answer of Microsoft" + identity},
		{"a broken signature", outreach.ProviderMicrosoft, func(a map[string]any) {
			signed := a["id_token"].(string)
			a["id_token"] = signed[:len(signed)-10] + "AAAAAAAAAA"
		}, "The answer of Microsoft" + identity},
		{"no scopes in the answer", outreach.ProviderMicrosoft, func(a map[string]any) { delete(a, "scope") }, ""},
	} {
		s.answers.set(func(answer map[string]any) int { c.change(answer); return http.StatusOK })
		begun, b := s.begin(outreach.ConnectionAttempt{Provider: c.provider}), s.browser()
		got := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.GoogleMailbox))
		after := s.attempt(begun.ID)
		switch {
		case c.says == "" && (got.status != http.StatusOK || after.Status != outreach.ConnectionConnected):
			t.Errorf("%s: %d %s", c.name, got.status, got.text)
		case c.says != "" && (got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text, c.says) ||
			after.Error == nil || *after.Error != c.says):
			t.Errorf("%s: %d %s, and the attempt is %+v", c.name, got.status, got.text, after)
		}
	}
	if boxes, err := s.db.ListMailboxes(s.ctx, s.ws); err != nil || len(boxes) != 1 {
		t.Errorf("mailboxes: %v %v", boxes, err)
	}
}

// When both servers refuse the login, the person reads why each does, in one attempt.
func TestServersThatRefuse(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.sandbox.SetAccountQuirks(sandbox.MicrosoftMailbox, sandbox.AccountQuirks{NoSMTPAuth: true, Throttled: sandbox.ThrottleIMAP})
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft}), s.browser()
	got := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.MicrosoftMailbox))
	after := s.attempt(begun.ID)
	for _, want := range []string{"SMTP: login refused: Ask your administrator to enable SMTP AUTH for this mailbox",
		"; IMAP: login refused: Too many sessions"} {
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text, want) || after.Error == nil ||
			!strings.Contains(*after.Error, want) {
			t.Errorf("it answers %d: %s, and the attempt is %+v, want %s", got.status, got.text, after, want)
		}
	}
}

// Microsoft is asked for both rights and a refresh token, and for the account that is wanted.
func TestMicrosoftIsAsked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	wanted := sandbox.MicrosoftMailbox
	for name, c := range map[string]struct {
		email *string
		want  map[string]string
	}{
		"any account": {nil, map[string]string{"prompt": "select_account", "login_hint": ""}},
		"one account": {&wanted, map[string]string{"prompt": "", "login_hint": wanted}},
	} {
		begun := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft, Email: c.email})
		asked, err := url.Parse(s.browser().toProvider(*begun.AuthorizeURL))
		must(t, err)
		c.want["scope"] = "openid profile email offline_access https://outlook.office.com/IMAP.AccessAsUser.All " +
			"https://outlook.office.com/SMTP.Send"
		c.want["access_type"] = ""
		for parameter, want := range c.want {
			if got := asked.Query().Get(parameter); got != want {
				t.Errorf("%s: %s is %q, want %q", name, parameter, got, want)
			}
		}
	}
}

// While the provider is away the link stays valid. A client that was replaced meanwhile gets no code.
func TestProviderAwayAndClientReplaced(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}), s.browser()
	issuer := s.service.Providers[0].Issuer
	s.service.Providers[0].Issuer = s.web.URL + "/nothing"
	if got := b.send(http.MethodPost, *begun.AuthorizeURL, nil, nil); got.status != http.StatusServiceUnavailable ||
		!strings.Contains(got.text, "Try again in a moment") {
		t.Errorf("while the provider is away: %d %s", got.status, got.text)
	}
	s.service.Providers[0].Issuer = issuer
	answer := b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.GoogleMailbox)
	s.service.Providers[0].Client.ClientID = "another"
	if got := b.get(answer); got.status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.text, "The OAuth client has been changed. Connect the mailbox again.") {
		t.Errorf("with another client: %d %s", got.status, got.text)
	}
}

// A link works once, an answer works once, both only in time, and an answer only in the
// browser that was sent for it.
func TestLinksAndAnswersWorkOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}), s.browser()
	if cross := b.send(http.MethodPost, *begun.AuthorizeURL, nil,
		func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }); cross.status != http.StatusForbidden {
		t.Errorf("a form of another site gets %d", cross.status)
	}
	answer := b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.GoogleMailbox)
	if again := b.get(*begun.AuthorizeURL); again.status != http.StatusBadRequest {
		t.Errorf("the used link gets %d", again.status)
	}
	if other := s.browser().get(answer); other.status != http.StatusBadRequest || !strings.Contains(other.text, "another browser") {
		t.Errorf("another browser gets %d %s", other.status, other.text)
	}
	done := b.get(answer)
	if done.status != http.StatusOK {
		t.Fatalf("after that, the right one gets %d %s", done.status, done.text)
	}
	if policy := done.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") ||
		done.header.Get("Referrer-Policy") != "no-referrer" || done.header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("headers %v", done.header)
	}
	if replayed := b.get(answer); replayed.status != http.StatusBadRequest {
		t.Errorf("the replayed answer gets %d", replayed.status)
	}

	late := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle})
	started := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle})
	answer = b.choose(b.toProvider(*started.AuthorizeURL), sandbox.DefaultMailbox)
	s.clock.pass(outreach.ConnectionLength)
	if got := b.get(*late.AuthorizeURL); got.status != http.StatusBadRequest {
		t.Errorf("a link that is too old gets %d", got.status)
	}
	if got := b.get(answer); got.status != http.StatusBadRequest {
		t.Errorf("an answer that is too late gets %d", got.status)
	}
	if after := s.attempt(late.ID); after.Status != outreach.ConnectionExpired {
		t.Errorf("the attempt is %s", after.Status)
	}
}

// A reconnect is for the account of the mailbox alone.
func TestReconnectKeepsTheAccount(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	google := outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}
	box := s.connect(google, sandbox.GoogleMailbox)
	google.MailboxID = &box.ID
	begun, b := s.begin(google), s.browser()
	got := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.MicrosoftMailbox))
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text, "choose "+sandbox.GoogleMailbox) {
		t.Errorf("another account gets %d %s", got.status, got.text)
	}
	if again := s.connect(google, sandbox.GoogleMailbox); again.ID != box.ID {
		t.Errorf("the reconnect made %s of %s", again.ID, box.ID)
	}
	google.MailboxID = nil
	begun, b = s.begin(google), s.browser()
	got = b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.GoogleMailbox))
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text, "already connected") {
		t.Errorf("a second mailbox of the account gets %d %s", got.status, got.text)
	}
}

// Without a client there is no attempt, and the answer names what to set. The
// workspace's own client goes before that of the installation.
func TestClients(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	must(t, s.db.SetOAuthClient(s.ctx, s.ws, outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: "own", Secret: "s"}))
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}), s.browser()
	if led := b.toProvider(*begun.AuthorizeURL); !strings.Contains(led, "client_id=own&") {
		t.Errorf("it goes to %s", led)
	}
	s.service.Providers = nil
	for _, p := range s.providers() {
		p.Client = outreach.OAuthClient{}
		s.service.Providers = append(s.service.Providers, p)
	}
	_, err := s.service.Begin(s.ctx, outreach.ConnectionAttempt{WorkspaceID: s.ws, Provider: outreach.ProviderMicrosoft}, nil)
	if outreach.CodeOf(err) != outreach.CodePrecondition || !strings.Contains(err.Error(), "OUTREACH_MICROSOFT_CLIENT_ID") {
		t.Errorf("without a client: %v", err)
	}
}

// Neither tokens nor codes nor secrets are logged, whatever fails.
func TestNothingSecretIsLogged(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.sandbox.SetQuirks(sandbox.Quirks{RefusesClient: true})
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}), s.browser()
	answer := b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.GoogleMailbox)
	if got := b.get(answer); !strings.Contains(got.text, "Google refuses the OAuth client.") {
		t.Errorf("it says %s", got.text)
	}
	logged := s.log.String()
	if !strings.Contains(logged, "401 invalid_client") {
		t.Errorf("the log has no word of it: %s", logged)
	}
	for _, secret := range []string{codeInURL.FindStringSubmatch(answer)[1], sandbox.ClientSecret,
		strings.TrimPrefix(*begun.AuthorizeURL, s.web.URL)} {
		if strings.Contains(logged, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}
