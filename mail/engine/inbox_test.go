package engine_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
)

// sent is one of our messages, as those that answer it know it.
type sent struct {
	id, to string
}

// inboxMessage is the message number i of what a sales inbox holds, the same at
// every call. Of forty messages
//
//	14 are newsletters with HTML of 10 to 40 kB, half of them with a text part
//	12 are ordinary mail that has nothing to do with us: seven of plain text,
//	   three with HTML and a quoted thread, two with an attachment of 30 kB
//	 1 is a notice of some program
//	10 are replies to ours with our message quoted, eight of them with HTML
//	 2 are out-of-office notes on ours
//	 1 is a delivery report on ours
//
// They are spread evenly. our is what the message is about if it is about ours.
func inboxMessage(i int, box string, our sent) []byte {
	w := newMessageWriter(i, box)
	switch slot := i * 7 % 40; {
	case slot < 14:
		return w.newsletter(slot%2 == 0)
	case slot < 21:
		return w.ordinary()
	case slot < 24:
		return w.thread()
	case slot < 26:
		return w.attachment()
	case slot < 27:
		return w.notice()
	case slot < 37:
		return w.answer(our, slot < 35)
	case slot < 39:
		return w.absence(our)
	}
	return w.report(our)
}

// answersOurs reports whether message i is a reply or a notice of absence.
func answersOurs(i int) bool { return i*7%40 >= 27 && i*7%40 < 39 }

// messageWriter writes one message.
type messageWriter struct {
	bytes.Buffer
	*rand.Rand
	i   int
	box string
}

func newMessageWriter(i int, box string) *messageWriter {
	return &messageWriter{Rand: rand.New(rand.NewPCG(uint64(i), 1)), i: i, box: box}
}

// vocabulary is what the text is drawn from; some words are those that rules
// look for.
var vocabulary = strings.Fields(`about account across address after again agenda all also always answer any are at attached available away
back be because been before between both budget business but call can change company contact content could customer data date day delivery
demo design detail do each early email end error every example failed few find first follow for forward free from further get give good
great have help here holiday how if important in information interested invoice is it join just know last later learn let like list look
mail make many market may meeting message month more most much need network new next no not now of offer office on one only open option
or order other our out over page part people plan please policy price product project question quote read ready reply report request
review same save schedule see send server service set share short should show some soon spam start still such support system take team
thank that the their them then there these they thing this time to today together top trial try two under until up update us use user
very view want was way we week welcome well were what when which while who will with work would year yes you your`)

func (w *messageWriter) sentence() string {
	words := make([]string, 6+w.IntN(14))
	for n := range words {
		words[n] = vocabulary[w.IntN(len(vocabulary))]
	}
	words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
	return strings.Join(words, " ") + "."
}

// text is about so many bytes of paragraphs.
func (w *messageWriter) text(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		b.WriteString(w.sentence())
		b.WriteString([]string{" ", " ", "\r\n", "\r\n\r\n"}[n%4])
	}
	return strings.TrimSpace(b.String())
}

func (w *messageWriter) line(format string, args ...any) { fmt.Fprintf(w, format+"\r\n", args...) }

// head writes what every message has, with the fields that servers add.
func (w *messageWriter) head(from, subject string, fields ...string) {
	for hop := range 4 {
		w.line("Received: from relay%d.away.test (relay%d.away.test [192.0.2.%d])\r\n\tby mx%d.acme.test (Postfix) with "+
			"ESMTPS id %x\r\n\tfor <%s>; Fri, 20 Nov 2026 09:%02d:00 +0000 (UTC)",
			hop, w.i, hop+1, hop, w.Uint64(), w.box, hop)
	}
	w.line("DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=away.test; "+
		"s=one;\r\n\th=from:to:subject:date:message-id; bh=%x;\r\n\tb=%x%x%x%x", w.Uint64(), w.Uint64(), w.Uint64(), w.Uint64(), w.Uint64())
	w.line("Authentication-Results: acme.test; dkim=pass header.d=away.test; spf=pass smtp.mailfrom=away.test")
	w.line("Return-Path: <x@away.test>")
	w.line("From: %s", from)
	w.line("To: %s", w.box)
	w.line("Message-ID: <in%d.%x@away.test>", w.i, w.Uint64())
	w.line("Date: Fri, 20 Nov 2026 09:%02d:%02d +0000", w.i/60%60, w.i%60)
	w.line("Subject: %s", subject)
	w.line("MIME-Version: 1.0")
	for _, field := range fields {
		w.line("%s", field)
	}
}

