package oauth_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/sandbox"
)

// with returns an address with other parameters.
func with(t *testing.T, address string, set url.Values) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	q := u.Query()
	for name, values := range set {
		q[name] = values
		if values == nil {
			q.Del(name)
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// refusedWith checks that a page refuses, and that no mailbox was made.
func (s *stage) refusedWith(got page, status int, says string) {
	s.t.Helper()
	if got.status != status || !strings.Contains(got.text, says) {
		s.t.Errorf("it answers %d, want %d with %q: %s", got.status, status, says, got.text)
	}
	if boxes, err := s.db.ListMailboxes(s.ctx, s.ws); err != nil || len(boxes) > 0 {
		s.t.Errorf("mailboxes were made: %v %v", boxes, err)
	}
}

// A code that was given for another attempt is worth nothing, although it is valid and its account
// agreed: the verifier is that of its own attempt (RFC 7636).
func TestCodeOfAnotherAttempt(t *testing.T) {
	t.Parallel()
	for _, provider := range []outreach.MailProvider{outreach.ProviderGoogle, outreach.ProviderMicrosoft} {
		s := newStage(t)
		attempt := outreach.ConnectionAttempt{Provider: provider}
		victim, thief := s.browser(), s.browser()
		stolen := victim.choose(victim.toProvider(*s.begin(attempt).AuthorizeURL), sandbox.GoogleMailbox)
		own := thief.choose(thief.toProvider(*s.begin(attempt).AuthorizeURL), sandbox.MicrosoftMailbox)
		code := codeInURL.FindStringSubmatch(stolen)[1]
		s.refusedWith(thief.get(with(t, own, url.Values{"code": {code}})), http.StatusUnprocessableEntity, "did not accept the answer")
	}
}

// The answer of one attempt ends no other one of the same browser: each has its own cookie.
func TestStateOfAnotherAttempt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	google := outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}
	thief, victim := s.browser(), s.browser()
	theirs := thief.choose(thief.toProvider(*s.begin(google).AuthorizeURL), sandbox.GoogleMailbox)
	victim.toProvider(*s.begin(google).AuthorizeURL) // has a cookie of an attempt of its own
	s.refusedWith(victim.get(theirs), http.StatusBadRequest, "This is another browser")
}

// A code of Google is sent to Google alone: not to Microsoft, whose attempt the browser finishes.
func TestMixUpOfProviders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.browser()
	google := b.choose(b.toProvider(*s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}).AuthorizeURL),
		sandbox.GoogleMailbox)
	microsoft := b.choose(b.toProvider(*s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft}).AuthorizeURL),
		sandbox.MicrosoftMailbox)
	var asked atomic.Int32
	s.answers.set(func(map[string]any) int { asked.Add(1); return http.StatusBadRequest })
	theirs, err := url.Parse(google)
	must(t, err)
	mixed := with(t, microsoft, url.Values{"code": theirs.Query()["code"], "iss": theirs.Query()["iss"]})
	s.refusedWith(b.get(mixed), http.StatusUnprocessableEntity, "The answer is not from Microsoft")
	if n := asked.Load(); n != 0 {
		t.Errorf("the code of Google was sent %d times", n)
	}
}

// The address that a token claims proves nothing: a mailbox is connected only if its servers open it
// for the account that signed in.
func TestClaimedAddress(t *testing.T) {
	t.Parallel()
	for _, provider := range []outreach.MailProvider{outreach.ProviderGoogle, outreach.ProviderMicrosoft} {
		s := newStage(t)
		victim := sandbox.MicrosoftMailbox
		s.sandbox.SetQuirks(sandbox.Quirks{ClaimedEmail: victim})
		for _, wanted := range []*string{nil, &victim} {
			begun, b := s.begin(outreach.ConnectionAttempt{Provider: provider, Email: wanted}), s.browser()
			got := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.GoogleMailbox))
			s.refusedWith(got, http.StatusUnprocessableEntity, "SMTP: login refused: ")
		}
	}
}

// A client for one directory takes no account of another one, and no directory that a token makes up.
func TestForeignTenant(t *testing.T) {
	t.Parallel()
	const foreign = "0c0ffee0-0000-4000-8000-5a17db0c0002"
	for name, c := range map[string]struct {
		client, account string // the tenants
		says            string // empty if the mailbox is connected
	}{
		"own":                {sandbox.Tenant, sandbox.Tenant, ""},
		"another one":        {sandbox.Tenant, foreign, "could not be verified"},
		"any organization":   {"organizations", foreign, ""},
		"path to elsewhere":  {"organizations", "x/../../google", "could not be verified"},
		"host of its choice": {"organizations", "x@evil.test", "could not be verified"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.setTenant(c.client)
			s.sandbox.SetQuirks(sandbox.Quirks{Tenant: c.account})
			begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft}), s.browser()
			got := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.MicrosoftMailbox))
			if c.says != "" {
				s.refusedWith(got, http.StatusUnprocessableEntity, c.says)
			} else if got.status != http.StatusOK {
				t.Errorf("it answers %d: %s", got.status, got.text)
			}
		})
	}
}

