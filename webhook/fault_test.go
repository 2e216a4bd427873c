package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"outreach"
	"outreach/internal/netguard"
)

// patience is for attempts that must not time out, hurry for those that must.
const (
	patience = 10 * time.Second
	hurry    = 400 * time.Millisecond
)

var closedTable = map[string]bool{
	ErrorTimeout: true, ErrorInterrupted: true, ErrorAddressNotAllowed: true, ErrorHostNotFound: true,
	ErrorLookupFailed: true, ErrorRefused: true, ErrorReset: true, ErrorClosed: true, ErrorUnreachable: true,
	ErrorHeadersTooLarge: true, ErrorInvalidResponse: true, ErrorConnection: true,
	ErrorTLSExpired: true, ErrorTLSNotYet: true, ErrorTLSHost: true, ErrorTLSUntrusted: true,
	ErrorTLSInvalid: true, ErrorTLSVersion: true, ErrorTLSNotSpoken: true, ErrorTLSHandshake: true,
}

var httpWord = regexp.MustCompile(`^http \d{3}$`)

// wantError holds a result to one word of the closed table, and the rest of the
// result to what that word implies.
func wantError(t *testing.T, name string, got Result, want string) {
	t.Helper()
	switch {
	case got.Error == nil:
		t.Errorf("%s: delivered with %v, want %q", name, *got.HTTPStatus, want)
		return
	case *got.Error != want:
		t.Errorf("%s: %q, want %q", name, *got.Error, want)
	}
	answered := httpWord.MatchString(*got.Error)
	if !answered && !closedTable[*got.Error] {
		t.Errorf("%s: %q is not in the table", name, *got.Error)
	}
	if answered != (got.HTTPStatus != nil) {
		t.Errorf("%s: %q with status %v", name, *got.Error, got.HTTPStatus)
	}
	if got.StartedAt.IsZero() || got.Duration <= 0 {
		t.Errorf("%s: started %v, took %v", name, got.StartedAt, got.Duration)
	}
}

