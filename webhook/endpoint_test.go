package webhook

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// authority signs the certificates of the tests' endpoints.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

var testAuthority = sync.OnceValue(func() *authority {
	a := &authority{pool: x509.NewCertPool()}
	a.key = newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert = sign(template, template, &a.key.PublicKey, a.key)
	a.pool.AddCert(a.cert)
	return a
})

func newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

func sign(template, parent *x509.Certificate, public, private any) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, private)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return cert
}

// certificate is valid for endpointHost and loopback, unless edit says otherwise.
func certificate(edit func(*x509.Certificate)) tls.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: endpointHost},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{endpointHost}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if edit != nil {
		edit(template)
	}
	key := newKey()
	leaf := sign(template, testAuthority().cert, &key.PublicKey, testAuthority().key)
	return tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key}
}

func selfSigned() tls.Certificate {
	key := newKey()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(3), DNSNames: []string{endpointHost},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	return tls.Certificate{Certificate: [][]byte{sign(template, template, &key.PublicKey, key).Raw}, PrivateKey: key}
}

// endpointHost is the public name that the tests' resolver leads to loopback.
const endpointHost = "hooks.example.com"

func tlsConfig(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}}
}

// serve starts an https endpoint on loopback and gives its URL.
func serve(t testing.TB, h2 bool, config *tls.Config, handler http.Handler) string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = config
	server.EnableHTTP2 = h2
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return urlOf(server.Listener)
}

func urlOf(listener net.Listener) string {
	return fmt.Sprintf("https://%s:%d/hook", endpointHost, listener.Addr().(*net.TCPAddr).Port)
}

// serveRaw accepts connections and hands each to talk, with TLS when config is
// set. The connection closes when talk returns or the test ends.
func serveRaw(t testing.TB, config *tls.Config, talk func(net.Conn)) string {
	t.Helper()
	listener := listen(t)
	var open sync.WaitGroup
	done := make(chan struct{})
	t.Cleanup(func() { close(done); listener.Close(); open.Wait() })
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			stop := make(chan struct{})
			open.Go(func() {
				select {
				case <-done:
				case <-stop:
				}
				conn.Close()
			})
			open.Go(func() {
				defer close(stop)
				if config != nil {
					talk(tls.Server(conn, config))
					return
				}
				talk(conn)
			})
		}
	})
	return urlOf(listener)
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

// canary listens on loopback and counts connections; the count must stay 0.
func canary(t testing.TB) (port int, contacts *atomic.Int64) {
	t.Helper()
	listener := listen(t)
	contacts = new(atomic.Int64)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			contacts.Add(1)
			conn.Close()
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port, contacts
}

// answering reads one HTTP/1.1 request and then does what reply does.
func answering(reply func(net.Conn)) func(net.Conn) {
	return func(conn net.Conn) {
		request, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		io.Copy(io.Discard, request.Body)
		reply(conn)
	}
}

// saying answers with text and keeps the connection until the peer leaves.
func saying(text string) func(net.Conn) {
	return answering(func(conn net.Conn) {
		io.WriteString(conn, text)
		io.Copy(io.Discard, conn)
	})
}

// repeating answers with start and then with more for as long as the client
// listens, waiting for pause in between.
func repeating(start, more string, pause time.Duration) func(net.Conn) {
	return answering(func(conn net.Conn) {
		_, err := io.WriteString(conn, start)
		for err == nil {
			if pause > 0 {
				time.Sleep(pause)
			}
			_, err = io.WriteString(conn, more)
		}
	})
}

// loopbackResolver leads endpointHost to loopback and everything else as
// newResolver does.
func loopbackResolver() *fakeResolver {
	resolver := newResolver()
	resolver.answers[endpointHost] = []answer{{addrs: []string{"127.0.0.1"}}}
	return resolver
}

// newTestClient may reach loopback; timeout is that of one attempt.
func newTestClient(t testing.TB, timeout time.Duration, resolver Resolver) *Client {
	t.Helper()
	return newClient(t, ClientConfig{
		Policy:  NewPolicy(prefixes("127.0.0.0/8"), resolver),
		Roots:   testAuthority().pool,
		Timeout: timeout,
	})
}

func newClient(t testing.TB, config ClientConfig) *Client {
	t.Helper()
	client, err := NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func requestTo(url string) Request {
	return Request{
		URL:        url,
		EventType:  outreach.EventTest,
		DeliveryID: uuid.UUID{15: 9},
		Secret:     vectorSecret,
		Body:       []byte(`{"type":"test"}`),
		At:         time.Now(),
	}
}