func (w *messageWriter) stranger() string { return fmt.Sprintf("Eve Miller <s%d@strangers.test>", w.i) }

func (w *messageWriter) plain(text string) {
	w.line("Content-Type: text/plain; charset=utf-8\r\n\r\n%s", text)
}

func (w *messageWriter) html(source string) {
	w.line("Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n")
	encoder := quotedprintable.NewWriter(w)
	_, _ = encoder.Write([]byte(source)) // into memory
	_ = encoder.Close()
	w.line("")
}

// multipart writes parts of one kind between boundaries.
func (w *messageWriter) multipart(kind string, parts ...func()) {
	boundary := fmt.Sprintf("=_%x", w.Uint64())
	w.line("Content-Type: multipart/%s; boundary=%q\r\n", kind, boundary)
	for _, part := range parts {
		w.line("--%s", boundary)
		part()
	}
	w.line("--%s--", boundary)
}

func (w *messageWriter) newsletter(withText bool) []byte {
	w.head(fmt.Sprintf("The Weekly <news%d@lists.test>", w.i), w.sentence(),
		"List-Unsubscribe: <https://lists.test/u/1>", "List-ID: <weekly.lists.test>", "Precedence: list")
	text := func() { w.plain(w.text(1500)) }
	page := func() { w.html(w.page(10_000 + w.IntN(30_000))) }
	if withText {
		w.multipart("alternative", text, page)
	} else {
		page()
	}
	return w.Bytes()
}

// page is HTML of about so many bytes, most of it what makes it look well.
func (w *messageWriter) page(size int) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><head><style>td{font-family:Arial,sans-serif;color:#333}.b{padding:12px}" +
		"</style></head><body><table width=\"600\">")
	for b.Len() < size {
		fmt.Fprintf(&b, "<tr><td class=\"b\" style=\"padding:0 24px 12px 24px;font-size:14px;line-height:20px\" "+
			"align=\"left\"><h2>%s</h2>\r\n<p style=\"margin:0\">%s</p>\r\n"+
			"<a href=\"https://lists.test/c/%x%x%x\" style=\"background:#0a66c2;color:#ffffff\"><img "+
			"src=\"https://lists.test/i/%x.png\" width=\"552\" height=\"200\" alt=\"\">%s</a></td></tr>\r\n",
			w.sentence(), w.text(200), w.Uint64(), w.Uint64(), w.Uint64(), w.Uint64(), w.sentence())
	}
	b.WriteString("</table></body></html>")
	return b.String()
}

func (w *messageWriter) ordinary() []byte {
	w.head(w.stranger(), w.sentence())
	w.plain("Dear all,\r\n\r\n" + w.text(300+w.IntN(3000)) + "\r\n\r\n-- \r\nEve Miller\r\nStrangers Ltd.")
	return w.Bytes()
}

// quoted is a text as the answers to it show it.
func quoted(text string) string { return "> " + strings.ReplaceAll(text, "\r\n", "\r\n> ") }

func paragraphs(text string) string {
	return "<div>" + strings.ReplaceAll(text, "\r\n", "<br>\r\n") + "</div>"
}

// alternative is an answer over the message that it quotes, in both forms.
func (w *messageWriter) alternative(own, introduction, original string) {
	w.multipart("alternative",
		func() { w.plain(own + "\r\n\r\n" + introduction + "\r\n" + quoted(original)) },
		func() {
			w.html("<html><body>" + paragraphs(own) + "<br><div class=\"gmail_quote\"><div>" +
				html.EscapeString(introduction) + "</div><blockquote style=\"margin:0 0 0 .8ex;border-left:1px solid #ccc\">" +
				paragraphs(original) + "</blockquote></div></body></html>")
		})
}

