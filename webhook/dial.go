package webhook

import (
	"context"
	"net"
	"net/netip"
	"time"

	"outreach/internal/netguard"
)

// maxAddresses is how many addresses of a name are tried; all of them are checked.
const maxAddresses = 8

// fallbackDelay is the head start of an address before the next one is tried in parallel, after
// RFC 8305 section 5.
const fallbackDelay = 250 * time.Millisecond

type pinnedKey struct{}

// withPinned stores the checked addresses for the dialer.
func withPinned(ctx context.Context, addrs []netip.Addr) context.Context {
	return context.WithValue(ctx, pinnedKey{}, addrs)
}

// guardedDialer dials the addresses that the policy checked for this request. It resolves nothing
// itself.
type guardedDialer struct {
	timeout time.Duration
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
}

// newGuardedDialer returns a dialer that checks the address of each connection with policy again
// before it opens.
func newGuardedDialer(policy *Policy, timeout time.Duration) *guardedDialer {
	dialer := &net.Dialer{Timeout: timeout, Control: policy.Control}
	return &guardedDialer{timeout: timeout, dial: dialer.DialContext}
}

// DialContext connects to the port of address on the first pinned address that
// answers. Without pinned addresses it refuses.
func (d *guardedDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	addrs, _ := ctx.Value(pinnedKey{}).([]netip.Addr)
	_, port, err := net.SplitHostPort(address)
	if err != nil || len(addrs) == 0 {
		return nil, netguard.ErrNotAllowed
	}
	// The transport detaches dialing from the request's deadline.
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	return d.race(ctx, network, port, alternate(addrs))
}

type dialResult struct {
	conn net.Conn
	err  error
}

// race dials one address after the other, the next when one failed or its head start has ended,
// and returns the first connection.
func (d *guardedDialer) race(ctx context.Context, network, port string, addrs []netip.Addr) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan dialResult, len(addrs))
	next := func() {
		addr := net.JoinHostPort(addrs[0].String(), port)
		addrs = addrs[1:]
		go func() {
			conn, err := d.dial(ctx, network, addr)
			results <- dialResult{conn, err}
		}()
	}
	var worst error
	next()
	for running := 1; running > 0; {
		var headStart <-chan time.Time
		if len(addrs) > 0 {
			headStart = time.After(fallbackDelay)
		}
		select {
		case <-headStart:
			next()
			running++
		case result := <-results:
			running--
			if result.err == nil {
				go discard(results, running)
				return result.conn, nil
			}
			worst = moreTelling(worst, result.err)
			if len(addrs) > 0 {
				next()
				running++
			}
		}
	}
	return nil, worst
}

// moreTelling returns the error to record: the first one, unless it only says that this machine
// has no route, as for every IPv6 address where there is no IPv6.
func moreTelling(first, next error) error {
	if first == nil || classifySocket(first) == ErrorUnreachable {
		return next
	}
	return first
}

// discard closes the other connections.
func discard(results <-chan dialResult, running int) {
	for range running {
		if late := <-results; late.err == nil {
			late.conn.Close()
		}
	}
}

// alternate orders addresses so that the two families alternate, starting with the resolver's
// first, and cuts the list to maxAddresses.
func alternate(addrs []netip.Addr) []netip.Addr {
	var same, other []netip.Addr
	for _, addr := range addrs {
		if addr.Is4() == addrs[0].Is4() {
			same = append(same, addr)
		} else {
			other = append(other, addr)
		}
	}
	out := make([]netip.Addr, 0, len(addrs))
	for i := range max(len(same), len(other)) {
		if i < len(same) {
			out = append(out, same[i])
		}
		if i < len(other) {
			out = append(out, other[i])
		}
	}
	return out[:min(len(out), maxAddresses)]
}
