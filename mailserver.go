package outreach

import "strings"

// Security is how a connection to a mail server is protected.
type Security string

// The kinds of protection.
const (
	SecurityTLS      Security = "tls"      // TLS from the first byte
	SecurityStartTLS Security = "starttls" // plain greeting, TLS required before login
	SecurityNone     Security = "none"     // no TLS; for relays on a trusted network
)

// MailServer is the address and login of one SMTP or IMAP server. The password is
// plain text in memory only; storage seals it. With a token the login is by OAuth
// 2.0, and the password is not used.
type MailServer struct {
	Host     string
	Port     int
	Username string
	Password string
	Token    string // an access token; never stored here
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

// SendsPasswordElsewhere reports whether the password that was stored for before would go to
// another server or account, or over a less protected connection.
func (s MailServer) SendsPasswordElsewhere(before MailServer) bool {
	return s.Host != before.Host || s.Port != before.Port || s.Username != before.Username ||
		s.Security.strength() < before.Security.strength()
}

// strength orders the ways of protecting a connection. STARTTLS is weaker than TLS
// because its greeting can be tampered with.
func (s Security) strength() int {
	switch s {
	case SecurityTLS:
		return 2
	case SecurityStartTLS:
		return 1
	}
	return 0
}
