package classify_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach/mail/classify"
)

// sentText is what we sent in the threads of these tests.
const sentText = "Hi Tom,\n\nwould you be interested in a short call about how we cut the time for quotes by a third?\n" +
	"It takes no more than ten minutes, and you can keep what you learn.\n\nBest\nLena\n\nUnsubscribe: https://us.test/u/1\n"

// In any form in which a mail program shows what we sent, it is not taken for an answer.
func TestAnswerSubtractsWhatWeSent(t *testing.T) {
	t.Parallel()
	wrapped := "Hi Tom, would you be interested in a short call about how we cut\nthe time for quotes by a third? It " +
		"takes no more than ten\n" +
		"minutes, and you can keep what you learn. Best Lena Unsubscribe: https://us.test/u/1\n"
	marked := func(mark string) string {
		return mark + strings.ReplaceAll(strings.TrimSpace(sentText), "\n", "\n"+mark)
	}
	for name, c := range map[string]struct{ text, want string }{
		"bare":         {"Please call me.\n\n" + sentText, "Please call me."},
		"wrapped anew": {"Please call me.\n\n" + wrapped, "Please call me."},
		"bars":         {"Please call me.\n\nOn 17 Nov 2026 Lena wrote:\n" + marked("| "), "Please call me."},
		"initials":     {"Please call me.\n\n" + marked("LV> "), "Please call me."},
		"odd mark":     {"Please call me.\n\n" + marked("--] "), "Please call me."},
		"answer below": {"-----Original Message-----\nFrom: Lena <l@us.test>\nSent: Tuesday, 17 November " +
			"2026\nTo: Tom\nSubject: Quotes\n\n" + sentText + "\nPlease remove me from your list.", "Please remove me from your list."},
		"Turkish header block": {"Please call me.\n\nKimden: Lena <l@us.test>\nGönderildi: 17 Kasım 2026 Salı " +
			"09:12\nKime: Tom\nKonu: Quotes\n\n" + sentText, "Please call me."},
		"between the lines": {"> would you be interested in a short call about how we cut the time for quotes by a " +
			"third?\nNo.\n> It takes no more than ten minutes, and you can keep what you learn.\nStill no.", "No.\nStill no."},
	} {
		got := read(t, "Subject: Re: Quotes\n\n"+c.text).Answer(clock, classify.Sent{Text: sentText})
		if diff := cmp.Diff(c.want, got.Text); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if !strings.Contains(got.FullText, "ten") {
			t.Errorf("%s: the full text is lost: %q", name, got.FullText)
		}
	}
}

// An opt-out counts wherever its author put it, and never where it is ours.
func TestAnswerOptOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"above": {"Please remove me from your list.\n\n" + sentText, true},
		"below a header": {"-----Original Message-----\nFrom: Lena <l@us.test>\nSent: Tuesday, 17 November 2026\nTo: " +
			"Tom\nSubject: Quotes\n\n" + sentText + "\nPlease remove me from your list.", true},
		"ours":             {"Sounds good, call me.\n\n" + sentText, false},
		"ours, other link": {"Sounds good, call me.\n\n" + strings.ReplaceAll(sentText, "us.test/u/1", "track.test/x/99"), false},
	} {
		if got := read(t, "Subject: Re: Quotes\n\n"+c.text).Answer(clock, classify.Sent{Text: sentText}); got.OptOut != c.want {
			t.Errorf("%s: opt-out %v (%s: %s), want %v", name, got.OptOut, got.Interest, got.InterestReason, c.want)
		}
	}
}

// A file is never read as words, and text behind a large one is found.
func TestReadAttachments(t *testing.T) {
	t.Parallel()
	const open = "Subject: Re: Quotes\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
	large := "--x\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\nContent-Transfer-Encoding: base64\n\n" +
		strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJz\n", 5<<20/61)
	const text = "--x\nContent-Type: text/plain; charset=utf-8\n\nSounds good, please call me.\n"
	const terms = "--x\nContent-Type: text/plain; charset=utf-8; name=terms.txt\nContent-Disposition: attachment; " +
		"filename=terms.txt\n\nPlease remove me. Unsubscribe.\n"
	for name, raw := range map[string]string{
		"5 MiB before the text": open + large + text + "--x--\n",
		"a file with words":     open + text + terms + "--x--\n",
	} {
		a := read(t, raw).Answer(clock)
		if strings.TrimSpace(a.Text) != "Sounds good, please call me." || a.OptOut || a.Interest != classify.Positive {
			t.Errorf("%s: got %q, opt-out %v, %s", name, a.Text, a.OptOut, a.InterestReason)
		}
	}
}

