package mail

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"

	"outreach"
	"outreach/internal/netguard"
)

// bothChecks runs one table over the two protocols.
func bothChecks(t *testing.T, server outreach.MailServer, network Network, smtpOnly, imapOnly bool) map[string]error {
	t.Helper()
	out := map[string]error{}
	if !imapOnly {
		out["smtp"] = CheckSMTP(t.Context(), SMTPConfig{Server: server, Network: network})
	}
	if !smtpOnly {
		out["imap"] = CheckIMAP(t.Context(), IMAPConfig{Server: server, Network: network})
	}
	return out
}

func TestCheckSucceeds(t *testing.T) {
	t.Parallel()
	for _, security := range []outreach.Security{outreach.SecurityTLS, outreach.SecurityStartTLS, outreach.SecurityNone} {
		t.Run(string(security), func(t *testing.T) {
			t.Parallel()
			if err := CheckSMTP(t.Context(), SMTPConfig{Server: (&submission{}).start(t, security), Network: loopback()}); err != nil {
				t.Error(err)
			}
			if err := CheckIMAP(t.Context(), IMAPConfig{Server: newPostbox(t).start(t, security), Network: loopback()}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCheckSaysWhatFailed(t *testing.T) {
	t.Parallel()
	closed := listen(t, outreach.SecurityNone)
	refused := at(closed.Addr(), outreach.SecurityNone)
	_ = closed.Close()

	with := func(s outreach.MailServer, change func(*outreach.MailServer)) outreach.MailServer {
		change(&s)
		return s
	}
	password := func(s *outreach.MailServer) { s.Password = "wr0ng pass" }
	security := func(to outreach.Security) func(*outreach.MailServer) {
		return func(s *outreach.MailServer) { s.Security = to }
	}
	smtpPlain, imapPlain := (&submission{}).start(t, outreach.SecurityNone), newPostbox(t).start(t, outreach.SecurityNone)
	smtpTLS, imapTLS := (&submission{}).start(t, outreach.SecurityTLS), newPostbox(t).start(t, outreach.SecurityTLS)
	untrusting := loopback()
	untrusting.Roots = x509.NewCertPool()

	tests := []struct {
		name    string
		server  outreach.MailServer
		network Network
		smtp    bool
		imap    bool
		kind    Kind
		reason  string // its beginning
	}{
		{"no server there", refused, loopback(), true, true, KindConnect, "connection refused"},
		{"inner address", refused, Network{}, true, true, KindAddress, "host name not found, or its address is not allowed"},
		{"no host", outreach.MailServer{Host: "", Port: 25}, loopback(), true, true, KindAddress, "the host name or port is not valid"},
		{"no port", outreach.MailServer{Host: "127.0.0.1", Port: 99999}, loopback(), true, true, KindAddress,
			"the host name or port is not valid"},
		{"unknown name", outreach.MailServer{Host: "nowhere.invalid", Port: 25}, loopback(), true, true, KindConnect, "host name"},
		{"smtp password", with(smtpTLS, password), loopback(), true, false, KindLogin, "login refused: 535 5.7.8 wrong password …"},
		{"imap password", with(imapTLS, password), loopback(), false, true, KindLogin, "login refused: "},
		{"smtp unknown authority", smtpTLS, untrusting, true, false, KindTLS, "certificate is not signed by a known authority"},
		{"imap unknown authority", imapTLS, untrusting, false, true, KindTLS, "certificate is not signed by a known authority"},
		{"smtp no TLS there", with(smtpPlain, security(outreach.SecurityTLS)), loopback(), true, false, KindTLS,
			"the server does not speak TLS on this port"},
		{"imap no TLS there", with(imapPlain, security(outreach.SecurityTLS)), loopback(), false, true, KindTLS,
			"the server does not speak TLS on this port"},
		{"smtp no STARTTLS", with(smtpPlain, security(outreach.SecurityStartTLS)), loopback(), true, false, KindTLS,
			"the server does not offer STARTTLS"},
		{"imap no STARTTLS", with(imapPlain, security(outreach.SecurityStartTLS)), loopback(), false, true, KindTLS,
			"the server does not offer STARTTLS"},
		{"made-up security", with(smtpPlain, security("ssl")), loopback(), true, true, KindTLS, `unknown security "ssl"`},
		{"silent", rude(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }), quick(), true, true, KindTimeout, "timeout"},
		{"closes at once", rude(t, func(net.Conn) {}), loopback(), true, true, KindConnect, "connection closed by the server"},
		{"speaks HTTP", rude(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") }), quick(),
			true, true, KindProtocol, "the server sent an answer that is not valid"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for protocol, err := range bothChecks(t, test.server, test.network, !test.imap, !test.smtp) {
				if reason := reasonOf(t, err, test.kind); !strings.HasPrefix(reason, test.reason) {
					t.Errorf("%s: %q, want %q", protocol, reason, test.reason)
				}
				for _, secret := range []string{"wr0ng pass", testPassword, "127.0.0.1"} {
					if strings.Contains(err.Error(), secret) {
						t.Errorf("%s: the error tells %q: %v", protocol, secret, err)
					}
				}
			}
		})
	}
}

func TestCheckRefusesCertificateOfAnotherHost(t *testing.T) {
	t.Parallel()
	config := Network{}.tlsConfig(outreach.MailServer{Host: "other.test"})
	config.RootCAs = loopback().Roots
	ln := listen(t, outreach.SecurityTLS)
	go func() {
		conn, err := ln.Accept()
		if err == nil {
			_, _ = io.Copy(io.Discard, conn)
		}
	}()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	w := &wire{Conn: conn}
	w.allow(10*time.Second, controlBytes)
	_, err = handshake(w, config)
	if reason := reasonOf(t, explain(err), KindTLS); reason != "certificate is for another host name" {
		t.Error(reason)
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for protocol, check := range map[string]func(context.Context, outreach.MailServer) error{
		"smtp": func(ctx context.Context, s outreach.MailServer) error {
			return CheckSMTP(ctx, SMTPConfig{Server: s, Network: loopback()})
		},
		"imap": func(ctx context.Context, s outreach.MailServer) error {
			return CheckIMAP(ctx, IMAPConfig{Server: s, Network: loopback()})
		},
	} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			server := rude(t, func(c net.Conn) { cancel(); _, _ = io.Copy(io.Discard, c) })
			if err := check(ctx, server); !errors.Is(err, context.Canceled) || err.Error() != "cancelled" {
				t.Fatal(err)
			}
		})
	}
}

func TestLoginRefusedKnowsBusyServers(t *testing.T) {
	t.Parallel()
	busy := loginRefused(&imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeUnavailable, Text: "later"},
		outreach.MailServer{Password: "x"})
	var known *ServerError
	if !errors.As(busy, &known) || !known.Temporary || known.Reason != "login refused: later" {
		t.Fatalf("%+v", busy)
	}
	for refusal, want := range map[*imap.Error]bool{
		{Code: imap.ResponseCodeLimit, Text: "Too many sessions"}:                                true,
		{Code: "THROTTLED", Text: "later"}:                                                       true,
		{Code: imap.ResponseCodeOverQuota, Text: "Account exceeded command or bandwidth limits"}: true,
		{Code: imap.ResponseCodeAlert, Text: "Too many simultaneous connections. (Failure)"}:     true,
		{Text: "Request is throttled. Suggested Backoff Time: 92415 milliseconds"}:               true,
		{Code: imap.ResponseCodeAuthenticationFailed, Text: "Invalid credentials"}:               false,
		{Code: imap.ResponseCodeNonExistent, Text: "Unknown Mailbox: throttle"}:                  false,
	} {
		refusal.Type = imap.StatusResponseTypeNo
		for _, err := range []error{loginRefused(refusal, outreach.MailServer{}), explain(refusal)} {
			if !errors.As(err, &known) || known.Busy != want {
				t.Errorf("%v: %+v", refusal, known)
			}
		}
	}
	for code, want := range map[int]bool{421: true, 432: true, 454: true, 535: false, 550: false} {
		err := loginRefused(&smtp.SMTPError{Code: code, Message: "no"}, outreach.MailServer{})
		if !errors.As(err, &known) || known.Busy != want || known.Temporary != want {
			t.Errorf("%d: %+v", code, known)
		}
	}
}

// A name inside the installation's network is refused like one that does not exist.
func TestInnerHostsAreNotTold(t *testing.T) {
	t.Parallel()
	inner := &net.OpError{Op: "dial", Err: netguard.ErrNotAllowed}
	unknown := &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "mail.inside.test", IsNotFound: true}}
	for _, err := range []error{inner, unknown} {
		told, ok := errors.AsType[*ServerError](explain(err))
		if !ok || told.Reason != reasonHost || told.Temporary {
			t.Errorf("%v is told as %+v", err, told)
		}
	}
}
