package dnscheck_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"outreach"
	"outreach/mail/dnscheck"
	"outreach/mail/resolve"
	"outreach/sandbox"
)

func nameServer(t *testing.T, zone string) *sandbox.NameServer {
	t.Helper()
	s, err := sandbox.StartNameServer(zone)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func checker(s *sandbox.NameServer) dnscheck.Checker {
	return dnscheck.Checker{Resolver: resolve.Resolver{Servers: []string{s.Addr()}, Timeout: time.Second}}
}

// custom is about a domain whose mail server is not a known one.
func custom(domain string) outreach.DomainQuestion {
	return outreach.DomainQuestion{Domain: domain,
		Senders: []outreach.DomainSender{{Provider: outreach.ProviderCustom, SMTPHost: "mail.d.test"}}}
}

// zone holds what the records of the tests name.
const zone = `
example.test. 60 IN A 192.0.2.10
example.test. 60 IN MX 10 mail-a.example.test.
mail-a.example.test. 60 IN A 192.0.2.129
good.test. 60 IN TXT "v=spf1 ip4:192.0.2.0/24 -all"
everybody.test. 60 IN TXT "v=spf1 +all"
two.test. 60 IN TXT "v=spf1 -all"
two.test. 60 IN TXT "v=SPF1 +all"
self.test. 60 IN TXT "v=spf1 include:self.test -all"
ping.test. 60 IN TXT "v=spf1 redirect=pong.test"
pong.test. 60 IN TXT "v=spf1 redirect=ping.test"
`

// What sections 4 to 7 of RFC 7208 accept and refuse.
func TestSPF(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		record string
		want   outreach.RecordResult
		detail string
	}{
		{"v=spf1 +all", "unknown", "valid"},
		{"v=spf1 a -all", "unknown", "valid"},
		{"v=spf1 a:example.test -all", "unknown", "valid"},
		{"v=spf1 mx -all", "unknown", "valid"},
		{"v=spf1 mx mx:example.test -all", "unknown", "valid"},
		{"v=spf1 mx/30 mx:example.test/30 -all", "unknown", "valid"},
		{"v=spf1 ptr -all", "unknown", "valid"},
		{"v=spf1 ip4:192.0.2.128/28 -all", "unknown", "valid"},
		{"v=spf1 ip6:2001:db8::/32 ?all", "unknown", "valid"},
		{"V=SPF1  A  -ALL", "unknown", "valid"},
		{"v=spf1 exists:%{ir}.%{l1r+-}._spf.%{d} -all", "unknown", "valid"},
		{"v=spf1 a//64 mx:example.test/24//64 -all", "unknown", "valid"},
		{"v=spf1 moo=cow ip4:192.0.2.1 -all", "unknown", "valid"},
		{"v=spf1", "unknown", "valid"},
		{"v=spf1 redirect=good.test", "unknown", "valid"},
		{"v=spf1 -all redirect=nowhere.test", "unknown", "valid"},
		{"v=spf1 exp=why.test exp=why.test", "fail", "twice"},
		{"v=spf1 include:everybody.test -all", "unknown", "valid"},

		{"v=spf10 -all", "none", "no SPF record"},
		{"v=spf1 ip4:192.0.2.300 -all", "fail", "not valid"},
		{"v=spf1 ip4:192.0.2.1/33 -all", "fail", "not valid"},
		{"v=spf1 ip4:2001:db8::1 -all", "fail", "not valid"},
		{"v=spf1 ip6:192.0.2.1 -all", "fail", "not valid"},
		{"v=spf1 ip4 -all", "fail", "not valid"},
		{"v=spf1 -ip6 -all", "fail", "not valid"},
		{"v=spf1 ip4: -all", "fail", "not valid"},
		{"v=spf1 ip6:fe80::1%eth0 -all", "fail", "not valid"},
		{"v=spf1 - -all", "fail", "not valid"},
		{"v=spf1 a/33 -all", "fail", "not valid"},
		{"v=spf1 a/01 -all", "fail", "not valid"},
		{"v=spf1 include -all", "fail", "not valid"},
		{"v=spf1 include: -all", "fail", "not valid"},
		{"v=spf1 include:com -all", "fail", "not valid"},
		{"v=spf1 all:example.test", "fail", "not valid"},
		{"v=spf1 moo -all", "fail", "not valid"},
		{"v=spf1 moo:cow -all", "fail", "not valid"},
		{"v=spf1 -all ip4:nonsense", "fail", "not valid"},
		{"v=spf1 exists:%{z}.test -all", "fail", "not valid"},
		{"v=spf1 -exists:%(ir).sbl.example.test", "fail", "not valid"},
		{"v=spf1 exists:%test.test -all", "fail", "not valid"},
		{"v=spf1 redirect=good.test redirect=good.test", "fail", "twice"},
		{"v=spf1 redirect=nowhere.test", "fail", "nowhere.test"},
		{"v=spf1 include:nowhere.test -all", "fail", "nowhere.test"},
		{"v=spf1 include:two.test -all", "fail", "2 SPF records"},
		{"v=spf1 include:self.test -all", "fail", "more than 10 lookups"},
		{"v=spf1 redirect=ping.test", "fail", "more than 10 lookups"},
		{"v=spf1" + strings.Repeat(" a:example.test", 10) + " -all", "unknown", "valid"},
		{"v=spf1" + strings.Repeat(" a:example.test", 11) + " -all", "fail", "more than 10 lookups"},
		{"v=spf1 a:n1.test a:n2.test -all", "unknown", "valid"},
		{"v=spf1 a:n1.test a:n2.test mx:n3.test -all", "fail", "do not exist"},

		{"v=spf1 include:x.servfail.test -all", "unknown", "did not answer"},
		{"v=spf1 a:x.late.test -all", "unknown", "did not answer"},
		{"v=spf1 mx:x.cut.test -all", "unknown", "did not answer"},
		{"v=spf1 include:x.loop.test -all", "unknown", "did not answer"},
	} {
		t.Run(c.record, func(t *testing.T) {
			t.Parallel()
			s := nameServer(t, zone+fmt.Sprintf("d.test. 60 IN TXT %q\nd.test. 60 IN TXT \"something else\"\nd.test. 60 IN "+
				"A 192.0.2.1\nd.test. 60 IN MX 1 example.test.\n", c.record))
			got := checker(s).CheckDomain(t.Context(), custom("d.test"))
			if got.SPF.Result != c.want || !strings.Contains(got.SPF.Detail, c.detail) {
				t.Errorf("SPF is %s: %s; want %s: %s", got.SPF.Result, got.SPF.Detail, c.want, c.detail)
			}
			if got.Fault != (c.detail == "did not answer") {
				t.Errorf("fault = %v", got.Fault)
			}
		})
	}
}

