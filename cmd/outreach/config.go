package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"outreach"
	"outreach/jobs"
	"outreach/storage"
)

// Config is the configuration from the environment.
type Config struct {
	DatabaseURL string    `env:"DATABASE_URL,required,notEmpty" help:"Postgres 15 or newer, such as postgres://user:password@host/db"`
	RedisURL    string    `env:"REDIS_URL,required,notEmpty" help:"redis://, rediss://, redis-socket://, redis-sentinel://, redis-cluster://"`
	BaseURL     baseURL   `env:"OUTREACH_BASE_URL,required,notEmpty" help:"public URL of the service, such as https://outreach.example.com"`
	SecretKey   secretKey `env:"OUTREACH_SECRET_KEY,required,notEmpty" help:"32 bytes in base64, or several: the first encrypts, all decrypt"`
	Addr        string    `env:"OUTREACH_ADDR" envDefault:":8080" help:"address to listen on"`

	ScanInterval seconds `env:"OUTREACH_WEBHOOK_SCAN_INTERVAL" envDefault:"1m" help:"between scans for due deliveries"`
	RetryDelay   seconds `env:"OUTREACH_WEBHOOK_RETRY_DELAY" envDefault:"1m" help:"between attempts of a delivery"`
	SendInterval seconds `env:"OUTREACH_SEND_INTERVAL" envDefault:"1m" help:"between checks for mail to send"`
	ReceiveEvery seconds `env:"OUTREACH_RECEIVE_INTERVAL" envDefault:"1m" help:"between two reads of a mailbox"`

	WebhookNets networks    `env:"OUTREACH_WEBHOOK_ALLOW_NETWORKS" help:"CIDRs that webhooks may reach in addition to public addresses"`
	MailNets    networks    `env:"OUTREACH_MAIL_ALLOW_NETWORKS" help:"CIDRs that mail servers may be in, in addition to public addresses"`
	MailHello   helloName   `env:"OUTREACH_MAIL_HELLO" help:"host name in EHLO; default: the host of OUTREACH_BASE_URL"`
	MailCAFile  string      `env:"OUTREACH_MAIL_CA_FILE" help:"PEM file of additional authorities for mail servers and identity providers"`
	DNSServers  nameServers `env:"OUTREACH_DNS_SERVERS" help:"resolvers for domains of mailboxes, such as 10.0.0.53:53; default: the system's"`

	GoogleID     string   `env:"OUTREACH_GOOGLE_CLIENT_ID" help:"OAuth client of the installation at Google; see docs/mailboxes.md"`
	GoogleSecret string   `env:"OUTREACH_GOOGLE_CLIENT_SECRET" help:"its secret"`
	GoogleIssuer issuer   `env:"OUTREACH_GOOGLE_ISSUER" envDefault:"https://accounts.google.com" help:"OpenID issuer of Google"`
	GoogleSMTP   mailHost `env:"OUTREACH_GOOGLE_SMTP" envDefault:"tls://smtp.gmail.com:465" help:"SMTP server that gets tokens of Google"`
	GoogleIMAP   mailHost `env:"OUTREACH_GOOGLE_IMAP" envDefault:"tls://imap.gmail.com:993" help:"IMAP server that gets tokens of Google"`

	MicrosoftID     string   `env:"OUTREACH_MICROSOFT_CLIENT_ID" help:"OAuth client of the installation at Microsoft; see docs/mailboxes.md"`
	MicrosoftSecret string   `env:"OUTREACH_MICROSOFT_CLIENT_SECRET" help:"its secret"`
	MicrosoftTenant tenant   `env:"OUTREACH_MICROSOFT_TENANT" envDefault:"organizations" help:"organizations, common or one directory"`
	MicrosoftIssuer issuer   `env:"OUTREACH_MICROSOFT_ISSUER" envDefault:"https://login.microsoftonline.com/{tenant}/v2.0" help:"its issuer"`
	MicrosoftSMTP   mailHost `env:"OUTREACH_MICROSOFT_SMTP" envDefault:"starttls://smtp.office365.com:587" help:"its SMTP server"`
	MicrosoftIMAP   mailHost `env:"OUTREACH_MICROSOFT_IMAP" envDefault:"tls://outlook.office365.com:993" help:"its IMAP server"`

	WebhookCAFile    string  `env:"OUTREACH_WEBHOOK_CA_FILE" help:"PEM file of additional authorities for receivers' certificates"`
	RateLimit        int     `env:"OUTREACH_RATE_LIMIT" envDefault:"600" help:"API requests per minute and token; 0: no limit"`
	GraphQLRate      int     `env:"OUTREACH_GRAPHQL_RATE" envDefault:"1200" help:"GraphQL requests per minute and workspace; 0: no limit"`
	PreviewCPU       seconds `env:"OUTREACH_PREVIEW_CPU" envDefault:"5s" help:"CPU time per minute and workspace for previews and checks"`
	MaxMailboxes     int     `env:"OUTREACH_MAX_MAILBOXES" envDefault:"500" help:"most mailboxes of a workspace; 0: no limit"`
	MaxSubscriptions int     `env:"OUTREACH_MAX_SUBSCRIPTIONS" envDefault:"50" help:"most subscriptions of a workspace; 0: no limit"`
	MaxMembers       int     `env:"OUTREACH_MAX_MEMBERS" envDefault:"200" help:"most members, with invitations; 0: no limit"`

	Retention      days     `env:"OUTREACH_DELIVERY_RETENTION" envDefault:"90d" help:"how long settled deliveries are kept, such as 90d"`
	VisitRetention days     `env:"OUTREACH_VISIT_RETENTION" envDefault:"90d" help:"how long clicks and visits are kept, such as 90d"`
	EventRetention eventAge `env:"OUTREACH_EVENT_RETENTION" envDefault:"400d" help:"how long events are kept, such as 400d"`
	MailRetention  mailAge  `env:"OUTREACH_MESSAGE_RETENTION" envDefault:"0" help:"how long texts of mail are kept: 180d or more; 0: forever"`

	Contact       contact  `env:"OUTREACH_SECURITY_CONTACT" help:"such as mailto:security@example.com; serves /.well-known/security.txt"`
	Proxies       networks `env:"OUTREACH_TRUSTED_PROXIES" help:"CIDRs of reverse proxies whose X-Forwarded-For is trusted"`
	MetricsAddr   string   `env:"OUTREACH_METRICS_ADDR" help:"address for /metrics, such as 127.0.0.1:9090; empty: not served"`
	TraceEndpoint string   `env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"OTLP/HTTP collector of traces, such as http://127.0.0.1:4318"`
	ShutdownDelay delay    `env:"OUTREACH_SHUTDOWN_DELAY" envDefault:"5s" help:"time from SIGTERM to draining, in which /readyz answers 503"`
	LogLevel      logLevel `env:"OUTREACH_LOG_LEVEL" envDefault:"info" help:"debug, info, warn or error"`

	Pooler         pooler `env:"OUTREACH_DATABASE_POOLER" help:"transaction, if DATABASE_URL is a pooler in transaction mode"`
	MigrateURL     string `env:"OUTREACH_MIGRATE_URL" help:"address of Postgres itself, for migrations; needed behind a pooler"`
	DatabaseConns  int    `env:"OUTREACH_DATABASE_CONNECTIONS" envDefault:"20" help:"most connections to Postgres; batches use up to 10 more"`
	WebhookWorkers int    `env:"OUTREACH_WEBHOOK_CONCURRENCY" envDefault:"512" help:"most concurrent delivery attempts of a process"`
}

