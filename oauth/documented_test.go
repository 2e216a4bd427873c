package oauth_test

import (
	"os"
	"strings"
	"testing"

	"outreach/internal/testkit"
)

// docs/mailboxes.md has each sentence that this package shows, with what to do.
func TestErrorsAreDocumented(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../docs/mailboxes.md")
	must(t, err)
	var shown []string
	for _, text := range testkit.Texts(t, "site.go") {
		if text.Name == "Title" && !strings.HasPrefix(text.Value, "The mailbox ") && !strings.HasSuffix(text.Value, "?") {
			shown = append(shown, text.Value)
		}
	}
	for _, text := range testkit.Texts(t, "connect.go", "provider.go", "tokens.go") {
		if strings.Contains(text.Value, " ") && strings.HasSuffix(text.Value, ".") {
			shown = append(shown, text.Value)
		}
	}
	for _, text := range shown {
		if !strings.Contains(string(document), "| "+text+" |") {
			t.Errorf("docs/mailboxes.md has no row %q", text)
		}
	}
	if len(shown) < 25 {
		t.Errorf("found %d sentences, want all: %q", len(shown), shown)
	}
}
