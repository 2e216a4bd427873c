package main

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// behindProxies replaces the address of a trusted proxy by the visitor's. Each proxy appends its
// caller to X-Forwarded-For, so the list is read from its end, as long as the writer of an entry
// is trusted. Entries that the visitor wrote are ignored.
func behindProxies(trusted networks, next http.Handler) http.Handler {
	if len(trusted) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if visitor, ok := trusted.visitor(r); ok {
			r.RemoteAddr = net.JoinHostPort(visitor.String(), "0")
		}
		next.ServeHTTP(w, r)
	})
}

func (n networks) visitor(r *http.Request) (netip.Addr, bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !n.contains(peer.Addr()) {
		return netip.Addr{}, false
	}
	last, found := netip.Addr{}, false
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		address, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		last, found = address.Unmap(), true
		if !n.contains(last) {
			break
		}
	}
	return last, found
}

func (n networks) contains(address netip.Addr) bool {
	return slices.ContainsFunc(n, func(prefix netip.Prefix) bool { return prefix.Contains(address.Unmap()) })
}
