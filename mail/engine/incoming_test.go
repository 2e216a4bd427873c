package engine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
)

const ourID = "<abcdefghijklmnopqrstuvwx@acme.test>"

func crlfOf(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

var testKeyring, _ = outreach.ParseKeyring("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")

var testReader = newReader(&outreach.Mailbox{
	Email: "me@acme.test", SMTP: outreach.MailServer{Host: "smtp.post.test"}, IMAP: outreach.MailServer{Host: "imap.post.test"},
}, mail.FolderInbox, testKeyring)

// readIncoming is what becomes of a message that is about something of ours.
func readIncoming(raw []byte, now time.Time) outreach.Received {
	msg := incoming{raw: raw, reader: testReader}
	msg.read()
	msg.ours = true
	msg.interpret(now)
	return msg.in
}

// A reply that only its author's address matches, under the subject of another mail, shows no
// interest. One with a Message-ID of ours does.
func TestReplyToAnotherMail(t *testing.T) {
	t.Parallel()
	for byAddress, want := range map[bool]outreach.Interest{true: outreach.InterestNeutral, false: outreach.InterestPositive} {
		msg := incoming{raw: crlfOf("From: Ada <ada@away.test>", "To: me@acme.test", "Message-ID: <r1@away.test>",
			"Subject: Re: Winter tyres", "", "Yes, I am interested. Please call me."), reader: testReader}
		msg.read()
		msg.ours, msg.byAddress, msg.sent = true, byAddress, []outreach.SentText{{Subject: "A third less time for quotes", Text: "Hello"}}
		msg.interpret(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
		if msg.in.Interest == nil || *msg.in.Interest != want {
			t.Errorf("matched by address %t: got %+v, want the interest %q", byAddress, msg.in, want)
		}
	}
}

// dsn is a report by a mail server (RFC 3464) on one recipient.
func dsn(action, status, diagnostic string) []byte {
	return crlfOf("From: MAILER-DAEMON@mx.test", "To: me@acme.test", "Message-ID: <report@mx.test>", "Subject: Delivery report",
		`Content-Type: multipart/report; report-type=delivery-status; boundary="b"`, "", "--b", "Content-Type: text/plain", "",
		"This is the mail system.", "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.test", "",
		"Original-Recipient: rfc822; ada@away.test", "Final-Recipient: rfc822; a.lovelace@inner.test", "Action: "+action, "Status: "+status,
		"Diagnostic-Code: smtp; "+diagnostic, "--b", "Content-Type: text/rfc822-headers", "", "From: me@acme.test",
		"Message-ID: "+ourID, "", "--b--")
}

// What arrives is translated into the store's words: who it is about, what it
// says, and by which id it is known again.
func TestReadIncoming(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	back := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		raw  []byte
		want outreach.Received
	}{
		"reply": {
			crlfOf("From: Ada <ada@away.test>", "To: me@acme.test", "Message-ID: <r1@away.test>", "In-Reply-To: "+ourID, "Subject: Re: Hello", "",
				"Yes, I am interested.", "", "On Fri, 20 Nov 2026 at 09:00, Me <me@acme.test> wrote:", "> Hello"),
			outreach.Received{Key: "<r1@away.test>", Kind: outreach.ReceivedReply, From: "ada@away.test", Subject: new("Re: Hello"),
				Text:     "Yes, I am interested.",
				FullText: "Yes, I am interested.\n\nOn Fri, 20 Nov 2026 at 09:00, Me <me@acme.test> wrote:\n> Hello",
				Interest: new(outreach.InterestPositive), References: []string{ourID},
				Header: outreach.ReplyHeader{ID: "<r1@away.test>", Thread: []string{ourID}}},
		},
		"reply that names us in its quotation only": {
			crlfOf("From: ada@away.test", "Message-ID: <r2@away.test>", "Subject: question", "", "Who are you?", "",
				"> Message-ID: "+ourID),
			outreach.Received{Key: "<r2@away.test>", Kind: outreach.ReceivedReply, From: "ada@away.test", Subject: new("question"),
				Text: "Who are you?", FullText: "Who are you?\n\n> Message-ID: " + ourID, Interest: new(outreach.InterestNeutral),
				References: []string{ourID},
				Header:     outreach.ReplyHeader{ID: "<r2@away.test>"}},
		},
		"absence": {
			crlfOf("From: ada@away.test", "Message-ID: <r3@away.test>", "Date: Fri, 20 Nov 2026 08:00:00 +0000", "In-Reply-To: "+ourID,
				"Auto-Submitted: auto-replied", "Subject: Automatic reply: Hello", "", "I am out of the office until 30 November 2026."),
			outreach.Received{Key: "<r3@away.test>", Kind: outreach.ReceivedAutomatic, From: "ada@away.test", Subject: new("Automatic reply: Hello"),
				Text: "I am out of the office until 30 November 2026.", ReturnDate: &back, References: []string{ourID},
				Header: outreach.ReplyHeader{ID: "<r3@away.test>", Thread: []string{ourID}}},
		},
		"answers wanted elsewhere, in a thread of others": {
			crlfOf("From: ada@away.test", "Reply-To: Office <office@away.test>", "Message-ID: <r4@away.test>", "In-Reply-To: "+ourID,
				"References: <a@x.test> not-an-id "+ourID, "Subject: Re: Hello", "", "Please write to the office."),
			outreach.Received{Key: "<r4@away.test>", Kind: outreach.ReceivedReply, From: "ada@away.test", Subject: new("Re: Hello"),
				Text: "Please write to the office.", Interest: new(outreach.InterestNeutral), References: []string{ourID, "<a@x.test>"},
				Header: outreach.ReplyHeader{ID: "<r4@away.test>", Thread: []string{"<a@x.test>", ourID}, ReplyTo: "office@away.test"}},
		},
		"dead address": {
			dsn("failed", "5.1.1", "550 5.1.1 no such user"),
			outreach.Received{Key: "<report@mx.test>", Kind: outreach.ReceivedBounce, From: "MAILER-DAEMON@mx.test", Subject: new("Delivery report"),
				References: []string{ourID},
				Bounces:    []outreach.Bounce{{Address: "ada@away.test", Fault: outreach.FaultRecipient, Error: "550 5.1.1 no such user"}}},
		},
		"delay, which is not a bounce": {
			dsn("delayed", "4.4.1", "connection timed out"),
			outreach.Received{Key: "<report@mx.test>", Kind: outreach.ReceivedIgnored, From: "MAILER-DAEMON@mx.test",
				Subject: new("Delivery report"), References: []string{ourID}},
		},
		"complaint": {
			crlfOf("From: fbl@isp.test", "Message-ID: <c@isp.test>",
				`Content-Type: multipart/report; report-type=feedback-report; boundary="b"`, "", "--b",
				"Content-Type: text/plain", "", "Somebody complained.", "--b", "Content-Type: message/feedback-report", "", "Feedback-Type: abuse",
				"Version: 1", "User-Agent: x", "Original-Rcpt-To: ada@away.test", "--b", "Content-Type: text/rfc822-headers", "",
				"Message-ID: "+ourID, "", "--b--"),
			outreach.Received{Key: "<c@isp.test>", Kind: outreach.ReceivedComplaint, From: "fbl@isp.test",
				References: []string{ourID}, Bounces: []outreach.Bounce{{Address: "ada@away.test"}}},
		},
		"our own mail": {
			crlfOf("From: Me <ME@acme.test>", "Message-ID: <own@acme.test>", "In-Reply-To: "+ourID, "", "A note to myself."),
			outreach.Received{Key: "<own@acme.test>", Kind: outreach.ReceivedIgnored},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := readIncoming(c.raw, now)
			got.Key, _, _ = strings.Cut(got.Key, " ")
			if !c.want.Kind.Answer() {
				got.Text, got.Shown = "", ""
			}
			words := []cmp.Option{cmpopts.IgnoreFields(outreach.Received{}, "Reason"), cmpopts.EquateEmpty()}
			if len(c.want.Bounces) > 0 && c.want.Bounces[0].Error == "" {
				words = append(words, cmpopts.IgnoreFields(outreach.Bounce{}, "Error"))
			}
			if diff := cmp.Diff(c.want, got, words...); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Any bytes that a stranger writes become values that the store accepts.
func TestReadIncomingNonsense(t *testing.T) {
	t.Parallel()
	cases := map[string][]byte{
		"nothing":   nil,
		"no header": []byte("\x00\xff\xfe\r\n\r\n\x00"),
		"nul in everything": []byte("From: a\x00@b.test\r\nMessage-ID: <a\x00b@c>\r\nIn-Reply-To: <x\x00y@z>\r\nSubject: " +
			"a\x00b\r\n\r\ntext\x00\xff"),
		"a huge id":       []byte("From: a@b.test\r\nMessage-ID: <" + strings.Repeat("x", 5000) + "@b>\r\n\r\nhello"),
		"a huge subject":  []byte("From: a@b.test\r\nSubject: " + strings.Repeat("ü ", 5000) + "\r\n\r\nhello"),
		"many references": []byte("From: a@b.test\r\nReferences: " + strings.Repeat("<a@b> ", 5) + many("<", "@c> ", 2000) + "\r\n\r\nhello"),
		"a broken report": []byte("Content-Type: multipart/report; report-type=delivery-status; " +
			"boundary=\"b\"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\x00"),
	}
	for name, raw := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := readIncoming(raw, time.Now())
			texts := append([]string{in.Key, in.From, in.Text}, in.References...)
			if in.Subject != nil {
				texts = append(texts, *in.Subject)
			}
			for _, text := range texts {
				if strings.ContainsRune(text, 0) || strings.ToValidUTF8(text, "") != text || len(text) > 2000 {
					t.Errorf("%.80q cannot be stored", text)
				}
			}
			if in.Key == "" || len(in.Key) > maxKey+20 || len(in.References) > maxReferences {
				t.Errorf("key of %d bytes, %d references", len(in.Key), len(in.References))
			}
			if again := readIncoming(raw, time.Now()); again.Key != in.Key {
				t.Errorf("key %q the first time, %q the second", in.Key, again.Key)
			}
		})
	}
}

func many(before, after string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(before + strings.Repeat("i", i%50+1) + string(rune('a'+i%26)) + after)
	}
	return b.String()
}

