package classify_test

import (
	"slices"
	"strings"
	"testing"

	"outreach/mail/classify"
)

// Complaints in the forms of the large providers. Each returns a message of ours,
// by which alone the engine believes it.
const returnedByLoop = `Message-ID: <aaaabbbbccccddddeeeeffff@alpenblick.example>
From: Anna <anna@alpenblick.example>
To: tom@werk.test
Subject: Garden tools

Hello Tom
`

func TestComplaintsOfProviders(t *testing.T) {
	t.Parallel()
	report := func(fields string) string {
		return "--b\nContent-Type: text/plain\n\nThis is a report of a complaint.\n--b\nContent-Type: message/feedback-report\n\n" + fields +
			"\n--b\nContent-Type: message/rfc822\n\n" + returnedByLoop + "\n--b--\n"
	}
	const arf = "MIME-Version: 1.0\nContent-Type: multipart/report; report-type=\"feedback-report\"; boundary=b\n\n"
	const mixed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	attached := func(header string) string {
		return "--b\nContent-Type: text/plain\n\nComplaint\n--b\nContent-Type: message/rfc822\nContent-Disposition: " +
			"attachment\n\n" + header + returnedByLoop + "\n--b--\n"
	}
	for name, raw := range map[string]string{
		"ARF": "From: fbl@loop.test\nSubject: FW: Garden tools\n" + arf +
			report("Feedback-Type: abuse\nUser-Agent: Loop/1\nVersion: 1\n"),
		"Yahoo": "From: Yahoo! Mail AntiSpam Feedback <feedback@arf.mail.test>\nSubject: FW:Garden tools\n" + arf +
			report("Feedback-Type: abuse\nUser-Agent: Yahoo!-Mail-Feedback/2.0\nVersion: 0.1\nOriginal-Mail-From: "+
				"<anna@alpenblick.example>\nReported-Domain: alpenblick.example\n"),
		"Fastmail": "From: fastmail fbl <fbl@fastmail.test>\nSubject: Abuse report\n" + arf +
			report("Feedback-Type: abuse\nUser-Agent: FastMail-FBL/0.1\nVersion: 0.1\nOriginal-Rcpt-To: tom@werk.test\n"),
		"JMRP, field outside": "From: staff@hotmail.test\nSubject: complaint about message from " +
			"192.0.2.1\nX-HmXmrOriginalRecipient: tom@werk.test\n" + mixed + attached(""),
		"JMRP, field inside": "From: <staff@hotmail.test>\nSubject: complaint about message from 192.0.2.1\n" + mixed +
			attached("X-HmXmrOriginalRecipient: <tom@werk.test>\n"),
		"JMRP, without field": "From: staff@hotmail.test\nSubject: complaint about message from 192.0.2.1\n" + mixed + attached(""),
		"JMRP, only the message": "From: staff@hotmail.test\nSubject: complaint about message from " +
			"192.0.2.1\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: tom@werk.test\n" + returnedByLoop,
		"fields in the text": "From: abuse-reports@loop.test\nSubject: Email feedback report for " +
			"192.0.2.1\nContent-Type: text/plain\n\nA user complained.\n\nFeedback-Type: abuse\nUser-Agent: x/1\nVersion: " +
			"1\nOriginal-Rcpt-To: tom@werk.test\n\n" + returnedByLoop,
	} {
		v := read(t, "To: anna@alpenblick.example\nMessage-ID: <r@loop.test>\n"+raw).Kind(clock)
		if v.Class != classify.Complaint || !slices.Contains(v.OriginalMessageIDs, "<aaaabbbbccccddddeeeeffff@alpenblick.example>") {
			t.Errorf("%s: got %s (%s) about %v, want a complaint about our message", name, v.Class, v.Reason, v.OriginalMessageIDs)
		}
		if len(v.Recipients) != 1 || v.Recipients[0].Address != "tom@werk.test" {
			if name != "fields in the text" || len(v.Recipients) == 0 {
				t.Errorf("%s: recipients %+v, want tom@werk.test", name, v.Recipients)
			}
		}
	}
}

// A person who writes about complaints, or answers us, makes none.
func TestPeopleMakeNoComplaintReports(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"an answer from a staff address": "From: Staff <staff@werk.test>\nSubject: Re: Garden tools\nIn-Reply-To: " +
			"<a@b.test>\n\nWe had a complaint about message delivery, please call us.\n",
		"a person who quotes a report": "From: Tom <tom@werk.test>\nSubject: Abuse report\n\nLook what " +
			"came:\n\nFeedback-Type: abuse\nVersion: 1\n",
		"a mail from abuse@": "From: abuse@werk.test\nSubject: Hello\n\nPlease send us your price list.\n",
		"a forwarded mail of a person": "From: Tom <tom@werk.test>\nSubject: complaint about message\nMIME-Version: " +
			"1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nHave you seen " +
			"this?\n--b\nContent-Type: message/rfc822\n\n" + returnedByLoop + "\n--b--\n",
	} {
		if v := read(t, strings.TrimLeft(raw, "\n")).Kind(clock); v.Class == classify.Complaint {
			t.Errorf("%s: got %s (%s)", name, v.Class, v.Reason)
		}
	}
}
