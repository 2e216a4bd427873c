package outreach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

// providerServers are those of a provider in these tests.
var providerServers = outreach.ProviderServers{
	SMTP: outreach.MailServer{Host: "smtp.google.test", Port: 465, Security: outreach.SecurityTLS},
	IMAP: outreach.MailServer{Host: "imap.google.test", Port: 993, Security: outreach.SecurityTLS},
}

// A mailbox with tokens uses the servers of its provider whatever was given; one with a
// password has them where nothing else was given.
func TestUseServers(t *testing.T) {
	t.Parallel()
	of := func(host string, port int, user, password string) outreach.MailServer {
		return outreach.MailServer{Host: host, Port: port, Username: user, Password: password, Security: outreach.SecurityTLS}
	}
	own := of("own.test", 2525, "u", "p")
	for name, c := range map[string]struct {
		auth       outreach.MailAuth
		smtp, imap outreach.MailServer
		want       []outreach.MailServer
	}{
		"tokens": {outreach.AuthOAuth2, own, own,
			[]outreach.MailServer{of("smtp.google.test", 465, "a@x.test", ""), of("imap.google.test", 993, "a@x.test", "")}},
		"an app password": {outreach.AuthPassword, outreach.MailServer{Password: "app"}, outreach.MailServer{},
			[]outreach.MailServer{of("smtp.google.test", 465, "a@x.test", "app"), of("imap.google.test", 993, "a@x.test", "app")}},
		"own servers": {outreach.AuthPassword, own, own, []outreach.MailServer{own, own}},
		"one of each": {outreach.AuthPassword, own, outreach.MailServer{Password: "q"},
			[]outreach.MailServer{own, of("imap.google.test", 993, "a@x.test", "q")}},
	} {
		box := outreach.NewMailbox()
		box.Email, box.Provider, box.Auth, box.SMTP, box.IMAP = "a@x.test", outreach.ProviderGoogle, c.auth, c.smtp, c.imap
		box.UseServers(providerServers)
		if diff := cmp.Diff(c.want, []outreach.MailServer{box.SMTP, box.IMAP}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := box.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Each provider offers some ways to log in.
func TestAuthOfProviders(t *testing.T) {
	t.Parallel()
	allowed := map[outreach.MailProvider][]outreach.MailAuth{
		outreach.ProviderCustom:    {outreach.AuthPassword},
		outreach.ProviderGoogle:    {outreach.AuthPassword, outreach.AuthOAuth2},
		outreach.ProviderMicrosoft: {outreach.AuthPassword, outreach.AuthOAuth2, outreach.AuthOAuth2App},
	}
	for provider, want := range allowed {
		var got []outreach.MailAuth
		for _, auth := range []outreach.MailAuth{outreach.AuthPassword, outreach.AuthOAuth2, outreach.AuthOAuth2App} {
			box := outreach.NewMailbox()
			box.Email, box.Provider, box.Auth = "a@x.test", provider, auth
			box.SMTP = outreach.MailServer{Host: "h.test", Port: 1, Username: "u", Password: "p", Security: outreach.SecurityTLS}
			box.IMAP = box.SMTP
			if box.Validate() == nil {
				got = append(got, auth)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", provider, diff)
		}
	}
}

// A tenant becomes part of a URL.
func TestValidTenant(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"organizations": true, "acme.example": true, "7f3e4a52-0000-4000-8000-5a17db0c0001": true,
		"": false, "../evil": false, "a/b": false, "a?b": false, "a#b": false, "a@b": false, "a b": false, ".a": false,
		"a..b": false, "%2e": false,
	} {
		if got := outreach.ValidTenant(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestOAuthClientFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		client outreach.OAuthClient
		want   []string
	}{
		"Google": {outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: "i", Secret: "s"}, nil},
		"Google with a tenant": {outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: "i", Secret: "s",
			Tenant: "x"}, []string{"/tenant invalid"}},
		"Microsoft without one": {outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: "i", Secret: "s"},
			[]string{"/tenant required"}},
		"Microsoft with a bad one": {outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: "i", Secret: "s",
			Tenant: "a/b"}, []string{"/tenant invalid"}},
		"nothing":          {outreach.OAuthClient{Provider: outreach.ProviderGoogle}, []string{"/client_id required", "/client_secret required"}},
		"another provider": {outreach.OAuthClient{Provider: outreach.ProviderCustom, ClientID: "i", Secret: "s"}, []string{"/provider invalid"}},
	} {
		var got []string
		for _, fault := range outreach.FaultsOf(c.client.Validate()) {
			got = append(got, fault.Pointer()+" "+string(fault.Code))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
