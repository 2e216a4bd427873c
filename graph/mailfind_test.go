package graph_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
)

// finder finds one server.
type finder struct{ asked []string }

func (f *finder) FindServers(_ context.Context, email string) outreach.FoundServers {
	f.asked = append(f.asked, email)
	server := &outreach.MailServer{Host: "smtp.acme.test", Port: 465, Username: "u", Password: "secret", Security: outreach.SecurityTLS}
	return outreach.FoundServers{Provider: outreach.ProviderCustom, Password: outreach.PasswordOfAccount, SMTP: server,
		Tried: []outreach.TriedServer{{Protocol: "imap", Host: "imap.acme.test", Port: 993, Security: outreach.SecurityTLS,
			Source: outreach.SourceGuess, Failure: new("connection refused")}}}
}

// noMore refuses every probe.
type noMore struct{}

func (noMore) Begin(context.Context, uuid.UUID) (func(), error) {
	return nil, outreach.Errorf(outreach.CodeRateLimited, "Too many.")
}

// Servers are looked for if the address is one, within the limit of logins, and for a
// workspace only.
func TestMailServers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	f := &finder{}
	config := s.config()
	config.Finder = f
	ask := func(config graph.Config, ctx context.Context, email string) (string, error) {
		x, err := graph.NewExecutor(graph.NewSchema(config), map[string]string{"it": `query it($email: String!) { mailServers(email: $email) {
			provider providerName password smtp { host port security } imap { host } tried { protocol host port source failure } } }`})
		must(t, err)
		answer, err := x.Run(ctx, "it", map[string]any{"email": email})
		return string(answer), err
	}
	answer, err := ask(config, s.ctx, "ann@acme.test")
	must(t, err)
	same(t, "found", answer,
		`{"mailServers":{"provider":"custom","providerName":null,"password":"account",`+
			`"smtp":{"host":"smtp.acme.test","port":465,"security":"tls"},"imap":null,`+
			`"tried":[{"protocol":"imap","host":"imap.acme.test","port":993,"source":"guess","failure":"connection refused"}]}}`)

	for name, c := range map[string]struct {
		email string
		ctx   context.Context
		code  outreach.Code
		limit graph.ProbeLimit
	}{
		"no address":   {"acme.test", s.ctx, outreach.CodeValidation, nil},
		"no workspace": {"ann@acme.test", t.Context(), outreach.CodeUnauthorized, nil},
		"limit":        {"ann@acme.test", s.ctx, outreach.CodeRateLimited, noMore{}},
	} {
		config.Probes = c.limit
		if _, err := ask(config, c.ctx, c.email); outreach.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	same(t, "asked", f.asked, []string{"ann@acme.test"})
}
