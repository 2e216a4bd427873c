package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"outreach"
	"outreach/devstack"
	"outreach/mail/resolve"
	"outreach/oauth"
	"outreach/rest"
	"outreach/sandbox"
	"outreach/session"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// devState is the state that `outreach dev` keeps between starts, besides the databases.
type devState struct {
	SecretKey      string    `json:"secret_key"`
	WorkspaceID    uuid.UUID `json:"workspace_id"`
	Token          string    `json:"api_token"`
	Email          string    `json:"ui_email"`
	Password       string    `json:"ui_password"`
	ReceiverSecret string    `json:"receiver_secret"`
	Demo           bool      `json:"demo"`
}

// devFile is dev.json: the data that a person or a test needs to use the stack.
type devFile struct {
	BaseURL        string      `json:"base_url"`
	APIToken       string      `json:"api_token"`
	UIEmail        string      `json:"ui_email"`
	UIPassword     string      `json:"ui_password"`
	ReceiverURL    string      `json:"receiver_url"`
	ReceiverSecret string      `json:"receiver_secret"`
	OpenIDURL      string      `json:"openid_url"`
	DatabaseURL    string      `json:"database_url"`
	RedisURL       string      `json:"redis_url"`
	SecretKey      string      `json:"secret_key"`
	Mailbox        mailboxBody `json:"mailbox"`
	Prospects      mailboxBody `json:"prospects"`
}

// mailboxBody is a complete body for POST /mailboxes.
type mailboxBody struct {
	Email         string     `json:"email"`
	DisplayName   string     `json:"display_name"`
	SMTP          serverBody `json:"smtp"`
	IMAP          serverBody `json:"imap"`
	DailyLimit    int        `json:"daily_limit"`
	MinGapSeconds int        `json:"min_gap_seconds"`
}

type serverBody struct {
	Host     string            `json:"host"`
	Port     int               `json:"port"`
	Username string            `json:"username"`
	Password string            `json:"password"`
	Security outreach.Security `json:"security"`
}

func mailboxOf(m sandbox.Mailbox, name string) mailboxBody {
	server := func(s outreach.MailServer) serverBody {
		return serverBody{Host: s.Host, Port: s.Port, Username: s.Username, Password: s.Password, Security: s.Security}
	}
	return mailboxBody{Email: m.Email, DisplayName: name, SMTP: server(m.SMTP), IMAP: server(m.IMAP), DailyLimit: 1000}
}

// devStack is the environment in which dev runs the service.
type devStack struct {
	dir      string
	state    devState
	config   Config
	listener net.Listener
	postgres *devstack.Postgres
	redis    *devstack.Redis
	mail     *sandbox.MailServer
	receiver *sandbox.Receiver
	names    *sandbox.NameServer
	store    *stores.Stores
	logger   *slog.Logger
}

func devCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("dev")
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on")
	dir := flags.String("data", ".outreach", "folder for all data")
	noDemo := flags.Bool("no-demo", false, "leave the workspace empty")
	words, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return fmt.Errorf("dev takes no %q", words[0])
	}
	stack := &devStack{logger: slog.New(slog.NewTextHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	defer stack.close()
	if err := stack.start(ctx, env, *addr, *dir); err != nil {
		return err
	}
	return stack.serve(ctx, env, !*noDemo)
}

// start starts the servers and writes dev.json. If it dies, the next start continues: each piece
// is stored before it is used.
func (s *devStack) start(ctx context.Context, env environment, addr, dir string) (err error) {
	if s.dir, err = filepath.Abs(dir); err != nil {
		return fmt.Errorf("find %s: %w", dir, err)
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("create data folder: %w", err)
	}
	if err := s.loadState(); err != nil {
		return err
	}
	if s.listener, err = net.Listen("tcp", addr); err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	vars, err := s.startServers(ctx, env)
	if err != nil {
		return err
	}
	if s.config, err = loadConfig(vars); err != nil {
		return err
	}
	if err := s.prepareStore(ctx); err != nil {
		return err
	}
	if err := s.startSandbox(ctx); err != nil {
		return err
	}
	return s.writeFile()
}

// startServers finds or starts the databases and returns the variables of the service: those of
// the environment, and the stack's defaults.
func (s *devStack) startServers(ctx context.Context, env environment) (map[string]string, error) {
	vars := map[string]string{
		"OUTREACH_BASE_URL": "http://" + s.listener.Addr().String(), "OUTREACH_SECRET_KEY": s.state.SecretKey,
		"OUTREACH_WEBHOOK_SCAN_INTERVAL": "5s", "OUTREACH_WEBHOOK_RETRY_DELAY": "5s",
		"OUTREACH_SEND_INTERVAL": "5s", "OUTREACH_RECEIVE_INTERVAL": "5s", "OUTREACH_LOG_LEVEL": "warn", "OUTREACH_SHUTDOWN_DELAY": "0s",
	}
	for name, value := range env.vars {
		if value != "" {
			vars[name] = value
		}
	}
	s.state.SecretKey = vars["OUTREACH_SECRET_KEY"]
	var err error
	if vars["DATABASE_URL"] == "" {
		s.postgres, err = devstack.StartPostgres(ctx,
			devstack.PostgresConfig{Dir: filepath.Join(s.dir, "postgres"), Durable: true, Logger: s.logger,
				BinDir: env.vars["PGBIN"], Registry: devstack.NPMRegistry(func(name string) string { return env.vars[name] })})
		if err != nil {
			return nil, err
		}
		vars["DATABASE_URL"] = s.postgres.URL()
	}
	if vars["REDIS_URL"] == "" {
		s.redis, err = devstack.StartRedis(ctx, devstack.RedisConfig{Dir: filepath.Join(s.dir, "redis"), Persist: true, Logger: s.logger})
		if err != nil {
			return nil, err
		}
		vars["REDIS_URL"] = s.redis.URL()
	}
	return vars, nil
}

func (s *devStack) prepareStore(ctx context.Context) (err error) {
	err = migrateDatabase(ctx, s.config)
	if errors.Is(err, storage.ErrSchemaOther) && s.postgres != nil {
		return fmt.Errorf("%s was created by another build of outreach, with a database schema that this one does not know: "+
			"run that build, name another folder with --data, or delete this one with all that it holds", s.dir)
	}
	if err != nil {
		return err
	}
	if s.store, err = openStore(ctx, s.config, s.logger); err != nil {
		return err
	}
	if err := s.ensureWorkspace(ctx); err != nil {
		return err
	}
	return s.store.SetTrackingDomain(ctx, s.state.WorkspaceID, s.listener.Addr().String(), outreach.TrackingDomainVerified)
}

// ensureWorkspace creates workspace, user and token at the first start, and again if the database
// is a new one.
func (s *devStack) ensureWorkspace(ctx context.Context) (err error) {
	_, err = s.store.Me(ctx, s.state.WorkspaceID)
	if err == nil || !errors.Is(err, outreach.ErrNotFound) {
		return err
	}
	if s.state.WorkspaceID, err = s.store.CreateWorkspace(ctx, "Sandbox"); err != nil {
		return err
	}
	token := rest.NewToken()
	s.state.Token, s.state.Password, s.state.Demo = string(token), session.NewPassword(), false
	s.state.Email = "dev@outreach.test"
	if err := s.store.SetToken(ctx, s.state.WorkspaceID, outreach.TokenRecord{Hash: token.Hash(), Prefix: token.Visible()}); err != nil {
		return err
	}
	_, err = s.store.AddUser(ctx, s.state.WorkspaceID, s.state.Email, session.HashPassword(s.state.Password), outreach.RoleOwner, true)
	if outreach.CodeOf(err) == outreach.CodeConflict { // an earlier start died between creating the user and storing the state
		s.state.Email = "dev-" + s.state.WorkspaceID.String()[24:] + "@outreach.test"
		_, err = s.store.AddUser(ctx, s.state.WorkspaceID, s.state.Email, session.HashPassword(s.state.Password), outreach.RoleOwner, true)
	}
	if err != nil {
		return err
	}
	return s.saveState()
}

func (s *devStack) startSandbox(ctx context.Context) (err error) {
	dir := filepath.Join(s.dir, "sandbox")
	if s.mail, err = sandbox.StartMailServer(ctx, sandbox.Config{Dir: dir, Logger: s.logger}); err != nil {
		return err
	}
	s.receiver, err = sandbox.StartReceiver(ctx,
		sandbox.ReceiverConfig{Dir: dir, Secret: s.state.ReceiverSecret, Verify: s.verify, Logger: s.logger})
	if err != nil {
		return err
	}
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
func (s *devStack) useSandboxNames() (err error) {
	if s.names, err = sandbox.StartNameServer(sandbox.SandboxZone); err != nil || s.config.DNSServers != nil {
		return err
	}
	s.config.DNSServers = append(nameServers{s.names.Addr()}, resolve.SystemServers()...)
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

func (s *devStack) writeFile() error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // URLs contain &, and people copy them
	encoder.SetIndent("", "  ")
	err := encoder.Encode(devFile{
		BaseURL: string(s.config.BaseURL), APIToken: s.state.Token, UIEmail: s.state.Email, UIPassword: s.state.Password,
		ReceiverURL: s.receiver.URL(), ReceiverSecret: s.state.ReceiverSecret, OpenIDURL: s.mail.OpenID().Page,
		DatabaseURL: s.config.DatabaseURL, RedisURL: s.config.RedisURL, SecretKey: s.state.SecretKey,
		Mailbox: mailboxOf(s.mail.Mailbox(), "Sandbox"), Prospects: mailboxOf(s.mail.Prospects(), "Prospects"),
	})
	if err != nil {
		return fmt.Errorf("write dev.json: %w", err)
	}
	return writeWhole(filepath.Join(s.dir, "dev.json"), text.Bytes(), 0o600)
}

// serve runs the service with the stack until ctx ends.
func (s *devStack) serve(ctx context.Context, env environment, demo bool) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return run(ctx, s.config, options{roles: []string{"api", "worker"}, listener: s.listener, dev: true, log: env.stderr,
			hookReceivers: []netip.AddrPort{s.receiver.Address()}, mailServers: s.mail.Addresses()})
	})
	group.Go(func() error { return s.greet(ctx, env) })
	if demo && !s.state.Demo {
		group.Go(func() error { return s.fillDemo(ctx) })
	}
	if err := group.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func (s *devStack) close() {
	for _, closing := range []func() error{
		func() error { return closeIf(s.receiver != nil, func() error { return s.receiver.Close() }) },
		func() error { return closeIf(s.names != nil, func() error { return s.names.Close() }) },
		func() error { return closeIf(s.mail != nil, func() error { return s.mail.Close() }) },
		func() error { return closeIf(s.store != nil, func() error { s.store.Close(); return nil }) },
		func() error { return closeIf(s.redis != nil, func() error { return s.redis.Close() }) },
		func() error { return closeIf(s.postgres != nil, func() error { return s.postgres.Close() }) },
	} {
		if err := closing(); err != nil {
			s.logger.Warn("closing the stack", slog.Any("error", err))
		}
	}
}

func closeIf(open bool, closing func() error) error {
	if !open {
		return nil
	}
	return closing()
}

func (s *devStack) stateFile() string { return filepath.Join(s.dir, "state.json") }

// loadState reads the state of the last start, or creates the secrets.
func (s *devStack) loadState() error {
	text, err := os.ReadFile(s.stateFile())
	if err == nil {
		if err := json.Unmarshal(text, &s.state); err != nil {
			return fmt.Errorf("read %s: %w", s.stateFile(), err)
		}
		return nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read state: %w", err)
	}
	key := make([]byte, 32)
	rand.Read(key)
	s.state.SecretKey = base64.StdEncoding.EncodeToString(key)
	if s.state.ReceiverSecret, err = webhook.NewSecret(rand.Reader); err != nil {
		return err
	}
	return s.saveState()
}

func (s *devStack) saveState() error {
	text, err := json.MarshalIndent(s.state, "", "  ")
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	return writeWhole(s.stateFile(), text, 0o600)
}

// writeWhole replaces a file in one step: readers see the old or the new text.
func writeWhole(path string, text []byte, mode os.FileMode) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, text, mode); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