// A workspace uses its own client and that of the installation, never the client of another
// workspace, to connect and to renew.
func TestForeignClient(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other, err := s.db.CreateWorkspace(s.ctx, "Other")
	must(t, err)
	must(t, s.db.SetOAuthClient(s.ctx, other, outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: "theirs", Secret: "s"}))
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}), s.browser()
	led := b.toProvider(*begun.AuthorizeURL)
	if !strings.Contains(led, "client_id="+sandbox.ClientID+"&") {
		t.Errorf("it goes to %s", led)
	}
	done := b.get(b.choose(led, sandbox.GoogleMailbox))
	if done.status != http.StatusOK {
		t.Fatalf("it answers %d: %s", done.status, done.text)
	}
	box := s.box(*s.attempt(begun.ID).MailboxID)
	must(t, s.service.Authorize(s.ctx, &box))
	s.service.Providers[0].Client = outreach.OAuthClient{} // the other workspace's client is the only one left
	if told := s.tokenError(s.service.Renew(s.ctx, &box)); strings.Contains(told.Reason, "theirs") || told.Refused {
		t.Errorf("it says %+v", told)
	}
	if n := s.sandbox.Renewals(); n != 0 {
		t.Errorf("the token was renewed %d times without a client", n)
	}
	if err := s.service.Authorize(s.ctx, &outreach.Mailbox{ID: box.ID, WorkspaceID: other, Auth: outreach.AuthOAuth2}); err == nil {
		t.Error("another workspace got a token of the mailbox")
	}
}

// No parameter leads a browser to another site, whatever it is called.
func TestOpenRedirects(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	session := uuid.New()
	begun, err := s.service.Begin(s.ctx, outreach.ConnectionAttempt{WorkspaceID: s.ws, Provider: outreach.ProviderGoogle}, &session)
	must(t, err)
	elsewhere := url.Values{}
	for _, name := range []string{"redirect_uri", "redirect", "return_to", "next", "url", "continue", "RelayState"} {
		elsewhere[name] = []string{"https://evil.test/"}
	}
	b := s.browser()
	s.viewer = &outreach.Viewer{WorkspaceID: s.ws, SessionID: session, Email: "ann@x.test"}
	led := b.get(with(t, *begun.AuthorizeURL, elsewhere))
	if led.status != http.StatusSeeOther || !strings.HasPrefix(led.location, s.sandbox.OpenID().Page+"google/authorize?") ||
		strings.Contains(led.location, "evil.test") {
		t.Fatalf("the link leads to %d %s", led.status, led.location)
	}
	done := b.get(with(t, b.choose(led.location, sandbox.GoogleMailbox), elsewhere))
	if done.status != http.StatusSeeOther || !strings.HasPrefix(done.location, s.web.URL+"/mailboxes/") ||
		strings.Contains(done.location, "evil.test") {
		t.Errorf("the callback leads to %d %s", done.status, done.location)
	}
}

// The question of a link that was sent to a victim cannot be shown in a frame, which would hide it,
// and its form leads to the provider alone.
func TestQuestionIsNotFramed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	asked := s.browser().get(*s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderGoogle}).AuthorizeURL)
	policy := asked.header.Get("Content-Security-Policy")
	provider, err := url.Parse(s.sandbox.OpenID().Page)
	must(t, err)
	for _, want := range []string{"frame-ancestors 'none'", "default-src 'none'",
		"form-action 'self' " + provider.Scheme + "://" + provider.Host} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy is %s, want %s", policy, want)
		}
	}
	if !strings.Contains(asked.text, "If you did not expect this, close this page") {
		t.Errorf("the page says %s", asked.text)
	}
}

// An administrator who approves the client at Microsoft comes back without a connection, and is told
// so. That answer does nothing else.
func TestApprovalOfAnAdministrator(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for query, says := range map[string]string{
		"admin_consent=True&tenant=" + sandbox.Tenant:                    "The application is approved",
		"admin_consent=True&error=access_denied":                         "This answer cannot be used",
		"admin_consent=True&state=forged&code=forged":                    "This answer cannot be used",
		"error=access_denied&error_description=AADSTS65004&state=forged": "This answer cannot be used",
	} {
		if got := s.browser().get(s.web.URL + "/oauth/callback?" + query); !strings.Contains(got.text, says) {
			t.Errorf("%s: %d %s", query, got.status, got.text)
		}
	}
}
