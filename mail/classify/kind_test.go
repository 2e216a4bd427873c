package classify_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jhillyerd/enmime/v2"

	"outreach/mail/classify"
)

// The project's own set must be right to the last message.
func TestOwnSet(t *testing.T) {
	t.Parallel()
	s := openCorpus(t, "testdata").measure(t, func(string) bool { return true })
	t.Log(s)
	if s.agreed != s.counted || s.mistaken > 0 || s.counted < 30 {
		t.Errorf("%s\n%s", s, strings.Join(s.misses, "\n"))
	}
}

func TestKindDetails(t *testing.T) {
	t.Parallel()
	own := corpus{dir: "testdata"}
	_, v := own.read(t, "postfix-two-recipients.eml")
	want := []classify.Recipient{
		{Address: "full@gartenbau.test", Class: classify.Transient, Action: "failed", Status: "5.2.2"},
		{Address: "gone@gartenbau.test", Original: "chef@gartenbau.test", Class: classify.RecipientFault, Action: "failed", Status: "5.1.1"},
		{Address: "fine@gartenbau.test", Class: classify.None, Action: "relayed", Status: "2.0.0"},
	}
	for i := range v.Recipients {
		v.Recipients[i].Reason, v.Recipients[i].Diagnostic = "", ""
	}
	if diff := cmp.Diff(want, v.Recipients); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"<step-2@alpenblick.example>"}, v.OriginalMessageIDs); diff != "" {
		t.Error(diff)
	}
	for file, delayed := range map[string]bool{"postfix-delayed.eml": true, "words-warning.eml": true, "sendmail-expired.eml": false} {
		if _, v := own.read(t, file); v.Delayed != delayed || v.Class != classify.Transient {
			t.Errorf("%s: got %s, delayed %v, want transient, %v", file, v.Class, v.Delayed, delayed)
		}
	}
	_, v = own.read(t, "ooo-german.eml")
	if v.ReturnDate == nil || !v.ReturnDate.Equal(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("return date %v, want 30 November", v.ReturnDate)
	}
}

func TestAutomatic(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]classify.Class{
		"Auto-Submitted: auto-replied":               classify.Automatic,
		"Auto-Submitted: auto-generated; x=y":        classify.Automatic,
		"Auto-Submitted: no":                         classify.Reply,
		"X-Autoreply: yes":                           classify.Automatic,
		"X-Autorespond: Away":                        classify.Automatic,
		"Precedence: auto_reply":                     classify.Automatic,
		"X-Precedence: auto_reply":                   classify.Automatic,
		"X-FC-MachineGenerated: true":                classify.Automatic,
		"X-FC-MachineGenerated: false":               classify.Reply,
		"X-POST-MessageClass: 9; Autoresponder":      classify.Automatic,
		"X-POST-MessageClass: 1":                     classify.Reply,
		"Delivered-To: Autoresponder":                classify.Automatic,
		"Delivered-To: lena@ours.example":            classify.Reply,
		"Return-Path: <>":                            classify.Automatic,
		"X-Auto-Response-Suppress: All":              classify.Reply,
		"Subject: Automatische Antwort: Hallo":       classify.Automatic,
		"Subject: Réponse automatique : Bonjour":     classify.Automatic,
		"Subject: Respuesta automática: Hola":        classify.Automatic,
		"Subject: Resposta automática: Olá":          classify.Automatic,
		"Subject: Automatisch antwoord: Hallo":       classify.Automatic,
		"Subject: Out of Office: Hello":              classify.Automatic,
		"Subject: Re: Out of office scheduling":      classify.Reply,
		"Subject: Re: Vacation rentals, undelivered": classify.Reply,
		"X-Failed-Recipients: a@b.test":              classify.Transient,
	} {
		v := read(t, "From: Tom <tom@werk.test>\n"+header+"\n\nGood morning\n").Kind(clock)
		if v.Class != want {
			t.Errorf("%s: got %s (%s), want %s", header, v.Class, v.Reason, want)
		}
	}
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code           int
		enhanced, text string
		want           classify.Class
	}{
		{550, "5.1.1", "<a@b.test>: Recipient address rejected: User unknown", classify.RecipientFault},
		{550, "", "5.1.1 The email account that you tried to reach does not exist", classify.RecipientFault},
		{550, "5.4.1", "Recipient address rejected: Access denied. AS(201806281)", classify.RecipientFault},
		{554, "", "Sorry, no mailbox here by that name", classify.RecipientFault},
		{550, "", "Postfach existiert nicht", classify.RecipientFault},
		{556, "5.1.10", "Domain does not accept mail (null MX)", classify.RecipientFault},
		{552, "5.2.2", "The email account is over quota", classify.Transient},
		{550, "5.1.1", "sent to too many recipients this hour, rate limited", classify.Transient},
		{450, "4.2.0", "Greylisted, see http://postgrey.test", classify.Transient},
		{421, "", "Service not available, closing transmission channel", classify.Transient},
		{451, "4.3.0", "Temporary lookup failure", classify.Transient},
		{550, "5.7.1", "Message rejected as spam by content filtering", classify.SenderFault},
		{550, "5.7.26", "This mail is unauthenticated", classify.SenderFault},
		{554, "5.7.1", "Client host [192.0.2.1] blocked using zen.spamhaus.org", classify.SenderFault},
		{421, "4.7.0", "Our system has detected an unusual amount of unsolicited mail from your IP", classify.SenderFault},
		{550, "5.1.8", "Sender domain does not exist", classify.SenderFault},
		{550, "5.1.7", "unknown user", classify.SenderFault},
		{554, "", "Relay access denied", classify.SenderFault},
		{552, "5.3.4", "Message size exceeds fixed limit", classify.SenderFault},
		{530, "5.7.0", "Must issue a STARTTLS command first", classify.SenderFault},
		{550, "", "", classify.Transient},
		{0, "", "", classify.Transient},
	} {
		if got, reason := classify.SMTP(c.code, c.enhanced, c.text); got != c.want || reason == "" {
			t.Errorf("%d %s %s: got %s (%s), want %s", c.code, c.enhanced, c.text, got, reason, c.want)
		}
	}
}

