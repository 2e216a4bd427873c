package sandbox_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"
	"github.com/jhillyerd/enmime/v2"

	"outreach/sandbox"
)

func readMail(t *testing.T, text string) *enmime.Envelope {
	t.Helper()
	envelope, err := enmime.ReadEnvelope(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return envelope
}

func TestPersonasThatAnswer(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }
	cases := []struct {
		to, subject, says string
		headers           map[string]string
	}{
		{"reply@example.test", "Re: Hello", "I am interested", map[string]string{"Auto-Submitted": "", "Return-Path": "<reply@example.test>"}},
		{"REPLY7@example.test", "Re: Hello", "I am interested", nil},
		{"no.thanks@example.test", "Re: Hello", "not interested", map[string]string{"Auto-Submitted": ""}},
		{"ooo+x@example.test", "Automatic reply: Hello", "back on Friday, 27 November 2026",
			map[string]string{"Auto-Submitted": "auto-replied", "Return-Path": "<>"}},
	}
	for _, c := range cases {
		t.Run(c.to, func(t *testing.T) {
			t.Parallel()
			server := start(t, sandbox.Config{Now: now})
			mustSend(t, server.SMTP(), c.to, "References: <before@seller.test>\r\n", "<p>our offer</p>")
			answer := readMail(t, firstMessage(t, server.IMAP()))
			id := "<" + strings.ReplaceAll(c.to, "@", ".") + "@seller.test>"
			want := map[string]string{"Subject": c.subject, "In-Reply-To": id, "References": "<before@seller.test> " + id,
				"From": `"Pat Buyer" <` + c.to + `>`, "Date": "Fri, 20 Nov 2026 09:00:00 +0000"}
			for name, value := range c.headers {
				want[name] = value
			}
			for name, value := range want {
				if got := answer.GetHeader(name); got != value {
					t.Errorf("%s is %q, want %q", name, got, value)
				}
			}
			if !strings.Contains(answer.Text, c.says) {
				t.Errorf("text is %q", answer.Text)
			}
			if quotes := strings.Contains(answer.Text, "> our offer"); quotes != (c.headers["Auto-Submitted"] == "") {
				t.Errorf("quoting is %v in %q", quotes, answer.Text)
			}
		})
	}
}

func TestEachPersonaActsOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, sandbox.Config{Dir: dir})
	for range 3 {
		mustSend(t, first.SMTP(), "reply@example.test", "", "hello")
	}
	firstMessage(t, first.IMAP())
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := start(t, sandbox.Config{Dir: dir})
	mustSend(t, second.SMTP(), "reply@example.test", "", "hello")
	// Tasks are done in the order of arrival: once these have answered, so has
	// whatever was on the agenda before.
	for _, to := range []string{"no1@x.test", "no2@x.test", "no3@x.test", "no4@x.test", "no5@x.test", "no6@x.test",
		"no7@x.test", "no8@x.test"} {
		mustSend(t, second.SMTP(), to, "", "hello")
	}
	inbox := eventually(t, "all answers", func() ([]message, bool) {
		list := messages(t, second.IMAP(), "INBOX")
		return list, len(list) >= 9
	})
	answers := 0
	for _, m := range inbox {
		if strings.HasPrefix(m.Text, "Return-Path: <reply@") {
			answers++
		}
	}
	if answers != 1 {
		t.Errorf("the persona answered %d times, want once", answers)
	}
}

func TestAnswersFindAForeignSendersAccount(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	client := dialSMTP(t, server.SMTP())
	raw := "From: ada@elsewhere.test\r\nSubject: Re: Hello\r\nMessage-ID: <1@x.test>\r\n\r\nhello\r\n"
	if err := client.SendMail("bounces@elsewhere.test", []string{"reply@example.test", "dsn@example.test"},
		strings.NewReader(raw)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "answer and bounce", func() (struct{}, bool) { return struct{}{}, len(messages(t, server.IMAP(), "INBOX")) == 2 })
}

func TestBounceIsRefusedAtRCPT(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	for range 2 {
		_, err := send(t, server.SMTP(), "bounce.me@example.test", "", "hello")
		var refusal *smtp.SMTPError
		if !errors.As(err, &refusal) || refusal.Code != 550 || refusal.EnhancedCode != (smtp.EnhancedCode{5, 1, 1}) {
			t.Errorf("got %v, want 550 5.1.1", err)
		}
	}
	if n := server.ReceivedCount(); n != 0 {
		t.Errorf("%d messages were received", n)
	}
}

