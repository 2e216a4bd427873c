package outreach

import "strings"

// Security says how a connection to a mail server is protected.
type Security string

// The kinds of protection.
const (
	SecurityTLS      Security = "tls"      // TLS from the first byte
	SecurityStartTLS Security = "starttls" // plain greeting, TLS required before login
	SecurityNone     Security = "none"     // no TLS; for relays on a trusted network
)

// MailServer is the address and login of one SMTP or IMAP server. The password is
// plain text in memory only; storage seals it.
type MailServer struct {
	Host     string
	Port     int
	Username string
	Password string
	Security Security
}

func (s *MailServer) validate(faults *Faults, at Path) {
	if *s == (MailServer{}) {
		faults.Add(at, FieldRequired, "%s is required.", at.name())
	}
	s.validateText(faults, at.Join("host"), s.Host)
	if s.Port == 0 {
		faults.Add(at.Join("port"), FieldRequired, "port is required.")
	} else {
		validateRange(faults, at.Join("port"), s.Port, 1, 65535)
	}
	s.validateText(faults, at.Join("username"), s.Username)
	s.validateText(faults, at.Join("password"), s.Password)
	switch s.Security {
	case SecurityTLS, SecurityStartTLS, SecurityNone:
	default:
		faults.Add(at.Join("security"), FieldRequired, "security must be tls, starttls or none.")
	}
}

func (s *MailServer) validateText(faults *Faults, path Path, text string) {
	require(faults, path, text)
	ValidateText(faults, path, &text, MaxText)
	if strings.ContainsAny(text, "\r\n") {
		faults.Add(path, FieldInvalid, "%s must not contain a line break.", path.name())
	}
}