func handlerOf(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

// endpoints that fail fast, each with the word that is recorded.
func TestFaults(t *testing.T) {
	t.Parallel()
	good := func() *tls.Config { return tlsConfig(certificate(nil)) }
	endless := strings.Repeat("X-Flood: "+strings.Repeat("a", 4000)+"\r\n", 8)
	for name, test := range map[string]struct {
		url  func(t *testing.T) string
		want string
	}{
		"no listener": {func(t *testing.T) string {
			listener := listen(t)
			listener.Close()
			return urlOf(listener)
		}, ErrorRefused},
		"reset at once": {func(t *testing.T) string {
			return serveRaw(t, nil, func(conn net.Conn) { conn.(*net.TCPConn).SetLinger(0) })
		}, ErrorReset},
		"reset in the handshake": {func(t *testing.T) string {
			return serveRaw(t, nil, func(conn net.Conn) {
				io.ReadFull(conn, make([]byte, 5))
				conn.(*net.TCPConn).SetLinger(0)
			})
		}, ErrorReset},
		"closed in the handshake": {func(t *testing.T) string {
			return serveRaw(t, nil, func(conn net.Conn) { conn.(*net.TCPConn).CloseWrite(); io.Copy(io.Discard, conn) })
		}, ErrorClosed},
		"closed instead of an answer": {func(t *testing.T) string {
			return serveRaw(t, good(), answering(func(conn net.Conn) { conn.Close() }))
		}, ErrorClosed},
		"closed within the headers": {func(t *testing.T) string {
			return serveRaw(t, good(), answering(func(conn net.Conn) {
				io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
				conn.Close()
			}))
		}, ErrorClosed},
		"handler aborted, HTTP/1.1": {func(t *testing.T) string {
			return serve(t, false, good(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
		}, ErrorClosed},
		"handler aborted, HTTP/2": {func(t *testing.T) string {
			return serve(t, true, good(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
		}, ErrorReset},
		"plain http": {func(t *testing.T) string {
			return serveRaw(t, nil, func(conn net.Conn) {
				io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
				io.Copy(io.Discard, conn)
			})
		}, ErrorTLSNotSpoken},
		"another protocol": {func(t *testing.T) string {
			return serveRaw(t, nil, func(conn net.Conn) { io.WriteString(conn, "SSH-2.0-OpenSSH_9.9\r\n"); io.Copy(io.Discard, conn) })
		}, ErrorTLSNotSpoken},
		"no http inside tls": {func(t *testing.T) string { return serveRaw(t, good(), saying("SSH-2.0-OpenSSH_9.9\r\n")) }, ErrorInvalidResponse},
		"bad status":         {func(t *testing.T) string { return serveRaw(t, good(), saying("HTTP/1.1 2OO OK\r\n\r\n")) }, ErrorInvalidResponse},
		"bad version":        {func(t *testing.T) string { return serveRaw(t, good(), saying("HTTP/x.y 200 OK\r\n\r\n")) }, ErrorInvalidResponse},
		"bad header": {
			func(t *testing.T) string { return serveRaw(t, good(), saying("HTTP/1.1 200 OK\r\n10.0.0.1\r\n\r\n")) }, ErrorInvalidResponse},
		"bad length": {func(t *testing.T) string {
			return serveRaw(t, good(), saying("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"))
		}, ErrorInvalidResponse},
		"contradicting lengths": {func(t *testing.T) string {
			return serveRaw(t, good(), saying("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"))
		}, ErrorInvalidResponse},
		"header flood, HTTP/1.1": {
			func(t *testing.T) string { return serveRaw(t, good(), repeating("HTTP/1.1 200 OK\r\n", endless, 0)) }, ErrorHeadersTooLarge},
		"endless status line": {func(t *testing.T) string {
			return serveRaw(t, good(), repeating("HTTP/1.1 200 ", strings.Repeat("a", 4096), 0))
		}, ErrorHeadersTooLarge},
		"flood of 103, HTTP/1.1": {func(t *testing.T) string {
			return serveRaw(t, good(), repeating("", "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", 0))
		}, ErrorHeadersTooLarge},
		"flood of 100, HTTP/1.1": {func(t *testing.T) string {
			return serveRaw(t, good(), repeating("", "HTTP/1.1 100 Continue\r\n\r\n", 0))
		}, ErrorHeadersTooLarge},
		"headers too large, HTTP/2": {func(t *testing.T) string { return serve(t, true, good(), flooding(18)) }, ErrorHeadersTooLarge},
		// net/http gives up such a connection without saying what it was.
		"header flood, HTTP/2": {func(t *testing.T) string { return serve(t, true, good(), flooding(200)) }, ErrorInvalidResponse},
		"flood of 103, HTTP/2": {func(t *testing.T) string {
			return serve(t, true, good(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Link", strings.Repeat("a", 1000))
				for r.Context().Err() == nil {
					w.WriteHeader(http.StatusEarlyHints)
				}
			}))
		}, ErrorHeadersTooLarge},
		"expired certificate": {func(t *testing.T) string {
			return serve(t, true, tlsConfig(certificate(func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })), handlerOf(200))
		}, ErrorTLSExpired},
		"certificate of the future": {func(t *testing.T) string {
			return serve(t, true, tlsConfig(certificate(func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) })), handlerOf(200))
		}, ErrorTLSNotYet},
		"certificate of another host": {func(t *testing.T) string {
			return serve(t, true,
				tlsConfig(certificate(func(c *x509.Certificate) { c.DNSNames = []string{"10-0-0-1.inner.example.com"} })), handlerOf(200))
		}, ErrorTLSHost},
		"certificate without names": {func(t *testing.T) string {
			return serve(t, true, tlsConfig(certificate(func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = nil, nil })), handlerOf(200))
		}, ErrorTLSHost},
		"certificate for clients": {func(t *testing.T) string {
			return serve(t, true,
				tlsConfig(certificate(func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} })), handlerOf(200))
		}, ErrorTLSInvalid},
		"self-signed certificate": {
			func(t *testing.T) string { return serve(t, true, tlsConfig(selfSigned()), handlerOf(200)) }, ErrorTLSUntrusted},
		"TLS 1.0": {func(t *testing.T) string { return serve(t, false, oldTLS(tls.VersionTLS10), handlerOf(200)) }, ErrorTLSVersion},
		"TLS 1.1": {func(t *testing.T) string { return serve(t, false, oldTLS(tls.VersionTLS11), handlerOf(200)) }, ErrorTLSVersion},
		"client certificate wanted": {func(t *testing.T) string {
			config := good()
			config.ClientAuth = tls.RequireAnyClientCert
			return serve(t, false, config, handlerOf(200))
		}, ErrorTLSHandshake},
		"no common protocol": {func(t *testing.T) string {
			config := good()
			config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, errors.New("not today") }
			return serve(t, false, config, handlerOf(200))
		}, ErrorTLSHandshake},
		"no such name":         {func(*testing.T) string { return "https://unknown.example.net/" }, ErrorHostNotFound},
		"name without address": {func(*testing.T) string { return "https://empty.example.net/" }, ErrorHostNotFound},
		"broken name server":   {func(*testing.T) string { return "https://broken.example.net/" }, ErrorLookupFailed},
		"local name gone":      {func(*testing.T) string { return "https://gone.lan/" }, ErrorHostNotFound},
		"inner literal":        {func(*testing.T) string { return "https://10.0.0.1/" }, ErrorAddressNotAllowed},
		"no https":             {func(*testing.T) string { return "http://public.example.net/" }, ErrorAddressNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newTestClient(t, patience, loopbackResolver())
			wantError(t, name, client.Post(t.Context(), requestTo(test.url(t))), test.want)
		})
	}
}

