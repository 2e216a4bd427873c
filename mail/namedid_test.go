package mail

import (
	"strings"
	"testing"
)

// The Message-ID that a server names when it accepts a message is read in the forms of the large
// providers. What only looks like one is not.
func TestNamedID(t *testing.T) {
	t.Parallel()
	const amazon = "010201932e0f7a4b-0d7c1f0e-92f1-4a5b-8a43-5c6b1e2f3a4d-000000"
	const exchange = "AM0PR0101MB2345.eurprd01.prod.exchangelabs.com"
	for answer, want := range map[string]string{
		"250 2.0.0 OK <AM0@" + exchange + "> [Hostname=" + exchange + "]":            "<AM0@" + exchange + ">",
		"250 2.6.0 <7f3a@corp.test> [InternalId=12, Hostname=corp.test] Queued mail": "<7f3a@corp.test>",
		"250 2.6.0 <abc@acme.test> [InternalId=1, Hostname=corp.test] Queued mail":   "<abc@acme.test>",
		"250 2.0.0 OK  1732543210 a640c23a62f3a-aa50f2e1b3csm123456b.44 - gsmtp":     "",
		"250 2.0.0 Ok: queued as 4XyZ1q2w3e":                                         "",
		"250 2.0.0 <ann@away.test> Saved":                                            "",
		"250 2.0.0 from <ME@acme.test> accepted":                                     "",
		"250 <a@b.test> accepted as <c@d.test>":                                      "",
		"250 OK id=<1abcde-0001Ab-2C>":                                               "",
		"250 OK <>":                                                                  "",
		"250 OK <a@b\"c>":                                                            "",
		"250 OK <" + strings.Repeat("a", 400) + "@b.test>":                           "",
		"250 OK <a@" + strings.Repeat("b", 400):                                      "",
		"250 Ok " + amazon:                                                           "",
		"250 OK " + strings.Repeat("<a@b.test> ", 50):                                "",
		"250 2.0.0 OK <one@b.test>":                                                  "<one@b.test>",
	} {
		if got := namedID(answer, "mail.acme.test", []string{"me@acme.test", "ann@away.test"}); got != want {
			t.Errorf("%s: %q, want %q", answer, got, want)
		}
	}
	for host, domain := range map[string]string{
		"email-smtp.us-east-1.amazonaws.com":                    "email.amazonses.com",
		"Email-SMTP.eu-west-1.amazonaws.com":                    "eu-west-1.amazonses.com",
		"email-smtp-fips.us-gov-west-1.amazonaws.com":           "us-gov-west-1.amazonses.com",
		"vpce-01-ab.email-smtp.eu-central-1.vpce.amazonaws.com": "eu-central-1.amazonses.com",
	} {
		want := "<" + amazon + "@" + domain + ">"
		if got := namedID("250 Ok "+amazon, host, nil); got != want {
			t.Errorf("%s: %q, want %q", host, got, want)
		}
	}
	for _, answer := range []string{"250 Ok", "250 Ok " + amazon + " x", "250 Ok <a@b.test>", "250 Ok 0102"} {
		if got := namedID(answer, "email-smtp.eu-west-1.amazonaws.com", nil); got != "" {
			t.Errorf("%s: %q", answer, got)
		}
	}
}
