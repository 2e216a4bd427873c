package mail

import (
	"mime"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFoldSubject(t *testing.T) {
	t.Parallel()
	for _, subject := range []string{
		"", "Hi", "Hello Ann", strings.Repeat("word ", 40) + "end", strings.Repeat("x", 200), "Grüße aus Zürich",
		strings.Repeat("Ü", 120), strings.Repeat("日本語", 60), "=?utf-8?q?fake?= a",
		"Ünïcode " + strings.Repeat("plain ", 30), "emoji 👩‍🚀 " + strings.Repeat("👍", 40),
	} {
		folded := foldSubject(subject)
		lines := strings.Split("Subject: "+folded, "\r\n")
		for _, line := range lines {
			if len(line) > headerLine && strings.Contains(line[1:], " ") && subject != strings.Repeat("x", 200) {
				t.Errorf("%q: the line %q has %d characters", subject, line, len(line))
			}
		}
		if subject != "" && strings.TrimSpace(strings.TrimPrefix(lines[0], "Subject:")) == "" {
			t.Errorf("%q begins on the second line: %q", subject, folded)
		}
		var decoder mime.WordDecoder
		got, err := decoder.DecodeHeader(strings.ReplaceAll(folded, "\r\n", ""))
		if err != nil || got != subject || !utf8.ValidString(got) {
			t.Errorf("%q comes back as %q, %v", subject, got, err)
		}
	}
}

func TestHelloNameOf(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"outreach.example.com": "outreach.example.com", "127.0.0.1": "[127.0.0.1]", "::1": "[IPv6:::1]", "[::1]": "[IPv6:::1]",
		"müller.example": "xn--mller-kva.example", "": "localhost", "a b": "localhost",
	} {
		if got := HelloNameOf(host); got != want {
			t.Errorf("HelloNameOf(%q) is %q, want %q", host, got, want)
		}
	}
}
