package webhook

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"outreach/webhook/testdata/verifiers/receiver"
)

func verifierFile(name string) string { return filepath.Join("testdata", "verifiers", name) }

func TestGoVerifier(t *testing.T) {
	t.Parallel()
	for _, v := range readVectors(t) {
		at := time.Unix(v.Timestamp, 0)
		if got := receiver.Verify(v.Secret, v.Header, v.body(t), at); got != v.Valid {
			t.Errorf("%s: %v, want %v", v.Name, got, v.Valid)
		}
		for _, shift := range []time.Duration{10 * time.Minute, -10 * time.Minute} {
			if receiver.Verify(v.Secret, v.Header, v.body(t), at.Add(shift)) {
				t.Errorf("%s: valid %v away", v.Name, shift)
			}
		}
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The page shows the verifiers that are tested, every word that can be recorded,
// and a payload that was really encoded.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	page := readText(t, filepath.Join("..", "docs", "webhooks.md"))
	_, goCode, _ := strings.Cut(readText(t, verifierFile("receiver/verify.go")), "import (")
	for name, part := range map[string]string{
		"Go verifier":         "import (" + goCode,
		"JavaScript verifier": readText(t, verifierFile("verify.mjs")),
		"Python verifier":     readText(t, verifierFile("verify.py")),
		"sent payload":        readText(t, filepath.Join("testdata", "payload", "sent.json")),
		"user agent":          UserAgent,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("docs/webhooks.md does not show the %s", name)
		}
	}
	for word := range closedTable {
		if !strings.Contains(page, "`"+word+"`") {
			t.Errorf("docs/webhooks.md does not explain %q", word)
		}
	}
	for _, told := range regexp.MustCompile("(?m)^\\| `((?:tls: )?[a-z ]+)` \\|").FindAllStringSubmatch(section(page, "## Errors"), -1) {
		if !closedTable[told[1]] {
			t.Errorf("docs/webhooks.md explains %q, which is never recorded", told[1])
		}
	}
}

// section returns a page's text from a heading to the next of its level.
func section(page, heading string) string {
	_, rest, _ := strings.Cut(page, "\n"+heading+"\n")
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}
