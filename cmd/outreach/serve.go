package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"outreach/storage"
)

// options are settings of a start besides its Config.
type options struct {
	roles []string
	// migrate applies missing migrations instead of refusing to start.
	migrate bool
	// listener replaces the one on Config.Addr.
	listener net.Listener
	// dev makes the base address a verified tracking domain and allows introspection.
	dev bool
	// hookReceivers and mailServers are allowed in addition to Config's networks, each at its port
	// only.
	hookReceivers, mailServers []netip.AddrPort
	log                        io.Writer
}

func serveCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("serve")
	roles := flags.String("roles", "api,worker", "what this process does: api, worker or both")
	migrate := flags.Bool("migrate", false, "apply missing migrations first")
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	parsed, err := parseRoles(*roles)
	if err != nil {
		return err
	}
	config, err := loadConfig(env.vars)
	if err != nil {
		return err
	}
	return run(ctx, config, options{roles: parsed, migrate: *migrate, log: env.stderr})
}

func parseRoles(text string) ([]string, error) {
	roles := strings.Split(text, ",")
	for _, role := range roles {
		if role != "api" && role != "worker" {
			return nil, fmt.Errorf("--roles names %q; a role is api or worker", role)
		}
	}
	return roles, nil
}

// shutdownTime is how long running requests, attempts and messages may take to end.
const shutdownTime = 30 * time.Second

// run runs the service: it opens its dependencies, serves until ctx ends, then drains and closes
// in reverse. Tests start the real program with it.
func run(ctx context.Context, config Config, opts options) error {
	logger := newLogger(opts.log, slog.Level(config.LogLevel))
	if err := prepareSchema(ctx, config, opts.migrate); err != nil {
		return err
	}
	store, err := openStore(ctx, config, logger, time.Now)
	if err != nil {
		return err
	}
	defer store.Close()
	// A worker tries again each hour, and the weeks ahead have partitions.
	if err := store.EnsurePartitions(ctx, time.Now()); errors.Is(err, storage.ErrPartitionBusy) {
		logger.WarnContext(ctx, "event partitions not made", slog.Any("error", err))
	} else if err != nil {
		return err
	}
	traces, err := newTracing(ctx, config.TraceEndpoint)
	if err != nil {
		return err
	}
	defer traces.close()
	app, err := build(config, opts, traces, store, logger)
	if err != nil {
		return err
	}
	defer app.close()
	stop := returnStartMemory()
	defer stop()
	return serve(ctx, config, opts, app, logger)
}

func prepareSchema(ctx context.Context, config Config, migrate bool) error {
	if migrate {
		return migrateDatabase(ctx, config)
	}
	return checkSchema(ctx, config)
}

func checkSchema(ctx context.Context, config Config) error {
	return unreachable(storage.CheckSchema(ctx, config.DatabaseURL))
}

// unreachable adds the name of the variable to check if the database does not answer.
func unreachable(err error) error {
	if storage.IsUnreachable(err) {
		return fmt.Errorf("cannot connect to DATABASE_URL: %w", err)
	}
	return err
}

// serve runs the parts of the roles until ctx ends or one of them fails. All ports are bound
// before any part starts, so that a port that is in use does not leave a running worker behind.
func serve(ctx context.Context, config Config, opts options, app *app, logger *slog.Logger) error {
	listener, metrics, err := listenAll(config, opts)
	if err != nil {
		return err
	}
	ctx, stop := app.leaveFirst(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	if slices.Contains(opts.roles, "worker") {
		group.Go(func() error { return app.work(ctx) })
	}
	handler := app.operations()
	if slices.Contains(opts.roles, "api") {
		handler = app.handler()
		group.Go(func() error { return app.live.Run(ctx) })
	}
	group.Go(func() error { return app.live.Publish(ctx) })
	group.Go(func() error { return app.watchSchema(ctx) })
	group.Go(func() error { return serveHTTP(ctx, listener, handler) })
	if metrics != nil {
		group.Go(func() error { return serveHTTP(ctx, metrics, app.metrics()) })
	}
	if slices.Contains(opts.roles, "api") && config.hidesVisitors() {
		logger.WarnContext(ctx, "OUTREACH_TRUSTED_PROXIES is empty although a proxy terminates TLS: all visitors have the proxy's address")
	}
	logger.InfoContext(ctx, "ready", slog.String("version", storage.Program()), slog.String("address", listener.Addr().String()),
		slog.Any("roles", opts.roles))
	if err := group.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	logger.InfoContext(ctx, "stopped")
	return nil
}

// leaveFirst returns a context that ends OUTREACH_SHUTDOWN_DELAY after ctx. In between the process
// continues and /readyz answers 503, so that load balancers stop sending requests before the
// listener closes.
func (a *app) leaveFirst(ctx context.Context) (context.Context, context.CancelFunc) {
	draining, stop := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer stop()
		select {
		case <-draining.Done(): // a part failed
			return
		case <-ctx.Done():
		}
		a.leaving.Store(true)
		delay := time.Duration(a.config.ShutdownDelay)
		a.logger.InfoContext(ctx, "shutting down", slog.String("delay", delay.String()))
		select {
		case <-draining.Done():
		case <-time.After(delay):
		}
	}()
	return draining, stop
}

// listenAll binds the port of the service and, if configured, that of /metrics.
func listenAll(config Config, opts options) (listener, metrics net.Listener, err error) {
	if listener, err = listen(config, opts); err != nil {
		return nil, nil, err
	}
	if config.MetricsAddr == "" {
		return listener, nil, nil
	}
	if metrics, err = net.Listen("tcp", config.MetricsAddr); err != nil {
		_ = listener.Close() // nothing was served on it
		return nil, nil, fmt.Errorf("OUTREACH_METRICS_ADDR: %w", err)
	}
	return listener, metrics, nil
}

func listen(config Config, opts options) (net.Listener, error) {
	if opts.listener != nil {
		return opts.listener, nil
	}
	listener, err := net.Listen("tcp", config.Addr)
	if err != nil {
		return nil, fmt.Errorf("OUTREACH_ADDR: %w", err)
	}
	return listener, nil
}

// newServer limits the resources of one visitor: a request must arrive within a minute, a body that is
// not read within a second, its answer be read within three minutes, twice the time of the longest
// operation, and a connection without a request is closed after two.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: endBodies(unreadTime, handler), MaxHeaderBytes: 64 << 10, ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: time.Minute, WriteTimeout: 3 * time.Minute, IdleTimeout: 2 * time.Minute}
}

// serveHTTP serves until ctx ends and then waits for running requests.
func serveHTTP(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := newServer(handler)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		return fmt.Errorf("drain %s: %w", listener.Addr(), err)
	}
	return nil
}
