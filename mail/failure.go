package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"

	"outreach"
	"outreach/internal/netguard"
)

// Kind classifies errors of mail servers by who can correct them.
type Kind string

// The kinds of a ServerError.
const (
	KindAddress  Kind = "address"  // the host is not valid or not allowed
	KindConnect  Kind = "connect"  // nothing answers there, or the connection broke
	KindTimeout  Kind = "timeout"  // too slow
	KindTLS      Kind = "tls"      // certificate or encryption
	KindLogin    Kind = "login"    // the server refuses these credentials
	KindFolder   Kind = "folder"   // a folder is missing
	KindProtocol Kind = "protocol" // the server sent something unexpected
)

// ServerError is the reason why a mail server cannot be used, in words for the owner of the
// mailbox. Reason contains no internal address, resolver or secret.
type ServerError struct {
	Kind   Kind
	Reason string
	// Temporary reports that the same attempt may succeed later with the same settings.
	Temporary bool
	// Busy reports that the server asks to come back later: it answers, and the settings may be
	// right. It implies Temporary.
	Busy  bool
	cause error
}

// Error returns the reason.
func (e *ServerError) Error() string { return e.Reason }

// Unwrap returns the cause, for errors.Is; its text is not for users.
func (e *ServerError) Unwrap() error { return e.cause }

// explain converts any error of a connection into a *ServerError. The text of an unknown error is
// not shown.
func explain(err error) error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*ServerError](err); ok {
		return known
	}
	out := classify(err)
	out.cause = err
	return out
}

// reasonHost is the same for a name that does not exist and for one whose addresses are not allowed,
// so that a member of a workspace does not learn the names of hosts inside the installation's network.
const reasonHost = "host name not found, or its address is not allowed"

func classify(err error) *ServerError {
	if e := classifyTLS(err); e != nil {
		return e
	}
	var netErr net.Error
	switch {
	case errors.Is(err, netguard.ErrNotAllowed):
		return &ServerError{Kind: KindAddress, Reason: reasonHost}
	case errors.Is(err, errTalkative), errors.Is(err, smtp.ErrTooLongLine):
		return &ServerError{Kind: KindProtocol, Reason: "the server sent too much"}
	case errors.Is(err, context.Canceled):
		return &ServerError{Kind: KindConnect, Reason: "cancelled", Temporary: true}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		return &ServerError{Kind: KindTimeout, Reason: "timeout", Temporary: true}
	}
	return classifyConnection(err)
}

func classifyConnection(err error) *ServerError {
	dns, isDNS := errors.AsType[*net.DNSError](err)
	answer, isSMTP := errors.AsType[*smtp.SMTPError](err)
	refusal, isIMAP := errors.AsType[*imap.Error](err)
	switch {
	case isDNS && dns.IsNotFound:
		return &ServerError{Kind: KindConnect, Reason: reasonHost}
	case isDNS:
		return &ServerError{Kind: KindConnect, Reason: "host name lookup failed", Temporary: true}
	case isSMTP:
		return &ServerError{Kind: KindProtocol, Reason: answerText(answer), Temporary: answer.Code/100 == 4, Busy: answer.Code/100 == 4}
	case isIMAP:
		return &ServerError{Kind: KindProtocol, Reason: imapText(refusal), Temporary: true, Busy: isBusy(refusal)}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &ServerError{Kind: KindConnect, Reason: "connection refused", Temporary: true}
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return &ServerError{Kind: KindConnect, Reason: "host unreachable", Temporary: true}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return &ServerError{Kind: KindConnect, Reason: "connection closed by the server", Temporary: true}
	}
	return &ServerError{Kind: KindProtocol, Reason: "the server sent an answer that is not valid", Temporary: true}
}

func classifyTLS(err error) *ServerError {
	var reason string
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](err)
	_, isHost := errors.AsType[x509.HostnameError](err)
	_, isUnknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, isVerify := errors.AsType[*tls.CertificateVerificationError](err)
	_, isHeader := errors.AsType[tls.RecordHeaderError](err)
	_, isAlert := errors.AsType[tls.AlertError](err)
	switch {
	case isHost:
		reason = "certificate is for another host name"
	case isUnknown:
		reason = "certificate is not signed by a known authority"
	case isInvalid && invalid.Reason == x509.Expired:
		reason = "certificate has expired or is not valid yet"
	case isInvalid, isVerify:
		reason = "certificate is not valid"
	case isHeader:
		reason = "the server does not speak TLS on this port"
	case isAlert, strings.HasPrefix(rootText(err), "tls: "):
		reason = "TLS handshake failed"
	default:
		return nil
	}
	return &ServerError{Kind: KindTLS, Reason: reason}
}

