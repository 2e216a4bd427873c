package outreach_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

func key(letter string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(letter, 32)))
}

func ring(t *testing.T, text string) *outreach.Keyring {
	t.Helper()
	keys, err := outreach.ParseKeyring(text)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestParseKeyring(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		key("a"): true, key("a") + "," + key("b"): true, " " + key("a") + " , " + key("b"): true,
		"": false, "short": false, key("a")[:40]: false, key("a") + ",": false, base64.StdEncoding.EncodeToString(make([]byte, 31)): false,
		base64.URLEncoding.EncodeToString(bytes.Repeat([]byte{255}, 32)): false,
	} {
		_, err := outreach.ParseKeyring(text)
		if (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
		if err != nil && text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("the error shows the key: %v", err)
		}
	}
}

func TestSealedOpensForItsOwnUseOnly(t *testing.T) {
	t.Parallel()
	keys, row, plain := ring(t, key("a")), []byte("row 1"), []byte("secret")
	sealed := keys.Seal(outreach.PurposeMailbox, row, plain)
	if bytes.Contains(sealed, plain) || bytes.Equal(sealed, keys.Seal(outreach.PurposeMailbox, row, plain)) {
		t.Error("sealing shows or repeats itself")
	}
	opened, err := keys.Open(outreach.PurposeMailbox, row, sealed)
	if err != nil || !bytes.Equal(opened, plain) {
		t.Fatalf("opened %q, %v", opened, err)
	}
	for what, open := range map[string]func() ([]byte, error){
		"another purpose": func() ([]byte, error) { return keys.Open(outreach.PurposeSigningSecret, row, sealed) },
		"another row":     func() ([]byte, error) { return keys.Open(outreach.PurposeMailbox, []byte("row 2"), sealed) },
		"another key":     func() ([]byte, error) { return ring(t, key("b")).Open(outreach.PurposeMailbox, row, sealed) },
		"nothing":         func() ([]byte, error) { return keys.Open(outreach.PurposeMailbox, row, nil) },
		"a part":          func() ([]byte, error) { return keys.Open(outreach.PurposeMailbox, row, sealed[:len(sealed)-1]) },
	} {
		if plain, err := open(); err == nil {
			t.Errorf("%s opens: %q", what, plain)
		}
	}
	for bit := range len(sealed) * 8 {
		flipped := bytes.Clone(sealed)
		flipped[bit/8] ^= 1 << (bit % 8)
		if _, err := keys.Open(outreach.PurposeMailbox, row, flipped); err == nil {
			t.Fatalf("bit %d flipped opens", bit)
		}
	}
}

func TestKeyRotation(t *testing.T) {
	t.Parallel()
	before, during, after := ring(t, key("a")), ring(t, key("b")+","+key("a")), ring(t, key("b"))
	old, fresh := before.Seal(outreach.PurposeSession, nil, []byte("x")), during.Seal(outreach.PurposeSession, nil, []byte("x"))
	oldTag, freshTag := before.MAC(outreach.PurposeCursor, []byte("m")), during.MAC(outreach.PurposeCursor, []byte("m"))
	for name, c := range map[string]struct {
		keys       *outreach.Keyring
		old, fresh bool
	}{"before": {before, true, false}, "during": {during, true, true}, "after": {after, false, true}} {
		_, oldErr := c.keys.Open(outreach.PurposeSession, nil, old)
		_, freshErr := c.keys.Open(outreach.PurposeSession, nil, fresh)
		got := []bool{oldErr == nil, freshErr == nil, c.keys.Verify(outreach.PurposeCursor, []byte("m"), oldTag),
			c.keys.Verify(outreach.PurposeCursor, []byte("m"), freshTag)}
		if diff := cmp.Diff([]bool{c.old, c.fresh, c.old, c.fresh}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	keys, message := ring(t, key("a")), []byte("message")
	tag := keys.MAC(outreach.PurposeCursor, message)
	for what, c := range map[string]struct {
		purpose outreach.Purpose
		message string
		tag     []byte
		ok      bool
	}{
		"whole": {outreach.PurposeCursor, "message", tag, true}, "leading half": {outreach.PurposeCursor, "message", tag[:16], true},
		"less than half": {outreach.PurposeCursor, "message", tag[:15], false},
		"too long":       {outreach.PurposeCursor, "message", append(bytes.Clone(tag), 0), false},
		"no tag":         {outreach.PurposeCursor, "message", nil, false}, "another message": {outreach.PurposeCursor, "massage", tag, false},
		"another purpose": {outreach.PurposeTracking, "message", tag, false}, "its tail": {outreach.PurposeCursor, "message", tag[16:], false},
	} {
		if got := keys.Verify(c.purpose, []byte(c.message), c.tag); got != c.ok {
			t.Errorf("%s: %v", what, got)
		}
	}
}
