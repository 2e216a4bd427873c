package outreach_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

func ExampleCanonicalEmail() {
	fmt.Println(outreach.CanonicalEmail(" Ann@Zürich.Example"))
	fmt.Println(outreach.CanonicalEmail("ann@xn--zrich-kva.example."))
	fmt.Println(outreach.CanonicalEmail("ann+news@zürich。example"))
	// Output:
	// ann@xn--zrich-kva.example
	// ann@xn--zrich-kva.example
	// ann+news@xn--zrich-kva.example
}

func ExampleDomainAndParents() {
	fmt.Println(outreach.DomainAndParents(outreach.EmailDomain("ann@mail.ACME.example")))
	// Output: [mail.acme.example acme.example example]
}

// spellings are groups of addresses that are equal within a group and different
// between groups.
var spellings = map[string][]string{
	"ASCII": {"ann@x.example", "ANN@X.EXAMPLE", " ann@x.example\t", "ann@x.example.", "Ann@x。example",
		"ann@ｘ.example", "ann@X.ｅｘａｍｐｌｅ"},
	"plus": {"ann+1@x.example", "Ann+1@X.example"},
	"umlaut domain": {"a@zürich.example", "a@zu\u0308rich.example", "a@ZÜRICH.example", "a@xn--zrich-kva.example",
		"a@XN--ZRICH-KVA.example", "A@zürich。example.", "a@ｚürich.example"},
	"sharp s":          {"a@straße.example", "a@xn--strae-oqa.example"},
	"double s":         {"a@strasse.example", "a@STRASSE.example"},
	"umlaut local":     {"jürgen@x.test", "ju\u0308rgen@x.test", "JÜRGEN@x.test", "JU\u0308RGEN@X.TEST"},
	"sharp s local":    {"straße@x.test", "STRASSE@x.test", "Strasse@x.test", "STRAẞE@x.test"},
	"ligature":         {"oﬃce@x.test", "OFFICE@x.test"},
	"Greek":            {"σίσυφος@x.test", "ΣΊΣΥΦΟΣ@x.test", "σίσυφοσ@X.test"},
	"Kelvin":           {"k@k.test", "K@k.test", "\u212A@K.test", "k@\u212A.test"},
	"final sigma":      {"a@λόγος.test", "a@ΛΌΓΟς.test"},
	"no e-mail at all": {"nobody", "Nobody", " NOBODY "},
}

func TestCanonicalEmail(t *testing.T) {
	t.Parallel()
	for group, addresses := range spellings {
		for _, a := range addresses {
			for other, others := range spellings {
				for _, b := range others {
					equal := outreach.CanonicalEmail(a) == outreach.CanonicalEmail(b)
					if strings.TrimSpace(a) != "" && equal != (group == other) {
						t.Errorf("%q (%s) equals %q (%s): %v", a, group, b, other, equal)
					}
				}
			}
		}
	}
}

func TestCanonicalDomain(t *testing.T) {
	t.Parallel()
	for domain, want := range map[string]string{
		"X.test":              "x.test",
		"@x.test":             "x.test",
		" x.test. ":           "x.test",
		"bücher.example":      "xn--bcher-kva.example",
		"例え.テスト":              "xn--r8jz45g.xn--zckzah",
		"a_b.test":            "a_b.test",
		"A_b.Bücher.test":     "a_b.xn--bcher-kva.test",
		"xn--zzzzzzzzzzz.org": "xn--zzzzzzzzzzz.org",
		"":                    "",
		".":                   "",
	} {
		if got := outreach.CanonicalDomain(domain); got != want {
			t.Errorf("CanonicalDomain(%q) = %q, want %q", domain, got, want)
		}
	}
}

// FuzzCanonicalEmail checks that a canonical form stays as it is.
func FuzzCanonicalEmail(f *testing.F) {
	for _, addresses := range spellings {
		for _, address := range addresses {
			f.Add(address)
		}
	}
	f.Fuzz(func(t *testing.T, email string) {
		once := outreach.CanonicalEmail(email)
		if twice := outreach.CanonicalEmail(once); twice != once {
			t.Errorf("%q becomes %q, then %q", email, once, twice)
		}
	})
}

