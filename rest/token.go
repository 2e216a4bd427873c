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

// A token is tokenPrefix, 32 random characters (190 bits) and the CRC-32 of both in 6 characters,
// all in base 62. With the checksum a mistyped token, or a string found by a secret scanner, is
// rejected without a database query.
const (
	tokenPrefix   = "ort_"
	tokenRandom   = 32
	tokenChecksum = 6
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// TokenVisible is how many characters of a token may be shown later.
const TokenVisible = 12

// Token is an API token in plain text. Only its hash is stored.
type Token string

// NewToken returns a new token from crypto/rand.
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

// parseToken returns CodeUnauthorized for text that NewToken cannot return.
func parseToken(s string) (Token, error) {
	if len(s) != len(tokenPrefix)+tokenRandom+tokenChecksum || !strings.HasPrefix(s, tokenPrefix) {
		return "", errUnauthorized
	}
	body, sum := s[:len(s)-tokenChecksum], s[len(s)-tokenChecksum:]
	if strings.Trim(s[len(tokenPrefix):], base62) != "" || subtle.ConstantTimeCompare([]byte(sum), []byte(checksum(body))) != 1 {
		return "", errUnauthorized
	}
	return Token(s), nil
}

// Hash returns the SHA-256 under which the token is stored. A slow hash would not add protection
// to 190 random bits.
func (t Token) Hash() [sha256.Size]byte { return sha256.Sum256([]byte(t)) }

// Visible returns the start of the token, by which people recognise it.
func (t Token) Visible() string { return string(t[:TokenVisible]) }

// String returns only the visible part, to keep tokens out of logs and messages; convert to string
// to show it once.
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
