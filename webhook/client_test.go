package webhook

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	stripe "github.com/stripe/stripe-go/v82/webhook"

	"outreach"
)

func wantDelivered(t *testing.T, name string, got Result, status int) {
	t.Helper()
	if got.Error != nil || got.HTTPStatus == nil || *got.HTTPStatus != status {
		t.Errorf("%s: %+v, want status %d", name, describe(got), status)
	}
}

func describe(r Result) string {
	word, status := "none", "none"
	if r.Error != nil {
		word = *r.Error
	}
	if r.HTTPStatus != nil {
		status = strconv.Itoa(*r.HTTPStatus)
	}
	return fmt.Sprintf("status %s, error %s", status, word)
}

// received is a request as an endpoint got it.
type received struct {
	proto, method, uri, host string
	header                   http.Header
	body                     []byte
}

func recorder(into chan<- received) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		into <- received{r.Proto, r.Method, r.RequestURI, r.Host, r.Header, body}
		w.WriteHeader(http.StatusNoContent)
	})
}

// The request is exactly that of the specification, over both protocols, and
// Stripe's verifier takes it as it arrives.
func TestPostRequest(t *testing.T) {
	t.Parallel()
	for proto, h2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		arrived := make(chan received, 1)
		url := serve(t, h2, tlsConfig(certificate(nil)), recorder(arrived))
		client := newTestClient(t, patience, loopbackResolver())
		request := requestTo(url + "?a=b%20c&d#fragment")
		body, err := Encode(testEvent())
		if err != nil {
			t.Fatal(err)
		}
		request.Body = body
		wantDelivered(t, proto, client.Post(t.Context(), request), 204)
		got := <-arrived
		signature := got.header.Get("X-Service-Signature")
		want := received{
			proto: proto, method: "POST", uri: "/hook?a=b%20c&d",
			host: strings.TrimSuffix(strings.TrimPrefix(url, "https://"), "/hook"),
			header: http.Header{
				"Content-Type":        {"application/json"},
				"Content-Length":      {strconv.Itoa(len(body))},
				"User-Agent":          {"Service-Webhook/1"},
				"X-Service-Event":     {"test"},
				"X-Service-Delivery":  {"00000000-0000-0000-0000-000000000009"},
				"X-Service-Signature": {Sign(vectorSecret, request.At, body)},
			},
			body: body,
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(received{})); diff != "" {
			t.Errorf("%s request (-want +got):\n%s", proto, diff)
		}
		if err := stripe.ValidatePayload(got.body, signature, vectorSecret); err != nil {
			t.Errorf("%s: stripe refuses: %v", proto, err)
		}
		if err := Verify(vectorSecret, signature, got.body, time.Now(), time.Minute); err != nil {
			t.Errorf("%s: Verify refuses: %v", proto, err)
		}
		if err := stripe.ValidatePayload(append(got.body, ' '), signature, vectorSecret); err == nil {
			t.Errorf("%s: stripe takes another body", proto)
		}
	}
}

// A retry is signed anew, a request without a time with that of the attempt.
func TestPostSignsEachAttempt(t *testing.T) {
	t.Parallel()
	arrived := make(chan received, 1)
	client := newTestClient(t, patience, loopbackResolver())
	request := requestTo(serve(t, true, tlsConfig(certificate(nil)), recorder(arrived)))
	seen := map[string]bool{}
	for _, at := range []time.Time{time.Unix(1700000000, 0), time.Unix(1700000060, 0), {}} {
		request.At = at
		result := client.Post(t.Context(), request)
		if at.IsZero() {
			at = result.StartedAt
		}
		got := (<-arrived).header.Get("X-Service-Signature")
		if want := Sign(request.Secret, at, request.Body); got != want || seen[got] {
			t.Errorf("at %v: %s, want %s", at, got, want)
		}
		seen[got] = true
	}
}

func TestStatusDecides(t *testing.T) {
	t.Parallel()
	for status := 200; status < 600; status++ {
		h2 := status%2 == 0
		if status%100 > 11 && status%100 < 98 {
			continue // nothing new in the middle of a class
		}
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			got := newTestClient(t, patience, loopbackResolver()).Post(t.Context(),
				requestTo(serve(t, h2, tlsConfig(certificate(nil)), handlerOf(status))))
			if status < 300 {
				wantDelivered(t, "", got, status)
				return
			}
			wantError(t, "", got, fmt.Sprintf("http %d", status))
			if *got.HTTPStatus != status {
				t.Errorf("status %d", *got.HTTPStatus)
			}
		})
	}
}

// Odd status lines are statuses too; switching protocols is no 2xx.
func TestOddStatus(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x": "http 101",
		"999 No": "http 999",
		"000":    ErrorInvalidResponse,
		"099 No": ErrorInvalidResponse,
	} {
		url := serveRaw(t, tlsConfig(certificate(nil)), saying("HTTP/1.1 "+line+"\r\n\r\n"))
		wantError(t, line, newTestClient(t, patience, loopbackResolver()).Post(t.Context(), requestTo(url)), want)
	}
}