type (
	baseURL   string
	secretKey struct{ ring *outreach.Keyring }
	seconds   time.Duration
	delay     time.Duration
	contact   string
	helloName string
	days      time.Duration
	networks  []netip.Prefix
	logLevel  slog.Level
	pooler    string
)

// nameServers are the addresses of name servers with ports.
type nameServers []string

// host returns the host of the address, without its port.
func (b baseURL) host() string {
	u, err := url.Parse(string(b))
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// UnmarshalText accepts an http or https address without a path.
func (b *baseURL) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		return errors.New("must be an http or https address, such as https://outreach.example.com")
	}
	*b = baseURL(strings.TrimSuffix(string(text), "/"))
	return nil
}

// UnmarshalText reads the mode of a pooler.
func (p *pooler) UnmarshalText(text []byte) error {
	if *p = pooler(text); *p != "" && *p != "transaction" {
		return errors.New("must be transaction, or empty without a pooler")
	}
	return nil
}

func (b baseURL) secure() bool { return strings.HasPrefix(string(b), "https://") }

// UnmarshalText reads the keys; errors never contain them.
func (k *secretKey) UnmarshalText(text []byte) (err error) {
	k.ring, err = outreach.ParseKeyring(string(text))
	return err
}

// UnmarshalText reads a whole number of seconds, at least 1s.
func (s *seconds) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < time.Second || d%time.Second != 0 {
		return errors.New("must be a whole number of seconds and at least 1s, such as 30s or 1m")
	}
	*s = seconds(d)
	return nil
}

