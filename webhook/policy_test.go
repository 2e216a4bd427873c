package webhook

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// fakeResolver answers from a script by name (without its final dot); a name
// that has none gets loopback, so that whatever passes a check by mistake leads
// to the canary.
type fakeResolver struct {
	mu      sync.Mutex
	answers map[string][]answer // the last one repeats
	asked   []string
}

type answer struct {
	addrs []string
	err   error
	hang  bool // until ctx ends
}

func (r *fakeResolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	a := r.next(host)
	if a.hang {
		<-ctx.Done()
		return nil, &net.DNSError{Err: ctx.Err().Error(), Name: host, Server: "10.9.8.7:53", IsTimeout: true}
	}
	var addrs []netip.Addr
	for _, s := range a.addrs {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs, a.err
}

func (r *fakeResolver) next(host string) answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, host)
	name := strings.TrimSuffix(host, ".")
	script := r.answers[name]
	if len(script) == 0 {
		return answer{addrs: []string{"127.0.0.1"}}
	}
	if len(script) > 1 {
		r.answers[name] = script[1:]
	}
	return script[0]
}

func (r *fakeResolver) lookups() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.asked...)
}

func dnsError(text string, notFound bool) error {
	return &net.DNSError{Err: text, Name: "hidden.example.net", Server: "10.9.8.7:53", IsNotFound: notFound}
}

func newResolver() *fakeResolver {
	public := []answer{{addrs: []string{"93.184.215.14", "::ffff:93.184.215.15", "2606:4700::1111"}}}
	answers := map[string][]answer{
		"unknown.example.net": {{err: dnsError("no such host", true)}},
		"broken.example.net":  {{err: dnsError("server misbehaving", false)}},
		"slow.example.net":    {{hang: true}},
		"empty.example.net":   {{}},
		"gone.lan":            {{err: dnsError("no such host", true)}},
		"gone":                {{hang: true}},
	}
	for _, line := range tableOf("public_urls.txt") {
		_, host, _ := strings.Cut(line, " ")
		name, _, _ := strings.Cut(host, ":")
		if answers[name] == nil {
			answers[name] = public
		}
	}
	return &fakeResolver{answers: answers}
}

// tableOf reads the lines of a file in testdata that are not comments.
func tableOf(name string) []string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		panic(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// hostileURLs returns the corpus with its escapes and its port in place.
func hostileURLs(t testing.TB, port int) []string {
	t.Helper()
	var out []string
	for _, line := range tableOf("hostile_urls.txt") {
		raw, err := strconv.Unquote(`"` + line + `"`)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, strings.ReplaceAll(raw, "{port}", strconv.Itoa(port)))
	}
	return out
}

func prefixes(cidrs ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, cidr := range cidrs {
		out = append(out, netip.MustParsePrefix(cidr))
	}
	return out
}

func newTestPolicy(resolver Resolver, opened ...string) *Policy {
	p := NewPolicy(prefixes(opened...), resolver)
	p.resolveTimeout = 20 * time.Millisecond
	return p
}

// looksInner finds what a message for a customer must not hold.
var looksInner = regexp.MustCompile(`\d+\.\d+|::|:\d|[Ll]ookup .+:|no such host|misbehaving|dial|hidden`)

func wantRefusal(t *testing.T, raw string, err error) {
	t.Helper()
	var refused *outreach.Error
	if !errors.As(err, &refused) || refused.Code != outreach.CodeURLNotAllowed {
		t.Errorf("%q: CheckURL gives %v, want a refusal", raw, err)
		return
	}
	if looksInner.MatchString(refused.Message) {
		t.Errorf("%q: message %q says too much", raw, refused.Message)
	}
}

func TestCheckURLRefusesHostileCorpus(t *testing.T) {
	t.Parallel()
	policy := newTestPolicy(newResolver())
	for _, raw := range hostileURLs(t, 8443) {
		wantRefusal(t, raw, policy.CheckURL(t.Context(), raw))
	}
	wantRefusal(t, "empty", policy.CheckURL(t.Context(), ""))
	wantRefusal(t, "long", policy.CheckURL(t.Context(), "https://public.example.net/"+strings.Repeat("a", 2048)))
	wantRefusal(t, "long name", policy.CheckURL(t.Context(), "https://"+strings.Repeat("a.", 127)+"example.net/"))
}

