package classify

import (
	"strings"
)

// complaint reads a feedback report (RFC 5965) and the two forms of it that come
// without its structure: Microsoft's returned message and Apple's unsubscribe.
func (m *Message) complaint() (Verdict, bool) {
	contentType := strings.ToLower(m.Header("Content-Type"))
	report := m.reportText("message/feedback-report")
	switch {
	case report != "", strings.Contains(contentType, "report-type=feedback-report"), strings.Contains(contentType, `report-type="feedback-report"`):
		if report == "" {
			report = m.body()
		}
		return feedback(report, m), true
	case strings.EqualFold(m.Header("X-Apple-Unsubscribe"), "true"):
		return complained("opt-out", []string{m.From}), true
	case m.Header("X-HmXmrOriginalRecipient") != "":
		return complained("abuse", addresses(m.Header("X-HmXmrOriginalRecipient"))), true
	}
	return Verdict{}, false
}

func (m *Message) reportText(mediaType string) string {
	for _, p := range m.parts {
		if p.mediaType == mediaType {
			return p.text
		}
	}
	return ""
}

// feedback reads the fields of a feedback report. Where it names no recipient
// (many providers strike it out) the returned message may.
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

// returnedTo gives the recipients in the header of the returned message.
func (m *Message) returnedTo() []string {
	for _, p := range m.parts {
		if !returnedType(p.mediaType) {
			continue
		}
		header, _ := splitHeader([]byte(strings.TrimLeft(p.text, "\r\n")))
		return addresses(strings.Join(header.Values("To"), ", "))
	}
	return nil
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
