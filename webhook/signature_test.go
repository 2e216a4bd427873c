package webhook

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	stripe "github.com/stripe/stripe-go/v82/webhook"
)

func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// vector is one line of docs/vectors.json, which receivers test their verifier
// with.
type vector struct {
	Name       string `json:"name"`
	Secret     string `json:"secret"`
	Timestamp  int64  `json:"timestamp"`
	BodyBase64 string `json:"body_base64"`
	Header     string `json:"header"`
	Valid      bool   `json:"valid"`
}

func (v vector) body(t *testing.T) []byte {
	t.Helper()
	body, err := base64.StdEncoding.DecodeString(v.BodyBase64)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

const vectorSecret = "whsec_000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

// makeVectors returns valid signatures of every golden payload and the ways in which a signature
// can be wrong.
func makeVectors(t *testing.T) []vector {
	t.Helper()
	var out []vector
	at := time.Unix(1795190709, 0)
	good := func(name, secret string, body []byte) vector {
		return vector{name, secret, at.Unix(), base64.StdEncoding.EncodeToString(body), Sign(secret, at, body), true}
	}
	events := goldenEvents()
	for _, name := range slices.Sorted(maps.Keys(events)) {
		body, err := Encode(events[name])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, good(name, vectorSecret, body))
	}
	body := []byte(`{"a":1}`)
	out = append(out, good("empty body", vectorSecret, nil), good("body with dots and commas", vectorSecret, []byte("1.2,v1=3.t=4")))
	bad := func(name, header string, body []byte) {
		out = append(out, vector{name, vectorSecret, at.Unix(), base64.StdEncoding.EncodeToString(body), header, false})
	}
	header := Sign(vectorSecret, at, body)
	_, sum, _ := strings.Cut(header, ",")
	bad("another secret", Sign(vectorSecret+"0", at, body), body)
	bad("secret without its prefix", Sign(strings.TrimPrefix(vectorSecret, SecretPrefix), at, body), body)
	bad("another timestamp", "t=1795190710,"+sum, body)
	bad("body re-serialised", header, []byte(`{"a": 1}`))
	bad("signature cut short", header[:len(header)-2], body)
	bad("no timestamp", sum, body)
	bad("no signature", "t=1795190709", body)
	return out
}

func vectorsFile() string { return filepath.Join("..", "docs", "vectors.json") }

func TestVectors(t *testing.T) {
	t.Parallel()
	made, err := json.MarshalIndent(makeVectors(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, vectorsFile(), append(made, '\n'))
	for _, v := range readVectors(t) {
		err := Verify(v.Secret, v.Header, v.body(t), time.Unix(v.Timestamp, 0), 5*time.Minute)
		if (err == nil) != v.Valid {
			t.Errorf("%s: Verify says %v, valid is %v", v.Name, err, v.Valid)
		}
		err = stripe.ValidatePayloadIgnoringTolerance(v.body(t), v.Header, v.Secret)
		if (err == nil) != v.Valid {
			t.Errorf("%s: stripe says %v, valid is %v", v.Name, err, v.Valid)
		}
	}
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	data, err := os.ReadFile(vectorsFile())
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// The expected value comes from `openssl dgst -sha256 -hmac`, not from this code.
func TestSignKnownAnswer(t *testing.T) {
	t.Parallel()
	got := Sign("whsec_test", time.Unix(1700000000, 999), []byte(`{"hello":"world"}`))
	want := "t=1700000000,v1=f592bbf3951cfc94e560eecfb5d9dd4da6b0fff2e626235f8ab4b54860925d0b"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	at, body := time.Unix(1700000000, 0), []byte("body")
	header := Sign("whsec_a", at, body)
	_, v1, _ := strings.Cut(header, ",")
	old := strings.Repeat("0", 64)
	beyond := "t=99999999999999999999,v1=" + hex.EncodeToString(mac("whsec_a", "99999999999999999999", body))
	for name, test := range map[string]struct {
		header string
		body   string
		now    time.Time
		want   error
	}{
		"as signed":                {header, "body", at, nil},
		"at the edge, past":        {header, "body", at.Add(time.Minute), nil},
		"at the edge, future":      {header, "body", at.Add(-time.Minute), nil},
		"too old":                  {header, "body", at.Add(time.Minute + 1), ErrSignatureTooOld},
		"from the future":          {header, "body", at.Add(-time.Minute - 1), ErrSignatureTooOld},
		"second of two signatures": {"t=1700000000,v1=" + old + "," + v1, "body", at, nil},
		"first of two signatures":  {header + ",v1=" + old, "body", at, nil},
		"unknown scheme beside":    {header + ",v0=abc", "body", at, nil},
		"spaces after commas":      {"t=1700000000, " + v1, "body", at, nil},
		"upper-case hex":           {"t=1700000000,v1=" + strings.ToUpper(v1[3:]), "body", at, nil},
		"other body":               {header, "bodY", at, ErrSignatureMismatch},
		"wrong and too old":        {header, "bodY", at.Add(time.Hour), ErrSignatureMismatch},
		"unknown scheme only":      {"t=1700000000,v0=" + v1[3:], "body", at, ErrSignatureMismatch},
		"no hex":                   {"t=1700000000,v1=xyz", "body", at, ErrSignatureMismatch},
		"empty signature":          {"t=1700000000,v1=", "body", at, ErrSignatureMismatch},
		"empty":                    {"", "body", at, ErrSignatureMalformed},
		"no pairs":                 {"hello", "body", at, ErrSignatureMalformed},
		"two timestamps":           {"t=1700000000," + header, "body", at, ErrSignatureMalformed},
		"signed timestamp":         {"t=+1700000000," + v1, "body", at, ErrSignatureMalformed},
		"empty timestamp":          {"t=," + v1, "body", at, ErrSignatureMalformed},
		"timestamp beyond int64":   {beyond, "body", at, ErrSignatureMalformed},
	} {
		if err := Verify("whsec_a", test.header, []byte(test.body), test.now, time.Minute); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}

func TestVerifyWantsTheWholeSecret(t *testing.T) {
	t.Parallel()
	at := time.Unix(1700000000, 0)
	header := Sign("whsec_abc", at, nil)
	for _, secret := range []string{"abc", "whsec_ab", "", "WHSEC_abc"} {
		if err := Verify(secret, header, nil, at, 0); !errors.Is(err, ErrSignatureMismatch) {
			t.Errorf("%q: %v", secret, err)
		}
	}
}

func TestNewSecret(t *testing.T) {
	t.Parallel()
	got, err := NewSecret(bytes.NewReader(bytes.Repeat([]byte{0xab}, 32)))
	if err != nil || got != "whsec_"+strings.Repeat("ab", 32) {
		t.Errorf("NewSecret = %q, %v", got, err)
	}
	if got, err := NewSecret(iotest.ErrReader(errors.New("no entropy"))); err == nil {
		t.Errorf("without randomness: %q", got)
	}
	a, _ := NewSecret(rand.Reader)
	b, _ := NewSecret(rand.Reader)
	if a == b {
		t.Error("two secrets are equal")
	}
}
