package discover

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"outreach"
	"outreach/mail"
	"outreach/mail/resolve"
)

// The bounds of one search, because a user waits for it at a form.
const (
	searchLimit = 12 * time.Second
	tryLimit    = 5 * time.Second
	maxSRV      = 4 // servers of one service that are tried
)

// Finder finds mail servers.
type Finder struct {
	Resolver resolve.Resolver
	Network  mail.Network
}

// FindServers returns the servers of an address that is valid, within 12 seconds. It
// stores nothing; a process that dies meanwhile leaves nothing behind.
func (f Finder) FindServers(ctx context.Context, email string) outreach.FoundServers {
	ctx, cancel := context.WithTimeout(ctx, searchLimit)
	defer cancel()
	domain, lookup := outreach.EmailDomain(email), f.Resolver.Begin()
	exchangers := exchangersOf(ctx, lookup, domain)
	if p := providerOf(domain, exchangers); p != nil {
		return known(p)
	}
	found := outreach.FoundServers{Provider: outreach.ProviderCustom, Password: outreach.PasswordOfAccount, Tried: []outreach.TriedServer{}}
	var smtp, imap []outreach.TriedServer
	smtp = append(serviceOf(ctx, lookup, domain, submission), guesses(domain, exchangers, submission)...)
	imap = append(serviceOf(ctx, lookup, domain, reading), guesses(domain, exchangers, reading)...)
	var both sync.WaitGroup
	both.Go(func() { found.SMTP = f.first(ctx, smtp) })
	both.Go(func() { found.IMAP = f.first(ctx, imap) })
	both.Wait()
	found.Tried = append(append(found.Tried, smtp...), imap...)
	return found
}

// exchangersOf returns the hosts that take the mail of a domain, the preferred one first; none if
// the DNS does not answer.
func exchangersOf(ctx context.Context, lookup *resolve.Lookup, domain string) []string {
	records, err := lookup.MX(ctx, domain)
	if err != nil {
		return nil
	}
	slices.SortStableFunc(records, func(a, b resolve.MX) int { return cmp.Compare(a.Preference, b.Preference) })
	var hosts []string
	for _, mx := range records {
		if mx.Host != "" { // RFC 7505
			hosts = append(hosts, mx.Host)
		}
	}
	return hosts
}

// providerOf returns the known provider of a domain, or nil if there is none.
func providerOf(domain string, exchangers []string) *outreach.KnownProvider {
	if p := outreach.ProviderOfDomain(domain); p != nil {
		return p
	}
	for _, host := range exchangers {
		if p := outreach.ProviderOfMX(host); p != nil {
			return p
		}
	}
	return nil
}

func known(p *outreach.KnownProvider) outreach.FoundServers {
	found := outreach.FoundServers{Provider: p.Provider(), ProviderName: &p.Name, Password: p.Password, SMTP: new(p.SMTP), IMAP: new(p.IMAP)}
	found.Tried = []outreach.TriedServer{tried("smtp", p.SMTP, outreach.SourceProvider), tried("imap", p.IMAP, outreach.SourceProvider)}
	return found
}

func tried(protocol string, s outreach.MailServer, source outreach.ServerSource) outreach.TriedServer {
	return outreach.TriedServer{Protocol: protocol, Host: s.Host, Port: s.Port, Security: s.Security, Source: source}
}

// service is what a mail program needs, by its names in SRV records and its usual ones.
type service struct {
	protocol string
	srv      []srvName
	hosts    []string // before the domain
	ports    []port
}

type srvName struct {
	name     string
	security outreach.Security
}

type port struct {
	number   int
	security outreach.Security
}

var submission = service{
	protocol: "smtp",
	srv:      []srvName{{"_submissions._tcp.", outreach.SecurityTLS}, {"_submission._tcp.", outreach.SecurityStartTLS}},
	hosts:    []string{"smtp.", "mail.", ""},
	ports:    []port{{465, outreach.SecurityTLS}, {587, outreach.SecurityStartTLS}},
}

var reading = service{
	protocol: "imap",
	srv:      []srvName{{"_imaps._tcp.", outreach.SecurityTLS}, {"_imap._tcp.", outreach.SecurityStartTLS}},
	hosts:    []string{"imap.", "mail.", ""},
	ports:    []port{{993, outreach.SecurityTLS}, {143, outreach.SecurityStartTLS}},
}

// serviceOf returns the servers that SRV records name, TLS first, by priority. A service
// whose host is the root is not offered (RFC 2782).
func serviceOf(ctx context.Context, lookup *resolve.Lookup, domain string, s service) []outreach.TriedServer {
	var servers []outreach.TriedServer
	for _, name := range s.srv {
		records, err := lookup.SRV(ctx, name.name+domain)
		if err != nil {
			continue
		}
		slices.SortStableFunc(records, func(a, b resolve.SRV) int {
			return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(b.Weight, a.Weight))
		})
		for _, record := range records[:min(len(records), maxSRV)] {
			if record.Host != "" && record.Port > 0 {
				at := outreach.MailServer{Host: record.Host, Port: record.Port, Security: name.security}
				servers = append(servers, tried(s.protocol, at, outreach.SourceSRV))
			}
		}
	}
	return servers
}

// guesses returns the usual names of a service: under a domain, and the preferred host that takes its
// mail, because many hosters run everything on one machine.
func guesses(domain string, exchangers []string, s service) []outreach.TriedServer {
	var servers []outreach.TriedServer
	try := func(host string, p port) {
		at := outreach.MailServer{Host: host, Port: p.number, Security: p.security}
		if one := tried(s.protocol, at, outreach.SourceGuess); !slices.Contains(servers, one) {
			servers = append(servers, one)
		}
	}
	for _, p := range s.ports {
		for _, host := range s.hosts {
			try(host+domain, p)
		}
	}
	for _, host := range exchangers[:min(len(exchangers), 1)] {
		for _, p := range s.ports {
			try(host, p)
		}
	}
	return servers
}

// first tries all servers at once, notes why each cannot be used, and returns the first
// one that can. They are at most 16.
func (f Finder) first(ctx context.Context, servers []outreach.TriedServer) *outreach.MailServer {
	var all sync.WaitGroup
	for i := range servers {
		all.Go(func() { servers[i].Failure = f.try(ctx, servers[i]) })
	}
	all.Wait()
	for _, s := range servers {
		if s.Failure == nil {
			return &outreach.MailServer{Host: s.Host, Port: s.Port, Security: s.Security}
		}
	}
	return nil
}

// try connects to a server, secures the connection and waits for the greeting. It does
// not log in: the server has no user name.
func (f Finder) try(ctx context.Context, s outreach.TriedServer) *string {
	ctx, cancel := context.WithTimeout(ctx, tryLimit)
	defer cancel()
	network := f.Network
	network.Timeouts = mail.Timeouts{Connect: tryLimit, Command: tryLimit, Data: tryLimit, Answer: tryLimit}
	server := outreach.MailServer{Host: s.Host, Port: s.Port, Security: s.Security}
	if err := mail.Greet(ctx, s.Protocol, server, network); err != nil {
		return new(err.Error())
	}
	return nil
}
