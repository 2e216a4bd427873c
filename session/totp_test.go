package session_test

import (
	"net/url"
	"testing"
	"time"

	"outreach/session"
)

// The last six digits of the test vectors for SHA-1 in RFC 6238, appendix B.
func TestTOTPOfTheRFC(t *testing.T) {
	t.Parallel()
	secret := []byte("12345678901234567890")
	for unix, code := range map[int64]string{
		59:          "287082",
		1111111109:  "081804",
		1111111111:  "050471",
		1234567890:  "005924",
		2000000000:  "279037",
		20000000000: "353130",
	} {
		for _, off := range []time.Duration{0, -30 * time.Second, 30 * time.Second} {
			if step, ok := session.CheckTOTP(secret, code, time.Unix(unix, 0).Add(off)); !ok || step != unix/30 {
				t.Errorf("at %d%+v the code %s has step %d, %v", unix, off, code, step, ok)
			}
		}
		for _, off := range []time.Duration{-61 * time.Second, 61 * time.Second} {
			at := time.Unix(unix, 0).Add(off)
			if _, ok := session.CheckTOTP(secret, code, at); ok && at.Unix() >= 0 {
				t.Errorf("at %d%+v the code %s is accepted", unix, off, code)
			}
		}
		for _, wrong := range []string{"", code[1:], code + "0", "000000"} {
			if _, ok := session.CheckTOTP(secret, wrong, time.Unix(unix, 0)); ok {
				t.Errorf("at %d the code %q is accepted", unix, wrong)
			}
		}
	}
}

func TestTOTPURI(t *testing.T) {
	t.Parallel()
	uri, err := url.Parse(session.TOTPURI([]byte("12345678901234567890"), "Out reach", "ann@x.test"))
	if err != nil {
		t.Fatal(err)
	}
	query := uri.Query()
	if uri.Scheme != "otpauth" || uri.Host != "totp" || uri.Path != "/Out reach:ann@x.test" ||
		query.Get("secret") != "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" || query.Get("issuer") != "Out reach" {
		t.Errorf("the address is %s", uri)
	}
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	code := session.NewRecoveryCode()
	if len(code) != 19 || code == session.NewRecoveryCode() {
		t.Errorf("the code is %q", code)
	}
	plain := code[:4] + code[5:9] + " " + code[10:14] + code[15:]
	if session.HashRecoveryCode(code) != session.HashRecoveryCode(plain) {
		t.Errorf("%q and %q have different hashes", code, plain)
	}
}
