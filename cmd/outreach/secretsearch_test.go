package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// tailLength is how much of the end of a secret is looked for: the beginning of a token may be
// shown, and a text may be cut.
const tailLength = 16

// spellings returns how the end of a secret may be written in a text: as it is, escaped for URLs,
// JSON and Go, in hexadecimal, and in base64 wherever it stands in what is encoded.
func spellings(secret string) []string {
	tail := secret
	if len(secret) > 2*tailLength {
		tail = secret[len(secret)-tailLength:]
	}
	quoted, _ := json.Marshal(tail)
	all := []string{tail, url.QueryEscape(tail), url.PathEscape(tail), strings.Trim(string(quoted), `"`),
		hex.EncodeToString([]byte(tail)), strings.ToUpper(hex.EncodeToString([]byte(tail)))}
	for shift := range 3 {
		bytes := append(make([]byte, shift), tail...)
		from, to := (shift*8+5)/6, len(bytes)*8/6 // the characters that depend on the tail alone
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, alphabet.EncodeToString(bytes)[from:to])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// leaks returns which secrets stand in which places, both by their names.
func leaks(places, secrets map[string]string) (found []string) {
	for name, secret := range secrets {
		for _, spelling := range spellings(secret) {
			for place, text := range places {
				if at := strings.Index(text, spelling); at >= 0 {
					around := text[max(at-80, 0):min(at+len(spelling)+20, len(text))]
					found = append(found, place+" holds the "+name+": "+strings.ToValidUTF8(around, "?"))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

// The search finds a secret in each way that it may be written, whole or behind something else,
// and no hash of it.
func TestSecretsAreFound(t *testing.T) {
	t.Parallel()
	const secret = `a+b/c=1 secret"of 32 characters; and more`
	sum := sha256.Sum256([]byte(secret))
	quoted, _ := json.Marshal(secret)
	tests := map[string]struct {
		text  string
		found bool
	}{
		"plain":             {"x" + secret + "y", true},
		"cut":               {"…" + secret[len(secret)-20:], true},
		"query":             {url.Values{"token": {secret}}.Encode(), true},
		"path":              {"/a/" + url.PathEscape(secret), true},
		"JSON":              {string(quoted), true},
		"hex":               {`\x00` + hex.EncodeToString([]byte(secret)), true},
		"base64":            {base64.StdEncoding.EncodeToString([]byte(secret)), true},
		"base64 of a login": {base64.StdEncoding.EncodeToString([]byte("\x00me@acme.test\x00" + secret)), true},
		"base64 of a token": {base64.StdEncoding.EncodeToString([]byte("user=me\x01auth=Bearer " + secret + "\x01\x01")), true},
		"base64 for URLs":   {base64.RawURLEncoding.EncodeToString([]byte("xy" + secret)), true},
		"hash":              {hex.EncodeToString(sum[:]) + base64.StdEncoding.EncodeToString(sum[:]), false},
		"beginning":         {secret[:24], false},
		"nothing":           {"", false},
	}
	for name, test := range tests {
		found := leaks(map[string]string{"place": test.text}, map[string]string{"password": secret})
		if len(found) > 0 != test.found {
			t.Errorf("%s: found %v in %q", name, found, test.text)
		}
	}
}
