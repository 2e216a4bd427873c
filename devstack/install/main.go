// Command install makes sure that `outreach dev` and tests have a Postgres and a Redis; `make
// services` runs it. It uses apt-get and the download of devstack, and starts no service.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"outreach/devstack"
)

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, logger); err != nil {
		logger.ErrorContext(ctx, "services are not complete", slog.Any("error", err))
		os.Exit(1)
	}
}

// run checks before it installs, so it is quick if everything is installed. A missing Redis is not
// an error, because there is a stand-in for it.
func run(ctx context.Context, logger *slog.Logger) error {
	packages := newApt(logger)
	if err := redis(ctx, logger, packages); err != nil {
		logger.WarnContext(ctx, "no redis: the in-process stand-in will be used", slog.Any("error", err))
	}
	return postgres(ctx, logger, packages)
}

func redis(ctx context.Context, logger *slog.Logger, packages *apt) error {
	if devstack.FindRedis() == "" {
		if err := packages.installRedis(ctx); err != nil {
			return err
		}
	}
	logger.InfoContext(ctx, "redis", slog.String("program", devstack.FindRedis()))
	return nil
}

// postgres prefers an installed or downloaded Postgres, then a new download, which is quicker than
// apt-get and does not change the system.
func postgres(ctx context.Context, logger *slog.Logger, packages *apt) error {
	config := devstack.PostgresConfig{
		Logger: logger, BinDir: os.Getenv("PGBIN"), Registry: devstack.NPMRegistry(os.Getenv),
	}
	folder, err := devstack.Prefetch(ctx, config)
	if err != nil && packages.usable() {
		logger.WarnContext(ctx, "no postgres yet: trying apt-get", slog.Any("error", err))
		if err := packages.installPostgres(ctx); err != nil {
			return err
		}
		folder, err = devstack.Prefetch(ctx, config)
	}
	if err != nil {
		return err
	}
	logger.InfoContext(ctx, "postgres", slog.String("folder", folder))
	return nil
}
