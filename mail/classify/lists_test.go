package classify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"outreach/mail/classify"
)

// Mails of mailing lists are no answers to an offer, and what their authors wrote is found.
//
//	OUTREACH_MISSES=all go test ./mail/classify -run TestMailingLists -v
func TestMailingLists(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "lists", "lists.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var positive, empty, automatic rate
	for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "=====\n"), "\n=====\n") {
		head, body, ok := strings.Cut(block, "\n")
		kind, subject, named := strings.Cut(head, "|")
		if !ok || !named {
			if strings.TrimSpace(block) != "" {
				t.Fatalf("a mail without a kind and a subject: %.80q", block)
			}
			continue
		}
		msg := read(t, "From: Ann <ann@nord.example>\nSubject: "+subject+"\n"+utf8Plain+"\n"+body)
		a := classify.Answer{}
		if v, ok := msg.Report(); ok {
			a.Verdict = v
		} else {
			a = msg.Answer(clock)
		}
		s := sample{keys: map[string]string{"id": kind + " " + subject, "kind": kind}, raw: body}
		positive.count(s, a.Interest != classify.Positive, fmt.Sprintf("%s (%s)", a.Interest, a.InterestReason))
		empty.count(s, msg.NewText() != "", "an empty text")
		automatic.count(s, a.Class == classify.Reply, fmt.Sprintf("%s (%s)", a.Class, a.Reason))
	}
	t.Logf("not positive %s", &positive)
	t.Logf("not empty %s", &empty)
	t.Logf("as people's %s", &automatic)
	if os.Getenv("OUTREACH_MISSES") != "" {
		for _, r := range []*rate{&positive, &empty, &automatic} {
			t.Log(strings.Join(r.misses, "\n-----\n"))
		}
	}
}
