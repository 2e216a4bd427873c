package mail_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
	"outreach/mail"
)

// crlf joins lines as mails have them.
func crlf(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

var withFiles = crlf(
	"From: anna@away.test", "Subject: Files", "MIME-Version: 1.0", `Content-Type: multipart/mixed; boundary="out"`, "",
	"--out", `Content-Type: multipart/related; boundary="in"`, "",
	"--in", "Content-Type: text/html; charset=iso-8859-1", "Content-Transfer-Encoding: quoted-printable", "",
	`<p>Gr=FC=DFe <img src=3D"cid:logo@x"> <img src=3D"https://spy.example/a.png"></p>`,
	"--in", "Content-Type: image/png; name=logo.png", "Content-Id: <logo@x>", "Content-Transfer-Encoding: base64", "", "iVBORw0KGgo=",
	"--in--",
	"--out", "Content-Type: application/pdf", `Content-Disposition: attachment; filename="../../offer.pdf"`,
	"Content-Transfer-Encoding: base64", "", "JVBERi0x", "LjcK",
	"--out", `Content-Type: text/html; name="=?utf-8?q?page=E2=80=AEfdp.html?="`, "Content-Disposition: attachment", "",
	"<script>alert(1)</script>",
	"--out", "Content-Type: message/rfc822", "", "Subject: inner", "", "text",
	"--out--",
)

func TestAttachments(t *testing.T) {
	t.Parallel()
	want := []outreach.Attachment{
		{ID: "1", Filename: "offer.pdf", ContentType: "application/pdf", Size: new(9)},
		{ID: "2", Filename: "pagefdp.html", ContentType: "text/html", Size: new(25)},
		{ID: "3", Filename: "attachment-3.eml", ContentType: "message/rfc822", Size: new(22)},
	}
	if diff := cmp.Diff(want, mail.Attachments(withFiles, false)); diff != "" {
		t.Error(diff)
	}
	want[2].Size = nil
	if diff := cmp.Diff(want, mail.Attachments(withFiles, true)); diff != "" {
		t.Errorf("of a truncated mail: %s", diff)
	}
	if got := mail.Attachments(crlf("From: a@b.test", "", "Only text."), false); len(got) != 0 {
		t.Errorf("a plain mail has %v", got)
	}
}

func TestReadAttachment(t *testing.T) {
	t.Parallel()
	if f, ok := mail.ReadAttachment(withFiles, "1"); !ok || string(f.Content) != "%PDF-1.7\n" || f.Filename != "offer.pdf" {
		t.Errorf("the first file is %q %v, %v", f.Content, f.Attachment, ok)
	}
	for _, id := range []string{"", "0", "4", "01", "-1", "x"} {
		if f, ok := mail.ReadAttachment(withFiles, id); ok {
			t.Errorf("file %q is %v", id, f.Attachment)
		}
	}
}

func TestHTMLOf(t *testing.T) {
	t.Parallel()
	want := `<p>Grüße <img src="data:image/png;base64,iVBORw0KGgo="> <img src="https://spy.example/a.png"></p>`
	if got := strings.TrimSpace(mail.HTMLOf(withFiles)); got != want {
		t.Errorf("got %s", got)
	}
	if got := mail.HTMLOf(crlf("From: a@b.test", "", "1 < 2")); got != "<pre>1 &lt; 2\r\n</pre>" {
		t.Errorf("the HTML of text is %q", got)
	}
}

// Any mail from a stranger costs bounded work and causes no panic.
func TestPartsAreBounded(t *testing.T) {
	t.Parallel()
	var many, deep, pictures bytes.Buffer
	many.WriteString("Content-Type: multipart/mixed; boundary=b\r\n\r\n")
	for range 5000 {
		many.WriteString("--b\r\nContent-Disposition: attachment; filename=\"" + strings.Repeat("x", 500) + ".txt\"\r\n\r\ny\r\n")
	}
	files := mail.Attachments(many.Bytes(), false)
	if len(files) != 50 || len(files[0].Filename) > 200 || !strings.HasSuffix(files[0].Filename, ".txt") {
		t.Errorf("%d files, the first is %s", len(files), files[0].Filename)
	}
	for range 1000 {
		deep.WriteString("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n")
	}
	mail.Attachments(deep.Bytes(), false)
	pictures.WriteString("Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<img src=cid:p>\r\n")
	pictures.WriteString("--b\r\nContent-Type: image/png\r\nContent-Id: <p>\r\nContent-Transfer-Encoding: base64\r\n\r\n")
	pictures.WriteString(base64.StdEncoding.EncodeToString(make([]byte, 5<<20)))
	if got := mail.HTMLOf(pictures.Bytes()); len(got) > 1000 {
		t.Errorf("a large picture makes HTML of %d bytes", len(got))
	}
	if got := mail.HTMLOf(repeatedPicture(1<<20, 100)); len(got) > 9<<20 {
		t.Errorf("a hundred references to one picture make HTML of %d bytes", len(got))
	}
	const head = "Content-Type: multipart/mixed; boundary=b"
	for _, broken := range []string{"", "\x00", head, head + "\r\n\r\n--b"} {
		mail.Attachments([]byte(broken), false)
		mail.HTMLOf([]byte(broken))
	}
}

// repeatedPicture returns a mail whose HTML shows one picture of the given size many times.
func repeatedPicture(size, times int) []byte {
	var raw bytes.Buffer
	raw.WriteString("Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n")
	raw.WriteString(strings.Repeat("<img src=cid:p>", times))
	raw.WriteString("\r\n--b\r\nContent-Type: image/png\r\nContent-Id: <p>\r\nContent-Transfer-Encoding: base64\r\n\r\n")
	raw.WriteString(base64.StdEncoding.EncodeToString(make([]byte, size)))
	return raw.Bytes()
}