// flooding answers with so many headers of 4 kB.
func flooding(headers int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := range headers {
			w.Header().Set(fmt.Sprintf("X-Flood-%d", i), strings.Repeat("a", 4000))
		}
	})
}

func oldTLS(version uint16) *tls.Config {
	config := tlsConfig(certificate(nil))
	config.MinVersion, config.MaxVersion = version, version
	return config
}

// Whatever an endpoint does to spend our time, the attempt ends by itself.
func TestSlowEndpointsTimeOut(t *testing.T) {
	t.Parallel()
	good := tlsConfig(certificate(nil))
	hold := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, url := range map[string]func(t *testing.T) string{
		"never accepted":  func(t *testing.T) string { return urlOf(listen(t)) },
		"handshake hangs": func(t *testing.T) string { return serveRaw(t, nil, func(conn net.Conn) { io.Copy(io.Discard, conn) }) },
		"handshake drips": func(t *testing.T) string {
			return serveRaw(t, nil, func(conn net.Conn) {
				_, err := conn.Write([]byte{0x16, 3, 3, 0x40, 0})
				for err == nil {
					time.Sleep(10 * time.Millisecond)
					_, err = conn.Write([]byte{0})
				}
			})
		},
		"no answer, HTTP/1.1": func(t *testing.T) string { return serveRaw(t, good, saying("")) },
		"no answer, HTTP/2":   func(t *testing.T) string { return serve(t, true, good, http.HandlerFunc(hold)) },
		"status line drips": func(t *testing.T) string {
			return serveRaw(t, good, repeating("HTTP/1.1 200 ", "a", 10*time.Millisecond))
		},
		"headers drip": func(t *testing.T) string {
			return serveRaw(t, good, repeating("HTTP/1.1 200 OK\r\n", "A: b\r\n", 10*time.Millisecond))
		},
		"103 for ever": func(t *testing.T) string {
			return serveRaw(t, good, repeating("", "HTTP/1.1 103 Early Hints\r\n\r\n", 10*time.Millisecond))
		},
		"request never read": func(t *testing.T) string {
			return serveRaw(t, good, func(conn net.Conn) { conn.(*tls.Conn).Handshake(); io.Copy(io.Discard, conn.(*tls.Conn).NetConn()) })
		},
		"DNS hangs": func(*testing.T) string { return "https://slow.example.net/" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newTestClient(t, hurry, loopbackResolver())
			wantError(t, name, client.Post(t.Context(), requestTo(url(t))), ErrorTimeout)
		})
	}
}

// The caller's cancellation is told apart from the endpoint's silence; the
// caller's deadline is not, or a hanging endpoint would never use up its attempts.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 2)
	url := serve(t, true, tlsConfig(certificate(nil)), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	}))
	client := newTestClient(t, patience, loopbackResolver())
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	cancelled := client.Post(ctx, requestTo(url))
	wantError(t, "cancelled", cancelled, ErrorInterrupted)
	ctx, cancel = context.WithTimeout(t.Context(), hurry)
	defer cancel()
	late := client.Post(ctx, requestTo(url))
	wantError(t, "caller's deadline", late, ErrorTimeout)
	if !cancelled.Interrupted() || late.Interrupted() || (Result{}).Interrupted() {
		t.Errorf("Interrupted: %v, %v", cancelled.Interrupted(), late.Interrupted())
	}
}

// Faults that loopback cannot show.
func TestClassify(t *testing.T) {
	t.Parallel()
	socket := func(errno syscall.Errno) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1)}, Err: errno}
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{socket(syscall.EHOSTUNREACH), ErrorUnreachable},
		{socket(syscall.ENETUNREACH), ErrorUnreachable},
		{socket(syscall.EADDRNOTAVAIL), ErrorUnreachable},
		{socket(syscall.ETIMEDOUT), ErrorTimeout},
		{socket(syscall.EPIPE), ErrorReset},
		{socket(syscall.EMFILE), ErrorConnection},
		{&net.DNSError{Err: "i/o timeout", Server: "10.0.0.2:53", IsTimeout: true}, ErrorTimeout},
		{x509.SystemRootsError{}, ErrorTLSUntrusted},
		{&tls.CertificateVerificationError{Err: errors.New("custom")}, ErrorTLSInvalid},
		{fmt.Errorf("dial: %w", netguard.ErrNotAllowed), ErrorAddressNotAllowed},
		{outreach.Errorf(outreach.CodeURLNotAllowed, "no"), ErrorAddressNotAllowed},
		{errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=\"10.0.0.1\""), ErrorClosed},
		{errors.New("http2: client connection lost"), ErrorClosed},
		{errors.New("connection error: PROTOCOL_ERROR"), ErrorInvalidResponse},
		{errors.New("something at 10.0.0.1"), ErrorConnection},
	} {
		if got := classify(test.err); got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}