// everywhere is a resolver that claims a public address for every name.
type everywhere struct{}

func (everywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
}

// The spelling alone condemns them, whatever DNS says; only the ordinary names
// that point to an inner address depend on its answer.
func TestCheckURLJudgesSpellingWithoutDNS(t *testing.T) {
	t.Parallel()
	policy := newTestPolicy(everywhere{})
	ordinary := regexp.MustCompile(`//(127\.0\.0\.1\.nip\.io|localtest\.me|inner\.attacker\.example\.org):`)
	for _, raw := range hostileURLs(t, 8443) {
		err := policy.CheckURL(t.Context(), raw)
		if ordinary.MatchString(raw) {
			if err != nil {
				t.Errorf("%q with public addresses: %v", raw, err)
			}
			continue
		}
		wantRefusal(t, raw, err)
	}
}

func TestCheckURLAcceptsPublic(t *testing.T) {
	t.Parallel()
	policy := newTestPolicy(newResolver())
	for _, line := range tableOf("public_urls.txt") {
		raw, want, _ := strings.Cut(line, " ")
		if err := policy.CheckURL(t.Context(), raw); err != nil {
			t.Errorf("%q: %v", raw, err)
			continue
		}
		target, _, err := parseURL(raw)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, target.Host); diff != "" {
			t.Errorf("%q host (-want +got):\n%s", raw, diff)
		}
	}
}

// Every inner address is refused as a literal, as all and as a part of what a
// name resolves to, and by the dial hook; opening its network lets it through,
// but for those that stand for another address.
func TestInnerAddresses(t *testing.T) {
	t.Parallel()
	for _, line := range tableOf("inner_addresses.txt") {
		spelled, rest, _ := strings.Cut(line, " ")
		never := rest == "never"
		addr := netip.MustParseAddr(spelled)
		opened := []string{"::/0", "0.0.0.0/0"}
		for where, raw := range map[string]string{
			"literal": "https://" + host{addr: addr}.String() + "/",
			"alone":   "https://alone.example.net/",
			"first":   "https://first.example.net/",
			"last":    "https://last.example.net/",
		} {
			resolver := &fakeResolver{answers: map[string][]answer{
				"alone.example.net": {{addrs: []string{spelled}}},
				"first.example.net": {{addrs: []string{spelled, "8.8.8.8"}}},
				"last.example.net":  {{addrs: []string{"2606:4700::1111", "8.8.8.8", spelled}}},
			}}
			if where != "literal" && addr.Is4In6() {
				continue // a resolver's mapped answer is its IPv4 address
			}
			wantRefusal(t, spelled+" "+where, newTestPolicy(resolver).CheckURL(t.Context(), raw))
			err := newTestPolicy(resolver, opened...).CheckURL(t.Context(), raw)
			if (err != nil) != never {
				t.Errorf("%s %s, opened: %v", spelled, where, err)
			}
		}
		dialled := netip.AddrPortFrom(addr, 443).String()
		if err := newTestPolicy(nil).Control("tcp6", dialled, nil); err == nil {
			t.Errorf("%s may be dialled", spelled)
		}
		if err := newTestPolicy(nil, opened...).Control("tcp6", dialled, nil); (err != nil) != never {
			t.Errorf("%s, opened, dialled: %v", spelled, err)
		}
	}
}

func TestControl(t *testing.T) {
	t.Parallel()
	policy := newTestPolicy(nil)
	for _, test := range []struct {
		network, address string
		allowed          bool
	}{
		{"tcp4", "8.8.8.8:443", true},
		{"tcp6", "[2606:4700::1111]:8443", true},
		{"udp4", "8.8.8.8:443", false},
		{"unix", "/run/docker.sock", false},
		{"tcp4", "localhost:443", false},
		{"tcp4", "8.8.8.8", false},
		{"tcp4", "", false},
	} {
		if err := policy.Control(test.network, test.address, nil); (err == nil) != test.allowed {
			t.Errorf("%s %q: %v", test.network, test.address, err)
		}
	}
}

