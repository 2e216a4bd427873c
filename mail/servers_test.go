package mail

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"outreach"
)

const (
	testUser     = "ann@example.com"
	testPassword = "s3cret pass"
)

// authority is one test CA with a certificate for 127.0.0.1.
var authority = sync.OnceValues(func() (*x509.CertPool, tls.Certificate) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"mail.test"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return pool, tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
})

func serverTLS() *tls.Config {
	_, cert := authority()
	return &tls.Config{Certificates: []tls.Certificate{cert}}
}

// loopback opens 127.0.0.1 and trusts the test CA.
func loopback() Network {
	roots, _ := authority()
	return Network{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Roots: roots}
}

func listen(t *testing.T, security outreach.Security) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if security == outreach.SecurityTLS {
		ln = tls.NewListener(ln, serverTLS())
	}
	t.Cleanup(func() { _ = ln.Close() })
	return ln
}

func at(addr net.Addr, security outreach.Security) outreach.MailServer {
	tcp := addr.(*net.TCPAddr)
	return outreach.MailServer{Host: "127.0.0.1", Port: tcp.Port, Username: testUser, Password: testPassword, Security: security}
}

// submission is an SMTP server that keeps what it accepted.
type submission struct {
	mechanism string // PLAIN or LOGIN
	onRcpt    func(to string) error
	onData    func(n int) error // n messages were accepted before

	mu       sync.Mutex
	accepted []string
}

func (s *submission) messages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.accepted...)
}

func (s *submission) start(t *testing.T, security outreach.Security) outreach.MailServer {
	t.Helper()
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &submissionSession{server: s}, nil }))
	server.Domain, server.AllowInsecureAuth = "mail.test", true
	server.ErrorLog = log.New(io.Discard, "", 0)
	if security == outreach.SecurityStartTLS {
		server.TLSConfig, server.AllowInsecureAuth = serverTLS(), false
	}
	ln := listen(t, security)
	go func() { _ = server.Serve(ln) }()
	t.Cleanup(func() { _ = server.Close() })
	return at(ln.Addr(), security)
}

type submissionSession struct {
	server *submission
	user   string
}

func (s *submissionSession) AuthMechanisms() []string {
	if s.server.mechanism != "" {
		return []string{s.server.mechanism}
	}
	return []string{sasl.Plain}
}

func (s *submissionSession) Auth(mech string) (sasl.Server, error) {
	check := func(username, password string) error {
		if username != testUser || password != testPassword {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "wrong password " + password}
		}
		s.user = username
		return nil
	}
	if mech == sasl.Login {
		return &loginServer{check: check}, nil
	}
	return sasl.NewPlainServer(func(_, username, password string) error { return check(username, password) }), nil
}

// loginServer words its challenges in a way of its own.
type loginServer struct {
	check func(username, password string) error
	seen  []string
}

func (l *loginServer) Next(response []byte) ([]byte, bool, error) {
	if response == nil {
		return []byte("Your name?"), false, nil
	}
	if l.seen = append(l.seen, string(response)); len(l.seen) == 1 {
		return []byte("password please:"), false, nil
	}
	return nil, true, l.check(l.seen[0], l.seen[1])
}

func (s *submissionSession) Mail(string, *smtp.MailOptions) error {
	if s.user == "" {
		return smtp.ErrAuthRequired
	}
	return nil
}

func (s *submissionSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.onRcpt != nil {
		return s.server.onRcpt(to)
	}
	return nil
}

func (s *submissionSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.onData != nil {
		if err := s.server.onData(len(s.server.accepted)); err != nil {
			return err
		}
	}
	s.server.accepted = append(s.server.accepted, string(raw))
	return nil
}

func (s *submissionSession) Reset()        {}
func (s *submissionSession) Logout() error { return nil }

// postbox is an IMAP server with one user.
type postbox struct {
	memory *imapmemserver.Server
	user   *imapmemserver.User
	caps   imap.CapSet
}

func newPostbox(t *testing.T, folders ...string) *postbox {
	t.Helper()
	p := &postbox{memory: imapmemserver.New(), user: imapmemserver.NewUser(testUser, testPassword)}
	for _, name := range append([]string{"INBOX"}, folders...) {
		if err := p.user.Create(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	p.memory.AddUser(p.user)
	return p
}

func (p *postbox) start(t *testing.T, security outreach.Security) outreach.MailServer {
	t.Helper()
	options := &imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return p.memory.NewSession(), nil, nil
		},
		Caps:         p.caps,
		InsecureAuth: security != outreach.SecurityStartTLS,
		Logger:       log.New(io.Discard, "", 0),
	}
	if security == outreach.SecurityStartTLS {
		options.TLSConfig = serverTLS()
	}
	server := imapserver.New(options)
	ln := listen(t, security)
	go func() { _ = server.Serve(ln) }()
	t.Cleanup(func() { _ = server.Close() })
	return at(ln.Addr(), security)
}

// literal is a message to append.
type literal struct {
	*strings.Reader
}

func (l literal) Size() int64 { return l.Reader.Size() }

func (p *postbox) deliver(t *testing.T, folder, raw string, when time.Time) {
	t.Helper()
	if _, err := p.user.Append(folder, literal{strings.NewReader(raw)}, &imap.AppendOptions{Time: when}); err != nil {
		t.Fatal(err)
	}
}

// rude is a server that speaks a script: for each connection it calls serve.
func rude(t *testing.T, serve func(net.Conn)) outreach.MailServer {
	t.Helper()
	ln := listen(t, outreach.SecurityNone)
	var open sync.WaitGroup
	t.Cleanup(func() { _ = ln.Close(); open.Wait() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
				serve(conn)
			})
		}
	}()
	return at(ln.Addr(), outreach.SecurityNone)
}

// reasonOf fails the test unless err is a ServerError of this kind.
func reasonOf(t *testing.T, err error, kind Kind) string {
	t.Helper()
	var known *ServerError
	if !errors.As(err, &known) {
		t.Fatalf("error %v (%T), want a ServerError", err, err)
	}
	if known.Kind != kind {
		t.Fatalf("kind %s (%s), want %s", known.Kind, known.Reason, kind)
	}
	return known.Reason
}

// quick is loopback with short waits, for servers that hang.
func quick() Network {
	n := loopback()
	n.Timeouts = Timeouts{Connect: 300 * time.Millisecond, Command: 300 * time.Millisecond, Data: 300 * time.Millisecond,
		Answer: 300 * time.Millisecond}
	return n
}
