package main

import (
	"bytes"
	"fmt"
	gobuild "go/build"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"outreach"
	"outreach/storage"
)

func goodVars() map[string]string {
	return map[string]string{
		"DATABASE_URL": "postgres://x", "REDIS_URL": "redis://x", "OUTREACH_BASE_URL": "https://outreach.example/",
		"OUTREACH_SECRET_KEY": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
	}
}

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	c, err := loadConfig(goodVars())
	if err != nil {
		t.Fatal(err)
	}
	if c.BaseURL != "https://outreach.example" || !c.BaseURL.secure() || time.Duration(c.ScanInterval) != time.Minute || c.RateLimit != 600 ||
		time.Duration(c.Retention) != 90*24*time.Hour {
		t.Errorf("defaults are %+v", c)
	}
}

// Tokens go to the real providers unless the operator says otherwise.
func TestProviderDefaults(t *testing.T) {
	t.Parallel()
	c, err := loadConfig(goodVars())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range (&app{config: c}).providers() {
		got = append(got, p.Issuer, p.Client.Tenant)
		for _, m := range []outreach.MailServer{p.Servers.SMTP, p.Servers.IMAP} {
			got = append(got, fmt.Sprintf("%s://%s:%d", m.Security, m.Host, m.Port))
		}
	}
	want := []string{"https://accounts.google.com", "", "tls://smtp.gmail.com:465", "tls://imap.gmail.com:993",
		"https://login.microsoftonline.com/{tenant}/v2.0", "organizations", "starttls://smtp.office365.com:587",
		"tls://outlook.office365.com:993"}
	if !slices.Equal(got, want) {
		t.Errorf("the providers are %q, want %q", got, want)
	}
}

// A bad value stops the start with one line that names the variable and does not
// repeat the value, which may be a secret.
func TestConfigFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value string }{
		{"DATABASE_URL", ""}, {"REDIS_URL", ""}, {"OUTREACH_BASE_URL", ""}, {"OUTREACH_SECRET_KEY", ""},
		{"OUTREACH_BASE_URL", "ftp://sesame.example"}, {"OUTREACH_BASE_URL", "https://sesame.example/path"},
		{"OUTREACH_SECRET_KEY", "sesame"}, {"OUTREACH_SECRET_KEY", "c2VzYW1l"},
		{"OUTREACH_WEBHOOK_SCAN_INTERVAL", "500ms"}, {"OUTREACH_WEBHOOK_RETRY_DELAY", "sesame"},
		{"OUTREACH_SEND_INTERVAL", "1500ms"}, {"OUTREACH_RECEIVE_INTERVAL", "0s"},
		{"OUTREACH_WEBHOOK_ALLOW_NETWORKS", "10.0.0.0/99"}, {"OUTREACH_RATE_LIMIT", "sesame"}, {"OUTREACH_RATE_LIMIT", "-1"},
		{"OUTREACH_DELIVERY_RETENTION", "0d"}, {"OUTREACH_EVENT_RETENTION", "6d"}, {"OUTREACH_MESSAGE_RETENTION", "179d"},
		{"OUTREACH_MESSAGE_RETENTION", "sesame"}, {"OUTREACH_LOG_LEVEL", "sesame"}, {"OUTREACH_DATABASE_CONNECTIONS", "1"},
		{"OUTREACH_WEBHOOK_CONCURRENCY", "1"},
		{"DATABASE_URL", "::sesame"}, {"DATABASE_URL", "mysql://sesame"}, {"REDIS_URL", "http://sesame"}, {"REDIS_URL", "sesame"},
		{"OUTREACH_ADDR", "sesame"}, {"OUTREACH_METRICS_ADDR", "127.0.0.1:99999"}, {"OTEL_EXPORTER_OTLP_ENDPOINT", "sesame:4318"},
		{"OUTREACH_MAIL_HELLO", "open sesame"}, {"OUTREACH_MAIL_HELLO", "sesame"}, {"OUTREACH_MAIL_HELLO", "[sesame]"},
		{"OUTREACH_MAIL_HELLO", "sesame.example\r\nMAIL FROM:<>"},
		{"OUTREACH_GOOGLE_CLIENT_ID", "sesame"}, {"OUTREACH_MICROSOFT_CLIENT_ID", "sesame"},
		{"OUTREACH_GOOGLE_ISSUER", "http://sesame.example"}, {"OUTREACH_MICROSOFT_ISSUER", "sesame"},
		{"OUTREACH_GOOGLE_SMTP", "none://sesame.example:25"}, {"OUTREACH_MICROSOFT_IMAP", "sesame.example:993"},
		{"OUTREACH_MICROSOFT_TENANT", "sesame/../other"},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			t.Parallel()
			vars := goodVars()
			vars[c.name] = c.value
			_, err := loadConfig(vars)
			if err == nil || !strings.HasPrefix(err.Error(), c.name+" ") || strings.ContainsAny(err.Error(), "\n") ||
				strings.Contains(err.Error(), "sesame") {
				t.Errorf("the error is %v", err)
			}
		})
	}
	if _, err := loadConfig(nil); err == nil {
		t.Error("an empty environment is accepted")
	}
}

