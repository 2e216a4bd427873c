package outreach

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// KnownProvider is a company that runs mailboxes, with its public settings.
type KnownProvider struct {
	Name string
	// Domains are the domains of the addresses that the provider offers to the public.
	Domains []string
	// MXUnder are the domains of the mail exchangers of its customers.
	MXUnder []string
	SMTP    MailServer
	IMAP    MailServer
	// SPF lists the names by which a domain authorises the provider, the usual one first.
	SPF []string
	// Password is the kind of password that its servers accept.
	Password PasswordKind
}

// PasswordKind is a kind of password that mail servers accept.
type PasswordKind string

// The kinds of passwords.
const (
	PasswordOfAccount PasswordKind = "account"
	PasswordOfApp     PasswordKind = "app"  // created in the settings of the account
	PasswordNone      PasswordKind = "none" // tokens only
)

// Provider returns how mailboxes of the provider are connected.
func (p *KnownProvider) Provider() MailProvider {
	switch p.Name {
	case "Google":
		return ProviderGoogle
	case "Microsoft":
		return ProviderMicrosoft
	}
	return ProviderCustom
}

//go:embed mailproviders.txt
var knownProviderList string

// knownProviders returns the providers of mailproviders.txt.
var knownProviders = sync.OnceValue(func() []KnownProvider {
	var all []KnownProvider
	for line := range strings.Lines(knownProviderList) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "|")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		all = append(all, KnownProvider{
			Name: fields[0], Domains: strings.Fields(fields[1]), MXUnder: strings.Fields(fields[2]),
			SMTP: parseServer(fields[3]), IMAP: parseServer(fields[4]), SPF: strings.Fields(fields[5]), Password: PasswordKind(fields[6]),
		})
	}
	return all
})

// parseServer reads security://host:port.
func parseServer(text string) MailServer {
	security, address, _ := strings.Cut(text, "://")
	host, port, _ := strings.Cut(address, ":")
	number, _ := strconv.Atoi(port)
	return MailServer{Host: host, Port: number, Security: Security(security)}
}

// ProviderOfDomain returns the provider that offers addresses of a canonical domain to the public,
// nil if none is known.
func ProviderOfDomain(domain string) *KnownProvider {
	return findProvider(func(p *KnownProvider) bool { return slices.Contains(p.Domains, domain) })
}

// ProviderOfMX returns the provider that runs a mail exchanger, nil if none is known.
func ProviderOfMX(host string) *KnownProvider {
	above := DomainAndParents(CanonicalDomain(host))
	for _, domain := range above { // the longest suffix first
		if p := findProvider(func(p *KnownProvider) bool { return slices.Contains(p.MXUnder, domain) }); p != nil {
			return p
		}
	}
	return nil
}

// ProviderOfMailbox returns the provider that sends the mail of a mailbox, found by its kind and
// its SMTP server; nil if none is known.
func ProviderOfMailbox(kind MailProvider, smtpHost string) *KnownProvider {
	host := CanonicalDomain(smtpHost)
	return findProvider(func(p *KnownProvider) bool {
		return kind != ProviderCustom && p.Provider() == kind || p.SMTP.Host == host
	})
}

func findProvider(is func(*KnownProvider) bool) *KnownProvider {
	all := knownProviders()
	if i := slices.IndexFunc(all, func(p KnownProvider) bool { return is(&p) }); i >= 0 {
		return &all[i]
	}
	return nil
}
