package classify_test

import (
	"testing"
	"time"

	"outreach/mail/classify"
)

// Speed and form help to tell a program beside its words, and never decide against words of a person. Only an answer
// that is faster than anyone types decides alone.
func TestFastAnswer(t *testing.T) {
	t.Parallel()
	const receipt = "Your message has reached us and lies on the desk of Lena."
	for name, c := range map[string]struct {
		header, text string
		after        time.Duration
		want         classify.Class
	}{
		"a receipt at once":         {"", receipt, 4 * time.Second, classify.Automatic},
		"the same after an hour":    {"", receipt, time.Hour, classify.Reply},
		"from a help desk":          {"X-Zendesk-Ticket: 1\n", receipt, time.Hour, classify.Automatic},
		"words of nothing, at once": {"", "The garden is lovely in spring and the roses bloom.", 4 * time.Second, classify.Automatic},
		"a few of them, at once":    {"", "The garden is lovely in spring.", 4 * time.Second, classify.Reply},
		"the same, later":           {"", "The garden is lovely in spring and the roses bloom.", 21 * time.Second, classify.Reply},
		"the same from a desk": {"X-Otrs-Loop: 1\n", "The garden is lovely in spring and the roses bloom.",
			21 * time.Second, classify.Reply},
		"a person at once":             {"", "Your message has reached us. What does it cost for ten people?", 4 * time.Second, classify.Reply},
		"a clock far behind":           {"", receipt, -time.Hour, classify.Reply},
		"only a few words":             {"", "Message received.", 2 * time.Second, classify.Reply},
		"a rule of Exchange":           {"X-Auto-Response-Suppress: All\n", receipt, time.Hour, classify.Automatic},
		"a rule that says none":        {"X-Auto-Response-Suppress: None\n", receipt, time.Hour, classify.Reply},
		"after half a minute":          {"", receipt, 31 * time.Second, classify.Automatic},
		"after a minute":               {"", receipt, 61 * time.Second, classify.Reply},
		"an identifier of a help desk": {"Message-ID: <8KD@zendesk.com>\n", receipt, time.Hour, classify.Automatic},
		"a mailer of a help desk":      {"X-Mailer: Zammad Mail Service\n", receipt, time.Hour, classify.Automatic},
		"faster than anyone types": {"", "Thank you for writing. The garden is lovely in spring and the roses bloom all along the old wall.",
			3 * time.Second, classify.Automatic},
		"a page, faster than anyone types": {"", "You wrote to a line that prints our menus. Please use https://nord.example instead.",
			3 * time.Second, classify.Automatic},
		"the same in a minute": {"", "Thank you for writing. The garden is lovely in spring and the roses bloom all along the old wall.",
			time.Minute, classify.Reply},
		"a person without words of a program, at once": {"", "We are not interested in this, we are happy with what we have.",
			2 * time.Second, classify.Reply},
		"an answer above our mail, at once": {"", "With pleasure. Tuesday suits both of us very well indeed." + oursQuoted, 2 * time.Second,
			classify.Reply},
		"a question, at once": {"", "Which of the three sizes would fit into a van of ours?", 2 * time.Second, classify.Reply},
		"a person faster than anyone types": {"", "Thank you for writing. Please send us your prices for twelve people this week.",
			3 * time.Second, classify.Reply},
	} {
		at := oursSent.Add(c.after)
		m := read(t, "From: Ann <ann@nord.example>\nSubject: Re: Offer\nDate: "+at.Format(time.RFC1123Z)+"\n"+c.header+"\n"+c.text+"\n")
		if a := m.Answer(at, classify.Sent{Text: oursText, At: oursSent}); a.Class != c.want {
			t.Errorf("%s: got %s (%s), want %s", name, a.Class, a.Reason, c.want)
		}
	}
}

// A mail that quotes ours and comes late is a person's, where only words of absence
// speak against it.
func TestLateQuotation(t *testing.T) {
	t.Parallel()
	const note = "I am on holiday until 16 March."
	for name, c := range map[string]struct {
		text  string
		after time.Duration
		want  classify.Class
	}{
		"late, quotes":    {note + oursQuoted, 2 * time.Hour, classify.Reply},
		"late, bare":      {note, 2 * time.Hour, classify.Automatic},
		"at once, quotes": {note + oursQuoted, 5 * time.Second, classify.Automatic},
	} {
		at := oursSent.Add(c.after)
		m := read(t, "From: Ann <ann@nord.example>\nSubject: Re: Offer\nDate: "+at.Format(time.RFC1123Z)+"\n\n"+c.text+"\n")
		if a := m.Answer(at, classify.Sent{Text: oursText, At: oursSent}); a.Class != c.want {
			t.Errorf("%s: got %s (%s), want %s", name, a.Class, a.Reason, c.want)
		}
	}
}
