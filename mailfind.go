package outreach

// FoundServers are the mail servers that were found for an address.
type FoundServers struct {
	// Provider is how the mailbox is best connected.
	Provider MailProvider
	// ProviderName is the name of a known provider, nil when it is not one.
	ProviderName *string
	// Password is which password the servers accept.
	Password PasswordKind
	SMTP     *MailServer // nil when none was found
	IMAP     *MailServer
	// Tried are the servers that were tried, in order, with what came of it.
	Tried []TriedServer
}

// TriedServer is one server that was looked for.
type TriedServer struct {
	Protocol string // smtp or imap
	Host     string
	Port     int
	Security Security
	Source   ServerSource
	// Failure is why it cannot be used, nil when it answered. A server of a known
	// provider is not asked.
	Failure *string
}

// ServerSource says where the name of a server comes from.
type ServerSource string

// The sources of servers.
const (
	SourceProvider ServerSource = "provider" // the table of known providers
	SourceSRV      ServerSource = "srv"      // RFC 6186
	SourceGuess    ServerSource = "guess"    // a usual name under the domain
)
