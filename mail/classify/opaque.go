package classify

import "strings"

// opaqueKinds names the kinds of content whose words cannot be read.
var opaqueKinds = map[string]string{
	"application/pkcs7-mime":    "encrypted or signed with S/MIME",
	"application/x-pkcs7-mime":  "encrypted or signed with S/MIME",
	"application/pgp-encrypted": "encrypted with PGP",
	"application/ms-tnef":       "in Outlook's own format (winmail.dat)",
	"application/vnd.ms-tnef":   "in Outlook's own format (winmail.dat)",
}

// takeOpaque sets Text of a message without readable words to its kind, so that users open it in
// their mail program.
func (m *Message) takeOpaque() {
	if strings.Contains(m.Text, "-----BEGIN PGP MESSAGE-----") {
		m.opaque = opaqueKinds["application/pgp-encrypted"]
		m.Text = ""
	}
	if m.opaque != "" && strings.TrimSpace(m.Text) == "" {
		m.Text = "(This message is " + m.opaque + ". Open it in a mail program to read it.)"
		return
	}
	m.opaque = ""
}

// The answers to an invitation (RFC 5545, section 3.2.12), as they are shown.
var partStats = map[string]string{
	"ACCEPTED":  "accepted",
	"DECLINED":  "declined",
	"TENTATIVE": "tentatively accepted",
}

// takeInvitation reads the answer to an invitation. If the sender wrote nothing, it sets Text to
// the answer.
func (m *Message) takeInvitation() {
	for _, p := range m.parts {
		if p.mediaType != "text/calendar" {
			continue
		}
		calendar := strings.ReplaceAll(strings.ReplaceAll(p.text, "\r\n", "\n"), "\n ", "")
		upper := strings.ToUpper(calendar)
		_, rest, found := strings.Cut(upper, "PARTSTAT=")
		if !strings.Contains(upper, "METHOD:REPLY") &&
			!strings.Contains(strings.ToUpper(m.header.Get("Content-Type")), "METHOD=REPLY") || !found {
			continue
		}
		stat, _, _ := strings.Cut(rest, ";")
		stat, _, _ = strings.Cut(stat, ":")
		m.answer = partStats[strings.TrimSpace(stat)]
		if m.answer != "" && strings.TrimSpace(m.Text) == "" {
			m.Text = "(Invitation " + m.answer + ": " + m.Subject + ")"
		}
		return
	}
}
