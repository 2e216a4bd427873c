package outreach

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"
)

// MailboxStatus is the state of a connected mailbox.
type MailboxStatus string

// The states of a mailbox.
const (
	MailboxConnected MailboxStatus = "connected"
	MailboxError     MailboxStatus = "error"
	MailboxPaused    MailboxStatus = "paused"
)

// Known reports whether this program knows the state. A newer one may have added others.
func (s MailboxStatus) Known() bool {
	return s == MailboxConnected || s == MailboxError || s == MailboxPaused
}

// Mailbox is a connected e-mail account that sends steps and receives replies.
type Mailbox struct {
	ID            uuid.UUID
	WorkspaceID   uuid.UUID
	Email         string
	DisplayName   *string
	Provider      MailProvider
	Auth          MailAuth
	SMTP          MailServer
	IMAP          MailServer
	DailyLimit    int
	MinGapSeconds int
	RampUp        *RampUp // nil: DailyLimit from the first day on
	SignatureHTML *string
	// Folders are the names of the folders that are read; nil: the usual ones.
	Folders   []string
	Status    MailboxStatus
	LastError *string
	// SMTPDeferredSince and IMAPDeferredSince are since when a server asks to come back later,
	// whatever is tried; nil if it does not.
	SMTPDeferredSince, IMAPDeferredSince *time.Time
	// RecipientDeferral is set while the SMTP server defers every message after its recipient.
	RecipientDeferral *RecipientDeferral
	// AuthError is why the provider refuses the service, nil while it does not.
	AuthError     *string
	SentToday     int
	LimitToday    int        // LimitOn now
	SendingDays   int        // UTC days on which it has sent steps
	SentOn        *time.Time // the last of them
	LastCheckedAt *time.Time
	CreatedAt     time.Time
}

// DeferralAllowed is how long a server may ask to come back later before the mailbox is in error
// (docs/reference.md#servers-that-defer).
const DeferralAllowed = 30 * time.Minute

// DeferredTooLong reports whether a server that has asked to come back later since then has done so
// for longer than DeferralAllowed.
func DeferredTooLong(since *time.Time, now time.Time) bool {
	return since != nil && now.Sub(*since) >= DeferralAllowed
}

// NewMailbox returns a mailbox with the defaults of the API.
func NewMailbox() Mailbox {
	return Mailbox{DailyLimit: 50, MinGapSeconds: 60, Status: MailboxConnected, Provider: ProviderCustom, Auth: AuthPassword}
}

// Normalize trims texts and sets empty ones to nil.
func (m *Mailbox) Normalize() {
	m.Email = strings.TrimSpace(m.Email)
	m.DisplayName = trimmed(m.DisplayName)
	m.SignatureHTML = trimmed(m.SignatureHTML)
	m.SMTP.Host = strings.TrimSpace(m.SMTP.Host)
	m.IMAP.Host = strings.TrimSpace(m.IMAP.Host)
	m.Folders = foldersOnce(m.Folders)
}

// foldersOnce trims the names of folders and keeps each once, in order. Nil, and a list that is too
// long, stay.
func foldersOnce(names []string) []string {
	if names == nil || len(names) > maxFolders {
		return names
	}
	once, before := []string{}, map[string]bool{}
	for _, name := range names {
		name = norm.NFC.String(strings.TrimSpace(name))
		if strings.EqualFold(name, "INBOX") { // RFC 9051, 5.1
			name = "INBOX"
		}
		if name == "" || !before[name] {
			once = append(once, name)
		}
		before[name] = true
	}
	return once
}

// The limits of a mailbox.
const (
	maxFolders    = 20
	maxFolderName = 255
	maxDailyLimit = 1_000_000
	maxGapSeconds = 86_400
)

