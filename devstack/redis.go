package devstack

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
)

// RedisConfig configures StartRedis.
type RedisConfig struct {
	// Dir holds the data, the log and the lock; it is created if it is missing. Processes with the
	// same Dir share one server.
	Dir string
	// Logger gets a warning if no Redis is installed; nil means no messages.
	Logger *slog.Logger
	// Persist keeps the data in an append-only file, written once a second.
	Persist bool
	// Temporary deletes Dir when the last process has closed the server.
	Temporary bool
	// Program is the path of the server to run; empty means redis-server or valkey-server, searched
	// on the PATH and in the usual folders.
	Program string
	// Embedded uses the in-process stand-in even if Redis is installed.
	Embedded bool
}

// Redis is a running private Redis: a real one, or, if none is installed, a stand-in inside this
// process, which stores nothing on disk.
type Redis struct {
	link     *link
	embedded *embedded
}

// StartRedis starts the Redis of config.Dir, or joins it if another process has started it, and
// returns when it answers. The context bounds only the start. The server runs until Close or until
// this process ends. Without an installed server StartRedis uses the stand-in and logs a warning.
func StartRedis(ctx context.Context, config RedisConfig) (*Redis, error) {
	program := cmp.Or(config.Program, FindRedis())
	if program == "" || config.Embedded {
		return startEmbeddedRedis(ctx, config)
	}
	dir, err := absolute(config.Dir)
	if err != nil {
		return nil, fmt.Errorf("start redis: %w", err)
	}
	held, err := attach(ctx, dir, func(context.Context) (plan, error) {
		return plan{
			Kind: "redis", Dir: dir, Program: program,
			Durable: config.Persist, Temporary: config.Temporary,
		}, nil
	})
	if err != nil {
		return nil, err
	}
	return &Redis{link: held}, nil
}

func startEmbeddedRedis(ctx context.Context, config RedisConfig) (*Redis, error) {
	stand, err := newEmbedded()
	if err != nil {
		return nil, fmt.Errorf("start redis stand-in: %w", err)
	}
	cmp.Or(config.Logger, slog.New(slog.DiscardHandler)).WarnContext(ctx, "no redis-server is installed; using a stand-in inside this "+
		"process, which is slower and stores nothing on disk",
		slog.String("remedy", "run make services as root, or install redis-server or valkey-server"))
	return &Redis{embedded: stand}, nil
}

// URL returns the address of database 0: `redis-socket:///path?db=0` for a
// server, `redis://:password@127.0.0.1:port/0` for the stand-in. It stays valid
// through Kill and Restart.
func (r *Redis) URL() string { return r.Database(0) }

// Database returns the address of a numbered database, from 0 to 999.
func (r *Redis) Database(number int) string {
	if r.embedded != nil {
		return fmt.Sprintf("%s/%d", r.embedded.address(), number)
	}
	base := r.link.URL
	return fmt.Sprintf("%s%d", base[:len(base)-1], number)
}

// Real reports whether a Redis server runs, and not the stand-in.
func (r *Redis) Real() bool { return r.embedded == nil }

// Restart stops the server cleanly if it runs and starts it again at the same address. With Persist
// the data is kept; the stand-in is empty after a restart.
func (r *Redis) Restart(ctx context.Context) error {
	if r.embedded != nil {
		r.embedded.restart()
		return nil
	}
	if err := r.link.ask(ctx, doRestart); err != nil {
		return fmt.Errorf("restart redis: %w", err)
	}
	return nil
}

// Kill ends the server like a crash, for every process that shares it. It stays down until Restart.
// With Persist, about the last second may be lost.
func (r *Redis) Kill() error {
	if r.embedded != nil {
		r.embedded.kill()
		return nil
	}
	if err := r.link.ask(context.Background(), doKill); err != nil {
		return fmt.Errorf("kill redis: %w", err)
	}
	return nil
}

// Close ends the use of the server. If no other process uses it, Close returns after the server has
// stopped.
func (r *Redis) Close() error {
	if r.embedded != nil {
		r.embedded.close()
		return nil
	}
	if err := r.link.close(); err != nil {
		return fmt.Errorf("close redis: %w", err)
	}
	return nil
}

// FindRedis returns the path of an installed redis-server or valkey-server, or
// "" if there is none.
func FindRedis() string {
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil && filepath.IsAbs(path) {
			return path
		}
		for _, folder := range []string{"/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"} {
			path := filepath.Join(folder, name)
			if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o111 != 0 {
				return path
			}
		}
	}
	return ""
}