// rootText returns the text of the innermost error; crypto/tls has no types for most handshake
// errors.
func rootText(err error) string {
	for {
		if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) > 0 {
			err = joined.Unwrap()[0]
			continue
		}
		inner := errors.Unwrap(err)
		if inner == nil {
			return strings.TrimPrefix(err.Error(), "remote error: ")
		}
		err = inner
	}
}

// answerText returns an SMTP answer on one line: code, enhanced code, text.
func answerText(e *smtp.SMTPError) string {
	text := e.Message
	if enhanced := enhancedCode(e); enhanced != "" {
		text = enhanced + " " + enhancedLine.ReplaceAllString(text, "")
	}
	return shorten(fmt.Sprint(e.Code) + " " + text)
}

// enhancedLine is an enhanced code at the beginning of a line. RFC 2034 requires it
// on every line, some servers put it on the last one only.
var enhancedLine = regexp.MustCompile(`(?m)^[245]\.\d{1,3}\.\d{1,3}[ \t]+`)

func enhancedCode(e *smtp.SMTPError) string {
	if e.EnhancedCode[0] >= 2 && e.EnhancedCode[0] <= 5 {
		return fmt.Sprintf("%d.%d.%d", e.EnhancedCode[0], e.EnhancedCode[1], e.EnhancedCode[2])
	}
	return strings.TrimSpace(enhancedLine.FindString(e.Message))
}

func imapText(e *imap.Error) string {
	if text := shorten(e.Text); text != "" {
		return text
	}
	return "refused by the server"
}

// shorten cuts a server's text to the length that is stored and shown.
func shorten(s string) string {
	const most = 500
	s = oneLine(strings.ToValidUTF8(s, "\ufffd"))
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// longWord is a word that may be credentials in base64.
var longWord = regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}=*`)

// withoutSecret replaces a secret in a text, and each word that contains it in base64.
func withoutSecret(text, secret string) string {
	if secret == "" {
		return text
	}
	text = strings.ReplaceAll(text, secret, "…")
	return longWord.ReplaceAllStringFunc(text, func(word string) string {
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if plain, err := alphabet.DecodeString(strings.TrimRight(word, "=")); err == nil && strings.Contains(string(plain), secret) {
				return "…"
			}
		}
		return word
	})
}

// loginRefused returns the error for a refused login, without a password or token that the server
// repeats.
func loginRefused(err error, server outreach.MailServer) error {
	answer, isSMTP := errors.AsType[*smtp.SMTPError](err)
	refusal, isIMAP := errors.AsType[*imap.Error](err)
	clean := func(text string) string { return withoutSecret(withoutSecret(text, server.Password), server.Token) }
	switch { // before the text is shortened, which may leave a part of a secret
	case isSMTP:
		answer = &smtp.SMTPError{Code: answer.Code, EnhancedCode: answer.EnhancedCode, Message: clean(answer.Message)}
		err = answer
	case isIMAP:
		refusal = &imap.Error{Type: refusal.Type, Code: refusal.Code, Text: clean(refusal.Text)}
		err = refusal
	default:
		return err
	}
	known := classify(err)
	text := known.Reason
	if advice := adviceOf(text, server.Token == ""); advice != "" {
		text = advice + ": " + text
	}
	// The cause is left out: its text may hold what was cut out here.
	return &ServerError{Kind: KindLogin, Reason: "login refused: " + text, Temporary: known.Busy, Busy: known.Busy}
}

// busyCodes are what an IMAP server answers that is only busy (RFC 5530), or limits what one account
// may do in a time, as the large providers do. An SMTP server answers 4xx (RFC 4954 6).
var busyCodes = []imap.ResponseCode{imap.ResponseCodeUnavailable, imap.ResponseCodeInUse, imap.ResponseCodeLimit,
	imap.ResponseCodeOverQuota, "THROTTLED"}

// busyWords are those of servers without such a code.
var busyWords = regexp.MustCompile(`(?i)\bthrottled\b|\brate limit|too many simultaneous connections|exceeded command or bandwidth limits`)

// isBusy reports whether an IMAP server refuses only for now.
func isBusy(refusal *imap.Error) bool {
	return slices.Contains(busyCodes, imap.ResponseCode(strings.ToUpper(string(refusal.Code)))) || busyWords.MatchString(refusal.Text)
}
