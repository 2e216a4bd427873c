package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// apt installs Debian packages without starting their services.
type apt struct {
	logger *slog.Logger
	root   string // of the file system; "/" outside tests
	euid   int
	run    func(ctx context.Context, name string, args ...string) (string, error)
	look   func(name string) (string, error)
}

func newApt(logger *slog.Logger) *apt {
	return &apt{logger: logger, root: "/", euid: os.Geteuid(), run: command, look: exec.LookPath}
}

var errNoApt = errors.New("apt-get needs root and Debian or a system based on it")

func (a *apt) usable() bool {
	_, err := a.look("apt-get")
	return a.euid == 0 && err == nil
}

// installRedis installs redis-server and disables its service, so that port 6379 stays free now and
// after the next boot.
func (a *apt) installRedis(ctx context.Context) error {
	if err := a.install(ctx, "redis-server"); err != nil {
		return err
	}
	return a.disable(ctx, "redis-server")
}

// installPostgres installs the newest Postgres that apt offers, 15 or later,
// without the cluster that Debian creates and starts by default.
func (a *apt) installPostgres(ctx context.Context) error {
	if !a.usable() {
		return errNoApt
	}
	if err := a.forbidMainCluster(); err != nil {
		return err
	}
	name, err := a.newestPostgres(ctx)
	if err != nil {
		return err
	}
	return a.install(ctx, name)
}

// install retries once with fresh package lists, which a small image lacks.
func (a *apt) install(ctx context.Context, name string) error {
	if !a.usable() {
		return errNoApt
	}
	restore, err := a.forbidStart()
	if err != nil {
		return err
	}
	defer restore()
	a.logger.InfoContext(ctx, "installing", slog.String("package", name))
	args := []string{"install", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", name}
	if _, err := a.run(ctx, "apt-get", args...); err == nil {
		return nil
	}
	if _, err := a.run(ctx, "apt-get", "update"); err != nil {
		return err
	}
	_, err = a.run(ctx, "apt-get", args...)
	return err
}

// forbidStart writes the file that Debian's packages check before they start a service, unless the
// machine already has one. If the process dies before it removes the file, services do not start by
// themselves; the file says where it comes from.
func (a *apt) forbidStart() (restore func(), err error) {
	path := filepath.Join(a.root, "usr/sbin/policy-rc.d")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if errors.Is(err, os.ErrExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("forbid services to start: %w", err)
	}
	_, err = file.WriteString("#!/bin/sh\n# Left by outreach's `make services`, which was cut short; delete it.\nexit 101\n")
	if err := errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(path)
		return nil, fmt.Errorf("forbid services to start: %w", err)
	}
	return func() { _ = os.Remove(path) }, nil
}

func (a *apt) disable(ctx context.Context, service string) error {
	var err error
	if _, missing := a.look("systemctl"); missing == nil {
		_, err = a.run(ctx, "systemctl", "disable", service)
	} else if _, missing := a.look("update-rc.d"); missing == nil {
		_, err = a.run(ctx, "update-rc.d", service, "disable")
	}
	return err
}

// forbidMainCluster writes a setting that the package reads when it is installed.
func (a *apt) forbidMainCluster() error {
	path := filepath.Join(a.root, "etc/postgresql-common/createcluster.conf")
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read createcluster.conf: %w", err)
	}
	if regexp.MustCompile(`(?m)^\s*create_main_cluster\s*=`).Match(old) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
		old = append(old, '\n')
	}
	if err := os.WriteFile(path, append(old, "create_main_cluster = false\n"...), 0o644); err != nil {
		return fmt.Errorf("write createcluster.conf: %w", err)
	}
	return nil
}

var postgresPackage = regexp.MustCompile(`(?m)^postgresql-(\d+) - `)

// newestPostgres looks in apt's lists and refreshes them if they have no Postgres.
func (a *apt) newestPostgres(ctx context.Context) (string, error) {
	for _, refresh := range []bool{false, true} {
		if refresh {
			if _, err := a.run(ctx, "apt-get", "update"); err != nil {
				return "", err
			}
		}
		out, err := a.run(ctx, "apt-cache", "search", "--names-only", `^postgresql-[0-9]+$`)
		if err != nil {
			return "", err
		}
		if newest := newestIn(out); newest >= 15 {
			return "postgresql-" + strconv.Itoa(newest), nil
		}
	}
	return "", errors.New("apt offers no Postgres 15 or newer")
}

func newestIn(list string) int {
	newest := 0
	for _, match := range postgresPackage.FindAllStringSubmatch(list, -1) {
		if major, err := strconv.Atoi(match[1]); err == nil {
			newest = max(newest, major)
		}
	}
	return newest
}

// command runs a program and returns its output. An error contains its last lines.
func command(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	out, err := cmd.CombinedOutput()
	if err != nil {
		words := strings.TrimSpace(string(out))
		return "", fmt.Errorf("%s: %w: %s", name, err, words[max(0, len(words)-500):])
	}
	return string(out), nil
}