// UnmarshalText accepts a host name or an address literal, as EHLO allows (RFC 5321, section
// 4.1.1.1).
func (h *helloName) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	inner, opened := strings.CutPrefix(name, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	_, err := netip.ParseAddr(strings.TrimPrefix(inner, "ipv6:"))
	literal := opened && closed && err == nil
	if name != "" && name != "localhost" && !outreach.IsHostname(name) && !literal {
		return errors.New("must be a host name, such as mail.example.com")
	}
	*h = helloName(text)
	return nil
}

// UnmarshalText reads an address that RFC 9116 allows: mailto:, https: or tel:.
func (c *contact) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || !slices.Contains([]string{"mailto", "https", "tel"}, u.Scheme) || u.Opaque == "" && u.Host == "" {
		return errors.New("must begin with mailto:, https:// or tel:, such as mailto:security@example.com")
	}
	*c = contact(u.String())
	return nil
}

// UnmarshalText reads a duration from 0s to 10m.
func (d *delay) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil || parsed < 0 || parsed > 10*time.Minute {
		return errors.New("must be a duration from 0s to 10m, such as 5s")
	}
	*d = delay(parsed)
	return nil
}

// UnmarshalText reads a number of days with d, or a duration.
func (d *days) UnmarshalText(text []byte) error {
	if n, isDays := strings.CutSuffix(string(text), "d"); isDays {
		count, err := strconv.Atoi(n)
		if err != nil || count < 1 {
			return errors.New("must be a number of days, such as 90d")
		}
		*d = days(time.Duration(count) * 24 * time.Hour)
		return nil
	}
	parsed, err := time.ParseDuration(string(text))
	if err != nil || parsed < time.Second {
		return errors.New("must be a duration, such as 90d or 12h")
	}
	*d = days(parsed)
	return nil
}

// eventAge is how long events are kept: at least a week, because the temperature of a company uses
// the events of a week.
type eventAge time.Duration

func (e *eventAge) UnmarshalText(text []byte) error {
	parsed, err := daysOf(text, 7)
	*e = eventAge(parsed)
	return err
}

// daysOf parses a duration and returns an error if it is shorter than a number of days.
func daysOf(text []byte, least int) (parsed days, err error) {
	if err := parsed.UnmarshalText(text); err != nil {
		return 0, err
	}
	if parsed < days(time.Duration(least)*24*time.Hour) {
		return 0, fmt.Errorf("must be at least %dd", least)
	}
	return parsed, nil
}

// mailAge is how long the texts of mail are kept: at least 180 days, because mail is matched by its
// text that long. 0 means forever.
type mailAge time.Duration

func (m *mailAge) UnmarshalText(text []byte) error {
	if string(text) == "0" {
		*m = 0
		return nil
	}
	parsed, err := daysOf(text, 180)
	*m = mailAge(parsed)
	return err
}

// UnmarshalText reads CIDRs, or single addresses, separated by commas.
func (n *networks) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if address, single := netip.ParseAddr(part); err != nil && single == nil {
			prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return fmt.Errorf("%q must be a CIDR, such as 10.0.0.0/8", part)
		}
		*n = append(*n, prefix)
	}
	return nil
}

// UnmarshalText reads addresses, each with or without a port, separated by commas.
func (n *nameServers) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		server, err := netip.ParseAddrPort(part)
		if address, single := netip.ParseAddr(part); err != nil && single == nil {
			server, err = netip.AddrPortFrom(address, 53), nil
		}
		if err != nil {
			return errors.New("must be addresses of DNS servers, such as 10.0.0.53:53")
		}
		*n = append(*n, server.String())
	}
	return nil
}

// UnmarshalText reads the name of a level.
func (l *logLevel) UnmarshalText(text []byte) error {
	var level slog.Level
	if err := level.UnmarshalText(text); err != nil {
		return errors.New("must be debug, info, warn or error")
	}
	*l = logLevel(level)
	return nil
}

// environ returns the process's environment as a map.
func environ() map[string]string { return env.ToMap(os.Environ()) }

