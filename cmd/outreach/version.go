package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"outreach/storage"
)

func versionCommand(_ context.Context, env environment, args []string) error {
	if len(args) > 0 {
		return errors.New("usage: outreach version")
	}
	_, err := fmt.Fprintln(env.stdout, storage.Program())
	return err
}

// watchSchema ends the process as SIGTERM does, with an error, once the schema was
// migrated to one that this version must not be used with. Until a service manager
// starts a newer version, the error says what to do.
func (a *app) watchSchema(ctx context.Context) error {
	err := a.store.WatchSchema(ctx)
	if err == nil {
		return nil
	}
	a.leaving.Store(true)
	delay := time.Duration(a.config.ShutdownDelay)
	a.logger.ErrorContext(ctx, "too old for the schema, shutting down", slog.Any("error", err), slog.String("delay", delay.String()))
	select {
	case <-ctx.Done():
	case <-time.After(delay):
	}
	return err
}
