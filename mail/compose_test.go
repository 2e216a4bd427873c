package mail

import (
	"bytes"
	"flag"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

func draft() Draft {
	return Draft{
		From: "ann@example.com", FromName: "Ann Muster", To: "bob@example.org", ToName: "Bob Prospect",
		Subject: "Your plans for spring", HTML: `<p>Hi Bob,</p><p>see <a href="https://example.com/x?a=1&amp;b=2">our offer</a>.</p>`,
		MessageID: "<abcdef0123@example.com>", UnsubscribeURL: "https://track.example.com/u/token",
		Date: time.Date(2026, 11, 20, 16, 5, 9, 0, time.UTC),
	}
}

func TestComposeGolden(t *testing.T) {
	t.Parallel()
	first := draft()
	first.SignatureHTML = "<p>-- <br>Ann &amp; Co</p>"

	followUp := draft()
	followUp.HTML, followUp.Text = "", "Hi Bob,\nany news?\n.\n..\n"
	followUp.MessageID, followUp.InReplyTo, followUp.References = "<third@example.com>", "<second@example.com>",
		[]string{"<abcdef0123@example.com>"}
	followUp.UnsubscribeURL, followUp.SignatureHTML = "", "<p>Ann</p>"

	world := draft()
	world.From, world.FromName = "änne@bücher.example", "Änne Müller, \"Bücher\" & Söhne"
	world.To, world.ToName = "bob@例え.jp", "ボブ・プロスペクト"
	world.Subject = "Grüße aus Zürich – und eine ziemlich lange Betreffzeile, die gefaltet werden muss 🎉"
	world.HTML, world.Text = "<html><body><p>Zürich 🎉</p></body></html>", "Zürich 🎉"
	world.SignatureHTML = "<p>Änne</p>"

	for name, d := range map[string]Draft{"first": first, "follow_up": followUp, "world": world} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Compose(d)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "compose_"+name+".eml")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Fatal(diff)
			}
			wellFormed(t, got)
			if again, err := Compose(d); err != nil || !bytes.Equal(again, got) {
				t.Fatal("a second composition differs", err)
			}
		})
	}
}

// wellFormed checks what holds for every message.
func wellFormed(t *testing.T, raw []byte) *netmail.Message {
	t.Helper()
	if bytes.Contains(bytes.ReplaceAll(raw, []byte("\r\n"), nil), []byte("\n")) ||
		bytes.Contains(bytes.ReplaceAll(raw, []byte("\r\n"), nil), []byte("\r")) {
		t.Fatal("a bare line end")
	}
	for line := range bytes.SplitSeq(raw, []byte("\r\n")) {
		if len(line) > 998 {
			t.Fatalf("a line of %d bytes", len(line))
		}
	}
	msg, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	known := regexp.MustCompile(
		`^(Date|From|To|Subject|Message-Id|In-Reply-To|References|List-Unsubscribe|` +
			`List-Unsubscribe-Post|X-Message-Ref|Mime-Version|Content-Type|Content-Transfer-Encoding)$`)
	for name, values := range msg.Header {
		if !known.MatchString(name) || len(values) != 1 {
			t.Fatalf("header %s: %q", name, values)
		}
	}
	host, _ := os.Hostname()
	if host != "" && bytes.Contains(raw, []byte(host)) {
		t.Fatal("the message names this host")
	}
	return msg
}

// bodies returns the decoded parts by media type.
func bodies(t *testing.T, msg *netmail.Message) map[string]string {
	t.Helper()
	out := map[string]string{}
	kind, params, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "multipart/alternative" {
		body, err := io.ReadAll(quotedprintable.NewReader(msg.Body))
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{kind: string(body)}
	}
	for parts := multipart.NewReader(msg.Body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		out[kind] = string(body)
	}
}

func TestComposeParts(t *testing.T) {
	t.Parallel()
	d := draft()
	d.HTML, d.SignatureHTML = "<html><body><p>Hello <b>Bob</b></p></body></html>", "<p>Ann</p>"
	raw, err := Compose(d)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"text/html":  "<html><body><p>Hello <b>Bob</b></p><p>Ann</p></body></html>",
		"text/plain": "Hello Bob\r\n\r\nAnn",
	}
	if diff := cmp.Diff(want, bodies(t, wellFormed(t, raw))); diff != "" {
		t.Fatal(diff)
	}
}

func TestComposeThread(t *testing.T) {
	t.Parallel()
	d := draft()
	for range 50 {
		d.References = append(d.References, "<r@example.com>")
	}
	d.References[0], d.References[49], d.InReplyTo = "<root@example.com>", "<last@example.com>", "<last@example.com>"
	raw, err := Compose(d)
	if err != nil {
		t.Fatal(err)
	}
	refs := strings.Fields(wellFormed(t, raw).Header.Get("References"))
	if len(refs) != maxReferences || refs[0] != "<root@example.com>" || refs[len(refs)-1] != "<last@example.com>" {
		t.Fatal(refs)
	}
}

func TestComposeRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Draft){
		"no sender":              func(d *Draft) { d.From = "" },
		"two senders":            func(d *Draft) { d.From = "a@x.y, b@x.y" },
		"named sender":           func(d *Draft) { d.From = "Ann <a@x.y>" },
		"sender with line break": func(d *Draft) { d.From = "a@x.y\r\nBcc: b@x.y" },
		"recipient with bracket": func(d *Draft) { d.To = "a@x.y>" },
		"recipient with space":   func(d *Draft) { d.To = "a b@x.y" },
		"no recipient":           func(d *Draft) { d.To = "nobody" },
		"bad domain":             func(d *Draft) { d.To = "bob@exa_mple..org" },
		"no message id":          func(d *Draft) { d.MessageID = "" },
		"message id bare":        func(d *Draft) { d.MessageID = "a@b" },
		"message id with break":  func(d *Draft) { d.MessageID = "<a@b>\r\nBcc: c@d" },
		"reference with break":   func(d *Draft) { d.References = []string{"<a\r\nBcc: c@d>"} },
		"reply to two":           func(d *Draft) { d.InReplyTo = "<a@b> <c@d>" },
		"unsubscribe with break": func(d *Draft) { d.UnsubscribeURL = "https://x.y/\r\nBcc: c@d" },
		"unsubscribe by mail":    func(d *Draft) { d.UnsubscribeURL = "mailto:x@y.z" },
		"unsubscribe two":        func(d *Draft) { d.UnsubscribeURL = "https://x.y/>,<https://evil" },
		"no body":                func(d *Draft) { d.HTML = "" },
		"no date":                func(d *Draft) { d.Date = time.Time{} },
		"endless subject":        func(d *Draft) { d.Subject = strings.Repeat("x", 1000) },
	} {
		d := draft()
		change(&d)
		if raw, err := Compose(d); err == nil {
			t.Errorf("%s: composed\n%s", name, raw)
		}
	}
}

func TestNewMessageID(t *testing.T) {
	t.Parallel()
	id, err := NewMessageID("ann@Bücher.example", bytes.NewReader(bytes.Repeat([]byte{0xa5}, 15)))
	if err != nil || id != "<uws2ljnfuws2ljnfuws2ljnf@xn--bcher-kva.example>" || !ValidMessageID(id) {
		t.Fatal(id, err)
	}
	if _, err := NewMessageID("ann@example.com", bytes.NewReader([]byte("short"))); err == nil {
		t.Fatal("made from too little randomness")
	}
	for _, from := range []string{"", "ann@", "ann@exa mple.com", "ann@x>\r\n"} {
		if id, err := NewMessageID(from, bytes.NewReader(make([]byte, 15))); err == nil {
			t.Errorf("%q: %s", from, id)
		}
	}
}

// FuzzCompose looks for values that become headers of their own, or that the
// receiver reads differently from what was meant.
func FuzzCompose(f *testing.F) {
	f.Add("Ann", "Bob", "Hello", "<p>x</p>", "text")
	f.Add("Ann\r\nBcc: x@y.z", "=?utf-8?q?x?=", "a\r\n\r\nb", "\r\n.\r\n", "\n.\n")
	f.Add("\u2028", "\x00", strings.Repeat("ü", 300), "--boundary", "\xff\xfe")
	f.Fuzz(func(t *testing.T, from, to, subject, page, text string) {
		d := draft()
		d.FromName, d.ToName, d.Subject, d.HTML, d.Text = from, to, subject, page, text
		raw, err := Compose(d)
		if err != nil {
			return
		}
		msg := wellFormed(t, raw)
		var words mime.WordDecoder
		if got, err := words.DecodeHeader(msg.Header.Get("Subject")); err != nil || !strings.Contains(subject, "=?") &&
			oneLine(got) != oneLine(strings.ToValidUTF8(subject, "\ufffd")) {
			t.Fatalf("subject %q, %v", got, err)
		}
		for name, want := range map[string]string{"From": d.From, "To": d.To} {
			list, err := msg.Header.AddressList(name)
			if err != nil || len(list) != 1 || list[0].Address != want {
				t.Fatalf("%s: %q, %v", name, msg.Header.Get(name), err)
			}
		}
		if parts := bodies(t, msg); text != "" && page != "" && len(parts) != 2 {
			t.Fatalf("%d parts", len(parts))
		}
	})
}