// zoneOfRFC has the names of RFC 7208, appendix A and sections 3, 6.1 and 10.1.1.
const zoneOfRFC = `
example.com. 60 IN MX 10 mail-a.example.com.
example.com. 60 IN MX 20 mail-b.example.com.
example.com. 60 IN A 192.0.2.10
example.com. 60 IN A 192.0.2.11
mail-a.example.com. 60 IN A 192.0.2.129
mail-b.example.com. 60 IN A 192.0.2.130
example.org. 60 IN MX 10 mail-c.example.org.
mail-c.example.org. 60 IN A 192.0.2.140
colo.example.com. 60 IN A 192.0.2.3
authorized-spf.example.com. 60 IN A 192.0.2.10
_spf.example.com. 60 IN TXT "v=spf1 mx:example.com -all"
example.net. 60 IN TXT "v=spf1 ip4:192.0.2.0/24 -all"
mobile-users._spf.example.com. 60 IN TXT "v=spf1 exists:%{l1r+}.%{d}"
remote-users._spf.example.com. 60 IN TXT "v=spf1 exists:%{ir}.%{l1r+}.%{d}"
ip4._spf.example.com. 60 IN TXT "v=spf1 -ip4:192.0.2.0/24 +all"
ptr._spf.example.com. 60 IN TXT "v=spf1 -ptr:example.com +all"
`

