package classify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"outreach/mail/classify"
)

// Mails of mailing lists are not taken for answers to an offer, and the text of their authors is
// found. We wrote to their authors, as to all people whose mail is judged.
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
			a = msg.Answer(clock, classify.Sent{Text: sentText, Subject: "A third less time for quotes"})
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

// Words of interest in mail to many people do not make an answer to an offer, unless it quotes what
// we sent. A word counts in its own language only.
func TestMailToManyIsNoAnswer(t *testing.T) {
	t.Parallel()
	ours := classify.Sent{Text: sentText}
	for _, c := range []struct{ subject, text, want string }{
		{"Re: Walk", "Hi everyone,\n\nI'm very interested, please call me.\n", classify.Neutral},
		{"Re: [walk-users] Walk", "I'm very interested, please call me.\n", classify.Neutral},
		{"Re: [EXTERNAL] Walk", "I'm very interested, please call me.\n", classify.Positive},
		{"Re: Walk", "I'm very interested, please call me.\n\nReviewed-by: Tom <tom@nord.example>\n", classify.Neutral},
		{"Re: Walk", "> One?\nYes, I'm very interested.\n> Two?\nPlease call me.\n", classify.Neutral},
		{"Re: Quotes", "Hi all,\n\nI'm very interested, please call me.\n\n> " + strings.ReplaceAll(sentText, "\n", "\n> "), classify.Positive},
		{"Re: Walk", "ICU ile derlemem mi gerekiyor?", classify.Neutral},      // "ile" is "how much" in Polish
		{"Re: Walk", "Avez-vous pris le train hier soir ?", classify.Neutral}, // "pris" is "price" in Danish
		{"Re: Walk", "Ile to kosztuje?", classify.Positive},
	} {
		a := read(t, "From: Tom <tom@nord.example>\nSubject: "+c.subject+"\n"+utf8Plain+"\n"+c.text).Answer(clock, ours)
		if a.Interest != c.want {
			t.Errorf("%s, %q: got %s (%s), want %s", c.subject, c.text, a.Interest, a.InterestReason, c.want)
		}
	}
}

// A mail that only its author's address matches answers another mail if its subject is not ours.
func TestAnswerToAnotherMail(t *testing.T) {
	t.Parallel()
	const interested = "I'm very interested, please call me.\n"
	byAddress := classify.Sent{Text: sentText, Subject: "Quotes in a third of the time"}
	byID := classify.Sent{Text: sentText}
	for _, c := range []struct {
		subject string
		sent    classify.Sent
		want    string
	}{
		{"Re: Winter tyres", byAddress, classify.Neutral},
		{"Fwd: Winter tyres", byAddress, classify.Neutral},
		{"AW: Re: Winterreifen", byAddress, classify.Neutral},
		{"Re: Quotes in a third of the time", byAddress, classify.Positive},
		{"AW: [EXTERNAL] RE: quotes in a third of the time", byAddress, classify.Positive},
		{"Re: Quotes in a third of", byAddress, classify.Positive},
		{"Your offer", byAddress, classify.Positive},
		{"Re: Winter tyres", byID, classify.Positive},
	} {
		a := read(t, "From: Tom <tom@nord.example>\nSubject: "+c.subject+"\n"+utf8Plain+"\n"+interested).Answer(clock, c.sent)
		if a.Interest != c.want {
			t.Errorf("%s: got %s (%s), want %s", c.subject, a.Interest, a.InterestReason, c.want)
		}
	}
}
