// Command outreach is the whole service in one binary: the API, the application,
// the public pages and the worker, the administration from a shell, and a
// development stack. It joins the rooms of the house and is the only one that
// reads flags and the environment.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"outreach/devstack"
)

// command is one verb of the program.
type command struct {
	name, usage, does string
	run               func(ctx context.Context, env environment, args []string) error
}

// environment is what a command gets of the outside.
type environment struct {
	vars   map[string]string
	stdout io.Writer
	stderr io.Writer
}

func commands() []command {
	return []command{
		{"serve", "[--roles api,worker] [--migrate]", "run the service", serveCommand},
		{"dev", "[--addr 127.0.0.1:8080] [--data .outreach] [--no-demo]", "run everything on private Postgres and Redis, with a sandbox", devCommand},
		{"migrate", "", "bring the database schema to this version", migrateCommand},
		{"workspace", "add NAME [--json]", "make a workspace", workspaceCommand},
		{"user", "add EMAIL --workspace ID [--admin] [--json]", "make a user and print the password once", userCommand},
		{"token", "create|revoke WORKSPACE_ID [--json]", "make or revoke a workspace's API token", tokenCommand},
		{"listen", "[--secret whsec_…] [--data DIR]", "receive webhooks on this machine, verify and print them", listenCommand},
		{"healthcheck", "[URL]", "ask a running service whether it is ready", healthcheckCommand},
		{"help", "[config]", "this page, or every environment variable", helpCommand},
	}
}

func main() {
	devstack.RunIfSupervisor()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	env := environment{vars: environ(), stdout: os.Stdout, stderr: os.Stderr}
	switch err := dispatch(ctx, env, os.Args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "outreach:", err)
		os.Exit(1)
	}
}

func dispatch(ctx context.Context, env environment, args []string) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, env, args[1:])
		}
	}
	return fmt.Errorf("there is no command %q; see `outreach help`", args[0])
}

func helpCommand(_ context.Context, env environment, args []string) error {
	if len(args) == 1 && args[0] == "config" {
		return helpConfig(env.stdout)
	}
	fmt.Fprintln(env.stdout, "outreach sends sequences of mail, records what happens, and tells it by signed webhooks.")
	fmt.Fprintln(env.stdout)
	for _, c := range commands() {
		fmt.Fprintf(env.stdout, "  outreach %s %s\n        %s\n", c.name, c.usage, c.does)
	}
	return nil
}

// newFlags makes the flag set of a command; what it prints goes to standard error.
func newFlags(env environment, name string) *flag.FlagSet {
	flags := flag.NewFlagSet("outreach "+name, flag.ContinueOnError)
	flags.SetOutput(env.stderr)
	return flags
}

// parseMixed lets flags stand behind the words of a command as well as before.
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
