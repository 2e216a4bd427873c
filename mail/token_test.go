package mail

import (
	"encoding/base64"
	"errors"
	"io"
	"log"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"outreach"
)

const testToken = "ya29.a-token"

// tokenServer is the server's side of both mechanisms. It refuses by a challenge, and
// insists on the right answer to it.
type tokenServer struct {
	mechanism string
	refused   bool
	refusal   error
}

func (s *tokenServer) Next(response []byte) ([]byte, bool, error) {
	if s.refused {
		want := map[string]string{xoauth2: "", sasl.OAuthBearer: "\x01"}[s.mechanism]
		if string(response) != want {
			return nil, false, errors.New("wrong answer to the challenge")
		}
		return nil, false, s.refusal
	}
	if response == nil {
		return []byte{}, false, nil
	}
	text := string(response)
	named := strings.HasPrefix(text, "user="+testUser+"\x01")
	if s.mechanism == sasl.OAuthBearer {
		named = strings.HasPrefix(text, "n,a="+testUser+",\x01host=127.0.0.1\x01port=")
	}
	if named && strings.HasSuffix(text, "\x01auth=Bearer "+testToken+"\x01\x01") {
		return nil, true, nil
	}
	s.refused = true
	return []byte(`{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}`), false, nil
}

// tokenSMTP is a submission server that takes tokens.
type tokenSMTP struct {
	smtp.Session
	mechanism string
	refusal   error
}

func (s tokenSMTP) AuthMechanisms() []string { return []string{s.mechanism} }

func (s tokenSMTP) Auth(string) (sasl.Server, error) {
	return &tokenServer{mechanism: s.mechanism, refusal: s.refusal}, nil
}

func startTokenSMTP(t *testing.T, mechanism string, refusal error) outreach.MailServer {
	t.Helper()
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return tokenSMTP{Session: &submissionSession{server: &submission{}}, mechanism: mechanism, refusal: refusal}, nil
	}))
	server.Domain, server.AllowInsecureAuth, server.ErrorLog = "mail.test", true, log.New(io.Discard, "", 0)
	ln := listen(t, outreach.SecurityTLS)
	go func() { _ = server.Serve(ln) }()
	t.Cleanup(func() { _ = server.Close() })
	return withToken(at(ln.Addr(), outreach.SecurityTLS))
}

// tokenIMAP is an IMAP session that takes tokens.
type tokenIMAP struct {
	imapserver.Session
	mechanism string
	refusal   error
}

func (s tokenIMAP) AuthenticateMechanisms() []string { return []string{s.mechanism} }

func (s tokenIMAP) Authenticate(string) (sasl.Server, error) {
	login := saslFunc(func() error { return s.Login(testUser, testPassword) })
	return &afterwards{Server: &tokenServer{mechanism: s.mechanism, refusal: s.refusal}, then: login}, nil
}

type saslFunc func() error

// afterwards opens the session once the exchange has succeeded.
type afterwards struct {
	sasl.Server
	then saslFunc
}

func (a *afterwards) Next(response []byte) ([]byte, bool, error) {
	challenge, done, err := a.Server.Next(response)
	if err == nil && done {
		err = a.then()
	}
	return challenge, done, err
}

func startTokenIMAP(t *testing.T, mechanism string, refusal error) outreach.MailServer {
	t.Helper()
	box := newPostbox(t)
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return tokenIMAP{Session: box.memory.NewSession(), mechanism: mechanism, refusal: refusal}, nil, nil
		},
		InsecureAuth: true, Logger: log.New(io.Discard, "", 0),
	})
	ln := listen(t, outreach.SecurityTLS)
	go func() { _ = server.Serve(ln) }()
	t.Cleanup(func() { _ = server.Close() })
	return withToken(at(ln.Addr(), outreach.SecurityTLS))
}

func withToken(s outreach.MailServer) outreach.MailServer {
	s.Token, s.Password = testToken, ""
	return s
}

func TestLoginWithToken(t *testing.T) {
	t.Parallel()
	for _, mechanism := range []string{xoauth2, sasl.OAuthBearer} {
		t.Run(mechanism, func(t *testing.T) {
			t.Parallel()
			smtpRefusal := &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "not accepted: " + testToken + "x"}
			imapRefusal := &imap.Error{Type: imap.StatusResponseTypeNo, Text: "Invalid credentials (Failure)"}
			submission, inbox := startTokenSMTP(t, mechanism, smtpRefusal), startTokenIMAP(t, mechanism, imapRefusal)
			if err := CheckSMTP(t.Context(), SMTPConfig{Server: submission, Network: loopback()}); err != nil {
				t.Errorf("SMTP: %v", err)
			}
			if err := CheckIMAP(t.Context(), IMAPConfig{Server: inbox, Network: loopback()}); err != nil {
				t.Errorf("IMAP: %v", err)
			}
			submission.Token += "x"
			inbox.Token += "x"
			err := CheckSMTP(t.Context(), SMTPConfig{Server: submission, Network: loopback()})
			if got := reasonOf(t, err, KindLogin); got != "login refused: 535 5.7.8 not accepted: …" {
				t.Errorf("SMTP refuses with %q", got)
			}
			err = CheckIMAP(t.Context(), IMAPConfig{Server: inbox, Network: loopback()})
			if got := reasonOf(t, err, KindLogin); got != "login refused: Invalid credentials (Failure)" {
				t.Errorf("IMAP refuses with %q", got)
			}
		})
	}
}

