// Package netguard decides which addresses the service may connect to on behalf of its users:
// public ones, and those that the operator opened. It checks the address that is dialled, after
// name resolution. It must not know what a connection is for.
package netguard

import (
	"errors"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"
)

// ErrNotAllowed is the error for every refused address. It does not contain the address, which may
// be an internal one.
var ErrNotAllowed = errors.New("address not allowed")

// azureHost is a public address at which every Azure machine reaches its host's metadata and
// control endpoints.
var azureHost = netip.MustParsePrefix("168.63.129.16/32")

// Translation prefixes contain an IPv4 address in an IPv6 one, which a router translates: they are
// never allowed, not even if opened. RFC 6052, RFC 8215, RFC 2765 section 2.1. isPlain does the
// same for the mapped form of RFC 4291 section 2.5.5.2.
var translated = []netip.Prefix{
	netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"),
	netip.MustParsePrefix("::ffff:0:0:0/96"),
}

// Rules decides about single addresses. The zero value is not usable.
type Rules struct {
	opened    []netip.Prefix
	endpoints []netip.AddrPort
	guardian  *ssrf.Guardian
}

// New returns rules that allow public addresses, the opened networks, and single
// endpoints at their port.
func New(opened []netip.Prefix, endpoints []netip.AddrPort) Rules {
	return Rules{opened: opened, endpoints: endpoints, guardian: ssrf.New(
		ssrf.WithAnyPort(),
		ssrf.WithDeniedV4Prefixes(azureHost),
	)}
}

// Allows reports whether a connection to target may be opened.
func (r Rules) Allows(target netip.AddrPort) bool {
	return r.IsPublic(target.Addr()) || r.IsOpened(target)
}

// IsPublic reports whether addr is a public address. Opened networks do not count.
func (r Rules) IsPublic(addr netip.Addr) bool {
	return isPlain(addr) && !isISATAP(addr) && r.guardian.SafeAddr(addr) == nil
}

// IsOpened reports whether the network of target, or this endpoint, was opened.
func (r Rules) IsOpened(target netip.AddrPort) bool {
	addr := target.Addr()
	if !isPlain(addr) {
		return false
	}
	holds := func(network netip.Prefix) bool { return network.Contains(addr) }
	return slices.ContainsFunc(r.opened, holds) || slices.Contains(r.endpoints, target)
}

// Control is a hook for net.Dialer, called before the first packet is sent, with the dialled
// address. It returns ErrNotAllowed if Allows reports false.
func (r Rules) Control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return ErrNotAllowed
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil || !r.Allows(target) {
		return ErrNotAllowed
	}
	return nil
}

// isPlain reports whether an address does not contain another one.
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