// The example records of RFC 7208 are valid, and cost the lookups that section 4.6.4 counts.
func TestSPFOfRFC7208(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		section, domain, record string
		lookups                 int // -1 where everybody passes
	}{
		{"3", "example.com", "v=spf1 +mx a:colo.example.com/28 -all", 2},
		{"4.7", "example.com", "v=spf1 +mx redirect=_spf.example.com", 3},
		{"5.1", "example.com", "v=spf1 a mx -all", 2},
		{"5.7", "example.com", "v=spf1 exists:%{ir}.%{l1r+-}._spf.%{d} -all", 1},
		{"6.1", "la.example.com", "v=spf1 redirect=_spf.example.com", 2},
		{"6.2", "example.com", "v=spf1 mx -all exp=explain._spf.%{d}", 1},
		{"10.1.1", "example.com", "v=spf1 ip4:192.0.2.1 ip4:192.0.2.129 -all", 0},
		{"10.1.1", "example.com", "v=spf1 a:authorized-spf.example.com -all", 1},
		{"10.1.1", "example.com", "v=spf1 ip4:192.0.2.0/24 mx -all", 1},
		{"10.1.2", "example.com", "v=spf1 -all", 0},
		{"A.1", "example.com", "v=spf1 +all", -1},
		{"A.1", "example.com", "v=spf1 a -all", 1},
		{"A.1", "example.com", "v=spf1 a:example.org -all", 1},
		{"A.1", "example.com", "v=spf1 mx -all", 1},
		{"A.1", "example.com", "v=spf1 mx:example.org -all", 1},
		{"A.1", "example.com", "v=spf1 mx mx:example.org -all", 2},
		{"A.1", "example.com", "v=spf1 mx/30 mx:example.org/30 -all", 2},
		{"A.1", "example.com", "v=spf1 ptr -all", 1},
		{"A.1", "example.com", "v=spf1 ip4:192.0.2.128/28 -all", 0},
		{"A.2", "example.org", "v=spf1 include:example.com include:example.net -all", 3},
		{"A.3", "example.com", "v=spf1 mx include:mobile-users._spf.%{d} include:remote-users._spf.%{d} -all", 3},
		{"A.4", "example.com", "v=spf1 -include:ip4._spf.%{d} -include:ptr._spf.%{d} +all", -1},
	} {
		t.Run(c.section+" "+c.record, func(t *testing.T) {
			t.Parallel()
			zone := zoneOfRFC + fmt.Sprintf("%s. 60 IN TXT %q\n", c.domain, c.record)
			if c.domain != "example.com" {
				zone += "example.com. 60 IN TXT \"v=spf1 mx -all\"\n"
			}
			got := checker(nameServer(t, zone)).SPF(t.Context(), c.domain, nil)
			want := fmt.Sprintf("needs %d of 10 lookups", c.lookups)
			if c.lookups < 0 {
				want = "authorises every server"
			}
			if got.Result != outreach.RecordPass || !strings.Contains(got.Detail, want) {
				t.Errorf("SPF is %s: %s; want pass: %s", got.Result, got.Detail, want)
			}
		})
	}
}

// No record makes the parsers panic. The owner of any domain that a record includes can write one.
func FuzzRecords(f *testing.F) {
	for _, seed := range []string{"v=spf1 ip4 -all", "v=spf1 a:%{d}/24//64 -include:x.test exp=%{ir}",
		"v=DMARC1; p=none; rua=mailto:a@d.test"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, record string) {
		if err := dnscheck.ParseSPF(record); err != nil && err.Error() == "" {
			t.Errorf("%q: no reason", record)
		}
		if err := dnscheck.ParseDMARC(record); err != nil && err.Error() == "" {
			t.Errorf("%q: no reason", record)
		}
	})
}

