package outreach_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

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

// The first key seals, all of them open: a key goes out of use in two steps.
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
		got := []bool{oldErr == nil, freshErr == nil, c.keys.Verify(outreach.PurposeCursor, []byte("m"), oldTag), c.keys.Verify(outreach.PurposeCursor, []byte("m"), freshTag)}
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
		"less than half": {outreach.PurposeCursor, "message", tag[:15], false}, "too long": {outreach.PurposeCursor, "message", append(bytes.Clone(tag), 0), false},
		"no tag": {outreach.PurposeCursor, "message", nil, false}, "another message": {outreach.PurposeCursor, "massage", tag, false},
		"another purpose": {outreach.PurposeTracking, "message", tag, false}, "its tail": {outreach.PurposeCursor, "message", tag[16:], false},
	} {
		if got := keys.Verify(c.purpose, []byte(c.message), c.tag); got != c.ok {
			t.Errorf("%s: %v", what, got)
		}
	}
}

func TestSignedLinks(t *testing.T) {
	t.Parallel()
	keys, id := ring(t, key("a")), uuid.MustParse("0199aaaa-0000-7000-8000-0000000000ff")
	target := "https://x.test/?a=1&b=ü#c"
	token := outreach.SignLink(keys, outreach.LinkClick, id, 513, target)
	gotID, number, gotTarget, ok := outreach.OpenLink(keys, outreach.LinkClick, token)
	if diff := cmp.Diff([]any{id, 513, target, true}, []any{gotID, number, gotTarget, ok}); diff != "" {
		t.Fatal(diff)
	}
	if strings.ContainsAny(token, "+/=?&#") {
		t.Errorf("the token needs escaping: %s", token)
	}
	for _, kind := range []outreach.LinkKind{outreach.LinkOpen, outreach.LinkUnsubscribe, outreach.LinkOffer} {
		if _, _, _, ok := outreach.OpenLink(keys, kind, token); ok {
			t.Errorf("a click's link opens as %c", kind)
		}
	}
	if _, _, _, ok := outreach.OpenLink(ring(t, key("b")), outreach.LinkClick, token); ok {
		t.Error("another key's link opens")
	}
	for bit := range len(token) * 8 {
		flipped := []byte(token)
		flipped[bit/8] ^= 1 << (bit % 8)
		if _, _, _, ok := outreach.OpenLink(keys, outreach.LinkClick, string(flipped)); ok {
			t.Fatalf("bit %d flipped opens: %s", bit, flipped)
		}
	}
	for _, text := range []string{"", "AAAA", token[:len(token)-4], token + "AAAA", token + "\n", strings.Repeat("A", 48)} {
		if _, _, _, ok := outreach.OpenLink(keys, outreach.LinkClick, text); ok {
			t.Errorf("%q opens", text)
		}
	}
}

func TestValidateEmail(t *testing.T) {
	t.Parallel()
	for email, ok := range map[string]bool{
		"a@x.test": true, "A.b+c_d-e@sub.x-y.test": true, "o'neil@x.test": true, "ü@x.test": true, "a@ü.test": true, "1@1.test": true,
		strings.Repeat("a", 60) + "@" + strings.Repeat("b", 60) + ".test": true,
		"": false, "nobody": false, "@x.test": false, "a@": false, "a@@x.test": false, "a b@x.test": false, " a@x.test": false, "a@x.test ": false,
		"Ann <a@x.test>": false, "<a@x.test>": false, "a@x.test, b@x.test": false, "a@x.test\r\nBcc: b@x.test": false, "a\x00@x.test": false,
		"a..b@x.test": false, ".a@x.test": false, "a@x..test": false, `"a"@x.test`: false, "a@x.test(comment)": false,
		strings.Repeat("a", 250) + "@x.test": false, strings.Repeat("a", 65) + "@x.test": false,
		"a@" + strings.Repeat("b", 64) + ".test": false, "a\u200b@x.test": false, "a@x\u00a0y.test": false, "a\u202e@x.test": false,
	} {
		var faults outreach.Faults
		outreach.ValidateEmail(&faults, "/email", email)
		if (len(faults) == 0) != ok {
			t.Errorf("%q: %v", email, faults)
		}
	}
}

func TestSuppressionsTakeMailDomains(t *testing.T) {
	t.Parallel()
	for domain, ok := range map[string]bool{
		"x.test": true, "@X.test": true, "bücher.example": true, "xn--bcher-kva.example": true, "例え.テスト": true, "a-b.c1.test": true,
		"nobody": false, "x..test": false, ".x.test": false, "x.test.": false, "-x.test": false, "a_b.test": false, "a b.test": false, "a\u200b.test": false,
		"https://x.test": false, strings.Repeat("b", 64) + ".test": false, strings.Repeat("b.", 130) + "test": false,
	} {
		s := outreach.Suppression{Domain: &domain}
		s.Normalize()
		if err := s.Validate(); (err == nil) != ok {
			t.Errorf("%q: %v", domain, err)
		}
	}
}

