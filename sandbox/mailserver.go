package sandbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-smtp"

	"outreach"
)

// The accounts that every sandbox has.
const (
	// DefaultMailbox is the account that sends steps.
	DefaultMailbox = "sandbox@sandbox.test"
	// ProspectsMailbox is the catch-all. Its INBOX holds the mail to prospects: all mail to
	// addresses that are not an account.
	ProspectsMailbox = "prospects@sandbox.test"
	// GoogleMailbox and MicrosoftMailbox are for connecting by OAuth 2.0, which works
	// with every account.
	GoogleMailbox    = "google@sandbox.test"
	MicrosoftMailbox = "microsoft@sandbox.test"
)

// hostName is the name of the server in greetings and headers.
const hostName = "mail.sandbox.test"

const journalFile = "mail.journal"

// Config configures a MailServer.
type Config struct {
	// Dir holds sandbox.json (ports, passwords; mode 0600) and mail.journal. It is required, and
	// created if it is missing. Only one server may use a folder at a time.
	Dir string
	// Logger gets errors; by default they are dropped.
	Logger *slog.Logger
	// HTTPClient follows links for the personas; by default one with a timeout of ten seconds. It
	// never follows redirects.
	HTTPClient *http.Client
	// Now is the clock; default time.Now.
	Now func() time.Time
	// Delay is how long a persona waits before it acts; default 1.5 s.
	Delay time.Duration
	// DiscardBodies keeps only the envelope and Message-ID of mail that no
	// account and no persona needs, and no Sent copies: for load tests.
	DiscardBodies bool
}

// MailServer is an SMTP and an IMAP server on loopback that accepts mail for any address and
// simulates the prospects. Accounts, mail, UIDs, flags and the actions of personas survive
// restarts.
type MailServer struct {
	config   Config
	store    *store
	accounts *accounts
	agenda   *agenda
	smtp     *smtp.Server
	imap     *imapserver.Server
	openID   *openID
	ports    mailState
	close    func() error
}

// mailState is the content of sandbox.json.
type mailState struct {
	SMTPPort int `json:"smtp_port"`
	IMAPPort int `json:"imap_port"`
	// The same servers over TLS, which tokens require, and the servers that issue tokens.
	SMTPSPort  int            `json:"smtps_port"`
	IMAPSPort  int            `json:"imaps_port"`
	OpenIDPort int            `json:"openid_port"`
	TokenKey   string         `json:"token_key"`
	Accounts   []savedAccount `json:"accounts"`
}

