// Command outreach is the whole service in one binary: the API, the application, the public pages
// and the worker, administration commands, and a development stack. It connects all other packages
// and is the only one that reads flags and the environment.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // for systems without time zone data

	"github.com/redis/go-redis/v9/logging"

	"outreach"
	"outreach/devstack"
)

// command is one subcommand of the program.
type command struct {
	name, usage, does string
	run               func(ctx context.Context, env environment, args []string) error
}

// environment is the process environment of a command.
type environment struct {
	vars   map[string]string
	stdout io.Writer
	stderr io.Writer
}

func commands() []command {
	return []command{
		{"serve", "[--roles api,worker] [--migrate]", "run the service", serveCommand},
		{"dev", "[--addr 127.0.0.1:8080] [--data .outreach] [--no-demo]",
			"run everything on private Postgres and Redis, with a sandbox", devCommand},
		{"migrate", "[--distribute]", "bring the database schema to this version; spread it over a Citus cluster", migrateCommand},
		{"workspace", "add NAME [--json]", "create a workspace", workspaceCommand},
		{"user", "add EMAIL --workspace ID [--admin] [--json]", "create a user and print the password once", userCommand},
		{"user", "password EMAIL [--json]", "set a new password for a user, print it once and end the user's sessions", userCommand},
		{"token", "create|revoke WORKSPACE_ID [--json]", "create or revoke a workspace's API token", tokenCommand},
		{"user", "disable-totp EMAIL [--json]", "turn off two-factor sign-in for a user who lost the device", userCommand},
		{"audit", "WORKSPACE_ID [--action NAME] [--limit 100] [--json]", "print who did what in a workspace, newest first", auditCommand},
		{"sending", "off|on|status [--json]", "turn all mail of the installation off or on, or show its state", sendingCommand},
		{"secrets", "status [--json]", "count the stored secrets by the key of OUTREACH_SECRET_KEY that seals them", secretsCommand},
		{"listen", "[--secret whsec_…] [--data DIR]", "receive webhooks on this machine, verify and print them", listenCommand},
		{"healthcheck", "[URL]", "ask a running service whether it is ready", healthcheckCommand},
		{"version", "", "print the version of this program", versionCommand},
		{"help", "[config|COMMAND]", "show this page, the environment variables, or one command", helpCommand},
	}
}

func main() {
	devstack.RunIfSupervisor()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	logging.Disable() // of the Redis client: callers get each error and log it
	env := environment{vars: environ(), stdout: os.Stdout, stderr: os.Stderr}
	tuneMemory(env.vars)
	if err := dispatch(ctx, env, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "outreach:", strings.Join(strings.Fields(sentence(err)), " ")) // drivers write several lines
		os.Exit(1)
	}
}

// sentence returns the text of an error for people: of a refusal the message without its code.
func sentence(err error) string {
	if refused, ok := errors.AsType[*outreach.Error](err); ok {
		return refused.Message
	}
	return err.Error()
}

func dispatch(ctx context.Context, env environment, args []string) error {
	if len(args) == 0 || args[0] == "--help" || args[0] == "-h" {
		args = []string{"help"}
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		err := c.run(ctx, env, args[1:])
		if errors.Is(err, flag.ErrHelp) {
			c.print(env.stdout)
			return nil
		}
		return err
	}
	return fmt.Errorf("unknown command %q; see `outreach help`", args[0])
}

func helpCommand(_ context.Context, env environment, args []string) error {
	if len(args) == 1 && args[0] == "config" {
		return helpConfig(env.stdout)
	}
	if len(args) > 0 {
		return helpWith(env.stdout, args)
	}
	fmt.Fprintln(env.stdout, "outreach sends sequences of mail, records what happens, and reports it by signed webhooks.")
	fmt.Fprintln(env.stdout)
	for _, c := range commands() {
		c.print(env.stdout)
	}
	return nil
}

// helpWith prints the help of one command, with all its forms.
func helpWith(out io.Writer, args []string) error {
	known := false
	for _, c := range commands() {
		if len(args) == 1 && c.name == args[0] {
			c.print(out)
			known = true
		}
	}
	if !known {
		return fmt.Errorf("unknown command %q; see `outreach help`", strings.Join(args, " "))
	}
	return nil
}

func (c command) print(out io.Writer) {
	fmt.Fprintf(out, "  %s\n        %s\n", strings.TrimSpace("outreach "+c.name+" "+c.usage), c.does)
}

// newFlags returns the flag set of a command. It prints nothing: main prints errors, on one line,
// and dispatch prints the usage.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet("outreach "+name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parseFlags parses the arguments of a command that takes only flags.
func parseFlags(flags *flag.FlagSet, args []string) error {
	words, err := parseMixed(flags, args)
	if err == nil && len(words) > 0 {
		err = fmt.Errorf("%s takes no %q", strings.TrimPrefix(flags.Name(), "outreach "), words[0])
	}
	return err
}

// parseMixed accepts flags before and after the arguments of a command.
func parseMixed(flags *flag.FlagSet, args []string) ([]string, error) {
	var words []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return words, nil
		}
		words, args = append(words, flags.Arg(0)), flags.Args()[1:]
	}
}
