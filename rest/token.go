package rest

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"hash/crc32"
	"math/big"
	"strings"

	"outreach"
)

// A token is tokenPrefix, 32 random characters (190 bits) and the CRC-32 of both
// in 6 characters, all in base 62. The checksum lets a mistyped token, or any
// string that a scanner of source code comes across, be told without a look at
// the database.
const (
	tokenPrefix   = "ort_"
	tokenRandom   = 32
	tokenChecksum = 6
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// TokenVisible is how many characters of a token may be shown later on.
const TokenVisible = 12

// Token is an API token in the clear. Only its hash is ever stored.
type Token string

// NewToken makes a token from the system's randomness.
func NewToken() Token {
	random := make([]byte, tokenRandom)
	for i := range random {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic(err) // crypto/rand does not fail
		}
		random[i] = base62[n.Int64()]
	}
	body := tokenPrefix + string(random)
	return Token(body + checksum(body))
}

// ParseToken accepts what NewToken gives, and CodeUnauthorized for all else.
func ParseToken(s string) (Token, error) {
	if len(s) != len(tokenPrefix)+tokenRandom+tokenChecksum || !strings.HasPrefix(s, tokenPrefix) {
		return "", errUnauthorized
	}
	body, sum := s[:len(s)-tokenChecksum], s[len(s)-tokenChecksum:]
	if strings.Trim(s[len(tokenPrefix):], base62) != "" || subtle.ConstantTimeCompare([]byte(sum), []byte(checksum(body))) != 1 {
		return "", errUnauthorized
	}
	return Token(s), nil
}

// Hash is the SHA-256 under which the token is stored and found. With 190 random
// bits inside, a slow hash would protect nothing more.
func (t Token) Hash() [sha256.Size]byte { return sha256.Sum256([]byte(t)) }

// Visible is the start of the token, by which people tell it from another.
func (t Token) Visible() string { return string(t[:TokenVisible]) }

// String keeps a token out of logs and messages; convert it to show it once.
func (t Token) String() string { return t.Visible() + "…" }

// checksum is CRC-32 (IEEE) in base 62, most significant character first.
func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var digits [tokenChecksum]byte
	for i := range digits {
		digits[tokenChecksum-1-i] = base62[sum%62]
		sum /= 62
	}
	return string(digits[:])
}

var errUnauthorized = outreach.Errorf(outreach.CodeUnauthorized,
	"Send the workspace's API token as Authorization: Bearer ort_…; this request has none, or one that is unknown or revoked.")
