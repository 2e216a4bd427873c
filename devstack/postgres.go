package devstack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"
)

// PostgresConfig configures StartPostgres.
type PostgresConfig struct {
	// Dir holds the data (one folder per major version), the log and the lock. It is created if it
	// is missing. Processes with the same Dir share one server, which has the settings of the
	// process that started it.
	Dir string
	// Logger gets messages about the found Postgres and downloads; nil means no messages.
	Logger *slog.Logger
	// Durable keeps committed data after a power failure. Without it fsync, synchronous_commit and
	// full_page_writes are off.
	Durable bool
	// Disposable deletes the data if the server was not stopped cleanly or was not used for a day,
	// and turns off autovacuum. For tests.
	Disposable bool
	// Linger is how long the server runs after the last process has closed it; with zero it stops
	// at once.
	Linger time.Duration
	// BinDir is a folder with postgres and initdb that is tried first, such as $PGBIN.
	BinDir string
	// Registry is the npm registry from which Postgres is downloaded if none is installed; empty
	// means the public one. See NPMRegistry.
	Registry string
}

func (c PostgresConfig) logger() *slog.Logger { return cmp.Or(c.Logger, slog.New(slog.DiscardHandler)) }

// Postgres is a running private Postgres, version 15 or newer.
type Postgres struct {
	link *link
}

// StartPostgres starts the Postgres of config.Dir, or joins it if another process has started it,
// and returns when it accepts connections. The data of an earlier run is kept. The context bounds
// only the start. The server runs until Close, until this process ends, or until the returned value
// is garbage collected, so keep the value.
//
// Programs are searched in BinDir, on the PATH, in the folders of distributions and Homebrew, and
// in the cache of downloads. If they are not found, they are downloaded. If that fails, the error
// lists what the user can do.
func StartPostgres(ctx context.Context, config PostgresConfig) (*Postgres, error) {
	dir, err := absolute(config.Dir)
	if err != nil {
		return nil, fmt.Errorf("start postgres: %w", err)
	}
	held, err := attach(ctx, dir, func(ctx context.Context) (plan, error) {
		return planPostgres(ctx, dir, config)
	})
	if err != nil {
		return nil, err
	}
	return &Postgres{link: held}, nil
}

func planPostgres(ctx context.Context, dir string, config PostgresConfig) (plan, error) {
	found, err := findPostgres(ctx, dir, config)
	if err != nil {
		return plan{}, err
	}
	config.logger().DebugContext(ctx, "found postgres", slog.String("folder", found.dir), slog.Int("major", found.major))
	return plan{
		Kind: "postgres", Dir: dir, Program: found.dir, Major: found.major,
		Durable: config.Durable, Disposable: config.Disposable, Linger: config.Linger,
	}, nil
}

// URL returns the address of a database that exists and belongs to the
// connecting role, a superuser. It names a Unix socket and stays valid through
// Restart.
func (p *Postgres) URL() string { return p.link.URL }

// Restart stops the server cleanly, ending every session, and starts it again
// on the same address and data.
func (p *Postgres) Restart(ctx context.Context) error {
	if err := p.link.ask(ctx, doRestart); err != nil {
		return fmt.Errorf("restart postgres: %w", err)
	}
	return nil
}

// Close ends the use of the server. If no other process uses it, and without Linger, Close returns
// when the server has stopped.
func (p *Postgres) Close() error {
	if err := p.link.close(); err != nil {
		return fmt.Errorf("close postgres: %w", err)
	}
	return nil
}

// absolute resolves a folder, so that all processes use the same name for it.
func absolute(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no folder was given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("resolve folder: %w", err)
	}
	return abs, nil
}