func TestDSNIsReportedToTheEnvelopeSender(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	mustSend(t, server.SMTP(), "dsn@example.test", "", "hello")
	text := firstMessage(t, server.IMAP())
	report := readMail(t, text)
	if got := report.GetHeader("Content-Type"); !strings.HasPrefix(got, "multipart/report; report-type=delivery-status;") {
		t.Errorf("content type is %s", got)
	}
	if got := report.GetHeader("Return-Path"); got != "<>" {
		t.Errorf("return path is %q", got)
	}
	status := part(t, report, "message/delivery-status")
	// Two groups of fields: about the message, about the recipient.
	groups := strings.Split(strings.TrimSpace(status), "\r\n\r\n")
	if len(groups) != 2 {
		t.Fatalf("report has %d groups:\n%s", len(groups), status)
	}
	fields, err := mail.ReadMessage(strings.NewReader(groups[1] + "\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{fields.Header.Get("Final-Recipient"), fields.Header.Get("Action"), fields.Header.Get("Status")}
	if diff := cmp.Diff([]string{"rfc822; dsn@example.test", "failed", "5.1.1"}, got); diff != "" {
		t.Errorf("recipient fields (-want +got):\n%s", diff)
	}
	if original := part(t, report, "text/rfc822-headers"); !strings.Contains(original, "Message-ID: <dsn.example.test@seller.test>") {
		t.Errorf("returned header is %q", original)
	}
}

func part(t *testing.T, e *enmime.Envelope, kind string) string {
	t.Helper()
	found := e.Root.DepthMatchFirst(func(p *enmime.Part) bool { return p.ContentType == kind })
	if found == nil {
		t.Fatalf("no part %s", kind)
	}
	return string(bytes.ReplaceAll(bytes.ReplaceAll(found.Content, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")))
}

// web records requests and answers with the given statuses, then with 302.
func web(t *testing.T, statuses ...int) (url string, requests chan string) {
	t.Helper()
	requests = make(chan string, 10)
	var n atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i := int(n.Add(1)); i <= len(statuses) {
			w.WriteHeader(statuses[i-1])
			return
		}
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		requests <- strings.TrimSpace(strings.Join([]string{r.Method, r.URL.RequestURI(), r.Form.Get("List-Unsubscribe")}, " "))
		if strings.Contains(r.UserAgent(), "Mozilla/5.0") != (r.Method == http.MethodGet) {
			t.Errorf("%s has User-Agent %q", r.Method, r.UserAgent())
		}
		http.Redirect(w, r, "/target", http.StatusFound)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func TestPersonasThatFollowLinks(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, to, header, body, want string
		statuses                     []int
	}{
		{"click", "click@example.test", "", `<a href="URL/plain">x</a><a href="URL/t/c/one?a=1&amp;b=2">y</a><a ` +
			`href="URL/t/c/two">z</a>`, "GET /t/c/one?a=1&b=2", nil},
		{"click again after an error", "click2@example.test", "", `<a href="URL/t/c/one">y</a>`, "GET /t/c/one", []int{503, 502}},
		{"unsubscribe", "unsub@example.test", "List-Unsubscribe: <mailto:u@x.test>,\r\n " +
			"<URL/u/abc>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n", "hello", "POST /u/abc One-Click", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url, requests := web(t, c.statuses...)
			server := start(t, sandbox.Config{})
			// A message that offers nothing leaves the persona waiting.
			mustSend(t, server.SMTP(), c.to, "", "no link here")
			body, header := strings.ReplaceAll(c.body, "URL", url), strings.ReplaceAll(c.header, "URL", url)
			got := eventually(t, "a request", func() (string, bool) {
				mustSend(t, server.SMTP(), c.to, header, body)
				select {
				case request := <-requests:
					return request, true
				case <-time.After(50 * time.Millisecond):
					return "", false
				}
			})
			if got != c.want {
				t.Errorf("request is %q, want %q", got, c.want)
			}
			mustSend(t, server.SMTP(), c.to, header, body)
			if err := server.Close(); err != nil {
				t.Fatal(err)
			}
			if len(requests) != 0 {
				t.Errorf("it acted again: %q", <-requests)
			}
		})
	}
}

func TestAPersonaCaughtByARestartActsAfterIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, sandbox.Config{Dir: dir, Delay: time.Hour})
	mustSend(t, first.SMTP(), "reply@example.test", "", "hello")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := start(t, sandbox.Config{Dir: dir})
	firstMessage(t, second.IMAP())
}
