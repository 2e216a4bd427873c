package outreach

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// MailboxStatus is the state of a connected mailbox.
type MailboxStatus string

// The states of a mailbox.
const (
	MailboxConnected MailboxStatus = "connected"
	MailboxError     MailboxStatus = "error"
	MailboxPaused    MailboxStatus = "paused"
)

// Mailbox is an account that sends steps and is read for replies and bounces.
type Mailbox struct {
	ID            uuid.UUID
	WorkspaceID   uuid.UUID
	Email         string
	DisplayName   *string
	SMTP          MailServer
	IMAP          MailServer
	DailyLimit    int
	MinGapSeconds int
	SignatureHTML *string
	Status        MailboxStatus
	LastError     *string
	SentToday     int
	LastCheckedAt *time.Time
	CreatedAt     time.Time
}

// NewMailbox has the defaults of the contract (section 4).
func NewMailbox() Mailbox {
	return Mailbox{DailyLimit: 50, MinGapSeconds: 60, Status: MailboxConnected}
}

// Normalize trims texts and turns empty ones into absent ones.
func (m *Mailbox) Normalize() {
	m.Email = strings.TrimSpace(m.Email)
	m.DisplayName = trimmed(m.DisplayName)
	m.SignatureHTML = trimmed(m.SignatureHTML)
	m.SMTP.Host = strings.TrimSpace(m.SMTP.Host)
	m.IMAP.Host = strings.TrimSpace(m.IMAP.Host)
}

// Validate names every field that a mailbox cannot have.
func (m *Mailbox) Validate() error {
	var faults Faults
	ValidateEmail(&faults, "/email", m.Email)
	ValidateText(&faults, "/display_name", m.DisplayName, MaxText)
	ValidateText(&faults, "/signature_html", m.SignatureHTML, MaxBody)
	m.SMTP.validate(&faults, "/smtp")
	m.IMAP.validate(&faults, "/imap")
	if m.DailyLimit < 0 || m.DailyLimit > 1_000_000 {
		faults.Add("/daily_limit", FieldInvalid, "daily_limit is 0 to 1000000.")
	}
	if m.MinGapSeconds < 0 || m.MinGapSeconds > 86_400 {
		faults.Add("/min_gap_seconds", FieldInvalid, "min_gap_seconds is 0 to 86400.")
	}
	return faults.Err()
}

func (s *MailServer) validate(faults *Faults, at string) {
	if *s == (MailServer{}) {
		faults.Add(at, FieldRequired, "%s is required.", at[1:])
	}
	if s.Host == "" {
		faults.Add(at+"/host", FieldRequired, "host is required.")
	}
	switch {
	case s.Port == 0:
		faults.Add(at+"/port", FieldRequired, "port is required.")
	case s.Port < 1 || s.Port > 65535:
		faults.Add(at+"/port", FieldInvalid, "port is 1 to 65535.")
	}
	if s.Username == "" {
		faults.Add(at+"/username", FieldRequired, "username is required.")
	}
	if s.Password == "" {
		faults.Add(at+"/password", FieldRequired, "password is required.")
	}
	switch s.Security {
	case SecurityTLS, SecurityStartTLS, SecurityNone:
	default:
		faults.Add(at+"/security", FieldRequired, "security is tls, starttls or none.")
	}
	for pointer, text := range map[string]string{"/host": s.Host, "/username": s.Username, "/password": s.Password} {
		ValidateText(faults, at+pointer, &text, MaxText)
		if strings.ContainsAny(text, "\r\n") {
			faults.Add(at+pointer, FieldInvalid, "A line break cannot stand here.")
		}
	}
}