func (w *messageWriter) thread() []byte {
	w.head(w.stranger(), "Re: "+w.sentence(), fmt.Sprintf("In-Reply-To: <t%d@strangers.test>", w.i),
		fmt.Sprintf("References: <r%d@strangers.test> <t%d@strangers.test>", w.i, w.i))
	w.alternative(w.text(400), "On Thu, Nov 19, 2026 at 10:12 AM Carl Stone <c@strangers.test> wrote:", w.text(1500))
	return w.Bytes()
}

func (w *messageWriter) attachment() []byte {
	w.head(w.stranger(), w.sentence())
	content := make([]byte, 30_000)
	for n := range content {
		content[n] = byte(w.Uint32())
	}
	encoded := base64.StdEncoding.EncodeToString(content)
	w.multipart("mixed", func() { w.plain(w.text(600)) }, func() {
		w.line("Content-Type: application/pdf; name=\"offer.pdf\"\r\nContent-Disposition: attachment; " +
			"filename=\"offer.pdf\"\r\nContent-Transfer-Encoding: base64\r\n")
		for ; len(encoded) > 76; encoded = encoded[76:] {
			w.line("%s", encoded[:76])
		}
		w.line("%s", encoded)
	})
	return w.Bytes()
}

func (w *messageWriter) notice() []byte {
	w.head("Calendar <no-reply@tools.test>", "Reminder: "+w.sentence(), "Auto-Submitted: auto-generated")
	w.plain(w.text(500))
	return w.Bytes()
}

func (w *messageWriter) answer(our sent, withHTML bool) []byte {
	w.head("Ada Byron <"+our.to+">", "Re: Hello", "In-Reply-To: "+our.id, "References: "+our.id)
	own := []string{"Yes, I am interested. Can we talk next week?", "Not interested, thank you.",
		"Who are you?"}[w.IntN(3)] + "\r\n\r\n" + w.text(200) + "\r\n\r\nBest regards\r\nAda"
	introduction := "On Fri, Nov 20, 2026 at 9:00 AM <me@acme.test> wrote:"
	original := "Hello Ada,\r\n\r\n" + w.text(1200) + "\r\n\r\n-- \r\nMe, Acme Ltd."
	if withHTML {
		w.alternative(own, introduction, original)
	} else {
		w.plain(own + "\r\n\r\n" + introduction + "\r\n" + quoted(original))
	}
	return w.Bytes()
}

func (w *messageWriter) absence(our sent) []byte {
	w.head("Ada Byron <"+our.to+">", "Automatic reply: Hello", "In-Reply-To: "+our.id, "Auto-Submitted: auto-replied")
	w.plain("Thank you for your message. I am out of the office until 30 November 2026 with limited access to e-mail.\r\n\r\nAda Byron")
	return w.Bytes()
}

func (w *messageWriter) report(our sent) []byte {
	w.head("Mail Delivery System <MAILER-DAEMON@mx.away.test>", "Undelivered Mail Returned to Sender", "Auto-Submitted: auto-replied")
	w.multipart("report; report-type=delivery-status",
		func() {
			w.plain("This is the mail system at host mx.away.test.\r\n\r\nI'm sorry to have to inform you that your message " +
				"could not\r\nbe delivered to one or more recipients.\r\n\r\n<" + our.to +
				">: host in.away.test said: 550 5.1.1 <" + our.to + ">: no such user")
		},
		func() {
			w.line("Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.away.test\r\n\r\nFinal-Recipient: "+
				"rfc822; %s\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 <%s>: no such user", our.to, our.to)
		},
		func() {
			w.line("Content-Type: message/rfc822\r\n\r\nFrom: %s\r\nTo: %s\r\nMessage-ID: %s\r\nSubject: Hello\r\n\r\n%s",
				w.box, our.to, our.id, w.text(1200))
		})
	return w.Bytes()
}
