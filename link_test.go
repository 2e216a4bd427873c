package outreach_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

func TestSignedLinks(t *testing.T) {
	t.Parallel()
	keys := ring(t, key("a"))
	id := outreach.Ref{WorkspaceID: uuid.MustParse("0199aaaa-0000-7000-8000-0000000000fe"),
		ID: uuid.MustParse("0199aaaa-0000-7000-8000-0000000000ff")}
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
	for _, text := range []string{"", "AAAA", token[:len(token)-4], token + "AAAA", token + "\n", strings.Repeat("A", 68)} {
		if _, _, _, ok := outreach.OpenLink(keys, outreach.LinkClick, text); ok {
			t.Errorf("%q opens", text)
		}
	}
}