func TestValidateEmail(t *testing.T) {
	t.Parallel()
	for email, valid := range map[string]bool{
		"a@x.test":                true,
		"A.b+c_d-e@sub.x-y.test":  true,
		"o'neil@x.test":           true,
		"ü@x.test":                true,
		"a@ü.test":                true,
		"a@zürich。test":           true,
		"1@1.test":                true,
		"":                        false,
		"nobody":                  false,
		"@x.test":                 false,
		"a@":                      false,
		"a@@x.test":               false,
		"a b@x.test":              false,
		" a@x.test":               false,
		"a@x.test ":               false,
		"Ann <a@x.test>":          false,
		"<a@x.test>":              false,
		"a@x.test, b@x.test":      false,
		"a@x.test\r\nBcc: b@x.te": false,
		"a\x00@x.test":            false,
		"a..b@x.test":             false,
		".a@x.test":               false,
		"a@x..test":               false,
		"a@x.test.":               true,
		"a@x.test。":               true,
		"a@x.test..":              false,
		"a@.":                     false,
		"a@x。。test":               false,
		`"a"@x.test`:              false,
		"a@x.test(comment)":       false,
		"a\u200b@x.test":          false,
		"a@x\u00a0y.test":         false,
		"a\u202e@x.test":          false,
		"a@xn--zzzzzzzzzzz.test":  false,
		"a@r3---sn.example":       true,
		"a@3com.example":          true,
		"a@x.xn--zckzah":          true,
		"a@-b.example":            false,
		"a@b-.example":            false,
		"a@x.-b":                  false,
		"a@x.b-":                  false,
		"a@-ü.example":            false,
		"a@ü-.example":            false,
		"a@xn----eha.example":     false, // -ü in Punycode
		"a@localhost":             false,
		"a@localhost.":            false,
		"a@a_b.example":           false,
		"a@x.example:25":          false,
		"a@127.0.0.11":            false,
		"a@[127.0.0.1]":           false,
		"a@[IPv6:::1]":            false,
		strings.Repeat("a", 60) + "@" + strings.Repeat("b", 60) + ".test": true,
		strings.Repeat("a", 250) + "@x.test":                              false,
		strings.Repeat("a", 65) + "@x.test":                               false,
		"a@" + strings.Repeat("b", 64) + ".test":                          false,
		"a@" + strings.Repeat("ü", 60) + ".test":                          false,
		strings.Repeat("a", 64) + "@" + strings.Repeat("b.", 94) + "c":    true, // 254 octets
		strings.Repeat("a", 64) + "@" + strings.Repeat("b.", 94) + "cc":   false,
	} {
		var faults outreach.Faults
		outreach.ValidateEmail(&faults, outreach.At("email"), email)
		if (len(faults) == 0) != valid {
			t.Errorf("%q is valid: %v, want %v", email, !valid, valid)
		}
	}
}

func TestSuppressionDomains(t *testing.T) {
	t.Parallel()
	for domain, valid := range map[string]bool{
		"x.test":                         true,
		"@X.test":                        true,
		"x.test.":                        true,
		"x.test..":                       false,
		"@@x.test":                       false,
		"bücher.example":                 true,
		"xn--bcher-kva.example":          true,
		"例え.テスト":                         true,
		"a-b.c1.test":                    true,
		"nobody":                         false,
		"x..test":                        false,
		".x.test":                        false,
		"-x.test":                        false,
		"a_b.test":                       false,
		"b-.test":                        false,
		"-ü.test":                        false,
		"x.-b":                           false,
		"127.0.0.11":                     false,
		"[127.0.0.1]":                    false,
		"a@x.test":                       false,
		"a b.test":                       false,
		"https://x.test":                 false,
		strings.Repeat("b", 64) + ".te":  false,
		strings.Repeat("b.", 130) + "te": false,
	} {
		s := outreach.Suppression{Domain: &domain}
		s.Normalize()
		if err := s.Validate(); (err == nil) != valid {
			t.Errorf("%q: %v, want valid %v", domain, err, valid)
		}
	}
}

func TestIsHostname(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"x.test":             true,
		"a-b.c.test":         true,
		"xn--bcher-kva.test": true,
		"test":               false,
		"":                   false,
		"x.test.":            false,
		"-a.test":            false,
		"a_b.test":           false,
		"X.test":             false,
		"a..test":            false,
		"x.-b":               false,
		"x.b-":               false,
		"10.0.0.12":          false,
		"xn----eha.test":     false,
	} {
		if got := outreach.IsHostname(name); got != want {
			t.Errorf("IsHostname(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestIsFreeMail(t *testing.T) {
	t.Parallel()
	got := map[string]bool{}
	for _, domain := range []string{"gmail.com", "web.de", "optusnet.com.au", "acme.com", "", "# Domains of free mail providers"} {
		got[domain] = outreach.IsFreeMail(domain)
	}
	want := map[string]bool{"gmail.com": true, "web.de": true, "optusnet.com.au": true, "acme.com": false, "": false,
		"# Domains of free mail providers": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
