package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"outreach/mail/resolve"
	"outreach/oauth"
	"outreach/sandbox"
	"outreach/webhook"
)

func (s *devStack) startSandbox(ctx context.Context) (err error) {
	dir := filepath.Join(s.dir, "sandbox")
	if s.mail, err = sandbox.StartMailServer(ctx, sandbox.Config{Dir: dir, Logger: s.logger}); err != nil {
		return err
	}
	s.closing = append(s.closing, s.mail.Close)
	s.receiver, err = sandbox.StartReceiver(ctx,
		sandbox.ReceiverConfig{Dir: dir, Secret: s.state.ReceiverSecret, Verify: s.verify, Logger: s.logger})
	if err != nil {
		return err
	}
	s.closing = append(s.closing, s.receiver.Close)
	if err := s.useSandboxProviders(); err != nil {
		return err
	}
	if err := s.useSandboxNames(); err != nil {
		return err
	}
	s.config.WebhookCAFile, err = s.trusting(s.config.WebhookCAFile, s.receiver.CAFile(), "authorities.pem")
	return err
}

// trusting adds the certificate authority of the sandbox to those of a variable; if both are
// needed, in a file with the given name.
func (s *devStack) trusting(given, own, name string) (string, error) {
	if given == "" {
		return own, nil
	}
	return joinFiles(filepath.Join(s.dir, name), given, own)
}

// useSandboxProviders configures the sandbox as Google and Microsoft, unless the environment has a
// client for the real ones.
func (s *devStack) useSandboxProviders() (err error) {
	at, c := s.mail.OpenID(), &s.config
	var smtp, imap mailHost
	if err := errors.Join(smtp.UnmarshalText([]byte("tls://"+at.SMTP)), imap.UnmarshalText([]byte("tls://"+at.IMAP))); err != nil {
		return err
	}
	if c.GoogleID == "" {
		c.GoogleID, c.GoogleSecret, c.GoogleIssuer = sandbox.ClientID, sandbox.ClientSecret, issuer(at.Google)
		c.GoogleSMTP, c.GoogleIMAP = smtp, imap
	}
	if c.MicrosoftID == "" {
		c.MicrosoftID, c.MicrosoftSecret, c.MicrosoftIssuer = sandbox.ClientID, sandbox.ClientSecret, issuer(at.Microsoft)
		c.MicrosoftSMTP, c.MicrosoftIMAP = smtp, imap
	}
	s.mail.AllowRedirect(string(c.BaseURL) + oauth.CallbackPath)
	c.MailCAFile, err = s.trusting(c.MailCAFile, s.mail.CAFile(), "mail-authorities.pem")
	return err
}

// useSandboxNames asks the sandbox's DNS before the system's resolvers, unless the environment
// names others: only the sandbox knows its domains.
func (s *devStack) useSandboxNames() error {
	names, err := sandbox.StartNameServer(sandbox.SandboxZone)
	if err != nil {
		return err
	}
	s.closing = append(s.closing, names.Close)
	if s.config.DNSServers == nil {
		s.config.DNSServers = append(nameServers{names.Addr()}, resolve.SystemServers()...)
	}
	return nil
}

// joinFiles writes the contents of several files into one.
func joinFiles(into string, files ...string) (string, error) {
	var all []byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("read authorities: %w", err)
		}
		all = append(append(all, text...), '\n')
	}
	return into, writeWhole(into, all, 0o644)
}

// verifyTolerance is how old a signature may be for the receiver.
const verifyTolerance = 5 * time.Minute

// verify accepts the receiver's own secret and that of any subscription with its URL.
func (s *devStack) verify(secret, header string, body []byte, now time.Time) error {
	err := webhook.Verify(secret, header, body, now, verifyTolerance)
	if err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	others, lookup := s.store.SecretsByURL(ctx, s.receiver.URL())
	if lookup != nil {
		return err
	}
	for _, other := range others {
		if webhook.Verify(other, header, body, now, verifyTolerance) == nil {
			return nil
		}
	}
	return err
}
