package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Were the check ever skipped, the dialer still would not go there.
func TestDialGuardStandsAlone(t *testing.T) {
	t.Parallel()
	port, contacts := canary(t)
	dialer := newGuardedDialer(newTestPolicy(nil), patience)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	pinned := withPinned(t.Context(), []netip.Addr{netip.MustParseAddr("127.0.0.1")})
	for name, ctx := range map[string]context.Context{"inner address": pinned, "nothing judged": t.Context()} {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			conn.Close()
			t.Errorf("%s: dialled", name)
		}
		if got := classify(err); got != ErrorAddressNotAllowed {
			t.Errorf("%s: %v is %q", name, err, got)
		}
	}
	if n := contacts.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}

// The next address is tried when one does not answer; all of them refused is
// one refusal.
func TestSeveralAddresses(t *testing.T) {
	t.Parallel()
	url := serve(t, true, tlsConfig(certificate(nil)), handlerOf(204))
	resolver := loopbackResolver()
	resolver.answers[endpointHost] = []answer{{addrs: []string{"127.0.0.2", "127.0.0.3", "127.0.0.1"}},
		{addrs: []string{"127.0.0.2", "127.0.0.3"}}}
	wantDelivered(t, "last of three", newTestClient(t, patience, resolver).Post(t.Context(), requestTo(url)), 204)
	wantError(t, "none of two", newTestClient(t, patience, resolver).Post(t.Context(), requestTo(url)), ErrorRefused)
}

func TestAlternate(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"1.1.1.1":                      "1.1.1.1",
		"2::1 2::2 1.1.1.1":            "2::1 1.1.1.1 2::2",
		"1.1.1.1 1.1.1.2 2::1":         "1.1.1.1 2::1 1.1.1.2",
		strings.Repeat("1.1.1.1 ", 20): strings.TrimSpace(strings.Repeat("1.1.1.1 ", maxAddresses)),
	} {
		var addrs []netip.Addr
		for _, s := range strings.Fields(in) {
			addrs = append(addrs, netip.MustParseAddr(s))
		}
		var got []string
		for _, addr := range alternate(addrs) {
			got = append(got, addr.String())
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in, diff)
		}
	}
}

func TestMoreTelling(t *testing.T) {
	t.Parallel()
	refused, noRoute := error(syscall.ECONNREFUSED), error(syscall.ENETUNREACH)
	for _, test := range []struct{ first, next, want error }{
		{nil, refused, refused},
		{refused, noRoute, refused},
		{noRoute, refused, refused},
		{noRoute, noRoute, noRoute},
	} {
		if got := moreTelling(test.first, test.next); got != test.want {
			t.Errorf("%v, then %v: %v", test.first, test.next, got)
		}
	}
}

// A local name is refused at delivery whatever it resolves to. The dialer here
// reaches nothing, so that a failure of this test does not leave the machine.
func TestLocalNameIsRefusedAtDelivery(t *testing.T) {
	t.Parallel()
	client := newClient(t, ClientConfig{Policy: newTestPolicy(everywhere{})})
	client.transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		return nil, syscall.ECONNREFUSED
	}
	for _, raw := range []string{"https://db/", "https://x.internal/", "https://LOCALHOST./"} {
		wantError(t, raw, client.Post(t.Context(), requestTo(raw)), ErrorAddressNotAllowed)
	}
	wantError(t, "public", client.Post(t.Context(), requestTo("https://public.example.net/")), ErrorRefused)
}

// scripted is a network in which each address behaves as told.
type scripted map[string]func(ctx context.Context) (net.Conn, error)

func (s scripted) dial(ctx context.Context, _, address string) (net.Conn, error) {
	return s[address](ctx)
}

func hang(ctx context.Context) (net.Conn, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func pinnedTo(t *testing.T, addrs ...string) context.Context {
	var out []netip.Addr
	for _, addr := range addrs {
		out = append(out, netip.MustParseAddr(addr))
	}
	return withPinned(t.Context(), out)
}

// A silent address holds the others up for its head start; when it does connect
// in the end, it is not needed and is closed.
func TestSilentAddressIsOvertaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		winner, _ := net.Pipe()
		late, peer := net.Pipe()
		network := scripted{
			"[2001:db8::1]:443": func(context.Context) (net.Conn, error) { time.Sleep(time.Second); return late, nil },
			"192.0.2.1:443":     func(context.Context) (net.Conn, error) { return winner, nil },
		}
		dialer := &guardedDialer{timeout: patience, dial: network.dial}
		started := time.Now()
		conn, err := dialer.DialContext(pinnedTo(t, "2001:db8::1", "192.0.2.1"), "tcp", "hooks.example.com:443")
		if conn != winner || err != nil || time.Since(started) != fallbackDelay {
			t.Errorf("%v, %v after %v", conn, err, time.Since(started))
		}
		if _, err := peer.Read(make([]byte, 1)); err == nil {
			t.Error("the late connection stays open")
		}
	})
}

// The transport detaches dials from the attempt's deadline; they have their own.
func TestDialEndsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dialer := &guardedDialer{timeout: patience, dial: scripted{"192.0.2.1:443": hang, "192.0.2.2:443": hang}.dial}
		ctx := context.WithoutCancel(pinnedTo(t, "192.0.2.1", "192.0.2.2"))
		started := time.Now()
		_, err := dialer.DialContext(ctx, "tcp", "hooks.example.com:443")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(started) != patience {
			t.Errorf("%v after %v", err, time.Since(started))
		}
	})
}
