package discover_test

import (
	"crypto/x509"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
	"outreach/mail"
	"outreach/mail/discover"
	"outreach/mail/resolve"
	"outreach/sandbox"
)

func finder(t *testing.T, zone string, network mail.Network) discover.Finder {
	t.Helper()
	names, err := sandbox.StartNameServer(zone)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = names.Close() })
	return discover.Finder{Resolver: resolve.Resolver{Servers: []string{names.Addr()}, Timeout: time.Second}, Network: network}
}

func server(text string) *outreach.MailServer {
	var s outreach.MailServer
	if _, err := fmt.Sscanf(strings.NewReplacer("://", " ", ":", " ").Replace(text), "%s %s %d", &s.Security, &s.Host, &s.Port); err != nil {
		panic(err)
	}
	return &s
}

// A known provider is found by the domain, or by the MX of the domain; its servers are
// not asked.
func TestKnownProvider(t *testing.T) {
	t.Parallel()
	f := finder(t, `
acme.test. 60 IN MX 20 aspmx2.googlemail.com.
acme.test. 60 IN MX 10 aspmx.l.google.com.
contoso.test. 60 IN MX 0 contoso-test.mail.protection.outlook.com.
fast.test. 60 IN MX 10 in1-smtp.messagingengine.com.
shop.test. 60 IN MX 10 mx.zoho.com.
`, mail.Network{})
	for email, want := range map[string]struct {
		provider outreach.MailProvider
		name     string
		password outreach.PasswordKind
		smtp     string
	}{
		"ann@gmail.com":      {"google", "Google", "app", "tls://smtp.gmail.com:465"},
		"ann@ACME.test":      {"google", "Google", "app", "tls://smtp.gmail.com:465"},
		"ann@contoso.test":   {"microsoft", "Microsoft", "none", "starttls://smtp.office365.com:587"},
		"ann@fast.test":      {"custom", "Fastmail", "app", "tls://smtp.fastmail.com:465"},
		"ann@icloud.com":     {"custom", "iCloud", "app", "starttls://smtp.mail.me.com:587"},
		"ann@posteo.de":      {"custom", "Posteo", "account", "tls://posteo.de:465"},
		"ann@web.de":         {"custom", "WEB.DE", "account", "starttls://smtp.web.de:587"},
		"ann@zohomail.com":   {"custom", "Zoho", "app", "tls://smtp.zoho.com:465"},
		"ann@shop.test":      {"custom", "Zoho", "app", "tls://smtppro.zoho.com:465"},
		"ann@t-online.de":    {"custom", "Telekom", "app", "tls://securesmtp.t-online.de:465"},
		"ann@googlemail.com": {"google", "Google", "app", "tls://smtp.gmail.com:465"},
	} {
		got := f.FindServers(t.Context(), email)
		if got.ProviderName == nil || *got.ProviderName != want.name || got.Provider != want.provider || got.Password != want.password {
			t.Errorf("%s: %+v", email, got)
			continue
		}
		if diff := cmp.Diff(server(want.smtp), got.SMTP); diff != "" {
			t.Errorf("%s (-want +got):\n%s", email, diff)
		}
		if len(got.Tried) != 2 || got.IMAP == nil {
			t.Errorf("%s: tried %v", email, got.Tried)
		}
	}
}

// SRV records come before usual names, TLS before STARTTLS, and what was tried says why it cannot
// be used. There is no login at the sandbox, only the greeting.
func TestServersAreTried(t *testing.T) {
	t.Parallel()
	box, err := sandbox.StartMailServer(t.Context(), sandbox.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	smtps, imaps := netip.MustParseAddrPort(box.OpenID().SMTP), netip.MustParseAddrPort(box.OpenID().IMAP)
	pem, err := os.ReadFile(box.CAFile())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	zone := fmt.Sprintf(`
_submissions._tcp.a.test. 60 IN SRV 10 0 1 localhost.
_submissions._tcp.a.test. 60 IN SRV 20 0 %d localhost.
_imaps._tcp.a.test. 60 IN SRV 0 0 %d localhost.
_imap._tcp.a.test. 60 IN SRV 0 0 0 .
`, smtps.Port(), imaps.Port())
	f := finder(t, zone, mail.Network{AllowServers: []netip.AddrPort{smtps, imaps}, Roots: roots})
	got := f.FindServers(t.Context(), "ann@a.test")
	want := &outreach.MailServer{Host: "localhost", Port: int(smtps.Port()), Security: outreach.SecurityTLS}
	if diff := cmp.Diff(want, got.SMTP); diff != "" {
		t.Errorf("SMTP (-want +got):\n%s", diff)
	}
	want.Port = int(imaps.Port())
	if diff := cmp.Diff(want, got.IMAP); diff != "" {
		t.Errorf("IMAP (-want +got):\n%s", diff)
	}
	if got.Provider != outreach.ProviderCustom || got.ProviderName != nil {
		t.Errorf("provider %v", got)
	}
	// Two SRV records and six guesses for SMTP, one and six for IMAP; port 1 is not
	// opened to mail servers.
	const refused = "host name not found, or its address is not allowed"
	if len(got.Tried) != 15 || got.Tried[0].Failure == nil || *got.Tried[0].Failure != refused || got.Tried[1].Failure != nil {
		t.Errorf("tried %d: %+v", len(got.Tried), got.Tried)
	}
	for _, one := range got.Tried[2:8] {
		if one.Source != outreach.SourceGuess || one.Failure == nil {
			t.Errorf("%+v", one)
		}
	}
}

// The host that takes the mail of a domain is tried too, because it often is the server for its
// people. Usual names come first, and a name that is both is tried once.
func TestServersAtTheExchanger(t *testing.T) {
	t.Parallel()
	f := finder(t, `
a.test. 60 IN MX 20 second.hoster.test.
a.test. 60 IN MX 10 w0123.hoster.test.
b.test. 60 IN MX 10 mail.b.test.
null.test. 60 IN MX 0 .
`, mail.Network{})
	for domain, want := range map[string]string{
		"a.test": "smtp.a.test:465 mail.a.test:465 a.test:465 smtp.a.test:587 mail.a.test:587 a.test:587 w0123.hoster.test:465 " +
			"w0123.hoster.test:587",
		"b.test":    "smtp.b.test:465 mail.b.test:465 b.test:465 smtp.b.test:587 mail.b.test:587 b.test:587",
		"null.test": "smtp.null.test:465 mail.null.test:465 null.test:465 smtp.null.test:587 mail.null.test:587 null.test:587",
	} {
		var got []string
		for _, one := range f.FindServers(t.Context(), "ann@"+domain).Tried {
			if one.Protocol == "smtp" {
				got = append(got, fmt.Sprintf("%s:%d", one.Host, one.Port))
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", domain, diff)
		}
	}
}

// Nothing is found for a domain without servers, nor where the DNS does not answer.
func TestNothingFound(t *testing.T) {
	t.Parallel()
	f := finder(t, "", mail.Network{})
	for _, domain := range []string{"nowhere.test", "x.servfail.test"} {
		got := f.FindServers(t.Context(), "ann@"+domain)
		if got.SMTP != nil || got.IMAP != nil || len(got.Tried) != 12 {
			t.Errorf("%s: %+v", domain, got)
		}
		for _, one := range got.Tried {
			if one.Failure == nil {
				t.Errorf("%s: %+v", domain, one)
			}
		}
	}
}
