package engine

import (
	"strings"

	"outreach/mail"
)

// setUpFault is a refusal that concerns the connection or the sender, although the server returns
// it at RCPT: many servers check everything there.
type setUpFault struct {
	phrase string // of the server's answer, in lower case
	advice string // for the owner of the mailbox
}

// setUpFaults holds the phrases of Postfix, Exchange, Exim and sendmail.
var setUpFaults = []setUpFault{
	{"helo command rejected", adviceHello},
	{"ehlo command rejected", adviceHello},
	{"invalid helo", adviceHello},
	{"bad helo", adviceHello},
	{"sender address rejected", adviceSender},
	{"not owned by user", adviceSender},
	{"not permitted to send as", adviceSender},
	{"client host rejected", adviceClient},
	{"client was not authenticated", adviceLogin},
	{"authentication required", adviceLogin},
	{"authentication is required", adviceLogin},
	{"must authenticate", adviceLogin},
	{"relay access denied", adviceRelay},
	{"relaying denied", adviceRelay},
	{"relay not permitted", adviceRelay},
	{"unable to relay", adviceRelay},
	{"must issue a starttls", adviceTLS},
}

const (
	adviceHello  = "the server does not accept the name in EHLO; the operator sets it by OUTREACH_MAIL_HELLO"
	adviceSender = "the server does not let this login send from the address of the mailbox"
	adviceClient = "the server does not accept mail from the address of this service"
	adviceLogin  = "the server requires a login; check user name and password"
	adviceRelay  = "the server does not send mail to others for this login; check the SMTP host and the login"
	adviceTLS    = "the server requires encryption; choose STARTTLS"
)

// adviceFor returns a text for the owner of the mailbox if a final refusal concerns the set-up of
// the mailbox, and "" otherwise.
func adviceFor(o mail.Outcome) string {
	text := strings.ToLower(o.Text)
	for _, fault := range setUpFaults {
		if strings.Contains(text, fault.phrase) {
			return fault.advice
		}
	}
	switch o.Code {
	case 530, 534, 535, 538: // RFC 4954, section 6
		return adviceLogin
	}
	return ""
}
