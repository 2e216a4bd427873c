package classify_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach/mail/classify"
)

func read(t testing.TB, raw string) *classify.Message {
	t.Helper()
	m, err := classify.Read(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestReadHeader(t *testing.T) {
	t.Parallel()
	m := read(t, "From someone@relay.test Fri Nov 20 10:00:00 2026\r\n"+
		"From: =?utf-8?Q?J=C3=B6rg_M=C3=BCller?= <Joerg@Werk.test>\r\n"+
		"To: a@x.test,\r\n \"B\" <b@x.test>\r\nCc: c@x.test\r\n"+
		"Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\n aus Bern\r\n"+
		"Message-ID: <r1@werk.test>\r\nIn-Reply-To: (by mail) <s2@us.test>\r\n"+
		"References: <s1@us.test>\r\n\t<s2@us.test>\r\n"+
		"Date: Fri, 20 Nov 2026 11:00:00 +0100\r\nX-Flag: one\r\nX-Flag: two\r\n\r\nHallo\r\n")
	type header struct {
		From, FromName, Subject, ID, InReplyTo, Text string
		To, References, Flags                        []string
		Date                                         time.Time
	}
	want := header{
		From: "Joerg@Werk.test", FromName: "Jörg Müller", Subject: "Grüße aus Bern", ID: "<r1@werk.test>",
		InReplyTo: "<s2@us.test>", Text: "Hallo\n",
		To: []string{"a@x.test", "b@x.test", "c@x.test"}, References: []string{"<s1@us.test>", "<s2@us.test>"}, Flags: []string{"one", "two"},
		Date: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
	}
	got := header{m.From, m.FromName, m.Subject, m.MessageID, m.InReplyTo, m.Text, m.To, m.References, m.HeaderValues("x-flag"), m.Date}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What is broken is read as far as it goes; only a reader that fails is an error.
func TestReadBroken(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"nothing":              "",
		"envelope line alone":  "From x",
		"no header":            "just some words\nwithout any header",
		"no boundary":          "Content-Type: multipart/mixed\n\nhello",
		"boundary never opens": "Content-Type: multipart/mixed; boundary=x\n\nhello",
		"unknown charset":      "Content-Type: text/plain; charset=klingon\n\nhello",
		"broken base64":        "Content-Transfer-Encoding: base64\n\naGVsbG8*=???",
		"broken media type":    "Content-Type: ;;;=\n\nhello",
		"nul and bad UTF-8":    "Subject: \x00\xff\n\n\x00\xff\xfe",
		"header alone":         "Subject: hello",
	} {
		if v := read(t, raw).Kind(clock); v.Class != classify.Reply {
			t.Errorf("%s: got %s (%s)", name, v.Class, v.Reason)
		}
	}
	broken := errors.New("line dropped")
	if _, err := classify.Read(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

func TestReadHTML(t *testing.T) {
	t.Parallel()
	m := read(t, "Content-Type: text/html; charset=utf-8\n\n"+
		"<html><head><title>no</title><style>p{}</style></head><body><p>Klingt <b>g</b>ut&nbsp;&ndash; bis   morgen!</p><div>Tom<br>Werk</div>"+
		"<div class=gmail_quote>Am Di., 17. Nov. 2026 um 09:12 Uhr schrieb Lena "+
		"&lt;l@x.test&gt;:<br><blockquote><p>Guten Tag</p></blockquote></div></body></html>")
	if diff := cmp.Diff("Klingt gut – bis morgen!\nTom\nWerk", m.NewText()); diff != "" {
		t.Errorf("NewText %s", diff)
	}
	if !strings.Contains(m.Text, "> Guten Tag") {
		t.Errorf("the quoted part is not marked in %q", m.Text)
	}
}

func TestNewText(t *testing.T) {
	t.Parallel()
	const answer = "Yes, call me at 9:30.\n\nTom"
	for name, quote := range map[string]string{
		"nothing":           "",
		"English":           "\n\nOn Tue, Nov 17, 2026 at 9:12 AM Lena <l@x.test> wrote:\n\n> Hello",
		"English, folded":   "\n\nOn Tue, Nov 17, 2026 at 9:12 AM Lena Vogt\n<l@x.test>\nwrote:\n\n> Hello\n>\n> Lena",
		"English, unquoted": "\n\nOn 17 Nov 2026, at 09:12, Lena wrote:\n\nHello\nLena",
		"German":            "\n\nAm 17.11.2026 um 09:12 schrieb Lena Vogt:\n> Hallo",
		"French":            "\n\nLe mar. 17 nov. 2026 à 09:12, Lena <l@x.test> a écrit :\n> Bonjour",
		"Spanish":           "\n\nEl mar, 17 nov 2026 a las 9:12, Lena (<l@x.test>) escribió:\n\n> Hola",
		"Italian":           "\n\nIl giorno mar 17 nov 2026 alle ore 09:12 Lena <l@x.test> ha scritto:\n\n> Ciao",
		"Portuguese":        "\n\nEm ter., 17 de nov. de 2026 às 09:12, Lena <l@x.test> escreveu:\n\n> Olá",
		"Dutch":             "\n\nOp di 17 nov. 2026 om 09:12 schreef Lena <l@x.test>:\n> Hallo",
		"Swedish":           "\n\nDen tis 17 nov. 2026 kl 09:12 skrev Lena <l@x.test>:\n> Hej",
		"Outlook line":      "\n\n-----Original Message-----\nFrom: Lena\nHello",
		"Outlook German":    "\n\n-----Ursprüngliche Nachricht-----\nVon: Lena\nHallo",
		"Outlook block": "\n\n________________________________\nFrom: Lena <l@x.test>\nSent: Tuesday, November 17, " +
			"2026 9:12 AM\nTo: Tom\nSubject: Hello\n\nHello Tom",
		"Outlook block, de":   "\n\nVon: Lena <l@x.test>\nGesendet: Dienstag, 17. November 2026 09:12\nAn: Tom\nBetreff: Hallo\n\nHallo Tom",
		"Outlook block, fr":   "\n\nDe : Lena <l@x.test>\nEnvoyé : mardi 17 novembre 2026 09:12\nÀ : Tom\nObjet : Bonjour\n\nBonjour",
		"Outlook block, bold": "\n\n*From:* Lena <l@x.test>\n*Sent:* Tuesday\n*To:* Tom\n*Subject:* Hello\n\nHello",
		"signature":           "\n-- \nTom Berger\nHolzwerk",
		"telephone":           "\n\nSent from my iPhone\n\n> On 17 Nov 2026, at 09:12, Lena wrote:\n> Hello",
	} {
		m := read(t, "Content-Type: text/plain; charset=utf-8\n\n"+answer+quote+"\n")
		if diff := cmp.Diff(answer, m.NewText()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, c := range map[string]struct{ text, want string }{
		"answers between the lines":  {"On 17 Nov 2026 Lena wrote:\n> One?\nYes.\n> Two?\nNo.", "Yes.\nNo."},
		"answer below":               {"> Am 17.11.2026 schrieb Lena:\n> Hallo\n\nGerne!", "Gerne!"},
		"a colon is not a quotation": {"Our founder wrote three rules:\none, two, three", "Our founder wrote three rules:\none, two, three"},
		"from is not a header block": {"From: Bern to Basel takes an hour.\nSee you", "From: Bern to Basel takes an hour.\nSee you"},
	} {
		if diff := cmp.Diff(c.want, read(t, "Subject: x\n\n"+c.text).NewText()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What a message says of its characters is believed where it can be so, and found
// out where it cannot.
func TestCharacterSets(t *testing.T) {
	t.Parallel()
	german := strings.Repeat("Schöne Grüße aus München, wir würden uns über ein Gespräch freuen. ", 4)
	latin := strings.NewReplacer("ö", "\xf6", "ü", "\xfc", "ß", "\xdf", "ä", "\xe4").Replace(german)
	for name, c := range map[string]struct{ header, body string }{
		"plain, unnamed":               {"", german},
		"plain, utf-8":                 {"Content-Type: text/plain; charset=UTF-8\n", german},
		"plain, latin as named":        {"Content-Type: text/plain; charset=iso-8859-1\n", latin},
		"plain, latin named utf-8":     {"Content-Type: text/plain; charset=utf-8\n", latin},
		"plain, utf-8 named latin":     {"Content-Type: text/plain; charset=iso-8859-1\n", german},
		"html, latin named utf-8":      {"Content-Type: text/html; charset=utf-8\n", "<p>" + latin + "</p>"},
		"html, utf-8 named latin":      {"Content-Type: text/html; charset=iso-8859-1\n", "<p>" + german + "</p>"},
		"html, utf-8 named only ascii": {"Content-Type: text/html; charset=us-ascii\n", "<p>" + german + "</p>"},
	} {
		m := read(t, "Subject: x\n"+c.header+"\n"+c.body)
		if diff := cmp.Diff(strings.TrimSpace(german), strings.TrimSpace(m.Text)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A message of 50 MB costs no more than a fixed multiple of what is read of it.
func TestReadIsBounded(t *testing.T) { //nolint:paralleltest // measures allocations
	const size = 50 << 20
	filler := strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJz\n", 1024)
	for name, head := range map[string]string{
		"attachment": "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: " +
			"text/plain\n\nhello\n--x\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n",
		"text":   "Content-Type: text/plain\n\nhello\n",
		"HTML":   "Content-Type: text/html\n\n<p>hello</p>\n",
		"header": "Subject: hello\nX-Long: ",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		raw := io.MultiReader(strings.NewReader(head), io.LimitReader(endless(filler), size))
		m, err := classify.Read(raw)
		if err != nil {
			t.Fatal(err)
		}
		m.Kind(clock)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 150<<20 {
			t.Errorf("%s: %d MB allocated in all", name, used>>20)
		}
		if name != "header" && !strings.Contains(m.Text, "hello") {
			t.Errorf("%s: the text is lost", name)
		}
	}
}

// Thousands of tiny parts, parts inside parts, or lines of one field, do not become
// as many objects.
func TestReadBoundsParts(t *testing.T) { //nolint:paralleltest // measures allocations
	var nested strings.Builder
	for i := range 2000 {
		nested.WriteString("Content-Type: multipart/mixed; boundary=b" + strings.Repeat("x", i%50) + "\n\n--b" + strings.Repeat("x", i%50) + "\n")
	}
	for name, raw := range map[string]string{
		"many":   "Content-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\n\nhello\n", 300_000),
		"nested": nested.String(),
		"folded": "Subject: hello\nReferences: <a@x.test>" + strings.Repeat("\n <b@x.test>", 50_000) + "\n\nhello",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read(t, raw).Kind(clock)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 60<<20 {
			t.Errorf("%s: %d MB allocated in all", name, used>>20)
		}
	}
}

// What one message says of its recipients is looked at for a hundred of them: each
// takes a reading of the whole notice.
func TestReportsAreBounded(t *testing.T) {
	t.Parallel()
	var lines, groups, named strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, "user%d@gone.test\n", i)
		fmt.Fprintf(&groups, "Final-Recipient: rfc822; user%d@gone.test\nAction: failed\n\n", i)
		fmt.Fprintf(&named, " user%d@gone.test,\n", i)
	}
	const from = "From: mailer-daemon@mx.test\nReturn-Path: <>\nSubject: Undelivered Mail\n"
	const words = "\nCould not be delivered to the following recipients:\n"
	for name, raw := range map[string]string{
		"in words":   from + words + lines.String(),
		"in a field": from + "X-Failed-Recipients:" + named.String() + " z@gone.test\n" + words + lines.String(),
		"in a report": from + "Content-Type: multipart/report; report-type=delivery-status; " +
			"boundary=x\n\n--x\nContent-Type: text/plain\n\n" + lines.String() +
			"\n--x\nContent-Type: message/delivery-status\n\n" + groups.String() + "--x--\n",
		"in the text": from + "\n" + groups.String(),
		"in two parts": from + "Content-Type: multipart/report; boundary=x\n\n" +
			strings.Repeat("--x\nContent-Type: message/delivery-status\n\n"+groups.String(), 2) + "--x--\n",
	} {
		if v := read(t, raw).Kind(clock); len(v.Recipients) != 100 {
			t.Errorf("%s: %d recipients, want 100", name, len(v.Recipients))
		}
	}
}

// endless repeats a text for ever.
type repeater struct {
	text string
	at   int
}

func endless(text string) io.Reader { return &repeater{text: text} }

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}