func TestMailHello(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "mail.example.com", "MAIL.Example.com", "localhost", "[192.0.2.1]", "[IPv6:2001:db8::1]"} {
		vars := goodVars()
		vars["OUTREACH_MAIL_HELLO"] = name
		config, err := loadConfig(vars)
		if err != nil || string(config.MailHello) != name {
			t.Errorf("%q is read as %q: %v", name, config.MailHello, err)
		}
	}
}

func TestHelpConfigNamesEveryVariable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := helpConfig(&out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"DATABASE_URL (required)", "REDIS_URL (required)", "OUTREACH_BASE_URL (required)", "OUTREACH_SECRET_KEY (required)",
		"OUTREACH_WEBHOOK_SCAN_INTERVAL (default 1m)", "OUTREACH_WEBHOOK_RETRY_DELAY (default 1m)", "OUTREACH_SEND_INTERVAL (default 1m)",
		"OUTREACH_RECEIVE_INTERVAL (default 1m)", "OUTREACH_WEBHOOK_ALLOW_NETWORKS (default empty)",
		"OUTREACH_MAIL_ALLOW_NETWORKS (default empty)",
		"OUTREACH_WEBHOOK_CA_FILE (default empty)", "OUTREACH_RATE_LIMIT (default 600)", "OUTREACH_DELIVERY_RETENTION (default 90d)",
		"OUTREACH_EVENT_RETENTION (default 400d)", "OUTREACH_MESSAGE_RETENTION (default 0)",
		"OUTREACH_METRICS_ADDR (default empty)", "OUTREACH_LOG_LEVEL (default info)",
	} {
		if !strings.Contains(out.String(), name+"\n") {
			t.Errorf("help config lacks %q", name)
		}
	}
	// An operator adds up what all processes take.
	more := fmt.Sprintf("most connections to Postgres; batches use up to %d more", storage.GroupConns)
	operations, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), more) || !strings.Contains(string(operations), fmt.Sprintf("up to %d more", storage.GroupConns)) {
		t.Errorf("help config or docs/operations.md does not say that there are up to %d connections more", storage.GroupConns)
	}
}

// A command line that is wrong is told in one sentence; one that asks for help
// gets the command's line of the help page.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"nonsense": "", "serve --nonsense": "", "serve words": "", "serve --roles": "", "dev --addr": "", "listen words": "", "migrate words": "",
		"user add a@b.example": "", "user password": "", "user password a@b.example --admin": "", "token make x": "",
		"token create x": "", "workspace add": "", "help nonsense": "", "help config more": "", "audit x --action nonsense": "",
		"secrets": "", "secrets status more": "",
		"listen --secret nonsense": "", "workspace add " + strings.Repeat("x", 501): "", "user add a@b.example --workspace x": "",
		"help token": "outreach token create",
		"--help":     "outreach token", "serve --help": "outreach serve", "token -h": "outreach token", "dev -help": "--no-demo",
	} {
		var out bytes.Buffer
		err := dispatch(t.Context(), environment{stdout: &out, stderr: &out}, strings.Fields(words))
		switch {
		case want == "" && (err == nil || strings.Contains(err.Error(), "\n") || out.Len() > 0):
			t.Errorf("%s: %v, and prints %q", words, err, &out)
		case want != "" && (err != nil || !strings.Contains(out.String(), want)):
			t.Errorf("%s: %v, and prints %q", words, err, &out)
		}
	}
}

// A small image has no time zones of its own; without any, a campaign would be
// refused its zone, and one that has it would send in UTC.
func TestTimeZonesAreInside(t *testing.T) {
	t.Parallel()
	program, err := gobuild.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(program.Imports, "time/tzdata") {
		t.Error("the binary leaves time zones to the system")
	}
}

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	ready := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(ready)
		fmt.Fprint(w, `{"database":"not ready"}`)
	}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	check := func(addr string, args ...string) error {
		env := environment{vars: map[string]string{"OUTREACH_ADDR": addr}, stdout: t.Output(), stderr: t.Output()}
		return dispatch(t.Context(), env, append([]string{"healthcheck"}, args...))
	}
	for _, addr := range []string{":" + port, "0.0.0.0:" + port, "[::]:" + port, "127.0.0.1:" + port} {
		if err := check(addr); err != nil {
			t.Errorf("%s: %v", addr, err)
		}
	}
	for _, address := range []string{server.URL + "/readyz", server.URL, server.URL + "/"} {
		if err := check("127.0.0.1:1", address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := check("127.0.0.1:1"); err == nil {
		t.Error("a service that is away is well")
	}
	ready = http.StatusServiceUnavailable
	if err := check(":" + port); err == nil || !strings.Contains(err.Error(), `"database":"not ready"`) {
		t.Errorf("the answer about a service that is not ready is %v, want the part that is not", err)
	}
}
