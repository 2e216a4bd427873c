package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"outreach"
	"outreach/rest"
	"outreach/session"
	"outreach/storage"
	"outreach/storage/distribute"
	"outreach/storage/stores"
	"outreach/webhook"
)

func migrateCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("migrate")
	spread := flags.Bool("distribute", false, "then spread the tables over the servers of a Citus cluster; stop the service first")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	config, err := loadConfig(env.vars)
	if err != nil {
		return err
	}
	if err := migrateDatabase(ctx, config); err != nil || !*spread {
		return err
	}
	if err := distribute.Run(ctx, config.migrateURL(), newLogger(env.stderr, slog.LevelInfo)); err != nil {
		return fmt.Errorf("migrate --distribute: %w", unreachable(err))
	}
	return nil
}

// migrateURL returns the database URL for migrations: they use session locks, which a pooler in
// transaction mode does not support.
func (c Config) migrateURL() string { return cmp.Or(c.MigrateURL, c.DatabaseURL) }

func migrateDatabase(ctx context.Context, config Config) error {
	if config.Pooler != "" && config.MigrateURL == "" {
		return errors.New("OUTREACH_MIGRATE_URL is not set: migrations need the address of Postgres itself, not of the pooler")
	}
	if err := storage.Migrate(ctx, config.migrateURL()); err != nil {
		return fmt.Errorf("migrate: %w", unreachable(err))
	}
	return nil
}

// withStore opens the database for one command.
func withStore(ctx context.Context, env environment, act func(*stores.Stores) error) error {
	config, err := loadConfig(env.vars)
	if err != nil {
		return err
	}
	if err := checkSchema(ctx, config); err != nil {
		return err
	}
	store, err := openStore(ctx, config, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	return act(store)
}

func openStore(ctx context.Context, config Config, logger *slog.Logger, now func() time.Time) (*stores.Stores, error) {
	return stores.Open(ctx, storage.Config{
		Now: now,
		URL: config.DatabaseURL, Pooled: config.Pooler != "", Keyring: config.SecretKey.ring,
		BaseURL: string(config.BaseURL), MaxConns: int32(config.DatabaseConns), Logger: logger,
		Quotas: outreach.Quotas{
			Mailboxes: config.MaxMailboxes, Subscriptions: config.MaxSubscriptions, Members: config.MaxMembers,
		},
	}, webhook.Encode)
}

// workspaceID parses a workspace id from the arguments of a command.
func workspaceID(word string) (uuid.UUID, error) {
	id, err := uuid.Parse(word)
	if err != nil {
		return id, fmt.Errorf("%q is not the id of a workspace, such as 0192f0c1-5d0e-7a3b-9c61-2f6a1d0b7e55", word)
	}
	return id, nil
}

func workspaceCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("workspace")
	asJSON := flags.Bool("json", false, "print one JSON object")
	words, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	if len(words) != 2 || words[0] != "add" {
		return errors.New("usage: outreach workspace add NAME [--json]")
	}
	name := strings.TrimSpace(words[1])
	if length := utf8.RuneCountInString(name); length == 0 || length > outreach.MaxText {
		return fmt.Errorf("NAME must have 1 to %d characters, not %d", outreach.MaxText, length)
	}
	return withStore(ctx, env, func(store *stores.Stores) error {
		id, err := store.CreateWorkspace(ctx, name)
		if err != nil {
			return err
		}
		return printResult(env, *asJSON, "workspace_id", id.String())
	})
}

func userCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("user")
	asJSON := flags.Bool("json", false, "print one JSON object")
	admin := flags.Bool("admin", false, "make the user an administrator of the whole installation")
	in := flags.String("workspace", "", "id of the user's workspace")
	words, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	if len(words) == 2 && *in == "" && !*admin {
		switch words[0] {
		case "password":
			return newPassword(ctx, env, words[1], *asJSON)
		case "disable-totp":
			return disableTOTP(ctx, env, words[1], *asJSON)
		}
	}
	if len(words) != 2 || words[0] != "add" || *in == "" {
		return errors.New("usage: outreach user add EMAIL --workspace ID [--admin] [--json], or outreach user " +
			"password|disable-totp EMAIL [--json]")
	}
	workspace, err := workspaceID(*in)
	if err != nil {
		return err
	}
	return withStore(ctx, env, func(store *stores.Stores) error {
		if _, err := store.Me(ctx, workspace); err != nil {
			return noWorkspace(err)
		}
		password := session.NewPassword()
		added := fromShell(ctx, workspace, outreach.AuditMemberJoined, words[1])
		id, err := store.AddUser(added, workspace, words[1], session.HashPassword(password), outreach.RoleOwner, *admin)
		if err != nil {
			return err
		}
		return printResult(env, *asJSON, "user_id", id.String(), "password", password)
	})
}

