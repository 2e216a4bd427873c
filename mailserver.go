package outreach

// Security says how a connection to a mail server is protected.
type Security string

// The three ways of talking to a mail server.
const (
	SecurityTLS      Security = "tls"      // TLS from the first byte
	SecurityStartTLS Security = "starttls" // plain greeting, TLS required before login
	SecurityNone     Security = "none"     // no TLS; for relays on a trusted network
)

// MailServer is the address and login of one SMTP or IMAP server. Password is
// held in the clear only in memory; storage seals it.
type MailServer struct {
	Host     string
	Port     int
	Username string
	Password string
	Security Security
}