// Validate returns an error that lists every invalid field, nil if there is none.
func (m *Mailbox) Validate() error {
	var faults Faults
	ValidateEmail(&faults, At("email"), m.Email)
	ValidateText(&faults, At("display_name"), m.DisplayName, MaxText)
	m.validateAuth(&faults)
	if !m.Auth.UsesTokens() {
		m.SMTP.validate(&faults, At("smtp"))
		m.IMAP.validate(&faults, At("imap"))
	}
	validateRange(&faults, At("daily_limit"), m.DailyLimit, 0, maxDailyLimit)
	validateRange(&faults, At("min_gap_seconds"), m.MinGapSeconds, 0, maxGapSeconds)
	if m.RampUp != nil {
		validateRange(&faults, At("ramp_up", "start"), m.RampUp.Start, 1, maxDailyLimit)
		validateRange(&faults, At("ramp_up", "increase"), m.RampUp.Increase, 1, maxDailyLimit)
	}
	ValidateText(&faults, At("signature_html"), m.SignatureHTML, MaxBody)
	m.validateFolders(&faults)
	return faults.Err()
}

func (m *Mailbox) validateFolders(faults *Faults) {
	at := At("folders")
	if m.Folders != nil && len(m.Folders) == 0 {
		faults.Add(at, FieldInvalid, "folders must name at least one folder, or be null for the usual ones.")
	}
	if len(m.Folders) > maxFolders {
		faults.Add(at, FieldTooLong, "folders must have at most %d elements.", maxFolders)
		return
	}
	for i, name := range m.Folders {
		switch {
		case name == "":
			faults.Add(at.Index(i), FieldInvalid, "folders must not have an empty name.")
		case strings.ContainsFunc(name, unicode.IsControl):
			faults.Add(at.Index(i), FieldInvalid, "folders must not have control characters.")
		case utf8.RuneCountInString(name) > maxFolderName:
			faults.Add(at.Index(i), FieldTooLong, "The name of a folder must have at most %d characters.", maxFolderName)
		}
	}
}

// validateAuth checks which provider offers which way to log in.
func (m *Mailbox) validateAuth(faults *Faults) {
	switch {
	case m.Auth == AuthOAuth2 && m.Provider == ProviderCustom:
		faults.Add(At("auth"), FieldInvalid, "auth must be password unless provider is google or microsoft.")
	case m.Auth == AuthOAuth2App && m.Provider != ProviderMicrosoft:
		faults.Add(At("auth"), FieldInvalid, "auth can be oauth2_app only if provider is microsoft.")
	}
}

// UseServers sets the servers of the mailbox's provider if no others were given. A mailbox that
// logs in with tokens always uses them. The user name is the address.
func (m *Mailbox) UseServers(p ProviderServers) {
	if m.Auth.UsesTokens() {
		m.SMTP, m.IMAP = MailServer{}, MailServer{}
	}
	if m.IMAP.Password == "" && m.IMAP.Host == "" {
		m.IMAP.Password = m.SMTP.Password
	}
	for _, s := range []struct {
		given *MailServer
		of    MailServer
	}{{&m.SMTP, p.SMTP}, {&m.IMAP, p.IMAP}} {
		if s.given.Host == "" {
			s.given.Host, s.given.Port, s.given.Security = s.of.Host, s.of.Port, s.of.Security
		}
		if s.given.Username == "" {
			s.given.Username = m.Email
		}
	}
}

// ProviderServers are the servers of a provider.
type ProviderServers struct{ SMTP, IMAP MailServer }

// MailboxRef identifies one mailbox.
type MailboxRef struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
}

// Ref returns the reference of the mailbox.
func (m *Mailbox) Ref() MailboxRef { return MailboxRef{m.WorkspaceID, m.ID} }

// Workspace returns the workspace of the mailbox.
func (m MailboxRef) Workspace() uuid.UUID { return m.WorkspaceID }

// ReadRequest asks for mailboxes to read: at most Limit of those that are due. Holder gets a lease
// of each, and reads at most Share mailboxes of one workspace at a time. A leased mailbox is due again
// after Every, an idle one after IdleReadInterval.
type ReadRequest struct {
	Holder       string
	Limit, Share int
	Every        time.Duration
}

// IdleReadInterval is how often an idle mailbox is read, besides when its server announces mail.
const IdleReadInterval = 15 * time.Minute

// idleDays is for how many days after its connection and its last message a mailbox is not idle.
const idleDays = 30

// IdleSince returns the time before which an idle mailbox was connected and sent its last message.
func IdleSince(now time.Time) time.Time { return now.AddDate(0, 0, -idleDays) }
