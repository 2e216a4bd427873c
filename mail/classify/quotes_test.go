package classify_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"outreach/mail/classify"
)

// sharedQuotes is the folder of real replies with what their authors wrote, where
// it is present.
func sharedQuotes() string {
	if dir := os.Getenv("OUTREACH_QUOTES"); dir != "" {
		return dir
	}
	return "../../../shared/quotes"
}

// What is found of 64 real replies is what their authors wrote, white space apart.
//
//	go test ./mail/classify -run TestQuotes -v
func TestQuotes(t *testing.T) {
	t.Parallel()
	dir := sharedQuotes()
	files, err := filepath.Glob(filepath.Join(dir, "emails", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Logf("no replies in %s: set OUTREACH_QUOTES to check them", dir)
		return
	}
	exact, empty := 0, []string(nil)
	for _, path := range files {
		name := filepath.Base(path)
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, "trimmed", name))
		if err != nil {
			t.Fatal(err)
		}
		m := read(t, "Content-Type: text/plain; charset=utf-8\n\n"+string(body))
		got := m.NewText()
		if strings.TrimSpace(got) == "" {
			empty = append(empty, name)
		}
		if packed(got) == packed(string(want)) {
			exact++
			continue
		}
		if os.Getenv("OUTREACH_MISSES") != "" {
			t.Logf("%s\ngot  %q\nwant %q", name, got, want)
		}
	}
	t.Logf("exact %d of %d, empty %v", exact, len(files), empty)
	if exact < 58 || len(empty) > 1 || len(empty) == 1 && empty[0] != "spam_1.txt" {
		t.Errorf("exact %d of %d, want 58; empty %v, want at most spam_1.txt", exact, len(files), empty)
	}
}

// packed is a text without white space.
func packed(text string) string { return strings.Join(strings.Fields(text), " ") }

var _ = classify.Reply
