package outreach_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

func TestSearchWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ texts, want string }{
		{"", ""},
		{"?!", ""},
		{"Anna Öberg <a.keller+x@firma.de>", " anna oberg a keller x firma de "},
		{"Straße Łódź Ærø crème ÇA ça", " strasse lodz aero creme ca "},
		{"the The THE offer", " the offer "},
		{"ﬁle ２０２６", " file 2026 "},
		{"会議は10時", " 会 議 は 10 時 "},
		{strings.Repeat("x", 60), " " + strings.Repeat("x", 40) + " "},
	} {
		if got := outreach.SearchWords(c.texts); got != c.want {
			t.Errorf("words of %q: %q, want %q", c.texts, got, c.want)
		}
	}
	if got := outreach.SearchWords("one", "two one"); got != " one two " {
		t.Errorf("words of two texts: %q", got)
	}
}

func TestParseSearch(t *testing.T) {
	t.Parallel()
	words, err := outreach.ParseSearch("  Crème, OFFER ")
	if err != nil || !cmp.Equal(words, []string{"creme", "offer"}) {
		t.Errorf("words %q, error %v", words, err)
	}
	for _, bad := range []string{"", " - ", strings.Repeat("a ", 11), strings.Repeat("a", 201), "a\x00b"} {
		if _, err := outreach.ParseSearch(bad); outreach.CodeOf(err) != outreach.CodeInvalidParameter {
			t.Errorf("%q: error %v, want %s", bad, err, outreach.CodeInvalidParameter)
		}
	}
}