func TestOpenedNetworks(t *testing.T) {
	t.Parallel()
	resolver := &fakeResolver{answers: map[string][]answer{
		"receiver":             {{addrs: []string{"10.1.2.3"}}},
		"half.lan":             {{addrs: []string{"10.1.2.3", "10.2.0.1"}}},
		"both.lan":             {{addrs: []string{"10.1.2.3", "fd00::7"}}},
		"outside.lan":          {{addrs: []string{"8.8.8.8"}}},
		"mixed.example.net":    {{addrs: []string{"10.1.2.3", "8.8.8.8"}}},
		"inner.example.net":    {{addrs: []string{"10.1.2.3"}}},
		"mapped.example.net":   {{addrs: []string{"::ffff:10.1.2.3"}}},
		"elsewhere.example.de": {{addrs: []string{"10.2.0.1"}}},
		"gone.lan":             {{err: dnsError("no such host", true)}},
		"slow.lan":             {{hang: true}},
		"empty.lan":            {{}},
	}}
	policy := newTestPolicy(resolver, "10.1.0.0/16", "fd00::/8")
	for raw, allowed := range map[string]bool{
		"https://10.1.2.3/":             true,
		"https://10.2.0.1/":             false,
		"https://[fd00::1]/":            true,
		"https://[::ffff:10.1.2.3]/":    false,
		"https://receiver:8443/":        true,
		"https://half.lan/":             false,
		"https://both.lan/":             true,
		"https://outside.lan/":          false,
		"https://mixed.example.net/":    false,
		"https://inner.example.net/":    true,
		"https://mapped.example.net/":   true,
		"https://elsewhere.example.de/": false,
		"https://gone.lan/":             false,
		"https://slow.lan/":             false,
		"https://empty.lan/":            false,
		"http://10.1.2.3/":              false,
		"https://user@10.1.2.3/":        false,
		"https://0xa010203/":            false,
	} {
		err := policy.CheckURL(t.Context(), raw)
		if (err == nil) != allowed {
			t.Errorf("%s: %v", raw, err)
		}
		if !allowed {
			wantRefusal(t, raw, err)
		}
	}
}

// An endpoint that is opened by itself lets nothing else of its machine through.
func TestOpenedEndpoint(t *testing.T) {
	t.Parallel()
	resolver := &fakeResolver{answers: map[string][]answer{
		"localhost": {{addrs: []string{"127.0.0.1"}}}, "both.lan": {{addrs: []string{"127.0.0.1", "127.0.0.2"}}},
	}}
	policy := NewPolicy(nil, resolver, netip.MustParseAddrPort("127.0.0.1:8443"), netip.MustParseAddrPort("127.0.0.3:443"))
	for raw, allowed := range map[string]bool{
		"https://127.0.0.1:8443/hook":   true,
		"https://localhost:8443/":       true,
		"https://127.0.0.3/":            true,
		"https://127.0.0.1/":            false,
		"https://127.0.0.1:8444/":       false,
		"https://localhost/":            false,
		"https://127.0.0.2:8443/":       false,
		"https://both.lan:8443/":        false,
		"https://[::ffff:7f00:1]:8443/": false,
	} {
		err := policy.CheckURL(t.Context(), raw)
		if (err == nil) != allowed {
			t.Errorf("%s: %v", raw, err)
		}
		if !allowed {
			wantRefusal(t, raw, err)
		}
	}
	for dialled, allowed := range map[string]bool{"127.0.0.1:8443": true, "127.0.0.1:8444": false, "127.0.0.2:8443": false} {
		if err := policy.Control("tcp4", dialled, nil); (err == nil) != allowed {
			t.Errorf("%s, dialled: %v", dialled, err)
		}
	}
}

// A search domain of the machine must have no say in a public name.
func TestResolverIsAskedAbsolutely(t *testing.T) {
	t.Parallel()
	resolver := newResolver()
	policy := newTestPolicy(resolver)
	for _, raw := range []string{"https://public.example.net/", "https://Public.example.net./", "https://db/"} {
		_ = policy.CheckURL(t.Context(), raw) // what was asked is the point
	}
	want := []string{"public.example.net.", "public.example.net.", "db"}
	if diff := cmp.Diff(want, resolver.lookups()); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestCheckURLTellsCancellationFromVerdict(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := newTestPolicy(newResolver()).CheckURL(ctx, "https://slow.example.net/")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("CheckURL = %v", err)
	}
}

func TestDefaultResolverAndPatience(t *testing.T) {
	t.Parallel()
	policy := NewPolicy(nil, nil)
	if policy.resolver != Resolver(net.DefaultResolver) || policy.resolveTimeout != 3*time.Second {
		t.Errorf("NewPolicy = %+v", policy)
	}
}
