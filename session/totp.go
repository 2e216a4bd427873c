package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// One-time codes of RFC 6238: six digits, SHA-1, a step of 30 seconds. One step before and after
// the current one are accepted, for clocks that differ.
const (
	totpStep        = 30 * time.Second
	totpSecretBytes = 20
	totpModulus     = 1_000_000
)

var base32NoPadding = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewTOTPSecret returns 160 random bits.
func NewTOTPSecret() []byte {
	secret := make([]byte, totpSecretBytes)
	rand.Read(secret)
	return secret
}

// TOTPText returns a secret in the form for manual entry into an authenticator app.
func TOTPText(secret []byte) string { return base32NoPadding.EncodeToString(secret) }

// TOTPURI returns the otpauth URI of a secret, which authenticator apps read.
func TOTPURI(secret []byte, issuer, account string) string {
	query := url.Values{"secret": {TOTPText(secret)}, "issuer": {issuer}}
	return "otpauth://totp/" + url.PathEscape(issuer+":"+account) + "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
}

// CheckTOTP returns the time step of a code. It reports false if the code is not valid at now. The
// caller refuses a step that was used before.
func CheckTOTP(secret []byte, code string, now time.Time) (step int64, ok bool) {
	present := now.Unix() / int64(totpStep/time.Second)
	for _, candidate := range []int64{present, present - 1, present + 1} {
		if subtle.ConstantTimeCompare([]byte(totpCode(secret, candidate)), []byte(code)) == 1 {
			return candidate, true
		}
	}
	return 0, false
}

// totpCode returns the HOTP (RFC 4226, section 5.3) of a time step. Authenticator apps use SHA-1;
// its known weaknesses do not affect HMAC.
func totpCode(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%06d", number%totpModulus)
}

// RecoveryCodes is how many recovery codes a user gets.
const RecoveryCodes = 10

// NewRecoveryCode returns a code of 80 random bits in four groups.
func NewRecoveryCode() string {
	text := strings.ToLower(rand.Text()[:16])
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
}

// HashRecoveryCode returns the stored hash of a recovery code, in any spacing or case. 80 random
// bits need no slow hash.
func HashRecoveryCode(code string) [32]byte {
	plain := strings.NewReplacer("-", "", " ", "").Replace(strings.ToLower(code))
	return sha256.Sum256([]byte(plain))
}
