package outreach_test

import (
	"encoding/json"
	"os"
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

// A search finds the words of a text that the application marks (ui/src/logic/foundWords.test.ts).
func TestFoundWords(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name, Text, Search string
		Marked             []string // pieces of the text
	}
	file, err := os.ReadFile("testdata/foundwords.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		search, _ := outreach.ParseSearch(c.Search) // without words it finds nothing
		found := []string{}
		for _, word := range strings.Fields(outreach.SearchWords(c.Text)) {
			for i, wanted := range search {
				if word == wanted || outreach.FindsLonger(search, i) && strings.HasPrefix(word, wanted) {
					found = append(found, word)
					break
				}
			}
		}
		if diff := cmp.Diff(strings.Fields(outreach.SearchWords(c.Marked...)), found); diff != "" {
			t.Errorf("%s (-marked +found):\n%s", c.Name, diff)
		}
	}
}
