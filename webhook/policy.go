package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"outreach"
	"outreach/internal/netguard"
)

// saveResolveTimeout is how long CheckURL waits for DNS.
const saveResolveTimeout = 3 * time.Second

// maxURLBytes bounds a webhook URL; common servers refuse longer ones.
const maxURLBytes = 2048

// Resolver finds the addresses of a name. net.DefaultResolver is one. It must
// return soon after ctx ends.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Policy decides where webhooks may go. Saving a URL, the test button and every
// delivery ask the same Policy, which is safe for concurrent use.
type Policy struct {
	rules          netguard.Rules
	resolver       Resolver
	resolveTimeout time.Duration
}

// NewPolicy makes a policy that lets requests go to public addresses, to those
// in the networks that the operator opened, and to single endpoints, each at its
// port only. A nil resolver means net.DefaultResolver.
func NewPolicy(opened []netip.Prefix, resolver Resolver, endpoints ...netip.AddrPort) *Policy {
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &Policy{rules: netguard.New(opened, endpoints), resolver: resolver, resolveTimeout: saveResolveTimeout}
}

// CheckURL reports whether raw may be saved as a webhook URL. A refusal is an
// *outreach.Error of code url_not_allowed whose message names what is wrong and
// never an address that was found. A public name that does not resolve within
// three seconds is accepted, as its DNS may be set up next; each delivery
// asks again. Any other error means that ctx ended.
func (p *Policy) CheckURL(ctx context.Context, raw string) error {
	_, h, err := parseURL(raw)
	if err != nil {
		return err
	}
	lookup, cancel := context.WithTimeout(ctx, p.resolveTimeout)
	defer cancel()
	_, err = p.resolve(lookup, h)
	var refused *outreach.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return refused
	case ctx.Err() != nil:
		return fmt.Errorf("check webhook url: %w", ctx.Err())
	case h.local:
		return refuse("has a local or reserved host name")
	}
	return nil
}

// Control is a hook for net.Dialer that refuses, on the address really dialled,
// what this policy does not allow.
func (p *Policy) Control(network, address string, conn syscall.RawConn) error {
	return p.rules.Control(network, address, conn)
}

// resolve returns the addresses that h may be dialled at: all that it has, or
// none. An error that is no *outreach.Error is the resolver's.
func (p *Policy) resolve(ctx context.Context, h host) ([]netip.Addr, error) {
	addrs := []netip.Addr{h.addr}
	if !h.addr.IsValid() {
		found, err := p.resolver.LookupNetIP(ctx, "ip", h.query())
		if err != nil {
			return nil, fmt.Errorf("resolve webhook host: %w", err)
		}
		addrs = unmapped(found)
	}
	if len(addrs) == 0 {
		return nil, fmt.Errorf("resolve webhook host: %w", errNoAddress)
	}
	if err := p.judge(h, addrs); err != nil {
		return nil, err
	}
	return addrs, nil
}

var errNoAddress = errors.New("name has no address")

// judge applies the rule for sets: every address public, or every address
// opened. A mixture is what an attacker's DNS would answer.
func (p *Policy) judge(h host, addrs []netip.Addr) error {
	public, opened := !h.local, true
	for _, addr := range addrs {
		public = public && p.rules.IsPublic(addr)
		opened = opened && p.rules.IsOpened(netip.AddrPortFrom(addr, h.port))
	}
	switch {
	case public, opened:
		return nil
	case h.local:
		return refuse("has a local or reserved host name")
	case h.addr.IsValid():
		return refuse("has an address that is not public")
	}
	return refuse("has a host name that leads to an address that is not public")
}

// unmapped undoes the IPv4-mapped form in which Go's resolver returns A records.
func unmapped(addrs []netip.Addr) []netip.Addr {
	out := make([]netip.Addr, len(addrs))
	for i, addr := range addrs {
		out[i] = addr.Unmap()
	}
	return out
}

// parseURL applies every rule that needs no network. The URL it returns has the
// mapped host, so that nobody downstream maps it again, and no fragment.
func parseURL(raw string) (*url.URL, host, error) {
	if err := checkText(raw); err != nil {
		return nil, host{}, err
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, host{}, refuse("is not a valid URL")
	case u.Scheme != "https" || u.Opaque != "":
		return nil, host{}, refuse("must begin with https://")
	case u.User != nil:
		return nil, host{}, refuse("must not contain a user name or password")
	case u.Hostname() == "":
		return nil, host{}, refuse("needs a host")
	}
	port, written, err := parsePort(u)
	if err != nil {
		return nil, host{}, err
	}
	h, err := parseHost(u.Hostname(), strings.HasPrefix(u.Host, "["))
	if err != nil {
		return nil, host{}, err
	}
	h.port = port
	u.Host = h.String() + written
	u.Fragment, u.RawFragment = "", ""
	return u, h, nil
}

func checkText(raw string) error {
	if raw == "" || len(raw) > maxURLBytes {
		return refuse("must have 1 to %d bytes", maxURLBytes)
	}
	if !utf8.ValidString(raw) || strings.ContainsFunc(raw, unwanted) {
		return refuse("contains characters that no URL has")
	}
	return nil
}

// unwanted finds what parsers disagree about: white space, controls, and the
// backslash that browsers read as a slash.
func unwanted(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }

// parsePort returns the port, and how it is written: ":n" or, where the URL has
// none, nothing.
func parsePort(u *url.URL) (port uint16, written string, err error) {
	text := u.Port()
	if text == "" {
		if strings.HasSuffix(u.Host, ":") {
			return 0, "", refuse("has a colon but no port")
		}
		return 443, "", nil
	}
	number, err := strconv.ParseUint(text, 10, 16)
	if err != nil || text[0] == '0' {
		return 0, "", refuse("must have a port between 1 and 65535")
	}
	return uint16(number), ":" + text, nil
}

func refuse(format string, args ...any) *outreach.Error {
	return outreach.Errorf(outreach.CodeURLNotAllowed, "The webhook URL "+format+".", args...)
}
