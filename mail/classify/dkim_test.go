package classify_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/authres"
	"github.com/emersion/go-msgauth/dkim"
	"golang.org/x/net/publicsuffix"

	"outreach/mail/classify"
)

// signedMail is a mail with up to two signatures, some of which do not hold.
type signedMail struct {
	*rand.Rand
	t      *testing.T
	signer crypto.Signer
}

func (m signedMail) pick(from ...string) string { return from[m.IntN(len(from))] }

// sign adds a signature of a domain, and changes the mail behind it now and then.
func (m signedMail) sign(mail, domain string) string {
	options := &dkim.SignOptions{Domain: domain, Selector: m.pick("good", "good", "good", "revoked", "missing", "away", "broken"),
		Signer: m.signer, HeaderKeys: []string{"From", "Subject"}}
	if m.IntN(3) == 0 {
		options.BodyCanonicalization, options.HeaderCanonicalization = dkim.CanonicalizationRelaxed, dkim.CanonicalizationRelaxed
	}
	var out bytes.Buffer
	if err := dkim.Sign(&out, strings.NewReader(mail), options); err != nil {
		m.t.Fatal(err)
	}
	switch m.IntN(8) {
	case 0:
		return strings.Replace(out.String(), "Hello", "Goodbye", 1)
	case 1:
		return strings.Replace(out.String(), "Subject: x", "Subject:  x", 1) // kept by relaxed alone
	}
	return out.String()
}

// key is the DNS of all signers (RFC 6376, section 3.6.1).
func (m signedMail) key(name string) ([]string, error) {
	switch selector, _, _ := strings.Cut(name, "."); selector {
	case "good":
		return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(m.signer.Public().(ed25519.PublicKey))}, nil
	case "revoked":
		return []string{"v=DKIM1; k=ed25519; p="}, nil
	case "broken":
		return []string{"v=DKIM1; k=ed25519; p=bm90IGEga2V5"}, nil
	case "away":
		return nil, &net.DNSError{Err: "server failure", IsTemporary: true}
	}
	return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
}

// What an independent implementation (go-msgauth) verifies, and a receiver reports in its words, is
// our verdict on 200 mails: pass for a valid signature of the sender's organization, whatever else
// is signed (RFC 7489, section 3.1.1); else fail for one that does not hold.
func TestDKIMAgrees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 13))
	seed := make([]byte, ed25519.SeedSize)
	for i := range seed {
		seed[i] = byte(r.IntN(256))
	}
	m := signedMail{r, t, ed25519.NewKeyFromSeed(seed)}
	google, custom := classify.NewProvider("smtp.gmail.com", "imap.gmail.com", "gmail.com"),
		classify.NewProvider("smtp.acme.co.uk", "imap.acme.co.uk", "acme.co.uk")
	seen := map[string]int{}
	for n := range 200 {
		mail := "From: a@acme.co.uk\r\nSubject: x\r\n\r\nHello\r\n"
		for range r.IntN(3) {
			mail = m.sign(mail, m.pick("acme.co.uk", "acme.co.uk", "mail.acme.co.uk", "esp.test", "evil.co.uk"))
		}
		found, err := dkim.VerifyWithOptions(strings.NewReader(mail), &dkim.VerifyOptions{LookupTXT: m.key})
		if err != nil {
			t.Fatal(err)
		}
		verdicts, results := []string{classify.VerdictNone}, []authres.Result{}
		for _, v := range found {
			verdict := classify.VerdictFail
			switch organization, _ := publicsuffix.EffectiveTLDPlusOne(v.Domain); {
			case v.Err == nil && organization == "acme.co.uk":
				verdict = classify.VerdictPass
			case v.Err == nil:
				verdict = classify.VerdictNone
			case dkim.IsTempFail(v.Err):
				verdict = classify.VerdictUnknown
			}
			results, verdicts = append(results, resultOf(v)), append(verdicts, verdict)
		}
		if len(found) > 0 {
			verdicts = verdicts[1:]
		} else {
			results = []authres.Result{&authres.DKIMResult{Value: authres.ResultNone}}
		}
		want := classify.VerdictUnknown
		for _, first := range []string{classify.VerdictPass, classify.VerdictFail, classify.VerdictNone} {
			if slices.Contains(verdicts, first) {
				want = first
				break
			}
		}
		header := "Authentication-Results: " + authres.Format("mx.google.com", results) + "\r\n"
		if got := classify.Authenticated([]byte(header+mail), "acme.co.uk", custom, google); got.DKIM != want {
			t.Errorf("%d: %s, want %s: %s (%v)", n, got.DKIM, want, header, errors.Join(errorsOf(found)...))
		}
		seen[want]++
	}
	if seen[classify.VerdictPass] < 30 || seen[classify.VerdictFail] < 30 || seen[classify.VerdictNone] < 20 ||
		seen[classify.VerdictUnknown] < 3 {
		t.Errorf("the mails are too much alike: %v", seen)
	}
	t.Logf("200 mails agree: %v", seen)
}