// loadConfig reads the variables. The error names the first one that is missing or invalid, on one
// line and without its value.
func loadConfig(vars map[string]string) (Config, error) {
	var c Config
	err := env.ParseWithOptions(&c, env.Options{Environment: vars})
	if many, ok := errors.AsType[env.AggregateError](err); ok && len(many.Errors) > 0 {
		return c, explainVariable(many.Errors[0])
	}
	if err != nil {
		return c, explainVariable(err)
	}
	for _, v := range []struct {
		name         string
		value, least int
	}{
		{"OUTREACH_RATE_LIMIT", c.RateLimit, 0}, {"OUTREACH_GRAPHQL_RATE", c.GraphQLRate, 0},
		{"OUTREACH_MAX_MAILBOXES", c.MaxMailboxes, 0}, {"OUTREACH_MAX_SUBSCRIPTIONS", c.MaxSubscriptions, 0},
		{"OUTREACH_MAX_MEMBERS", c.MaxMembers, 0}, {"OUTREACH_DATABASE_CONNECTIONS", c.DatabaseConns, 4},
		{"OUTREACH_WEBHOOK_CONCURRENCY", c.WebhookWorkers, 4},
	} {
		if v.value < v.least {
			return c, fmt.Errorf("%s must be at least %d", v.name, v.least)
		}
	}
	switch {
	case (c.GoogleID == "") != (c.GoogleSecret == ""):
		return c, errors.New("OUTREACH_GOOGLE_CLIENT_ID and OUTREACH_GOOGLE_CLIENT_SECRET must both be set or both be empty")
	case (c.MicrosoftID == "") != (c.MicrosoftSecret == ""):
		return c, errors.New("OUTREACH_MICROSOFT_CLIENT_ID and OUTREACH_MICROSOFT_CLIENT_SECRET must both be set or both be empty")
	}
	return c, c.checkAddresses()
}

// hidesVisitors reports whether a proxy terminates TLS and no proxy is trusted to name its
// visitors.
func (c Config) hidesVisitors() bool { return c.BaseURL.secure() && len(c.Proxies) == 0 }

// checkAddresses checks the spelling of all addresses before any of them is used.
func (c Config) checkAddresses() error {
	if err := storage.CheckURL(c.DatabaseURL); err != nil {
		return fmt.Errorf("DATABASE_URL is %w", err)
	}
	if err := storage.CheckURL(c.MigrateURL); c.MigrateURL != "" && err != nil {
		return fmt.Errorf("OUTREACH_MIGRATE_URL is %w", err)
	}
	if _, err := jobs.ParseRedis(c.RedisURL); err != nil {
		return fmt.Errorf("REDIS_URL is malformed: %w", err)
	}
	for _, door := range []struct{ name, address string }{{"OUTREACH_ADDR", c.Addr}, {"OUTREACH_METRICS_ADDR", c.MetricsAddr}} {
		_, port, err := net.SplitHostPort(door.address)
		if _, wrong := strconv.ParseUint(port, 10, 16); door.address != "" && (err != nil || wrong != nil) {
			return fmt.Errorf("%s must be an address to listen on, such as 127.0.0.1:8080", door.name)
		}
	}
	if u, err := url.Parse(c.TraceEndpoint); c.TraceEndpoint != "" &&
		(err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		return errors.New("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, such as http://127.0.0.1:4318")
	}
	return nil
}

func explainVariable(err error) error {
	if missing, ok := errors.AsType[env.VarIsNotSetError](err); ok {
		return fmt.Errorf("%s is not set; `outreach help config` describes it", missing.Key)
	}
	if empty, ok := errors.AsType[env.EmptyVarError](err); ok {
		return fmt.Errorf("%s is empty; `outreach help config` describes it", empty.Key)
	}
	if parse, ok := errors.AsType[env.ParseError](err); ok {
		field, _ := reflect.TypeFor[Config]().FieldByName(parse.Name)
		return fmt.Errorf("%s %s", variableOf(field), reasonOf(parse.Err))
	}
	return err
}

// reasonOf returns the reason of an error from our types; an error of strconv would repeat the
// value.
func reasonOf(err error) string {
	if _, ok := errors.AsType[*strconv.NumError](err); ok {
		return "must be an integer"
	}
	return err.Error()
}

func variableOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
	return name
}

// helpConfig lists every variable with its description and default.
func helpConfig(w io.Writer) error {
	for field := range reflect.TypeFor[Config]().Fields() {
		byDefault := "default " + field.Tag.Get("envDefault")
		switch {
		case strings.Contains(field.Tag.Get("env"), "required"):
			byDefault = "required"
		case field.Tag.Get("envDefault") == "":
			byDefault = "default empty"
		}
		if _, err := fmt.Fprintf(w, "%s (%s)\n    %s\n", variableOf(field), byDefault, field.Tag.Get("help")); err != nil {
			return err
		}
	}
	return nil
}