// No body is read: one that never ends, never starts, or lies about its length
// changes nothing about the outcome.
func TestBodyIsNotRead(t *testing.T) {
	t.Parallel()
	good := tlsConfig(certificate(nil))
	const head = "HTTP/1.1 200 OK\r\n"
	for name, url := range map[string]string{
		"endless":          serveRaw(t, good, repeating(head+"\r\n", strings.Repeat("a", 1<<16), 0)),
		"endless chunks":   serveRaw(t, good, repeating(head+"Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n", 0)),
		"drips":            serveRaw(t, good, repeating(head+"Content-Length: 100000\r\n\r\n", "a", 5*time.Millisecond)),
		"never comes":      serveRaw(t, good, saying(head+"Content-Length: 5\r\n\r\n")),
		"bad chunks":       serveRaw(t, good, saying(head+"Transfer-Encoding: chunked\r\n\r\nzz\r\n")),
		"cut short":        serveRaw(t, good, answering(func(c net.Conn) { io.WriteString(c, head+"Content-Length: 5\r\n\r\na") })),
		"says it is gzip":  serveRaw(t, good, saying(head+"Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\na")),
		"endless, HTTP/2":  serve(t, true, good, http.HandlerFunc(pour)),
		"after early hint": serveRaw(t, good, repeating("HTTP/1.1 103 Early Hints\r\n\r\n"+head+"\r\n", "a", 5*time.Millisecond)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantDelivered(t, name, newTestClient(t, patience, loopbackResolver()).Post(t.Context(), requestTo(url)), 200)
		})
	}
}

// pour writes until the client resets the stream.
func pour(w http.ResponseWriter, _ *http.Request) {
	chunk := make([]byte, 1<<16)
	for {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// A redirect is an answer and not an invitation, be it to an inner address or
// to one that could be called.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	port, contacts := canary(t)
	for _, status := range []int{300, 301, 302, 303, 304, 307, 308} {
		for _, location := range []string{
			fmt.Sprintf("https://127.0.0.1:%d/", port),
			fmt.Sprintf("http://127.0.0.1:%d/", port),
			fmt.Sprintf("//%s:%d/", endpointHost, port),
			"http://169.254.169.254/latest/meta-data/",
			"file:///etc/passwd",
			"/again",
			"%zz",
		} {
			var requests atomic.Int64
			url := serve(t, status%2 == 0, tlsConfig(certificate(nil)), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				w.Header().Set("Location", location)
				w.Header().Set("Refresh", "0; url="+location)
				w.WriteHeader(status)
			}))
			got := newTestClient(t, patience, loopbackResolver()).Post(t.Context(), requestTo(url))
			wantError(t, location, got, fmt.Sprintf("http %d", status))
			if requests.Load() != 1 {
				t.Errorf("%d to %s: %d requests", status, location, requests.Load())
			}
		}
	}
	if n := contacts.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}

// The same corpus that saving refuses gets nowhere at delivery, were it ever
// stored, even where the resolver plays along.
func TestPostRefusesHostileCorpus(t *testing.T) {
	t.Parallel()
	port, contacts := canary(t)
	client := newClient(t, ClientConfig{Policy: newTestPolicy(newResolver()), Timeout: patience})
	for _, raw := range hostileURLs(t, port) {
		wantError(t, raw, client.Post(t.Context(), requestTo(raw)), ErrorAddressNotAllowed)
	}
	for _, line := range tableOf("inner_addresses.txt") {
		spelled, _, _ := strings.Cut(line, " ")
		resolver := &fakeResolver{answers: map[string][]answer{"inner.example.net": {{addrs: []string{spelled}}}}}
		if netip.MustParseAddr(spelled).Is4In6() {
			continue // a resolver's mapped answer is its IPv4 address
		}
		client := newClient(t, ClientConfig{Policy: newTestPolicy(resolver), Timeout: patience})
		url := fmt.Sprintf("https://inner.example.net:%d/", port)
		wantError(t, spelled, client.Post(t.Context(), requestTo(url)), ErrorAddressNotAllowed)
	}
	if n := contacts.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}

// DNS that changes its mind: after saving, it meets the check of the delivery;
// between check and dial, it is not asked.
func TestRebinding(t *testing.T) {
	t.Parallel()
	port, contacts := canary(t)
	url := fmt.Sprintf("https://rebind.example.net:%d/", port)
	resolver := &fakeResolver{answers: map[string][]answer{
		"rebind.example.net": {{addrs: []string{"93.184.215.14"}}, {addrs: []string{"127.0.0.1"}}},
	}}
	policy := newTestPolicy(resolver)
	if err := policy.CheckURL(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	client := newClient(t, ClientConfig{Policy: policy, Timeout: patience})
	wantError(t, "after save", client.Post(t.Context(), requestTo(url)), ErrorAddressNotAllowed)
	if n := contacts.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}

	resolver = loopbackResolver()
	resolver.answers[endpointHost] = []answer{{addrs: []string{"127.0.0.1"}}, {addrs: []string{"10.0.0.1"}}}
	client = newTestClient(t, patience, resolver)
	request := requestTo(serve(t, true, tlsConfig(certificate(nil)), handlerOf(204)))
	wantDelivered(t, "first answer", client.Post(t.Context(), request), 204)
	if diff := cmp.Diff([]string{endpointHost + "."}, resolver.lookups()); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	// The connection of the first attempt is still open and must not be used.
	wantError(t, "second answer", client.Post(t.Context(), request), ErrorAddressNotAllowed)
}

