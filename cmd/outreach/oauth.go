package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"outreach"
	"outreach/mail/engine"
	"outreach/oauth"
	"outreach/webhook"
)

type (
	issuer   string
	mailHost struct{ outreach.MailServer }
	tenant   string
)

// UnmarshalText accepts an https address; http on loopback only, for tests.
func (i *issuer) UnmarshalText(text []byte) error {
	u, err := url.Parse(strings.ReplaceAll(string(text), "{tenant}", "tenant"))
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return errors.New("must be an https address, such as https://accounts.google.com")
	}
	ip, notIP := netip.ParseAddr(u.Hostname())
	if u.Scheme != "https" && (u.Scheme != "http" || notIP != nil || !ip.IsLoopback()) {
		return errors.New("must begin with https://")
	}
	*i = issuer(text)
	return nil
}

// UnmarshalText reads tls://host:port or starttls://host:port. Tokens need TLS.
func (m *mailHost) UnmarshalText(text []byte) error {
	scheme, address, _ := strings.Cut(string(text), "://")
	host, port, err := net.SplitHostPort(address)
	number, wrong := strconv.ParseUint(port, 10, 16)
	if err != nil || wrong != nil || host == "" || number == 0 || scheme != "tls" && scheme != "starttls" {
		return errors.New("must be an address, such as tls://smtp.example.com:465 or starttls://smtp.example.com:587")
	}
	m.MailServer = outreach.MailServer{Host: host, Port: int(number), Security: outreach.Security(scheme)}
	return nil
}

// UnmarshalText reads the name of a directory at Microsoft, or of a group of them.
func (t *tenant) UnmarshalText(text []byte) error {
	if !outreach.ValidTenant(string(text)) {
		return errors.New("must be a directory id, a domain, organizations or common")
	}
	*t = tenant(text)
	return nil
}

// providerTimeout limits one request to a provider.
const providerTimeout = 15 * time.Second

// buildOAuth creates the service that connects mailboxes by OAuth 2.0. Its client follows no
// redirects, because requests for tokens contain secrets, and ignores proxies in the environment.
func (a *app) buildOAuth() (err error) {
	if a.config.MailCAFile != "" {
		if a.mailRoots, err = webhook.LoadRoots(a.config.MailCAFile); err != nil {
			return fmt.Errorf("OUTREACH_MAIL_CA_FILE: %w", err)
		}
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.mailRoots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: providerTimeout}
	client := &http.Client{Transport: transport, Timeout: providerTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a.oauth = oauth.New(oauth.Config{
		Store: a.store, Mail: engine.Prober{Network: a.mailNetwork()}, Providers: a.providers(),
		BaseURL: string(a.config.BaseURL), Client: client, Logger: a.logger,
	})
	return nil
}

func (a *app) providers() []oauth.Provider {
	c := a.config
	return []oauth.Provider{
		{Name: outreach.ProviderGoogle, Issuer: string(c.GoogleIssuer),
			Servers: outreach.ProviderServers{SMTP: c.GoogleSMTP.MailServer, IMAP: c.GoogleIMAP.MailServer},
			Client:  outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: c.GoogleID, Secret: c.GoogleSecret}},
		{Name: outreach.ProviderMicrosoft, Issuer: string(c.MicrosoftIssuer),
			Servers: outreach.ProviderServers{SMTP: c.MicrosoftSMTP.MailServer, IMAP: c.MicrosoftIMAP.MailServer},
			Client: outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: c.MicrosoftID, Secret: c.MicrosoftSecret,
				Tenant: string(c.MicrosoftTenant)}},
	}
}
