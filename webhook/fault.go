package webhook

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"outreach"
	"outreach/internal/netguard"
)

// The texts recorded for an attempt without an answer. An answer other than 2xx is recorded as
// "http " and its status. Customers read them, so they contain no text of a server, a resolver or
// a certificate.
const (
	ErrorTimeout           = "timeout"
	ErrorInterrupted       = "interrupted" // the caller cancelled, not the endpoint
	ErrorAddressNotAllowed = "address not allowed"
	ErrorHostNotFound      = "host not found"
	ErrorLookupFailed      = "name lookup failed"
	ErrorRefused           = "connection refused"
	ErrorReset             = "connection reset"
	ErrorClosed            = "connection closed without an answer"
	ErrorUnreachable       = "host unreachable"
	ErrorHeadersTooLarge   = "response headers too large"
	ErrorInvalidResponse   = "invalid http response"
	ErrorConnection        = "connection failed"

	ErrorTLSExpired   = "tls: certificate has expired"
	ErrorTLSNotYet    = "tls: certificate is not valid yet"
	ErrorTLSHost      = "tls: certificate is for another host"
	ErrorTLSUntrusted = "tls: certificate is not trusted"
	ErrorTLSInvalid   = "tls: certificate is invalid"
	ErrorTLSVersion   = "tls: protocol version not supported"
	ErrorTLSNotSpoken = "tls: the port does not speak tls"
	ErrorTLSHandshake = "tls: handshake failed"
)

// classify returns one of the texts above for an error.
func classify(err error) string {
	for _, find := range []func(error) string{
		classifyPolicy, classifyTimeout, classifyDNS, classifyCertificate,
		classifyTLS, classifySocket, classifyResponse,
	} {
		if word := find(err); word != "" {
			return word
		}
	}
	return ErrorConnection
}

func classifyPolicy(err error) string {
	var refused *outreach.Error
	if errors.Is(err, netguard.ErrNotAllowed) || errors.As(err, &refused) {
		return ErrorAddressNotAllowed
	}
	return ""
}

func classifyTimeout(err error) string {
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, os.ErrDeadlineExceeded) {
		return ErrorTimeout
	}
	return ""
}

func classifyDNS(err error) string {
	var dns *net.DNSError
	switch {
	case errors.Is(err, errNoAddress):
		return ErrorHostNotFound
	case !errors.As(err, &dns):
		return ""
	case dns.IsNotFound:
		return ErrorHostNotFound
	}
	return ErrorLookupFailed
}

func classifyCertificate(err error) string {
	var (
		invalid   x509.CertificateInvalidError
		hostname  x509.HostnameError
		authority x509.UnknownAuthorityError
		roots     x509.SystemRootsError
		verify    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return expiry(invalid)
	case errors.As(err, &hostname):
		return ErrorTLSHost
	case errors.As(err, &authority), errors.As(err, &roots):
		return ErrorTLSUntrusted
	case errors.As(err, &invalid), errors.As(err, &verify):
		return ErrorTLSInvalid
	}
	return ""
}

// expiry distinguishes certificates that have expired from those that are not valid yet: x509 has
// one reason for both, and only its text differs.
func expiry(err x509.CertificateInvalidError) string {
	if strings.Contains(err.Detail, "is before") {
		return ErrorTLSNotYet
	}
	return ErrorTLSExpired
}

// classifyTLS compares the text of errors for which crypto/tls has no type.
func classifyTLS(err error) string {
	var record tls.RecordHeaderError
	if errors.As(err, &record) {
		return ErrorTLSNotSpoken
	}
	text := err.Error()
	switch {
	case !strings.Contains(text, "tls: "):
		return ""
	case strings.Contains(text, "protocol version"):
		return ErrorTLSVersion
	case strings.Contains(text, "first record does not look like"):
		return ErrorTLSNotSpoken
	}
	return ErrorTLSHandshake
}

// responseSigns matches the text of errors, because net/http does not export their types. The
// first match counts.
var responseSigns = []struct{ sign, word string }{
	{"headers exceeded", ErrorHeadersTooLarge},
	{"header list", ErrorHeadersTooLarge},
	{"received from peer", ErrorReset}, // RST_STREAM
	{"sent GOAWAY", ErrorClosed},
	{"client connection lost", ErrorClosed},
	{"malformed", ErrorInvalidResponse},
	{"Content-Length", ErrorInvalidResponse},
	{"stream error", ErrorInvalidResponse},
	{"connection error: ", ErrorInvalidResponse},
	{"http2: ", ErrorInvalidResponse},
}

func classifyResponse(err error) string {
	text := err.Error()
	for _, known := range responseSigns {
		if strings.Contains(text, known.sign) {
			return known.word
		}
	}
	return ""
}

func classifySocket(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return ErrorRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return ErrorReset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrorClosed
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EADDRNOTAVAIL):
		return ErrorUnreachable
	}
	return ""
}
