package mail

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"outreach/internal/testkit"
)

// docs/mailboxes.md has each reason why a server cannot be used, with what to do.
func TestReasonsAreDocumented(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../docs/mailboxes.md")
	testkit.NoError(t, err)
	files, err := filepath.Glob("*.go")
	testkit.NoError(t, err)
	var shown []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, text := range testkit.Texts(t, file) {
			if text.Name == "Reason" || text.Name == "reason" {
				shown = append(shown, text.Value)
			}
		}
	}
	for _, a := range loginAdvice {
		shown = append(shown, a.advice)
	}
	for _, text := range shown {
		if !strings.Contains(string(document), "| "+text+" |") {
			t.Errorf("docs/mailboxes.md has no row %q", text)
		}
	}
	if len(shown) < 30 {
		t.Errorf("found %d reasons, want all: %q", len(shown), shown)
	}
}