// StartMailServer opens both ports, reads the mail of the last run and starts the personas that
// have not acted yet. The server runs until Close or until ctx is done. If a port of the last run
// is in use, it waits up to five seconds and then returns an error, because mailboxes in the
// database name the port.
func StartMailServer(ctx context.Context, config Config) (*MailServer, error) {
	config.setDefaults()
	if err := os.MkdirAll(config.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make sandbox folder: %w", err)
	}
	s := &MailServer{config: config}
	path := filepath.Join(config.Dir, mailStateFile)
	if err := readState(path, &s.ports); err != nil {
		return nil, err
	}
	// The ports come first: only the process that has them opens the journal.
	listeners, err := s.listen(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.open(path); err != nil {
		return nil, errors.Join(err, listeners.close())
	}
	s.serve(ctx, listeners)
	return s, nil
}

func (c *Config) setDefaults() {
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.HTTPClient = cmp.Or(c.HTTPClient, &http.Client{Timeout: 10 * time.Second})
	c.Delay = cmp.Or(c.Delay, 1500*time.Millisecond)
	if c.Now == nil {
		c.Now = time.Now
	}
}

// listeners are the open ports, including those with TLS.
type listeners struct{ smtp, imap, smtps, imaps, openID net.Listener }

func (l listeners) close() error {
	var errs []error
	for _, one := range []net.Listener{l.smtp, l.imap, l.smtps, l.imaps, l.openID} {
		if one != nil {
			errs = append(errs, one.Close())
		}
	}
	return errors.Join(errs...)
}

func (s *MailServer) listen(ctx context.Context) (open listeners, err error) {
	certificate, err := serverCertificate(s.config.Dir, s.config.Now())
	if err != nil {
		return open, err
	}
	for _, port := range []struct {
		into *net.Listener
		kept *int
		name string
	}{
		{&open.smtp, &s.ports.SMTPPort, "SMTP"}, {&open.imap, &s.ports.IMAPPort, "IMAP"},
		{&open.smtps, &s.ports.SMTPSPort, "SMTP over TLS"}, {&open.imaps, &s.ports.IMAPSPort, "IMAP over TLS"},
		{&open.openID, &s.ports.OpenIDPort, "OpenID"},
	} {
		if *port.into, err = listenKept(ctx, port.kept, port.name); err != nil {
			return open, errors.Join(err, open.close())
		}
	}
	secured := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	open.smtps, open.imaps = tls.NewListener(open.smtps, secured), tls.NewListener(open.imaps, secured)
	return open, nil
}

// open reads the journal and creates the standing accounts if they are missing.
func (s *MailServer) open(path string) (err error) {
	s.store, err = openStore(filepath.Join(s.config.Dir, journalFile), s.config.Now, s.config.DiscardBodies)
	if err != nil {
		return err
	}
	s.ports.TokenKey = cmp.Or(s.ports.TokenKey, rand.Text())
	s.accounts = newAccounts(path, s.ports, s.store)
	s.openID, err = newOpenID("http://"+addressOf(s.ports.OpenIDPort).String(), s.accounts, []byte(s.ports.TokenKey), s.config.Now)
	if err != nil {
		return errors.Join(err, s.store.close())
	}
	for _, email := range []string{DefaultMailbox, ProspectsMailbox, GoogleMailbox, MicrosoftMailbox} {
		if err := s.accounts.ensure(email, rand.Text()); err != nil {
			return errors.Join(err, s.store.close())
		}
	}
	return nil
}

// serve starts the servers and the personas, and prepares Close.
func (s *MailServer) serve(ctx context.Context, listeners listeners) {
	ctx, cancel := context.WithCancel(ctx)
	s.agenda = newAgenda(s.config.Delay)
	s.smtp, s.imap = s.newSMTP(), s.newIMAP()
	var running sync.WaitGroup
	running.Go(func() { s.report(ctx, "smtp", s.smtp.Serve(listeners.smtp)) })
	running.Go(func() { s.report(ctx, "imap", s.imap.Serve(listeners.imap)) })
	running.Go(func() { s.report(ctx, "smtps", s.smtp.Serve(listeners.smtps)) })
	running.Go(func() { s.report(ctx, "imaps", s.imap.Serve(listeners.imaps)) })
	running.Go(func() { s.report(ctx, "openid", s.openID.server.Serve(listeners.openID)) })
	for range personaWorkers {
		running.Go(func() { s.play(ctx) })
	}
	for _, r := range s.store.overdue() {
		s.agenda.add(task{Received: r})
	}
	s.close = sync.OnceValue(func() error {
		cancel()
		// The listeners are closed here too: a server whose Serve has not yet
		// taken its listener would not close it.
		err := errors.Join(s.smtp.Close(), s.imap.Close(), s.openID.close())
		listeners.close()
		running.Wait()
		return errors.Join(err, s.store.close())
	})
	context.AfterFunc(ctx, func() { _ = s.close() }) // Close returns the same error to every caller
}

func (s *MailServer) report(ctx context.Context, server string, err error) {
	if err != nil && ctx.Err() == nil {
		s.config.Logger.ErrorContext(ctx, "sandbox server stopped", slog.String("server", server), slog.Any("error", err))
	}
}

// Close stops both servers and the personas and waits for them. Accepted mail is kept. A persona
// that was interrupted acts at the next start. A second call returns the same error.
func (s *MailServer) Close() error { return s.close() }

// Mailbox is the data of an account for POST /mailboxes.
type Mailbox struct {
	Email string
	SMTP  outreach.MailServer
	IMAP  outreach.MailServer
}

// AddMailbox creates an account, or sets a new password on an existing one.
func (s *MailServer) AddMailbox(email, password string) (Mailbox, error) {
	if err := s.accounts.set(email, password); err != nil {
		return Mailbox{}, err
	}
	return s.mailbox(email, password), nil
}

// Mailbox is the account DefaultMailbox.
func (s *MailServer) Mailbox() Mailbox {
	return s.mailbox(DefaultMailbox, s.accounts.password(DefaultMailbox))
}

// Addresses are the addresses of SMTP and IMAP, without and with TLS.
func (s *MailServer) Addresses() []netip.AddrPort {
	return []netip.AddrPort{addressOf(s.ports.SMTPPort), addressOf(s.ports.IMAPPort), addressOf(s.ports.SMTPSPort),
		addressOf(s.ports.IMAPSPort)}
}

// CAFile holds the authority of the servers over TLS.
func (s *MailServer) CAFile() string { return filepath.Join(s.config.Dir, caFile) }

// OpenID holds the addresses of the sandbox's Google and Microsoft.
type OpenID struct {
	Google, Microsoft string // issuers; the latter has {tenant} in it
	SMTP, IMAP        string // addresses of the servers that take their tokens, over TLS
	Page              string // where tokens are revoked by hand
}

// OpenID returns the addresses of the identity servers.
func (s *MailServer) OpenID() OpenID {
	base := s.openID.base
	return OpenID{Google: base + "/google", Microsoft: base + "/microsoft/{tenant}/v2.0", Page: base + "/",
		SMTP: addressOf(s.ports.SMTPSPort).String(), IMAP: addressOf(s.ports.IMAPSPort).String()}
}

// AllowRedirect registers an address that a consent page may lead to.
func (s *MailServer) AllowRedirect(address string) {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	s.openID.redirects = append(s.openID.redirects, address)
}

// Revoke ends all tokens of an account, as a change of its password does.
func (s *MailServer) Revoke(account string) { s.openID.revoke(account) }

// IssuedTokens returns all tokens that were issued in this run, for tests that search for them.
func (s *MailServer) IssuedTokens() []string {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	return slices.Clone(s.openID.issued)
}

// Prospects is the catch-all account ProspectsMailbox. Delivered-To names the
// envelope recipient of each message in its INBOX.
func (s *MailServer) Prospects() Mailbox {
	return s.mailbox(ProspectsMailbox, s.accounts.password(ProspectsMailbox))
}

// SMTP is the SMTP side of DefaultMailbox.
func (s *MailServer) SMTP() outreach.MailServer { return s.Mailbox().SMTP }

// IMAP is the IMAP side of DefaultMailbox.
func (s *MailServer) IMAP() outreach.MailServer { return s.Mailbox().IMAP }

func (s *MailServer) mailbox(email, password string) Mailbox {
	server := outreach.MailServer{Host: loopback, Port: s.ports.SMTPPort, Username: email, Password: password, Security: outreach.SecurityNone}
	m := Mailbox{Email: email, SMTP: server, IMAP: server}
	m.IMAP.Port = s.ports.IMAPPort
	return m
}

// Received returns the messages to prospects over SMTP, oldest first, with one entry per recipient,
// including earlier runs.
func (s *MailServer) Received() []Received { return s.store.list() }

// ReceivedCount returns the length of Received without copying it.
func (s *MailServer) ReceivedCount() int {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	return len(s.store.received)
}