func TestMailboxesNameEachMissingServer(t *testing.T) {
	t.Parallel()
	whole := outreach.MailServer{Host: "mail.x.test", Port: 465, Username: "a", Password: "p", Security: outreach.SecurityTLS}
	port := func(n int) outreach.MailServer { s := whole; s.Port = n; return s }
	for name, c := range map[string]struct {
		smtp outreach.MailServer
		want []string
	}{
		"none":        {outreach.MailServer{}, []string{"/smtp required", "/smtp/host required", "/smtp/port required", "/smtp/username required", "/smtp/password required", "/smtp/security required"}},
		"no port":     {port(0), []string{"/smtp/port required"}},
		"a port over": {port(65536), []string{"/smtp/port invalid"}},
		"whole":       {whole, nil},
	} {
		box := outreach.NewMailbox()
		box.Email, box.SMTP, box.IMAP = "a@x.test", c.smtp, whole
		var got []string
		if err := box.Validate(); err != nil {
			for _, fault := range err.(*outreach.Error).Fields {
				got = append(got, fault.Pointer+" "+string(fault.Code))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFoldEmail(t *testing.T) {
	t.Parallel()
	for email, want := range map[string][2]string{
		" Ann@X.Test\t": {"ann@x.test", "x.test"}, "ÄÖ@X.TEST": {"äö@x.test", "x.test"}, "a@b@C.test": {"a@b@c.test", "c.test"}, "nobody": {"nobody", "nobody"},
	} {
		if diff := cmp.Diff(want, [2]string{outreach.FoldEmail(email), outreach.EmailDomain(email)}); diff != "" {
			t.Errorf("%q: %s", email, diff)
		}
	}
}

// The code of several faults is the one that they share, if clients branch on it.
func TestFaultsErr(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		codes []outreach.Code
		want  outreach.Code
	}{
		"fields":           {[]outreach.Code{outreach.FieldRequired, outreach.FieldInvalid}, outreach.CodeValidation},
		"one field":        {[]outreach.Code{outreach.FieldInvalid}, outreach.CodeValidation},
		"read only":        {[]outreach.Code{outreach.CodeReadOnlyField, outreach.CodeReadOnlyField}, outreach.CodeReadOnlyField},
		"references":       {[]outreach.Code{outreach.CodeUnknownReference}, outreach.CodeUnknownReference},
		"address":          {[]outreach.Code{outreach.CodeURLNotAllowed}, outreach.CodeURLNotAllowed},
		"mailbox":          {[]outreach.Code{outreach.CodeMailboxUnreachable, outreach.CodeMailboxUnreachable}, outreach.CodeMailboxUnreachable},
		"of several kinds": {[]outreach.Code{outreach.CodeReadOnlyField, outreach.CodeUnknownReference}, outreach.CodeValidation},
	} {
		var faults outreach.Faults
		for i, code := range c.codes {
			faults.Add(fmt.Sprintf("/%d", i), code, "fault %d of %s", i, name)
		}
		refusal, ok := errors.AsType[*outreach.Error](faults.Err())
		if !ok || refusal.Code != c.want || len(refusal.Fields) != len(c.codes) || refusal.Message != "fault 0 of "+name {
			t.Errorf("%s: %v", name, refusal)
		}
	}
	if err := (outreach.Faults{}).Err(); err != nil {
		t.Errorf("no fault: %v", err)
	}
}

// A refusal is no larger than what it is worth.
func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	c := outreach.NewCampaign()
	c.Name = "C"
	for range 100_000 {
		c.SendDays = append(c.SendDays, "mon")
	}
	s := outreach.Subscription{URL: "https://a.test/", Events: make([]outreach.SubscriptionEvent, 100_000)}
	for name, err := range map[string]error{"days": c.Validate(), "events": s.Validate()} {
		refused, ok := errors.AsType[*outreach.Error](err)
		if !ok || len(refused.Fields) != 100 {
			t.Errorf("%s: %.100v", name, err)
		}
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	for want, err := range map[outreach.Code]error{
		outreach.CodeNotFound: fmt.Errorf("wrapped: %w", outreach.ErrNotFound), outreach.CodeInternal: errors.New("ours"), outreach.CodeInUse: outreach.Errorf(outreach.CodeInUse, "x"),
	} {
		if got := outreach.CodeOf(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

func TestMergeCustomFields(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, patch, want map[string]any }{
		"adds":      {map[string]any{"a": 1}, map[string]any{"b": 2}, map[string]any{"a": 1, "b": 2}},
		"replaces":  {map[string]any{"a": 1}, map[string]any{"a": "x"}, map[string]any{"a": "x"}},
		"removes":   {map[string]any{"a": 1, "b": 2}, map[string]any{"a": nil, "c": nil}, map[string]any{"b": 2}},
		"an empty":  {map[string]any{"a": 1}, map[string]any{}, map[string]any{"a": 1}},
		"null":      {map[string]any{"a": 1}, nil, map[string]any{}},
		"from none": {nil, map[string]any{"a": 1}, map[string]any{"a": 1}},
	} {
		p := outreach.Prospect{CustomFields: c.before}
		p.MergeCustomFields(c.patch)
		if diff := cmp.Diff(c.want, p.CustomFields); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDomainsAndZones(t *testing.T) {
	t.Parallel()
	for name, ok := range map[string]bool{"x.test": true, "a-b.c.test": true, "xn--bcher-kva.test": true, "test": false, "": false, "x.test.": false, "-a.test": false, "a_b.test": false, "X.test": false, "a..test": false} {
		if outreach.IsHostname(name) != ok {
			t.Errorf("%q is a host name: %v", name, !ok)
		}
	}
	for name, ok := range map[string]bool{"Europe/Paris": true, "UTC": true, "": false, "Local": false, "Mars/Olympus": false, "../etc/passwd": false, "+02:00": false,
		"localtime": false, "posixrules": false, "posix/Europe/Paris": false, "right/UTC": false} {
		var faults outreach.Faults
		outreach.ValidateTimezone(&faults, "/timezone", name)
		if (len(faults) == 0) != ok {
			t.Errorf("%q is a zone: %v", name, !ok)
		}
	}
	for domain, free := range map[string]bool{"gmail.com": true, "web.de": true, "acme.com": false, "": false} {
		if outreach.IsFreeMail(domain) != free {
			t.Errorf("%q is free mail: %v", domain, !free)
		}
	}
}