// Any message is read and judged without a panic, and its verdict is consistent.
//
//	go test ./mail/classify -run '^$' -fuzz FuzzKind -fuzztime 30s
func FuzzKind(f *testing.F) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := classify.Read(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		v := m.Kind(clock)
		if v.Class == "" || v.Reason == "" || len(v.Diagnostic) > 500 {
			t.Errorf("an incomplete verdict: %+v", v)
		}
		if (v.Class.Bounce() || v.Class == classify.Complaint) && len(v.Recipients) == 0 {
			t.Errorf("a %s without a recipient", v.Class)
		}
		sent := classify.Sent{Text: "Hello, are you interested in a call?"}
		if a := m.Answer(clock, sent); a.Text == "" && strings.TrimSpace(a.FullText) != "" {
			t.Errorf("the text is lost: %q", a.FullText)
		}
		if interest, _ := classify.Interest(m.NewText(), m.Subject); interest == "" {
			t.Error("no interest")
		}
	})
}

// BenchmarkKind and BenchmarkParse read the same messages, the second with the
// MIME library alone: their ratio is the price of the verdict.
//
//	go test ./mail/classify -run '^$' -bench . -benchmem
func BenchmarkKind(b *testing.B) {
	messages := loadAll(b)
	for i := 0; b.Loop(); i++ {
		m, err := classify.Read(bytes.NewReader(messages[i%len(messages)]))
		if err != nil {
			b.Fatal(err)
		}
		m.Kind(clock)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

func BenchmarkParse(b *testing.B) {
	messages := loadAll(b)
	for i := 0; b.Loop(); i++ {
		_, _ = enmime.ReadEnvelope(bytes.NewReader(messages[i%len(messages)]))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

// BenchmarkJudge reads and judges each message right after the MIME library has read
// it alone, so that both times are of the same moment. "reports" are those of the
// corpus; "answers" are the mails of the sets in plain text and HTML above our own
// message, which is told from what their authors wrote.
//
//	go test ./mail/classify -run '^$' -bench Judge
func BenchmarkJudge(b *testing.B) {
	answers := func() (all [][]byte) {
		quoted := "\n\nOn Tue, 17 Nov 2026 Lena wrote:\n> " + strings.ReplaceAll(sentText, "\n", "\n> ")
		for _, mail := range peoplesMails(b) {
			body := mail[1] + quoted
			all = append(all,
				[]byte("From: Tom <tom@werk.test>\nSubject: "+mail[0]+"\n"+
					multipart("alternative", utf8Plain+"\n"+body, "Content-Type: text/html; charset=utf-8\n\n"+asHTML(body))))
		}
		return all
	}
	for name, messages := range map[string][][]byte{"reports": loadAll(b), "answers": answers()} {
		b.Run(name, func(b *testing.B) {
			var parse, judge time.Duration
			for i := 0; b.Loop(); i++ {
				raw := messages[i%len(messages)]
				start := time.Now()
				_, _ = enmime.ReadEnvelope(bytes.NewReader(raw))
				parsed := time.Now()
				m, err := classify.Read(bytes.NewReader(raw))
				if err != nil {
					b.Fatal(err)
				}
				if _, ok := m.Report(); !ok {
					m.Answer(clock, classify.Sent{Text: sentText})
				}
				parse, judge = parse+parsed.Sub(start), judge+time.Since(parsed)
			}
			b.ReportMetric(float64(judge)/float64(parse), "ratio")
		})
	}
}

func loadAll(b *testing.B) [][]byte {
	b.Helper()
	dir := sharedBounces()
	if _, err := os.Stat(dir); err != nil {
		dir = "testdata"
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no messages in %s: %v", dir, err)
	}
	var all [][]byte
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, raw)
	}
	return all
}

// A subject that is not ours says what programs say, as a sentence of theirs does.
func TestSubjectOfNote(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]classify.Class{
		"The office is closed this week":        classify.Automatic,
		"Re: The office is closed this week":    classify.Reply,
		"Ihre Mail ist bei uns eingegangen":     classify.Automatic,
		"AW: Ihre Mail ist bei uns eingegangen": classify.Reply,
	} {
		v := read(t, "From: Ann <ann@nord.example>\nSubject: "+subject+"\n\nThank you for your message.\n").Kind(clock)
		if v.Class != want {
			t.Errorf("%s: got %s (%s), want %s", subject, v.Class, v.Reason, want)
		}
	}
}

// What a header says for a program is weighed against the words and the form of the mail.
func TestHeaderAgainstWords(t *testing.T) {
	t.Parallel()
	quoted := "\n\nOn Tue, 17 Nov 2026 Lena wrote:\n> " + strings.ReplaceAll(sentText, "\n", "\n> ")
	const program, list, re = "Auto-Submitted: auto-generated\n", "List-Unsubscribe: <https://nord.example/u>\n", "Subject: Re: Offer\n\n"
	for name, c := range map[string]struct {
		raw  string
		want classify.Class
	}{
		"a question mark inside a page": {program + "Subject: FSD-1 Manuals\n\nView it: https://nord.example/1?jwt=e\n", classify.Automatic},
		"a newsletter that asks":        {list + "Subject: Our new press\n\nNot you? Ignore this.\n", classify.Automatic},
		"a person through a list":       {list + re + "How much is it for ten people?\n", classify.Reply},
		"a person about a case":         {program + re + "Your mail became a ticket. How much is it?\n", classify.Reply},
		"bulk from a gateway": {"Precedence: bulk\n" + re + "Better by telephone, before eight in the morning." + quoted,
			classify.Reply},
		"bulk from a program": {"Precedence: bulk\n" + re + "I am out of the office until 30 November." + quoted,
			classify.Automatic},
		"a filter holds it": {program + "Subject: Message held: Offer\n\nYour message to ann@nord.example has been placed on hold" +
			" by our content policy. You do not need to send it again.\n", classify.Automatic},
	} {
		from := "From: Ann <ann@nord.example>\n"
		if name == "a filter holds it" {
			from = "From: Mail Gateway <postmaster@nord.example>\n"
		}
		m := read(t, from+c.raw)
		v, ok := m.Report()
		if !ok {
			v = m.Answer(clock, classify.Sent{Text: sentText}).Verdict
		}
		if v.Class != c.want {
			t.Errorf("%s: got %s (%s), want %s", name, v.Class, v.Reason, c.want)
		}
	}
}

// A notice that says that delivery is no longer tried is final. A label right before an address does not belong to it.
func TestNoFurtherAttempt(t *testing.T) {
	t.Parallel()
	v, ok := read(t, "From: Correo <postmaster@correo.nord.example>\nSubject: Correo no entregado: Manuales\n"+utf8Plain+
		"\nNo se pudo entregar su mensaje a ann@sued.example:\n\n550 5.7.0 Message content rejected as spam\n\n"+
		"No se volverá a intentar el envío.\n").Report()
	if !ok || v.Delayed || v.Class != classify.SenderFault {
		t.Errorf("got a report %v, delayed %v, %s (%s)", ok, v.Delayed, v.Class, v.Reason)
	}
	v, ok = read(t, "From: PostMaster@nord.example\nSubject: 系统退信\n"+utf8Plain+
		"\n您的邮件被退回。\n无法发送到ann@sued.example\n550 5.1.1 user unknown\n").Report()
	if !ok || len(v.Recipients) != 1 || v.Recipients[0].Address != "ann@sued.example" {
		t.Errorf("got a report %v, %+v", ok, v.Recipients)
	}
}
