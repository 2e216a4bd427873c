package webhook

import (
	"errors"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// errAddressNotAllowed is the one thing said about a refused address: which
// address it was stays inside.
var errAddressNotAllowed = errors.New("address not allowed")

// azureHost is a public-looking address behind which every Azure machine finds
// its host's metadata and control endpoints.
var azureHost = netip.MustParsePrefix("168.63.129.16/32")

// Translation prefixes hide an IPv4 address in an IPv6 one and leave the
// decision about it to a router: they are never allowed, not even when opened.
// RFC 6052, RFC 8215, RFC 2765 section 2.1. The mapped form of RFC 4291 section
// 2.5.5.2 is treated alike by isPlain.
var translated = []netip.Prefix{
	netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("::ffff:0:0:0/96"),
}

// addressRules judges single addresses. Its zero value is not ready.
type addressRules struct {
	opened    []netip.Prefix
	endpoints []netip.AddrPort
	guardian  *ssrf.Guardian
}

func newAddressRules(opened []netip.Prefix, endpoints []netip.AddrPort) addressRules {
	return addressRules{opened: opened, endpoints: endpoints, guardian: ssrf.New(
		ssrf.WithAnyPort(),
		ssrf.WithDeniedV4Prefixes(azureHost),
	)}
}

// allows says whether a connection to target may be opened.
func (r addressRules) allows(target netip.AddrPort) bool {
	return r.isPublic(target.Addr()) || r.isOpened(target)
}

// isPublic says whether addr is one of the internet, whatever the operator opened.
func (r addressRules) isPublic(addr netip.Addr) bool {
	return isPlain(addr) && !isISATAP(addr) && r.guardian.SafeAddr(addr) == nil
}

// isOpened says whether the network of target was opened, or just this endpoint.
func (r addressRules) isOpened(target netip.AddrPort) bool {
	addr := target.Addr()
	if !isPlain(addr) {
		return false
	}
	holds := func(network netip.Prefix) bool { return network.Contains(addr) }
	return slices.ContainsFunc(r.opened, holds) || slices.Contains(r.endpoints, target)
}

// control is a net.Dialer hook (Control): the kernel's last question before the
// first packet leaves, asked with the address really dialled.
func (r addressRules) control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return errAddressNotAllowed
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil || !r.allows(target) {
		return errAddressNotAllowed
	}
	return nil
}

// isPlain is false for an address that stands for something else than itself.
func isPlain(addr netip.Addr) bool {
	if !addr.IsValid() || addr.Zone() != "" || addr.Is4In6() {
		return false
	}
	for _, prefix := range translated {
		if prefix.Contains(addr) {
			return false
		}
	}
	return true
}

// isISATAP recognises the interface identifier of RFC 5214 section 6.1, which
// tunnels to an IPv4 address under any prefix.
func isISATAP(addr netip.Addr) bool {
	if !addr.Is6() {
		return false
	}
	b := addr.As16()
	return b[8]&^0x03 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