// What a connection costs: HTTP/2 keeps it whatever the body; HTTP/1.1 keeps it
// after an answer without one.
func TestConnectionReuse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		h2     bool
		answer string
		conns  int64
	}{
		{"HTTP/2 with a body", true, "thank you", 1},
		{"HTTP/1.1 without a body", false, "", 1},
		{"HTTP/1.1 with a body", false, "thank you", 3},
	} {
		var conns atomic.Int64
		config := tlsConfig(certificate(nil))
		config.VerifyConnection = func(tls.ConnectionState) error { conns.Add(1); return nil }
		client := newTestClient(t, patience, loopbackResolver())
		request := requestTo(serve(t, test.h2, config, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, test.answer)
		})))
		for range 3 {
			wantDelivered(t, test.name, client.Post(t.Context(), request), 200)
		}
		if got := conns.Load(); got != test.conns {
			t.Errorf("%s: %d connections, want %d", test.name, got, test.conns)
		}
	}
}

// A hanging endpoint holds its own attempts only.
func TestHangingEndpointDelaysNobody(t *testing.T) {
	t.Parallel()
	hang := serve(t, true, tlsConfig(certificate(nil)),
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	fine := serve(t, true, tlsConfig(certificate(nil)), handlerOf(200))
	client := newTestClient(t, patience, loopbackResolver())
	ctx, cancel := context.WithCancel(t.Context())
	var hanging, done sync.WaitGroup
	for range 100 {
		hanging.Go(func() { wantError(t, "hanging", client.Post(ctx, requestTo(hang)), ErrorInterrupted) })
	}
	for range 100 {
		done.Go(func() { wantDelivered(t, "fine", client.Post(t.Context(), requestTo(fine)), 200) })
	}
	done.Wait() // while the others still hang
	cancel()
	hanging.Wait()
}

func TestNewClientDefaults(t *testing.T) {
	t.Parallel()
	if _, err := NewClient(ClientConfig{}); err == nil {
		t.Error("a client without a policy")
	}
	client := newClient(t, ClientConfig{Policy: newTestPolicy(nil)})
	if client.timeout != 10*time.Second || client.transport.Proxy != nil || client.transport.MaxIdleConnsPerHost < 500 {
		t.Errorf("%v, %+v", client.timeout, client.transport)
	}
}

func TestLoadRoots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.pem"), filepath.Join(dir, "bad.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: testAuthority().cert.Raw})
	for name, data := range map[string][]byte{good: block, bad: []byte("no certificate")} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots, err := LoadRoots(good)
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, true, tlsConfig(certificate(nil)), handlerOf(200))
	policy := NewPolicy(prefixes("127.0.0.1/32"), loopbackResolver())
	wantDelivered(t, "with the file", newClient(t, ClientConfig{Policy: policy, Roots: roots}).Post(t.Context(), requestTo(url)), 200)
	system, err := LoadRoots("")
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, "without", newClient(t, ClientConfig{Policy: policy, Roots: system}).Post(t.Context(), requestTo(url)), ErrorTLSUntrusted)
	for _, name := range []string{bad, filepath.Join(dir, "absent.pem")} {
		if _, err := LoadRoots(name); err == nil {
			t.Errorf("%s was accepted", filepath.Base(name))
		}
	}
}

// Proxies of the environment are read once per process by net/http, so this test
// sets them before anything could; it runs alone (no Parallel).
func TestEnvironmentProxyIsIgnored(t *testing.T) { //nolint:paralleltest // sets the environment
	port, contacts := canary(t)
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"} {
		t.Setenv(name, fmt.Sprintf("http://127.0.0.1:%d", port))
	}
	url := serve(t, true, tlsConfig(certificate(nil)), handlerOf(200))
	wantDelivered(t, "despite the proxy", newTestClient(t, patience, loopbackResolver()).Post(t.Context(), requestTo(url)), 200)
	if n := contacts.Load(); n != 0 {
		t.Errorf("the proxy was contacted %d times", n)
	}
}

// The subscription's own message: what the API shows is what the policy says.
func TestRefusalIsForClients(t *testing.T) {
	t.Parallel()
	err := newTestPolicy(nil).CheckURL(t.Context(), "https://10.0.0.1/")
	if outreach.CodeOf(err) != outreach.CodeURLNotAllowed {
		t.Errorf("code %s", outreach.CodeOf(err))
	}
}