// A record is judged by whether it authorises the provider that sends.
func TestSPFAuthorises(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		record  string
		want    outreach.RecordResult
		publish string
	}{
		{record: "v=spf1 include:_spf.provider.test ~all", want: "pass"},
		{record: "v=spf1 redirect=_spf.provider.test", want: "pass"},
		{record: "v=spf1 include:ours.test -all", want: "pass"},
		{record: "v=spf1 +all", want: "pass"},
		{record: "v=spf1 mx -all", want: "fail", publish: "v=spf1 mx include:_spf.provider.test -all"},
		{record: "v=spf1", want: "fail", publish: "v=spf1 include:_spf.provider.test"},
		{record: "v=spf1 -include:_spf.provider.test ~all", want: "fail",
			publish: "v=spf1 include:_spf.provider.test -include:_spf.provider.test ~all"},
		{record: "v=spf1 -include:_spf.provider.test include:ours.test ~all", want: "fail",
			publish: "v=spf1 include:_spf.provider.test -include:_spf.provider.test include:ours.test ~all"},
		{record: "v=spf1 -include:_spf.provider.test +all", want: "fail",
			publish: "v=spf1 include:_spf.provider.test -include:_spf.provider.test +all"},
		{record: "v=spf1 include:_spf.provider.test -include:ours.test ~all", want: "pass"},
		{record: "v=spf1 include:denies.test include:_spf.provider.test ~all", want: "pass"},
		{record: "v=spf1 a:d.test ip4:192.0.2.9 -ip4:198.51.100.0/24 -all", want: "fail",
			publish: "v=spf1 a:d.test ip4:192.0.2.9 include:_spf.provider.test -ip4:198.51.100.0/24 -all"},
		{record: "v=spf1 ?include:ours.test ~all", want: "fail", publish: "v=spf1 include:_spf.provider.test ?include:ours.test ~all"},
		{record: "v=spf1 ~all include:_spf.provider.test", want: "fail",
			publish: "v=spf1 include:_spf.provider.test ~all include:_spf.provider.test"},
		{record: "v=spf1 include:%{i}._ip.%{h}._ehlo.%{d}._spf.vendor.test ~all", want: "unknown"},
		{record: "", want: "none", publish: "v=spf1 include:_spf.provider.test ~all"},
	} {
		t.Run(c.record, func(t *testing.T) {
			t.Parallel()
			records := "_spf.provider.test. 60 IN TXT \"v=spf1 ip4:192.0.2.0/24 ~all\"\nours.test. 60 IN TXT \"v=spf1 " +
				"include:_spf.provider.test ?all\"\ndenies.test. 60 IN TXT \"v=spf1 -include:_spf.provider.test +all\"\n" +
				"d.test. 60 IN A 192.0.2.1\n"
			if c.record != "" {
				records += fmt.Sprintf("d.test. 60 IN TXT %q\n", c.record)
			}
			got := checker(nameServer(t, records)).SPF(t.Context(), "d.test",
				[]*outreach.KnownProvider{{Name: "Provider", SPF: []string{"_spf.provider.test"}}})
			if got.Result != c.want {
				t.Errorf("SPF is %s: %s; want %s", got.Result, got.Detail, c.want)
			}
			publish := ""
			if len(got.Publish) > 0 {
				publish = got.Publish[0].Value
			}
			if publish != c.publish {
				t.Errorf("publish %q, want %q", publish, c.publish)
			}
		})
	}
}

// The sandbox plays the names of Google and Microsoft: a mailbox of both on one domain.
func TestSandboxZone(t *testing.T) {
	t.Parallel()
	s := nameServer(t, sandbox.SandboxZone)
	q := outreach.DomainQuestion{Domain: "sandbox.test", Senders: []outreach.DomainSender{
		{Provider: outreach.ProviderGoogle}, {Provider: outreach.ProviderMicrosoft},
		{Provider: outreach.ProviderCustom, SMTPHost: "smtp.gmail.com"}}}
	got := checker(s).CheckDomain(t.Context(), q)
	if got.State() != outreach.DomainPassing || got.MX.Result != outreach.RecordPass {
		t.Errorf("%+v", got)
	}
	s.Remove("sandbox.test")
	if err := s.Add("sandbox.test. 60 IN TXT \"v=spf1 mx -all\"\nsandbox.test. 60 IN MX 10 mail.sandbox.test."); err != nil {
		t.Fatal(err)
	}
	got = checker(s).CheckDomain(t.Context(), q)
	if want := "v=spf1 mx include:_spf.google.com include:spf.protection.outlook.com -all"; len(got.SPF.Publish) != 1 ||
		got.SPF.Publish[0].Value != want || !strings.Contains(got.SPF.Detail, "does not authorise Google and Microsoft") {
		t.Errorf("without both: %+v, want %s", got.SPF, want)
	}
	s.Remove("sandbox.test")
	got = checker(s).CheckDomain(t.Context(), q)
	if len(got.SPF.Publish) != 1 || got.SPF.Publish[0].Value != "v=spf1 include:_spf.google.com include:spf.protection.outlook.com ~all" {
		t.Errorf("%+v", got.SPF)
	}
}
