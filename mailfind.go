package outreach

// FoundServers is the result of looking for the mail servers of an address.
type FoundServers struct {
	// Provider is the provider to connect the mailbox with.
	Provider MailProvider
	// ProviderName is the name of a known provider, nil when it is not one.
	ProviderName *string
	// Password is the kind of password that the servers accept.
	Password PasswordKind
	SMTP     *MailServer // nil when none was found
	IMAP     *MailServer
	// Tried lists the servers that were tried, in order, with their results.
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

// ServerSource is where the name of a server comes from.
type ServerSource string

// The sources of servers.
const (
	SourceProvider ServerSource = "provider" // the table of known providers
	SourceSRV      ServerSource = "srv"      // RFC 6186
	SourceGuess    ServerSource = "guess"    // a usual name under the domain
)
