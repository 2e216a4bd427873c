package classify

import (
	"net/textproto"
	"regexp"
	"strings"
)

// complaint reads a feedback report (RFC 5965) and its forms without that structure: the returned
// message of Microsoft's program for senders (JMRP), a report whose fields are in the text, and
// Apple's unsubscribe.
func (m *Message) complaint() (Verdict, bool) {
	if m.isFeedback() {
		report := m.reportText("message/feedback-report")
		if report == "" {
			report = m.body()
		}
		return feedback(report, m), true
	}
	if strings.EqualFold(m.Header("X-Apple-Unsubscribe"), "true") {
		return complained("opt-out", []string{m.From}), true
	}
	if to := m.complainant(); to != "" {
		return complained("abuse", addresses(to)), true
	}
	if report := m.feedbackInText(); report != "" {
		return feedback(report, m), true
	}
	if m.fromFeedbackLoop() {
		return complained("abuse", m.returnedTo()), true
	}
	return Verdict{}, false
}

// isFeedback reports whether the message has the structure of RFC 5965.
func (m *Message) isFeedback() bool {
	contentType := strings.ReplaceAll(strings.ToLower(m.Header("Content-Type")), `"`, "")
	return m.hasPart("message/feedback-report") || strings.Contains(contentType, "report-type=feedback-report")
}

// complainant returns the field in which Microsoft names the person who complained. It is in the
// header of the report or of the returned message.
func (m *Message) complainant() string {
	const field = "X-HmXmrOriginalRecipient"
	if to := m.Header(field); to != "" {
		return to
	}
	if !m.fromFeedback() {
		return ""
	}
	for _, header := range m.returnedHeaders() {
		if to := header.Get(field); to != "" {
			return to
		}
	}
	return ""
}

// feedbackInText returns the fields of a feedback report that are in the text.
func (m *Message) feedbackInText() string {
	if !m.fromFeedback() {
		return ""
	}
	for _, text := range []string{m.Text, m.body()} {
		if at := feedbackStart.FindStringIndex(text); at != nil {
			return clip(text[at[0]:], 8<<10)
		}
	}
	return ""
}

var feedbackStart = regexp.MustCompile(`(?im)^feedback-type:[ \t]*[a-z-]+[ \t\r]*$`)

// fromFeedbackLoop reports whether a feedback loop wrote the message, by its sender and its
// subject, and whether it returns a message.
func (m *Message) fromFeedbackLoop() bool {
	return m.fromFeedback() && complaintSubject().has(m.Subject) && len(m.returnedHeaders()) > 0
}

// fromFeedback reports whether feedback loops use the sender's address and the message is not an
// answer.
func (m *Message) fromFeedback() bool {
	local, _, _ := strings.Cut(m.From, "@")
	return m.InReplyTo == "" && len(m.References) == 0 && addressedAs(feedbackAddress(), local)
}

var (
	feedbackAddress  = onceLexicon("report", "feedback address")
	complaintSubject = onceLexicon("report", "complaint subject")
)

func (m *Message) reportText(mediaType string) string {
	for _, p := range m.parts {
		if p.mediaType == mediaType {
			return p.text
		}
	}
	return ""
}

// feedback reads the fields of a feedback report. If it names no recipient (many providers remove
// it), the returned message may.
func feedback(report string, m *Message) Verdict {
	kind := ""
	var to []string
	for line := range strings.Lines(report) {
		name, value, ok := field(strings.TrimSpace(line))
		if !ok {
			continue
		}
		switch strings.ToLower(name) {
		case "feedback-type":
			kind = strings.ToLower(value)
		case "original-rcpt-to", "removal-recipient", "redacted-address":
			to = append(to, addresses(value)...)
		}
	}
	if kind == "not-spam" {
		return Verdict{Class: None, Reason: "a report that a message is not spam", FeedbackType: kind}
	}
	if len(to) == 0 {
		to = m.returnedTo()
	}
	return complained(kind, unique(to))
}

// returnedTo returns the recipients in the header of the returned message.
func (m *Message) returnedTo() []string {
	for _, header := range m.returnedHeaders() {
		return addresses(strings.Join(header.Values("To"), ", "))
	}
	return nil
}

// returnedHeaders returns the headers of the messages that a report returns.
func (m *Message) returnedHeaders() (headers []textproto.MIMEHeader) {
	for _, p := range m.parts {
		if returnedType(p.mediaType) {
			header, _ := splitHeader([]byte(strings.TrimLeft(p.text, "\r\n")))
			headers = append(headers, header)
		}
	}
	return headers
}

func complained(kind string, to []string) Verdict {
	const reason = "the recipient reported the message as unwanted"
	if len(to) == 0 {
		to = []string{""}
	}
	v := Verdict{Class: Complaint, Reason: reason, FeedbackType: kind}
	for _, address := range to {
		v.Recipients = append(v.Recipients, Recipient{Address: address, Class: Complaint, Reason: reason})
	}
	return v
}
