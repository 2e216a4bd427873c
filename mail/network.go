package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"golang.org/x/net/idna"

	"outreach"
	"outreach/internal/netguard"
)

// Network configures how mail servers are reached. Users choose these servers, so only public
// addresses are dialled, whatever a name resolves to. The zero value is ready to use.
type Network struct {
	// AllowNetworks allows internal networks, such as that of a relay.
	AllowNetworks []netip.Prefix
	// AllowServers allows single internal servers, each at its port only.
	AllowServers []netip.AddrPort
	// Roots are the certificate authorities; nil: the system's.
	Roots *x509.CertPool
	// HelloName is how an SMTP client presents itself (RFC 5321, section 4.1.1.1).
	// The default, "localhost", tells nothing about this machine, but some servers
	// require a full host name.
	HelloName string
	// Timeouts limits every wait.
	Timeouts Timeouts
}

// HelloNameOf returns the name for EHLO of a service that is reached at a host: the
// host itself, or an address literal (RFC 5321, section 4.1.3).
func HelloNameOf(host string) string {
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	switch {
	case err == nil && addr.Is4():
		return "[" + addr.String() + "]"
	case err == nil:
		return "[IPv6:" + addr.WithZone("").String() + "]"
	}
	if name, err := idna.Lookup.ToASCII(host); err == nil && name != "" {
		return name
	}
	return "localhost"
}

// Timeouts limits the waits of one connection; zero means the default.
type Timeouts struct {
	Connect time.Duration // name lookup, dial, TLS and login together: 30 s
	Command time.Duration // one command and its answer: 60 s
	Data    time.Duration // writing one message, or reading one batch: 3 min
	Answer  time.Duration // from the final dot to the answer: 5 min
}

func (t Timeouts) withDefaults() Timeouts {
	for _, v := range []struct {
		d    *time.Duration
		take time.Duration
	}{
		{&t.Connect, 30 * time.Second}, {&t.Command, time.Minute},
		{&t.Data, 3 * time.Minute}, {&t.Answer, 5 * time.Minute},
	} {
		if *v.d <= 0 {
			*v.d = v.take
		}
	}
	return t
}

// dial opens a guarded connection to one mail server. No proxy is used.
func (n Network) dial(ctx context.Context, server outreach.MailServer) (*wire, error) {
	host, err := idna.Lookup.ToASCII(server.Host)
	if ip, perr := netip.ParseAddr(server.Host); perr == nil && ip.Zone() == "" {
		host, err = ip.String(), nil
	}
	if err != nil || host == "" || server.Port < 1 || server.Port > 65535 {
		return nil, &ServerError{Kind: KindAddress, Reason: "the host name or port is not valid"}
	}
	timeouts := n.Timeouts.withDefaults()
	dialer := net.Dialer{Timeout: timeouts.Connect, Control: netguard.New(n.AllowNetworks, n.AllowServers).Control}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(server.Port)))
	if err != nil {
		return nil, explain(err)
	}
	w := &wire{Conn: conn}
	w.allow(timeouts.Connect, controlBytes)
	return w, nil
}

func (n Network) tlsConfig(server outreach.MailServer) *tls.Config {
	return &tls.Config{ServerName: server.Host, RootCAs: n.Roots, MinVersion: tls.VersionTLS12}
}

// handshake secures a connection before the first byte of the protocol.
func handshake(w *wire, config *tls.Config) (net.Conn, error) {
	conn := tls.Client(w, config)
	if err := conn.Handshake(); err != nil { //nolint:noctx // the wire below has its own deadlines and is closed by the context
		return nil, err
	}
	return conn, nil
}

// The most bytes that a server may send while commands are exchanged, by IMAP and by SMTP. The
// time that an SMTP client spends on answers of several lines grows with the square of their
// number.
const (
	controlBytes = 1 << 20
	answerBytes  = 64 << 10
)

// sessionBytes is the most that a server may send in one session.
const sessionBytes = 512 << 20

// wire is a connection to an untrusted server: it stops at a deadline and after a number of bytes,
// both set per phase. It ignores the deadlines that the protocol libraries set, because they also
// remove them.
type wire struct {
	net.Conn
	held    *holding     // counts what is read; nil for SMTP, which holds nothing
	budget  atomic.Int64 // bytes that may still be read in this phase
	total   atomic.Int64 // bytes that were read
	missing atomic.Int64 // bytes of a failed write that were never sent
	broke   atomic.Pointer[error]
}

// allow starts a phase: at most this long, and this many bytes from the server.
func (w *wire) allow(d time.Duration, bytes int64) {
	w.budget.Store(bytes)
	_ = w.Conn.SetDeadline(time.Now().Add(d))
}

// rest removes the deadline between phases, while the caller works. The limit of bytes stays.
func (w *wire) rest() { _ = w.Conn.SetDeadline(time.Time{}) }

var errTalkative = errors.New("the server sent too much")

func (w *wire) Read(p []byte) (int, error) {
	if broke := w.broke.Load(); broke != nil {
		return 0, *broke
	}
	left := min(w.budget.Load(), sessionBytes-w.total.Load())
	if left <= 0 {
		return 0, w.remember(errTalkative)
	}
	n, err := w.Conn.Read(p[:min(int64(len(p)), left)])
	w.budget.Add(-int64(n))
	w.total.Add(int64(n))
	if err == nil && w.held != nil {
		if err = w.held.use(int64(n)); err != nil {
			n = 0
		}
	}
	return n, w.remember(err)
}

// remember keeps the first read error: the IMAP library only passes on its text.
func (w *wire) remember(err error) error {
	if err != nil {
		w.broke.CompareAndSwap(nil, &err)
	}
	return err
}

// cause returns why an exchange failed: the server's answer, or what broke the connection.
func (w *wire) cause(err error) error {
	_, answered := errors.AsType[*imap.Error](err)
	_, explained := errors.AsType[*ServerError](err)
	if broke := w.broke.Load(); broke != nil && !answered && !explained {
		return errors.Join(*broke, err)
	}
	return err
}

// Write records how much of a failed write was not sent: a final dot that never left this process
// cannot have been accepted.
func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	if err != nil {
		w.missing.Store(int64(len(p) - n))
	}
	return n, err
}

func (w *wire) SetDeadline(time.Time) error      { return nil }
func (w *wire) SetReadDeadline(time.Time) error  { return nil }
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
