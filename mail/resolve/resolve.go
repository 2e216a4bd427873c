package resolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// The bounds of one Lookup.
const (
	maxQuestions = 60  // asked of servers
	maxRecords   = 100 // of one type in one answer
	maxAliases   = 8   // CNAME records on the way to a name
	udpSize      = 1232
)

// ErrFault means that the DNS gave no usable answer: a server failed, refused, was late
// or sent something else. It says nothing about the name.
var ErrFault = errors.New("the DNS did not answer")

// Resolver configures the servers that are asked. The zero value asks those of the system.
type Resolver struct {
	// Servers are addresses with ports, such as 127.0.0.1:53, tried in order. When
	// empty, they are read from /etc/resolv.conf.
	Servers []string
	// Timeout bounds one question to one server; 2 seconds by default.
	Timeout time.Duration
}

// Lookup is one check. It remembers answers, and asks at most 60 questions. It is not
// safe for concurrent use.
type Lookup struct {
	servers []string
	timeout time.Duration
	left    int
	answers map[dns.Question]answer
}

type answer struct {
	records []dns.RR
	err     error
}

// Begin returns a Lookup without any answer.
func (r Resolver) Begin() *Lookup {
	servers := r.Servers
	if len(servers) == 0 {
		servers = SystemServers()
	}
	return &Lookup{
		servers: servers, timeout: cmp.Or(r.Timeout, 2*time.Second), left: maxQuestions,
		answers: map[dns.Question]answer{},
	}
}

// SystemServers returns the servers of the machine, none when it names none.
func SystemServers() []string {
	config, err := dns.ClientConfigFromFile("/etc/resolv.conf")
	if err != nil {
		return nil
	}
	servers := make([]string, 0, len(config.Servers))
	for _, server := range config.Servers {
		if addr, err := netip.ParseAddr(server); err == nil {
			servers = append(servers, netip.AddrPortFrom(addr, 53).String())
		}
	}
	return servers
}

// TXT returns the texts of a name, each joined from its parts (RFC 7208, section 3.3).
// A name that has none, or does not exist, gives no text and no error.
func (l *Lookup) TXT(ctx context.Context, name string) ([]string, error) {
	return collect(ctx, l, name, dns.TypeTXT, func(rr dns.RR) (string, bool) {
		txt, ok := rr.(*dns.TXT)
		if !ok {
			return "", false
		}
		return unescape(strings.Join(txt.Txt, "")), true
	})
}

// MX is one mail exchanger.
type MX struct {
	Preference int
	Host       string // without a final dot; empty for a null MX (RFC 7505)
}

// MX returns the mail exchangers of a name, in the order of the answer.
func (l *Lookup) MX(ctx context.Context, name string) ([]MX, error) {
	return collect(ctx, l, name, dns.TypeMX, func(rr dns.RR) (MX, bool) {
		mx, ok := rr.(*dns.MX)
		if !ok {
			return MX{}, false
		}
		return MX{Preference: int(mx.Preference), Host: hostOf(mx.Mx)}, true
	})
}

// SRV is one server of a service (RFC 2782).
type SRV struct {
	Priority, Weight, Port int
	Host                   string // without a final dot; empty when the service is not offered
}

// SRV returns the servers of a service, such as _imaps._tcp.example.com.
func (l *Lookup) SRV(ctx context.Context, name string) ([]SRV, error) {
	return collect(ctx, l, name, dns.TypeSRV, func(rr dns.RR) (SRV, bool) {
		srv, ok := rr.(*dns.SRV)
		if !ok {
			return SRV{}, false
		}
		return SRV{Priority: int(srv.Priority), Weight: int(srv.Weight), Port: int(srv.Port), Host: hostOf(srv.Target)}, true
	})
}

// HasAddress reports whether a name has an IPv4 or IPv6 address.
func (l *Lookup) HasAddress(ctx context.Context, name string) (bool, error) {
	found, err := l.HasIPv4(ctx, name)
	if err != nil || found {
		return found, err
	}
	return l.has(ctx, name, dns.TypeAAAA)
}

// HasIPv4 reports whether a name has an IPv4 address.
func (l *Lookup) HasIPv4(ctx context.Context, name string) (bool, error) {
	return l.has(ctx, name, dns.TypeA)
}

