package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// SecretPrefix is the start of every signing secret, so that a leaked one is recognised.
const SecretPrefix = "whsec_"

// The reasons why Verify refuses a request.
var (
	ErrSignatureMalformed = errors.New("signature header is malformed")
	ErrSignatureMismatch  = errors.New("signature does not match the body")
	ErrSignatureTooOld    = errors.New("signature timestamp is outside the tolerance")
)

// NewSecret returns a signing secret: the prefix and 32 bytes from random in lower-case hex.
// Production passes crypto/rand.Reader.
func NewSecret(random io.Reader) (string, error) {
	var key [32]byte
	if _, err := io.ReadFull(random, key[:]); err != nil {
		return "", fmt.Errorf("read randomness for a signing secret: %w", err)
	}
	return SecretPrefix + hex.EncodeToString(key[:]), nil
}

// Sign returns the value of X-Service-Signature for body sent at the given time:
// t=<unix seconds>,v1=<lower-case hex>. v1 is HMAC-SHA256 (RFC 2104) keyed with
// the whole secret, prefix included, over the seconds, a full stop and the body.
func Sign(secret string, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac(secret, seconds, body))
}

// Verify checks a signature of Sign, as a receiver does. It requires one t and at least one v1
// that matches, ignores unknown schemes, and compares in constant time. The timestamp may be up to
// tolerance before or after now. It is checked after the signature, so that it reveals nothing to
// a stranger. The error is one of the ErrSignature values.
func Verify(secret, header string, body []byte, now time.Time, tolerance time.Duration) error {
	seconds, candidates, err := parseSignature(header)
	if err != nil {
		return err
	}
	if !anyEqual(mac(secret, seconds, body), candidates) {
		return ErrSignatureMismatch
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return ErrSignatureMalformed
	}
	if now.Sub(time.Unix(unix, 0)).Abs() > tolerance {
		return ErrSignatureTooOld
	}
	return nil
}

func mac(secret, seconds string, body []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	io.WriteString(h, seconds)
	h.Write([]byte{'.'})
	h.Write(body)
	return h.Sum(nil)
}

func parseSignature(header string) (seconds string, candidates [][]byte, err error) {
	for field := range strings.SplitSeq(header, ",") {
		key, value, found := strings.Cut(strings.TrimSpace(field), "=")
		switch {
		case !found, key == "t" && (seconds != "" || !allDigits(value)):
			return "", nil, ErrSignatureMalformed
		case key == "t":
			seconds = value
		case key == "v1":
			// Text that is not hex matches nothing, like a wrong value.
			if sum, err := hex.DecodeString(value); err == nil {
				candidates = append(candidates, sum)
			}
		}
	}
	if seconds == "" {
		return "", nil, ErrSignatureMalformed
	}
	return seconds, candidates, nil
}

// anyEqual compares every candidate, so that its time does not reveal which one matched.
func anyEqual(want []byte, candidates [][]byte) bool {
	equal := false
	for _, candidate := range candidates {
		equal = hmac.Equal(want, candidate) || equal
	}
	return equal
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