// One Message-ID does not make two people's answers one, and one message in two
// folders stays one.
func TestKeyTellsMessagesApart(t *testing.T) {
	t.Parallel()
	answer := func(from, received, text string) []byte {
		return crlfOf("Received: "+received, "From: "+from, "Message-ID: <same@phone.test>", "Date: Fri, 20 Nov 2026 08:00:00 +0000", "", text)
	}
	first := readIncoming(answer("ada@away.test", "by one", "Yes"), time.Now()).Key
	if again := readIncoming(answer("Ada <ADA@away.test>", "by two", "Yes"), time.Now()).Key; again != first {
		t.Errorf("the same message elsewhere has key %q, want %q", again, first)
	}
	for name, raw := range map[string][]byte{
		"another person": answer("bob@away.test", "by one", "Yes"),
		"another text":   answer("ada@away.test", "by one", "No"),
	} {
		if key := readIncoming(raw, time.Now()).Key; key == first {
			t.Errorf("%s has the same key %q", name, key)
		}
	}
}

// A report that returns nothing but a link that we signed names the message by it,
// however the returned text is encoded. A token of another key does not count.
func TestReportNamesTheMessageByItsLink(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("0199f3c0-aa10-7b1d-8c3e-66f0d2b41c77")
	link := outreach.Links{Keyring: testKeyring, Origin: "https://acme.test"}.Unsubscribe(outreach.Ref{WorkspaceID: id, ID: id})
	ref := outreach.SignLink(testKeyring, outreach.LinkMessage, outreach.Ref{WorkspaceID: id, ID: id}, 0, "")
	otherKeyring, _ := outreach.ParseKeyring("AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	foreign := outreach.Links{Keyring: otherKeyring, Origin: "https://acme.test"}.Unsubscribe(outreach.Ref{WorkspaceID: id, ID: id})
	report := func(returned ...string) []byte {
		return crlfOf(append(
			[]string{"From: fbl@isp.test", "Message-ID: <c@isp.test>",
				`Content-Type: multipart/report; report-type=feedback-report; boundary="b"`, "",
				"--b", "Content-Type: message/feedback-report", "", "Feedback-Type: abuse", "Version: 1", "User-Agent: x", "--b",
				"Content-Type: message/rfc822", ""},
			append(returned, "", "--b--")...)...)
	}
	for name, c := range map[string]struct {
		raw  []byte
		want []uuid.UUID
	}{
		"in the header":     {report("List-Unsubscribe: <"+link+">", "", "Hello"), []uuid.UUID{id}},
		"in the text":       {report("Subject: x", "", "Hello", link), []uuid.UUID{id}},
		"in its reference":  {report("X-Message-Ref: "+ref, "", "Hello"), []uuid.UUID{id}},
		"quoted-printable":  {report("Subject: x", "", "Hello "+link[:40]+"=", link[40:]), []uuid.UUID{id}},
		"of another key":    {report("Subject: x", "", "Hello", foreign), nil},
		"changed":           {report("Subject: x", "", "Hello", link[:len(link)-1]+"_"), nil},
		"a page of nothing": {report("Subject: x", "", strings.Repeat("a", 60_000)), nil},
	} {
		if got := readIncoming(c.raw, time.Now()).Links; !slices.Equal(got, c.want) {
			t.Errorf("%s: links of %v, want %v", name, got, c.want)
		}
	}
}