func (l *Lookup) has(ctx context.Context, name string, kind uint16) (bool, error) {
	found, err := collect(ctx, l, name, kind, func(rr dns.RR) (bool, bool) { return true, rr.Header().Rrtype == kind })
	return len(found) > 0, err
}

func hostOf(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// unescape returns the bytes of a text that the library shows with \" and \DDD.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var plain strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+3 < len(text) && isDigits(text[i+1:i+4]):
			c = (text[i+1]-'0')*100 + (text[i+2]-'0')*10 + (text[i+3] - '0')
			i += 3
		case c == '\\' && i+1 < len(text):
			i++
			c = text[i]
		}
		plain.WriteByte(c)
	}
	return plain.String()
}

func isDigits(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// collect returns the records of a name that read accepts. CNAME records of the same
// answer are followed.
func collect[T any](ctx context.Context, l *Lookup, name string, kind uint16, read func(dns.RR) (T, bool)) ([]T, error) {
	if _, ok := dns.IsDomainName(name); !ok || name == "" {
		return nil, nil // no such name can exist
	}
	records, err := l.ask(ctx, dns.Question{Name: dns.CanonicalName(name), Qtype: kind, Qclass: dns.ClassINET})
	if err != nil {
		return nil, err
	}
	owner, err := target(records, dns.CanonicalName(name))
	if err != nil {
		return nil, err
	}
	var found []T
	for _, rr := range records {
		if one, ok := read(rr); ok && dns.CanonicalName(rr.Header().Name) == owner {
			found = append(found, one)
		}
		if len(found) > maxRecords {
			return nil, fmt.Errorf("%w: %s has too many records", ErrFault, name)
		}
	}
	return found, nil
}

// target returns the name that an answer's CNAME records lead to.
func target(records []dns.RR, name string) (string, error) {
	for range maxAliases {
		next := ""
		for _, rr := range records {
			if alias, ok := rr.(*dns.CNAME); ok && dns.CanonicalName(alias.Hdr.Name) == name {
				next = dns.CanonicalName(alias.Target)
			}
		}
		if next == "" {
			return name, nil
		}
		name = next
	}
	return "", fmt.Errorf("%w: too many aliases", ErrFault)
}

// ask returns the answer to a question, from memory when it was asked before.
func (l *Lookup) ask(ctx context.Context, q dns.Question) ([]dns.RR, error) {
	if known, ok := l.answers[q]; ok {
		return known.records, known.err
	}
	records, err := l.exchange(ctx, q)
	l.answers[q] = answer{records, err}
	return records, err
}

func (l *Lookup) exchange(ctx context.Context, q dns.Question) ([]dns.RR, error) {
	if len(l.servers) == 0 {
		return nil, fmt.Errorf("%w: no server is known", ErrFault)
	}
	var err error
	for _, server := range l.servers {
		if l.left == 0 {
			return nil, fmt.Errorf("%w: too many questions", ErrFault)
		}
		l.left--
		var records []dns.RR
		if records, err = l.askServer(ctx, server, q); err == nil || ctx.Err() != nil {
			return records, err
		}
	}
	return nil, err
}

// askServer asks one server by UDP, and by TCP when the answer did not fit.
func (l *Lookup) askServer(ctx context.Context, server string, q dns.Question) ([]dns.RR, error) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	msg := new(dns.Msg)
	msg.SetQuestion(q.Name, q.Qtype)
	msg.SetEdns0(udpSize, false)
	var in *dns.Msg
	var err error
	for _, network := range []string{"udp", "tcp"} {
		client := dns.Client{Net: network, Timeout: l.timeout, UDPSize: udpSize}
		in, _, err = client.ExchangeContext(ctx, msg, server)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFault, err)
		}
		if !in.Truncated {
			break
		}
	}
	switch {
	case in.Truncated:
		return nil, fmt.Errorf("%w: the answer is cut", ErrFault)
	case !in.Response || len(in.Question) != 1 || !sameQuestion(in.Question[0], q):
		return nil, fmt.Errorf("%w: it answered another question", ErrFault)
	case in.Rcode != dns.RcodeSuccess && in.Rcode != dns.RcodeNameError:
		return nil, fmt.Errorf("%w: %s", ErrFault, dns.RcodeToString[in.Rcode])
	}
	return in.Answer, nil
}

func sameQuestion(a, b dns.Question) bool {
	return strings.EqualFold(a.Name, b.Name) && a.Qtype == b.Qtype && a.Qclass == b.Qclass
}
