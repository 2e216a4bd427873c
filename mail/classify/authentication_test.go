package classify_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach/mail/classify"
)

// The receiver's own words: the topmost Authentication-Results, in the forms that
// providers write.
func TestAuthenticated(t *testing.T) {
	t.Parallel()
	google := classify.NewProvider("smtp.gmail.com", "imap.gmail.com", "gmail.com")
	microsoft := classify.NewProvider("smtp.office365.com", "outlook.office365.com", "fabrikam.test")
	custom := classify.NewProvider("smtp.acme.test", "imap.acme.test", "acme.test")
	type verdicts = classify.Authentication
	for name, c := range map[string]struct {
		header             string
		sending, receiving classify.Provider
		want               verdicts
	}{
		"google": {
			header: "Received: by 2002:a05 with SMTP id x\r\n" +
				"Authentication-Results: mx.google.com;\r\n       dkim=pass header.i=@acme.test header.s=s1 header.b=abc;\r\n" +
				"       spf=pass (google.com: domain of a@acme.test designates 192.0.2.1; as permitted) smtp.mailfrom=a@acme.test;\r\n" +
				"       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=acme.test\r\n" +
				"Authentication-Results: smtp.acme.test; dkim=none\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "pass", DKIM: "pass", DMARC: "pass"},
		},
		"exchange names no server": {
			header: "Authentication-Results: spf=softfail (sender IP is 192.0.2.1)\r\n smtp.mailfrom=acme.test; dkim=none (message not signed)\r\n" +
				" header.d=none;dmarc=fail action=none\r\n header.from=acme.test;compauth=fail reason=001\r\n",
			sending: custom, receiving: microsoft, want: verdicts{SPF: "fail", DKIM: "none", DMARC: "fail"},
		},
		"within one tenant of exchange": {
			header: "Authentication-Results: dkim=none (message not signed)\r\n header.d=none;dmarc=none action=none header.from=acme.test;\r\n" +
				"X-MS-Exchange-Organization-AuthAs: Internal\r\n",
			sending: microsoft, receiving: microsoft,
			want: verdicts{SPF: "unknown", DKIM: "unknown", DMARC: "unknown", Internal: true},
		},
		"between tenants of exchange": {
			header: "Authentication-Results: spf=pass smtp.mailfrom=acme.test; dkim=pass header.d=acme.test;dmarc=pass header.from=acme.test\r\n" +
				"X-MS-Exchange-Organization-AuthAs: Anonymous\r\nX-MS-Exchange-CrossTenant-AuthAs: Internal\r\n",
			sending: microsoft, receiving: microsoft, want: verdicts{SPF: "pass", DKIM: "pass", DMARC: "pass"},
		},
		"a field of exchange elsewhere": {
			header:  "Authentication-Results: mx.google.com; dkim=pass header.d=acme.test\r\nX-MS-Exchange-Organization-AuthAs: Internal\r\n",
			sending: microsoft, receiving: google, want: verdicts{SPF: "unknown", DKIM: "pass", DMARC: "unknown"},
		},
		"signed by the provider alone": {
			header:  "Authentication-Results: mx.google.com; dkim=pass header.d=acme-test.20230601.gappssmtp.com; spf=none; dmarc=none\r\n",
			sending: custom, receiving: google,
			want: verdicts{SPF: "none", DKIM: "none", DMARC: "none", Signer: "acme-test.20230601.gappssmtp.com"},
		},
		"one of two signatures is the sender's": {
			header:  "Authentication-Results: mx.google.com; dkim=pass header.d=esp.test; dkim=pass header.d=mail.acme.test\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "unknown", DKIM: "pass", DMARC: "unknown"},
		},
		"broken signature": {
			header:  "Authentication-Results: mx.google.com 1; dkim=fail reason=\"body; hash\" header.d=acme.test; spf=temperror\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "unknown", DKIM: "fail", DMARC: "unknown"},
		},
		"written by the sender's provider": {
			header:  "Authentication-Results: smtp.acme.test; dkim=pass header.d=acme.test; spf=pass\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "unknown", DKIM: "unknown", DMARC: "unknown"},
		},
		"one malformed result": {
			header:  "Authentication-Results: mx.google.com; nonsense; spf=pass; arc=pass header.oldest-pass=x; dkim=pass header.d=acme.test\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "pass", DKIM: "pass", DMARC: "unknown"},
		},
		"no field": {
			header:  "Subject: x\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "unknown", DKIM: "unknown", DMARC: "unknown"},
		},
		"no results": {
			header:  "Authentication-Results: mx.google.com; none\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "unknown", DKIM: "unknown", DMARC: "unknown"},
		},
		"in the body": {
			header:  "\r\nAuthentication-Results: mx.google.com; spf=pass\r\n",
			sending: custom, receiving: google, want: verdicts{SPF: "unknown", DKIM: "unknown", DMARC: "unknown"},
		},
	} {
		got := classify.Authenticated([]byte(c.header+"\r\nHello\r\n"), "acme.test", c.sending, c.receiving)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The fields of RFC 8601, appendix B, as the receiver of each example reads them.
func TestAuthenticatedOfRFC8601(t *testing.T) {
	t.Parallel()
	type verdicts = classify.Authentication
	for name, c := range map[string]struct {
		fields []string // topmost first
		domain string
		want   verdicts
	}{
		"B.2, no authentication": {[]string{"example.org 1; none"}, "example.net",
			verdicts{SPF: "unknown", DKIM: "unknown", DMARC: "unknown"}},
		"B.3, one method": {[]string{"example.com;\r\n          spf=pass smtp.mailfrom=example.net"}, "example.net",
			verdicts{SPF: "pass", DKIM: "unknown", DMARC: "unknown"}},
		"B.4, several methods": {[]string{"example.com;\r\n          auth=pass (cram-md5) smtp.auth=sender@example.net;\r\n" +
			"          spf=pass smtp.mailfrom=example.net", "example.com; iprev=pass\r\n          policy.iprev=192.0.2.200"},
			"example.net", verdicts{SPF: "pass", DKIM: "unknown", DMARC: "unknown"}},
		"B.5, two servers": {[]string{"example.com;\r\n          dkim=pass (good signature) header.d=example.com",
			"example.com;\r\n          auth=pass (cram-md5) smtp.auth=sender@example.com;\r\n          spf=fail smtp.mailfrom=example.com"},
			"example.com", verdicts{SPF: "unknown", DKIM: "pass", DMARC: "unknown"}},
		"B.6, a list changed the mail": {[]string{"example.com;\r\n          dkim=pass reason=\"good signature\"\r\n" +
			"            header.i=@mail-router.example.net;\r\n          dkim=fail reason=\"bad signature\"\r\n" +
			"            header.i=@newyork.example.com", "example.net;\r\n          dkim=pass (good signature)\r\n" +
			"            header.i=@newyork.example.com"}, "newyork.example.com",
			verdicts{SPF: "unknown", DKIM: "fail", DMARC: "unknown", Signer: "mail-router.example.net"}},
		"B.6, the list's own domain": {[]string{"example.com;\r\n          dkim=pass reason=\"good signature\"\r\n" +
			"            header.i=@mail-router.example.net;\r\n          dkim=fail reason=\"bad signature\"\r\n" +
			"            header.i=@newyork.example.com"}, "example.net",
			verdicts{SPF: "unknown", DKIM: "pass", DMARC: "unknown"}},
		"B.7, comments everywhere": {[]string{"foo.example.net (foobar) 1 (baz);\r\n" +
			"    dkim (Because I like it) / 1 (One yay) = (wait for it) fail\r\n" +
			"      policy (A dot can go here) . (like that) expired\r\n" +
			"      (this surprised me) = (as I wasn't expecting it) 1362471462"}, "example.com",
			verdicts{SPF: "unknown", DKIM: "fail", DMARC: "unknown"}},
	} {
		var header strings.Builder
		for _, field := range c.fields {
			header.WriteString("Authentication-Results: " + field + "\r\n")
		}
		got := classify.Authenticated([]byte(header.String()+"\r\nHello\r\n"), c.domain, classify.Provider{}, classify.Provider{})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The signatures of RFC 7489, appendix B.1.2: those of the sender's organization count (relaxed
// alignment), whichever of the two domains is above the other.
func TestAlignmentOfRFC7489(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ signed, from, want, signer string }{
		{"example.com", "example.com", "pass", ""},
		{"example.com", "child.example.com", "pass", ""},
		{"child.example.com", "example.com", "pass", ""},
		{"sample.net", "child.example.com", "none", "sample.net"},
	} {
		raw := "Authentication-Results: mx.test; dkim=pass header.d=" + c.signed + "\r\n\r\nHello\r\n"
		got := classify.Authenticated([]byte(raw), c.from, classify.Provider{}, classify.Provider{})
		if got.DKIM != c.want || got.Signer != c.signer {
			t.Errorf("signed by %s, from %s: %+v", c.signed, c.from, got)
		}
	}
}

func FuzzAuthenticated(f *testing.F) {
	f.Add("mx.google.com; dkim=pass header.d=acme.test; spf=pass (a;b) smtp.mailfrom=x")
	f.Add("spf=pass; \"(; dkim=fail \\")
	f.Fuzz(func(t *testing.T, value string) {
		a := classify.Authenticated([]byte("Authentication-Results: "+value+"\r\n\r\n"), "acme.test", classify.Provider{}, classify.Provider{})
		for _, v := range []string{a.SPF, a.DKIM, a.DMARC} {
			if !strings.Contains("pass fail none unknown", v) {
				t.Errorf("%q gives the verdict %q", value, v)
			}
		}
	})
}
