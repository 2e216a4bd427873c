package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/miekg/dns"
)

// NameServer is a DNS server on loopback, by UDP and TCP. It answers for names with records and for
// all names under test, and refuses the others. For names under these domains it answers like a
// broken server:
//
//	servfail.test  with SERVFAIL
//	late.test      never
//	cut.test       cut off, by TCP too
//	large.test     cut off by UDP, and whole by TCP
//	other.test     about another name
//	loop.test      with aliases that lead to each other
//	garbage.test   with bytes that are not a message
type NameServer struct {
	addr    string
	servers []*dns.Server
	asked   atomic.Int64
	mu      sync.RWMutex
	records map[dns.Question][]dns.RR
	names   map[string]bool
}

// SandboxZone holds the records of the domains of the sandbox's mailboxes.
const SandboxZone = `
sandbox.test. 60 IN MX 10 mail.sandbox.test.
sandbox.test. 60 IN TXT "v=spf1 include:_spf.google.com include:spf.protection.outlook.com ip4:127.0.0.1 -all"
_spf.google.com. 60 IN TXT "v=spf1 ip4:127.0.0.1 ~all"
spf.protection.outlook.com. 60 IN TXT "v=spf1 ip4:127.0.0.1 -all"
_dmarc.sandbox.test. 60 IN TXT "v=DMARC1; p=none; rua=mailto:dmarc@sandbox.test"
mail.sandbox.test. 60 IN A 127.0.0.1
`

// StartNameServer starts a server with the records of a zone, one a line.
func StartNameServer(zone string) (*NameServer, error) {
	s := &NameServer{records: map[dns.Question][]dns.RR{}, names: map[string]bool{}}
	if err := s.Add(zone); err != nil {
		return nil, err
	}
	var config net.ListenConfig
	// Both ports must have the same number. A port that is free for TCP may be in use for UDP.
	for range 20 {
		listener, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("listen for DNS: %w", err)
		}
		packets, err := config.ListenPacket(context.Background(), "udp", listener.Addr().String())
		if err != nil {
			_ = listener.Close()
			continue
		}
		s.addr = listener.Addr().String()
		s.serve(listener, packets)
		return s, nil
	}
	return nil, errors.New("listen for DNS: no port is free for both TCP and UDP")
}

func (s *NameServer) serve(listener net.Listener, packets net.PacketConn) {
	handler := dns.HandlerFunc(s.answer)
	var started sync.WaitGroup
	for _, server := range []*dns.Server{{Listener: listener, Handler: handler}, {PacketConn: packets, Handler: handler}} {
		started.Add(1)
		server.NotifyStartedFunc = started.Done
		s.servers = append(s.servers, server)
		go func() { _ = server.ActivateAndServe() }() // it ends with Close
	}
	started.Wait()
}

// Addr returns the address with the port.
func (s *NameServer) Addr() string { return s.addr }

// Asked returns the number of questions.
func (s *NameServer) Asked() int { return int(s.asked.Load()) }

// Add adds records, one a line, as zone files have them.
func (s *NameServer) Add(zone string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(zone) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		rr, err := dns.NewRR(strings.TrimSpace(line))
		if err != nil {
			return fmt.Errorf("read record: %w", err)
		}
		h := rr.Header()
		q := dns.Question{Name: dns.CanonicalName(h.Name), Qtype: h.Rrtype, Qclass: dns.ClassINET}
		s.records[q] = append(s.records[q], rr)
		s.names[q.Name] = true
	}
	return nil
}

// Remove removes all records of a name.
func (s *NameServer) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name = dns.CanonicalName(name)
	for q := range s.records {
		if q.Name == name {
			delete(s.records, q)
		}
	}
	delete(s.names, name)
}

// Close stops the server.
func (s *NameServer) Close() error {
	var all error
	for _, server := range s.servers {
		all = errors.Join(all, server.Shutdown())
	}
	return all
}

func (s *NameServer) answer(w dns.ResponseWriter, in *dns.Msg) {
	s.asked.Add(1)
	q := in.Question[0]
	q.Name = dns.CanonicalName(q.Name)
	out := new(dns.Msg)
	out.SetReply(in)
	out.RecursionAvailable = true
	switch under := func(domain string) bool { return dns.IsSubDomain(domain, q.Name) }; {
	case !under("test.") && !s.knows(q.Name):
		out.Rcode = dns.RcodeRefused
	case under("servfail.test."):
		out.Rcode = dns.RcodeServerFailure
	case under("late.test."):
		return
	case under("cut.test."):
		out.Truncated = true
	case under("garbage.test."):
		_, _ = w.Write([]byte("this is not a DNS message"))
		return
	case under("other.test."):
		out.Question[0].Name = "elsewhere.test."
	case under("loop.test."):
		out.Answer = []dns.RR{alias(q.Name, "b."+q.Name), alias("b."+q.Name, q.Name)}
	case under("large.test.") && w.RemoteAddr().Network() == "udp":
		out.Truncated = true
	default:
		s.look(q, out)
	}
	_ = w.WriteMsg(out) // the client may have closed the connection
}

func (s *NameServer) knows(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.names[name]
}

func (s *NameServer) look(q dns.Question, out *dns.Msg) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for range 8 {
		if found := s.records[q]; len(found) > 0 {
			out.Answer = append(out.Answer, found...)
			return
		}
		aliases := s.records[dns.Question{Name: q.Name, Qtype: dns.TypeCNAME, Qclass: dns.ClassINET}]
		if len(aliases) == 0 {
			break
		}
		out.Answer = append(out.Answer, aliases...)
		q.Name = dns.CanonicalName(aliases[0].(*dns.CNAME).Target)
	}
	if !s.names[q.Name] {
		out.Rcode = dns.RcodeNameError
	}
}

func alias(name, target string) dns.RR {
	return &dns.CNAME{Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeCNAME, Class: dns.ClassINET, Ttl: 60}, Target: target}
}
