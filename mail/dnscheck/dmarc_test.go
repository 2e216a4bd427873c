package dnscheck_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

func TestDMARC(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone           string
		domain         string
		want           outreach.RecordResult
		policy, detail string
	}{
		{zone: `_dmarc.d.test. TXT "v=DMARC1; p=none"`, want: "pass", policy: "none"},
		{zone: `_dmarc.d.test. TXT "v=DMARC1;p=reject;rua=mailto:a@d.test,mailto:b@x.test;pct=50;"`, want: "pass", policy: "reject"},
		{zone: `_dmarc.d.test. TXT "v = DMARC1 ; sp=none ; p = Quarantine ; unknown=1"`, want: "pass", policy: "quarantine"},
		{zone: `_dmarc.d.test. TXT "v=DMARC1; p=nonsense; rua=mailto:a@d.test"`, want: "pass", policy: "none"},
		{zone: `_dmarc.d.test. TXT "v=DMARC1; rua=mailto:a@d.test"`, want: "pass", policy: "none"},
		{zone: `_dmarc.d.test. TXT "v=DMARC1; p=reject; adkim=x; pct=many"`, want: "pass", policy: "reject"},
		{zone: `_dmarc.d.test. TXT "v=DMARC1"`, want: "fail", detail: "p= must be"},
		{zone: `_dmarc.d.test. TXT "v=DMARC1; p=nonsense"`, want: "fail", detail: "p= must be"},
		{zone: `_dmarc.d.test. TXT "v=DMARC1; p=none; p=reject"`, want: "fail", detail: "twice"},
		{zone: `_dmarc.d.test. TXT "p=none; v=DMARC1"`, want: "none", detail: "no DMARC record"},
		{zone: `_dmarc.d.test. TXT "v=dmarc1; p=none"`, want: "none"},
		{zone: `_dmarc.d.test. TXT "v=DMARC10; p=none"`, want: "none"},
		{zone: `d.test. TXT "v=DMARC1; p=none"`, want: "none"},
		{zone: "", want: "none"},
		{zone: "_dmarc.d.test. TXT \"v=DMARC1; p=none\"\n_dmarc.d.test. TXT \"v=DMARC1; p=reject\"", want: "fail", detail: "2 DMARC records"},
		{zone: "_dmarc.d.test. TXT \"verification\"\n_dmarc.d.test. TXT \"v=DMARC1; p=reject\"", want: "pass", policy: "reject"},

		{domain: "news.eu.d.test", zone: `_dmarc.d.test. TXT "v=DMARC1; p=reject"`, want: "pass", policy: "reject"},
		{domain: "news.eu.d.test", zone: `_dmarc.d.test. TXT "v=DMARC1; p=reject; sp=none"`, want: "pass", policy: "none"},
		{domain: "news.eu.d.test", zone: `_dmarc.eu.d.test. TXT "v=DMARC1; p=reject"`, want: "none"},
		{domain: "news.d.test", zone: "_dmarc.news.d.test. TXT \"v=DMARC1; p=quarantine\"\n_dmarc.d.test. TXT " +
			"\"v=DMARC1; p=reject; sp=none\"", want: "pass", policy: "quarantine"},

		{domain: "x.servfail.test", want: "unknown", detail: "did not answer"},
		{domain: "x.late.test", want: "unknown", detail: "did not answer"},
		{domain: "x.cut.test", want: "unknown", detail: "did not answer"},
		{domain: "x.loop.test", want: "unknown", detail: "did not answer"},
		{domain: "x.other.test", want: "unknown", detail: "did not answer"},
	} {
		t.Run(c.domain+" "+c.zone, func(t *testing.T) {
			t.Parallel()
			if c.domain == "" {
				c.domain = "d.test"
			}
			s := nameServer(t, strings.ReplaceAll(c.zone, " TXT ", " 60 IN TXT "))
			got := checker(s).CheckDomain(t.Context(), custom(c.domain))
			policy := ""
			if got.DMARCPolicy != nil {
				policy = *got.DMARCPolicy
			}
			if got.DMARC.Result != c.want || policy != c.policy || !strings.Contains(got.DMARC.Detail, c.detail) {
				t.Errorf("DMARC is %s (%s): %s; want %s (%s): %s", got.DMARC.Result, policy, got.DMARC.Detail, c.want, c.policy, c.detail)
			}
			if c.want == outreach.RecordNone {
				want := []outreach.DNSRecord{{Type: "TXT", Name: "_dmarc.d.test", Value: "v=DMARC1; p=none"}}
				if diff := cmp.Diff(want, got.DMARC.Publish); diff != "" {
					t.Errorf("to publish (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// The records of RFC 7489, appendix B.2.
func TestDMARCOfRFC7489(t *testing.T) {
	t.Parallel()
	const above = "_dmarc.example.com. 60 IN TXT \"v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com\"\n"
	for section, c := range map[string]struct{ zone, domain, policy string }{
		"B.2.1": {above, "example.com", "none"},
		"B.2.2": {`_dmarc.example.com. 60 IN TXT "v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com; ruf=mailto:auth-reports@example.com"`,
			"example.com", "none"},
		"B.2.3": {`_dmarc.example.com. 60 IN TXT "v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com; ` +
			`ruf=mailto:auth-reports@thirdparty.example.net"` + "\n" +
			`example.com._report._dmarc.thirdparty.example.net. 60 IN TXT "v=DMARC1"`, "example.com", "none"},
		"B.2.4": {above + `_dmarc.test.example.com. 60 IN TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc-feedback@example.com,` +
			`mailto:tld-test@thirdparty.example.net!10m; pct=25"`, "test.example.com", "quarantine"},
		"B.2.4, beside it": {above + "_dmarc.beside.example.com. 60 IN TXT \"nothing\"", "beside.example.com", "none"},
	} {
		got := checker(nameServer(t, c.zone)).CheckDomain(t.Context(), custom(c.domain))
		if got.DMARC.Result != outreach.RecordPass || got.DMARCPolicy == nil || *got.DMARCPolicy != c.policy {
			t.Errorf("%s: DMARC is %s: %s; want pass with %s", section, got.DMARC.Result, got.DMARC.Detail, c.policy)
		}
	}
}

func TestMX(t *testing.T) {
	t.Parallel()
	s := nameServer(t, `
d.test. 60 IN MX 10 mx.d.test.
d.test. 60 IN MX 20 mx2.d.test.
null.test. 60 IN MX 0 .
`)
	for domain, want := range map[string]string{
		"d.test": "pass 10 mx.d.test, 20 mx2.d.test", "null.test": "fail 0 .", "nowhere.test": "none ", "x.servfail.test": "unknown ",
	} {
		got := checker(s).CheckDomain(t.Context(), custom(domain)).MX
		record := ""
		if got.Record != nil {
			record = *got.Record
		}
		if found := fmt.Sprintf("%s %s", got.Result, record); found != want || got.Detail == "" {
			t.Errorf("%s: %q, want %q (%s)", domain, found, want, got.Detail)
		}
	}
}