// newPassword sets a new password for a user who has forgotten the old one. It ends all
// sessions of the user.
func newPassword(ctx context.Context, env environment, email string, asJSON bool) error {
	return withUser(ctx, env, email, func(store *stores.Stores, login outreach.Login) error {
		v, password := login.Viewer, session.NewPassword()
		changed := fromShell(ctx, v.WorkspaceID, outreach.AuditPasswordChanged, v.Email)
		if err := store.SetPassword(changed, v.ID, login.PasswordHash, session.HashPassword(password), [32]byte{}); err != nil {
			return err
		}
		return printResult(env, asJSON, "user_id", v.ID.String(), "password", password)
	})
}

// disableTOTP turns off two-factor sign-in for a user who has lost the device and the recovery
// codes.
func disableTOTP(ctx context.Context, env environment, email string, asJSON bool) error {
	return withUser(ctx, env, email, func(store *stores.Stores, login outreach.Login) error {
		v := login.Viewer
		err := store.DisableTOTP(fromShell(ctx, v.WorkspaceID, outreach.AuditTOTPDisabled, v.Email), v.ID)
		if errors.Is(err, outreach.ErrNotFound) {
			return errors.New("two-factor sign-in is off for this user")
		}
		if err != nil {
			return err
		}
		return printResult(env, asJSON, "user_id", v.ID.String())
	})
}

// withUser opens the database for a change of one user.
func withUser(ctx context.Context, env environment, email string, change func(*stores.Stores, outreach.Login) error) error {
	return withStore(ctx, env, func(store *stores.Stores) error {
		login, err := store.Login(ctx, email)
		if errors.Is(err, outreach.ErrNotFound) {
			return errors.New("no user has this address")
		}
		if err != nil {
			return err
		}
		return change(store, login)
	})
}

func noWorkspace(err error) error {
	if errors.Is(err, outreach.ErrNotFound) {
		return errors.New("no workspace has this id")
	}
	return err
}

func tokenCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("token")
	asJSON := flags.Bool("json", false, "print one JSON object")
	words, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	usage := errors.New("usage: outreach token create|revoke WORKSPACE_ID [--json]")
	if len(words) != 2 || words[0] != "create" && words[0] != "revoke" {
		return usage
	}
	workspace, err := workspaceID(words[1])
	if err != nil {
		return err
	}
	return withStore(ctx, env, func(store *stores.Stores) error {
		if _, err := store.Me(ctx, workspace); err != nil {
			return noWorkspace(err)
		}
		if words[0] == "revoke" {
			revoked := fromShell(ctx, workspace, outreach.AuditTokenRevoked, "")
			if err := store.RevokeToken(revoked, workspace); err != nil {
				return err
			}
			return printResult(env, *asJSON, "revoked", workspace.String())
		}
		token := rest.NewToken()
		created := fromShell(ctx, workspace, outreach.AuditTokenCreated, token.Visible())
		record := outreach.TokenRecord{Hash: token.Hash(), Prefix: token.Visible()}
		if err := store.SetToken(created, workspace, record); err != nil {
			return err
		}
		return printResult(env, *asJSON, "token", string(token))
	})
}

// printResult prints pairs of name and value, as lines or as one JSON object.
func printResult(env environment, asJSON bool, pairs ...string) error {
	object := make(map[string]string, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		object[pairs[i]] = pairs[i+1]
		if !asJSON {
			if _, err := fmt.Fprintf(env.stdout, "%s: %s\n", pairs[i], pairs[i+1]); err != nil {
				return err
			}
		}
	}
	if !asJSON {
		return nil
	}
	return json.NewEncoder(env.stdout).Encode(object)
}

// healthcheckCommand is for container engines, whose image has no shell. Without an address it
// asks the service with the same environment, and without a path it asks for /readyz.
func healthcheckCommand(ctx context.Context, env environment, args []string) error {
	target, err := healthURL(env.vars["OUTREACH_ADDR"])
	if err != nil {
		return fmt.Errorf("OUTREACH_ADDR: %w", err)
	}
	if len(args) > 0 {
		target = args[0]
	}
	if u, err := url.Parse(target); err == nil && strings.Trim(u.Path, "/") == "" {
		target = u.JoinPath("readyz").String()
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", target, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask %s: %w", target, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		report, _ := io.ReadAll(io.LimitReader(response.Body, 1000)) // the status alone is an answer
		return fmt.Errorf("%s answered %s %s", target, response.Status, report)
	}
	return nil
}

// healthURL returns the address of a service on this machine that listens on addr.
func healthURL(addr string) (string, error) {
	host, port, err := net.SplitHostPort(cmp.Or(addr, ":8080"))
	if err != nil {
		return "", err
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/readyz", nil
}