// A message whose words cannot be read says what it is, and is a person's reply.
func TestOpaqueMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ raw, want string }{
		"S/MIME": {"Subject: Re: x\nMIME-Version: 1.0\nContent-Type: application/pkcs7-mime; " +
			"smime-type=enveloped-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n\nMIAG\n", "S/MIME"},
		"PGP": {"Subject: Re: x\nMIME-Version: 1.0\nContent-Type: multipart/encrypted; " +
			"protocol=\"application/pgp-encrypted\"; boundary=x\n\n--x\nContent-Type: application/pgp-encrypted\n\nVersion: " +
			"1\n--x\nContent-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n--x--\n", "PGP"},
		"TNEF": {"Subject: Re: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: " +
			"application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+\n--x--\n", "winmail.dat"},
		"declined": {"Subject: Declined: Demo\nMIME-Version: 1.0\nContent-Type: text/calendar; method=REPLY; " +
			"charset=utf-8\n\nBEGIN:VCALENDAR\nMETHOD:REPLY\n" +
			"BEGIN:VEVENT\nATTENDEE;PARTSTAT=DECLINED;CN=Tom:mailto:tom@x.test\nEND:VEVENT\nEND:VCALENDAR\n", "Invitation declined"},
	} {
		a := read(t, c.raw).Answer(clock)
		if a.Class != classify.Reply || !strings.Contains(a.Text, c.want) || a.Interest != classify.Neutral {
			t.Errorf("%s: got %s, %s, %q", name, a.Class, a.Interest, a.Text)
		}
	}
}

// Where headers and the words of a person disagree, it is a person's reply.
func TestPeopleDespiteHeaders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]classify.Class{
		"Yes, I am interested! I am on vacation until next Monday, let us talk when I return.":                  classify.Reply,
		"Can your tool send automatic email follow-ups? Please call me.":                                        classify.Reply,
		"Please remove me from your list.":                                                                      classify.Reply,
		"Wir haben kein Interesse.":                                                                             classify.Reply,
		"I am out of the office until Monday. In urgent cases please call my colleague Anna at +49 30 123.":     classify.Automatic,
		"Vielen Dank für Ihre Nachricht. Ich bin bis Montag im Urlaub und antworte Ihnen nach meiner Rückkehr.": classify.Automatic,
	} {
		a := read(t, "Subject: Re: Hello\nAuto-Submitted: auto-generated\n\n"+text).Answer(clock)
		if a.Class != want {
			t.Errorf("%q: got %s (%s), want %s", text, a.Class, a.Reason, want)
		}
	}
}

// CP1251 and others that are labelled UTF-8 are guessed.
func TestGuessedCharacterSets(t *testing.T) {
	t.Parallel()
	// "Здравствуйте, нам это интересно. Пришлите, пожалуйста, цены." in windows-1251
	const russian = "\xc7\xe4\xf0\xe0\xe2\xf1\xf2\xe2\xf3\xe9\xf2\xe5, \xed\xe0\xec \xfd\xf2\xee " +
		"\xe8\xed\xf2\xe5\xf0\xe5\xf1\xed\xee. \xcf\xf0\xe8\xf8\xeb\xe8\xf2\xe5, \xef\xee\xe6\xe0\xeb\xf3\xe9\xf1\xf2\xe0, \xf6\xe5\xed\xfb."
	got := read(t, "Subject: x\nContent-Type: text/plain; charset=utf-8\n\n"+russian+"\n").Text
	if diff := cmp.Diff("Здравствуйте, нам это интересно. Пришлите, пожалуйста, цены.", strings.TrimSpace(got)); diff != "" {
		t.Error(diff)
	}
}
