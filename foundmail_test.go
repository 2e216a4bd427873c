package outreach_test

import (
	"strings"
	"testing"
	"time"

	"outreach"
)

// The excerpt of a found mail shows a word that was found.
func TestExcerptOfFoundMail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("lorem ", 100)
	for _, c := range []struct{ name, text, search, want string }{
		{"a short text is whole", "Yes, please.", "yes", "Yes, please."},
		{"a text without the word begins at its start", long, "anna", long[:200]},
		{"a word near the start", "Offer for you. " + long, "offer", ("Offer for you. " + long)[:200]},
		{"a word far below", long + "our Öffer is" + " good", "offer", "…" + strings.Repeat("lorem ", 9) + "our Öffer is good"},
		{"the beginning of the last word", long + "offering", "x off", "…" + strings.Repeat("lorem ", 9) + "offering"},
		{"a whole word only, if it is not the last", long + "offering", "off x", long[:200]},
		{"characters, not bytes", strings.Repeat("é", 300), "x", strings.Repeat("é", 200)},
	} {
		words, err := outreach.ParseSearch(c.search)
		if err != nil {
			t.Fatal(err)
		}
		reply := outreach.Reply{Text: c.text, ReceivedAt: time.Unix(0, 0)}
		found := outreach.MergeMail(outreach.Rows[outreach.Reply]{Rows: []outreach.Reply{reply}},
			outreach.Rows[outreach.Message]{}, 1, words)
		if got := found.Rows[0].Excerpt; got != c.want {
			t.Errorf("%s: excerpt %q, want %q", c.name, got, c.want)
		}
	}
}
