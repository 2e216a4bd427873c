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

// The examples of RFC 7208, appendix A, and what its sections 4 to 6 refuse.
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
			publish: "v=spf1 -include:_spf.provider.test include:_spf.provider.test ~all"},
		{record: "v=spf1 ?include:ours.test ~all", want: "fail", publish: "v=spf1 ?include:ours.test include:_spf.provider.test ~all"},
		{record: "v=spf1 ~all include:_spf.provider.test", want: "fail",
			publish: "v=spf1 include:_spf.provider.test ~all include:_spf.provider.test"},
		{record: "v=spf1 include:%{i}._ip.%{h}._ehlo.%{d}._spf.vendor.test ~all", want: "unknown"},
		{record: "", want: "none", publish: "v=spf1 include:_spf.provider.test ~all"},
	} {
		t.Run(c.record, func(t *testing.T) {
			t.Parallel()
			records := "_spf.provider.test. 60 IN TXT \"v=spf1 ip4:192.0.2.0/24 ~all\"\nours.test. 60 IN TXT \"v=spf1 " +
				"include:_spf.provider.test ?all\"\n"
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
	got = checker(s).CheckDomain(t.Context(), q)
	if len(got.SPF.Publish) != 1 || got.SPF.Publish[0].Value != "v=spf1 include:_spf.google.com include:spf.protection.outlook.com ~all" {
		t.Errorf("%+v", got.SPF)
	}
}
