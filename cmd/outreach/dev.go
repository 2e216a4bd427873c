package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"outreach/devstack"
	"outreach/sandbox"
	"outreach/storage/stores"
)

// devStack is the environment in which dev runs the service.
type devStack struct {
	dir      string
	state    devState
	config   Config
	listener net.Listener
	postgres *devstack.Postgres
	mail     *sandbox.MailServer
	receiver *sandbox.Receiver
	store    *stores.Stores
	logger   *slog.Logger
	closing  []func() error // closes what was started, in the order of the starts
}

func devCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("dev")
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on")
	dir := flags.String("data", ".outreach", "folder for all data")
	noDemo := flags.Bool("no-demo", false, "leave the workspace empty")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	stack := &devStack{logger: slog.New(slog.NewTextHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	defer stack.close()
	if err := stack.start(ctx, env, *addr, *dir); err != nil {
		return err
	}
	if demo := &stack.state; !*noDemo && !demo.Demo && !demo.History {
		if err := stack.fillPast(ctx); err != nil {
			return err
		}
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

// serve runs the service with the stack until ctx ends.
func (s *devStack) serve(ctx context.Context, env environment, demo bool) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return run(ctx, s.config, options{roles: []string{"api", "worker"}, listener: s.listener, dev: true, log: env.stderr,
			hookReceivers: []netip.AddrPort{s.receiver.Address()}, mailServers: s.mail.Addresses()})
	})
	group.Go(func() error { return s.greet(ctx, env) })
	if demo && !s.state.Demo {
		group.Go(func() error { return s.fillPresent(ctx) })
	}
	if err := group.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func (s *devStack) close() {
	for _, closing := range slices.Backward(s.closing) {
		if err := closing(); err != nil {
			s.logger.Warn("closing the stack", slog.Any("error", err))
		}
	}
}
