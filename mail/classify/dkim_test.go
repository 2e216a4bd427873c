package classify_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"net"
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
			result := &authres.DKIMResult{Domain: v.Domain, Value: authres.ResultFail}
			verdict := classify.VerdictFail
			switch organization, _ := publicsuffix.EffectiveTLDPlusOne(v.Domain); {
			case v.Err == nil && organization == "acme.co.uk":
				result.Value, verdict = authres.ResultPass, classify.VerdictPass
			case v.Err == nil:
				result.Value, verdict = authres.ResultPass, classify.VerdictNone
			case dkim.IsTempFail(v.Err):
				result.Value, verdict = authres.ResultTempError, classify.VerdictUnknown
			case dkim.IsPermFail(v.Err):
				result.Value = authres.ResultPermError
			}
			results, verdicts = append(results, result), append(verdicts, verdict)
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

func errorsOf(found []*dkim.Verification) (all []error) {
	for _, v := range found {
		all = append(all, v.Err)
	}
	return all
}
