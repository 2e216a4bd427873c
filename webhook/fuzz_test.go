package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/idna"
)

// loopbackOnly is a resolver in an attacker's hands.
type loopbackOnly struct{}

func (loopbackOnly) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// FuzzCheckURL holds what CheckURL accepts against another reader of the same
// text: the place to which net/http, left to its own parsing and mapping, would
// connect. Our client never leaves it that freedom; that both agree is what the
// fuzzing shows.
func FuzzCheckURL(f *testing.F) {
	for _, raw := range hostileURLs(f, 443) {
		f.Add(raw)
	}
	for _, line := range tableOf("public_urls.txt") {
		raw, _, _ := strings.Cut(line, " ")
		f.Add(raw)
	}
	evil, kind := newTestPolicy(loopbackOnly{}), newTestPolicy(everywhere{})
	f.Fuzz(func(t *testing.T, raw string) {
		if evil.CheckURL(t.Context(), raw) == nil && !isPublicLiteral(kind, dialledByHTTP(t, raw)) {
			t.Errorf("%q is accepted although its name leads to loopback", raw)
		}
		if kind.CheckURL(t.Context(), raw) != nil {
			return
		}
		theirs := dialledByHTTP(t, raw)
		if isPublicLiteral(kind, theirs) {
			return
		}
		target, h, err := parseURL(raw)
		if err != nil {
			t.Fatalf("%q: accepted, then %v", raw, err)
		}
		if h.local || isLocalName(theirs) || endsInNumber(theirs) || theirs != h.name {
			t.Errorf("%q: net/http dials %q, we judged %q", raw, theirs, target.Host)
		}
	})
}

// isPublicLiteral reports whether name is a public address.
func isPublicLiteral(p *Policy, name string) bool {
	addr, err := netip.ParseAddr(name)
	return err == nil && p.rules.IsPublic(addr)
}

// dialledByHTTP returns the host that net/http would dial for raw, in lower case
// and without its final dot.
func dialledByHTTP(t *testing.T, raw string) string {
	t.Helper()
	stop := errors.New("seen enough")
	var dialled string
	transport := &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		dialled, _, _ = net.SplitHostPort(address)
		return nil, stop
	}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, raw, nil)
	if err != nil {
		t.Fatalf("%q: accepted, but net/http says %v", raw, err)
	}
	if _, err := transport.RoundTrip(request); !errors.Is(err, stop) {
		t.Fatalf("%q: accepted, but net/http says %v", raw, err)
	}
	// What net/http leaves alone because it is ASCII, DNS compares by lower case.
	if ascii, err := idna.Lookup.ToASCII(dialled); err == nil {
		dialled = ascii
	}
	return strings.TrimSuffix(strings.ToLower(dialled), ".")
}

func FuzzVerify(f *testing.F) {
	f.Add("t=1700000000,v1=00", []byte("body"))
	f.Add("t=,v1=,,=", []byte(nil))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		if Verify(vectorSecret, header, body, time.Unix(1700000000, 0), 0) == nil {
			t.Errorf("%q was made without the secret and verifies", header)
		}
	})
}