// A server that repeats what it got makes no error that contains it, in whatever form, however long.
func TestRepeatedSecrets(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789abcdef", 40)
	for secret, repeated := range map[string]string{
		"a password":  "bad login " + base64.StdEncoding.EncodeToString([]byte("\x00me@acme.test\x00a password")) + "!",
		"password":    "bad login " + base64.StdEncoding.EncodeToString([]byte("password")),
		"p~~~ssword?": "bad login " + base64.RawURLEncoding.EncodeToString([]byte("user=me\x01auth=Bearer p~~~ssword?\x01\x01")),
		long:          "bad login " + strings.Repeat("x ", 100) + long,
	} {
		server := startTokenSMTP(t, xoauth2, &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: repeated})
		server.Token = secret
		err := CheckSMTP(t.Context(), SMTPConfig{Server: server, Network: loopback()})
		got := reasonOf(t, err, KindLogin)
		if want := "login refused: 535 5.7.8 bad login "; !strings.HasPrefix(got, want) || !strings.Contains(got, "…") ||
			strings.Trim(got[len(want):], " x…!") != "" {
			t.Errorf("%.20s: %q", secret, got)
		}
	}
}

// A token never leaves without TLS, and never as a password.
func TestTokensNeedTLS(t *testing.T) {
	t.Parallel()
	plain := withToken((&submission{}).start(t, outreach.SecurityNone))
	err := CheckSMTP(t.Context(), SMTPConfig{Server: plain, Network: loopback()})
	if got := reasonOf(t, err, KindTLS); got != "an access token is sent over TLS only" {
		t.Errorf("SMTP: %s", got)
	}
	err = CheckIMAP(t.Context(), IMAPConfig{Server: withToken(newPostbox(t).start(t, outreach.SecurityNone)), Network: loopback()})
	if got := reasonOf(t, err, KindTLS); got != "an access token is sent over TLS only" {
		t.Errorf("IMAP: %s", got)
	}
	err = CheckSMTP(t.Context(), SMTPConfig{Server: withToken((&submission{}).start(t, outreach.SecurityTLS)), Network: loopback()})
	if got := reasonOf(t, err, KindLogin); got != "the server offers no login with a token" {
		t.Errorf("without a mechanism: %s", got)
	}
}

// Where a refusal has a known cause, the owner reads what to do. The same words after a token may
// mean something else.
func TestLoginAdvice(t *testing.T) {
	t.Parallel()
	const enable, provider, app = "Ask your administrator to enable SMTP AUTH for this mailbox", "The provider no longer accepts passwords",
		"Use an app password, which you create in the settings of the account"
	smtp5 := func(code int, enhanced smtp.EnhancedCode, text string) error {
		return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: text}
	}
	no := func(text string) error { return &imap.Error{Type: imap.StatusResponseTypeNo, Text: text} }
	for _, c := range []struct {
		refusal         error
		password, token string // the beginning of the advice
	}{
		{smtp5(535, smtp.EnhancedCode{5, 7, 139}, "Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."),
			enable, enable},
		{smtp5(535, smtp.EnhancedCode{5, 7, 139}, "Authentication unsuccessful, basic authentication is disabled."), provider, enable},
		{smtp5(535, smtp.EnhancedCode{5, 7, 139}, "Authentication unsuccessful, the user credentials were incorrect."),
			"Check the user name and the password", enable},
		{smtp5(550, smtp.EnhancedCode{5, 7, 30}, "Basic authentication is not supported for Client Submission."), provider, provider},
		{smtp5(534, smtp.EnhancedCode{5, 7, 9}, "Application-specific password required. For more information, go to\n5.7.9  "+
			"https://support.google.com/mail/?p=InvalidSecondFactor x - gsmtp"), app, "534 5.7.9"},
		{smtp5(535, smtp.EnhancedCode{5, 7, 8}, "Username and Password not accepted. For more information, go to\n5.7.8  "+
			"https://support.google.com/mail/?p=BadCredentials x - gsmtp"), app, "535 5.7.8"},
		{no("Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)"), app,
			"Application-specific"},
		{no("Your account is not enabled for IMAP use. Please visit your account settings page."), "Turn on IMAP", "Turn on IMAP"},
		{no("IMAP access is disabled for your domain. Please contact your domain administrator."), "Turn on IMAP", "Turn on IMAP"},
		{no("User is authenticated but not connected."), "Ask your administrator to give", "Ask your administrator to give"},
		{no("Invalid credentials (Failure)"), "Invalid", "Invalid"},
	} {
		got := reasonOf(t, loginRefused(c.refusal, outreach.MailServer{Password: "a password"}), KindLogin)
		if !strings.HasPrefix(got, "login refused: "+c.password) {
			t.Errorf("%v after a password: %q, want %q", c.refusal, got, c.password)
		}
		got = reasonOf(t, loginRefused(c.refusal, outreach.MailServer{Token: testToken}), KindLogin)
		if !strings.HasPrefix(got, "login refused: "+c.token) {
			t.Errorf("%v after a token: %q, want %q", c.refusal, got, c.token)
		}
	}
	server := startTokenSMTP(t, xoauth2, smtp5(535, smtp.EnhancedCode{5, 7, 139}, "SmtpClientAuthentication is disabled."))
	server.Token = "other"
	err := CheckSMTP(t.Context(), SMTPConfig{Server: server, Network: loopback()})
	if got := reasonOf(t, err, KindLogin); !strings.HasPrefix(got, "login refused: "+enable) {
		t.Errorf("over the network: %q", got)
	}
}
