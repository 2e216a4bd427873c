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

// maxURLBytes limits a webhook URL; common servers refuse longer ones.
const maxURLBytes = 2048

// Resolver finds the addresses of a name. net.DefaultResolver is one. It must
// return soon after ctx ends.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Policy decides where webhooks may go. Saving a URL, test events and every delivery use the same
// Policy, which is safe for concurrent use.
type Policy struct {
	rules          netguard.Rules
	resolver       Resolver
	resolveTimeout time.Duration
}

// NewPolicy returns a policy that allows public addresses, addresses in the networks that the
// operator opened, and single endpoints at their port. A nil resolver means net.DefaultResolver.
func NewPolicy(opened []netip.Prefix, resolver Resolver, endpoints ...netip.AddrPort) *Policy {
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &Policy{rules: netguard.New(opened, endpoints), resolver: resolver, resolveTimeout: saveResolveTimeout}
}

// CheckURL returns an error unless raw may be saved as a webhook URL. A refusal is an
// *outreach.Error with the code url_not_allowed whose message names the problem but no address. A
// public name that does not resolve within three seconds is accepted, because its DNS may be set
// up later; each delivery checks again. Any other error means that ctx ended.
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

// Control is a hook for net.Dialer. It returns an error if this policy does not allow the dialled
// address.
func (p *Policy) Control(network, address string, conn syscall.RawConn) error {
	return p.rules.Control(network, address, conn)
}

// resolve returns all addresses of h if they may be dialled, else an error. An error that is not
// an *outreach.Error is the resolver's.
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

var errNoAddress = errors.New("the name has no address")

// judge returns an error unless all addresses are public or all are in opened networks. An
// attacker's DNS may return a mixture.
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

// unmapped converts the IPv4-mapped addresses that Go's resolver returns for A records.
func unmapped(addrs []netip.Addr) []netip.Addr {
	out := make([]netip.Addr, len(addrs))
	for i, addr := range addrs {
		out[i] = addr.Unmap()
	}
	return out
}

// parseURL checks every rule that needs no network. It returns a URL with the mapped host, so that
// no caller maps it again, and without a fragment.
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
		return nil, host{}, refuse("must have a host")
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
		return refuse("contains characters that are not allowed in a URL")
	}
	return nil
}

// unwanted reports whether parsers disagree about a character: white space, controls, and the
// backslash that browsers read as a slash.
func unwanted(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }

// parsePort returns the port, and its text in the URL: ":n" or nothing.
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