// resultOf is what a receiver reports about a signature (RFC 8601, section 2.7.1).
func resultOf(v *dkim.Verification) *authres.DKIMResult {
	result := &authres.DKIMResult{Domain: v.Domain, Value: authres.ResultFail}
	switch {
	case v.Err == nil:
		result.Value = authres.ResultPass
	case dkim.IsTempFail(v.Err):
		result.Value = authres.ResultTempError
	case dkim.IsPermFail(v.Err):
		result.Value = authres.ResultPermError
	}
	return result
}

func errorsOf(found []*dkim.Verification) (all []error) {
	for _, v := range found {
		all = append(all, v.Err)
	}
	return all
}

// The keys that the RFCs publish with their mails.
const (
	rsaOf6376 = "v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYt" +
		"IxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhi" +
		"tdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB"
	ed25519Of8463 = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
	rsaOf8463     = "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bd" +
		"OKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9Pz" +
		"oxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB"
)

// The mails of RFC 6376, appendix A.2, and RFC 8463, appendix A.3, with the keys that they publish:
// go-msgauth verifies them, a receiver reports that, and our verdict follows from it.
func TestDKIMOfRFCs(t *testing.T) {
	t.Parallel()
	const rfc6376, rfc8463 = "testdata/dkim/rfc6376.eml", "testdata/dkim/rfc8463.eml"
	const brisbane, football, test = "brisbane._domainkey.example.com", "brisbane._domainkey.football.example.com",
		"test._domainkey.football.example.com"
	published := map[string]string{brisbane: rsaOf6376, football: ed25519Of8463, test: rsaOf8463}
	without := func(names ...string) map[string]string {
		keys := maps.Clone(published)
		for _, name := range names {
			delete(keys, name)
		}
		return keys
	}
	for name, c := range map[string]struct {
		file         string
		from, to     string // what is changed in the mail
		keys         map[string]string
		domain       string
		dkim, signer string
	}{
		"RFC 6376":                    {file: rfc6376, dkim: "pass"},
		"RFC 6376, another subject":   {file: rfc6376, from: "Is dinner", to: "Is lunch", dkim: "fail"},
		"RFC 6376, a space, simple":   {file: rfc6376, from: "game. Are", to: "game.  Are", dkim: "fail"},
		"RFC 6376, no key":            {file: rfc6376, keys: without(brisbane), dkim: "fail"},
		"RFC 6376, another key":       {file: rfc6376, keys: map[string]string{brisbane: ed25519Of8463}, dkim: "fail"},
		"RFC 8463":                    {file: rfc8463, dkim: "pass"},
		"RFC 8463, a space, relaxed":  {file: rfc8463, from: "game.  Are", to: "game. Are", dkim: "pass"},
		"RFC 8463, another body":      {file: rfc8463, from: "lost", to: "won", dkim: "fail"},
		"RFC 8463, ed25519 alone":     {file: rfc8463, keys: without(test), dkim: "pass"},
		"RFC 8463, rsa alone":         {file: rfc8463, keys: without(football), dkim: "pass"},
		"RFC 8463, both keys revoked": {file: rfc8463, keys: map[string]string{football: "k=ed25519; p=", test: "p="}, dkim: "fail"},
		"RFC 8463, another sender":    {file: rfc8463, domain: "shopping.example.net", dkim: "none", signer: "football.example.com"},
	} {
		raw, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		mail := strings.ReplaceAll(string(raw), "\n", "\r\n")
		if c.from != "" {
			changed := strings.Replace(mail, c.from, c.to, 1)
			if changed == mail {
				t.Fatalf("%s: the mail has no %q", name, c.from)
			}
			mail = changed
		}
		if c.keys == nil {
			c.keys = published
		}
		if c.domain == "" {
			c.domain = "football.example.com"
		}
		found, err := dkim.VerifyWithOptions(strings.NewReader(mail), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
			if key := c.keys[name]; key != "" {
				return []string{key}, nil
			}
			return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
		}})
		if err != nil {
			t.Fatal(err)
		}
		var results []authres.Result
		for _, v := range found {
			results = append(results, resultOf(v))
		}
		header := "Authentication-Results: " + authres.Format("mx.shopping.example.net", results) + "\r\n"
		got := classify.Authenticated([]byte(header+mail), c.domain, classify.Provider{}, classify.Provider{})
		if got.DKIM != c.dkim || got.Signer != c.signer {
			t.Errorf("%s: %+v, want %s %s: %s (%v)", name, got, c.dkim, c.signer, header, errors.Join(errorsOf(found)...))
		}
	}
}
