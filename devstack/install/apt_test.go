package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fake is a Debian without packages: it writes down what is run, and whether
// services were forbidden to start at that moment.
func fake(t *testing.T, answer func(line string) (string, error)) (*apt, *[]string) {
	t.Helper()
	root, ran := t.TempDir(), &[]string{}
	if err := os.MkdirAll(filepath.Join(root, "usr/sbin"), 0o755); err != nil {
		t.Fatal(err)
	}
	a := &apt{logger: slog.New(slog.DiscardHandler), root: root, euid: 0}
	a.look = func(name string) (string, error) { return "/usr/bin/" + name, nil }
	a.run = func(_ context.Context, name string, args ...string) (string, error) {
		line := name + " " + strings.Join(args, " ")
		if _, err := os.Stat(filepath.Join(root, "usr/sbin/policy-rc.d")); err == nil {
			line = "(no starts) " + line
		}
		*ran = append(*ran, line)
		return answer(line)
	}
	return a, ran
}

const installLine = "(no starts) apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold "

func TestRedisIsInstalledButNotStarted(t *testing.T) {
	t.Parallel()
	a, ran := fake(t, func(string) (string, error) { return "", nil })
	if err := a.installRedis(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{installLine + "redis-server", "systemctl disable redis-server"}
	if diff := cmp.Diff(want, *ran); diff != "" {
		t.Error(diff)
	}
}

func TestOldPackageListsAreRefreshedOnce(t *testing.T) {
	t.Parallel()
	failures := 1
	a, ran := fake(t, func(line string) (string, error) {
		if strings.Contains(line, "install") && failures > 0 {
			failures--
			return "", errors.New("unable to locate package")
		}
		return "", nil
	})
	if err := a.install(t.Context(), "redis-server"); err != nil {
		t.Fatal(err)
	}
	want := []string{installLine + "redis-server", "(no starts) apt-get update", installLine + "redis-server"}
	if diff := cmp.Diff(want, *ran); diff != "" {
		t.Error(diff)
	}
}

func TestNewestPostgresComesWithoutACluster(t *testing.T) {
	t.Parallel()
	a, ran := fake(t, func(string) (string, error) {
		return "postgresql-15 - The World's\npostgresql-17 - The World's\npostgresql-9 - old\n", nil
	})
	for range 2 {
		if err := a.installPostgres(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := (*ran)[1], installLine+"postgresql-17"; got != want {
		t.Errorf("ran %q, want %q", got, want)
	}
	conf, err := os.ReadFile(filepath.Join(a.root, "etc/postgresql-common/createcluster.conf"))
	if err != nil || string(conf) != "create_main_cluster = false\n" {
		t.Errorf("createcluster.conf = %q, %v", conf, err)
	}
}

func TestTooOldPostgresIsNotInstalled(t *testing.T) {
	t.Parallel()
	a, ran := fake(t, func(string) (string, error) { return "postgresql-14 - The World's\n", nil })
	if err := a.installPostgres(t.Context()); err == nil {
		t.Error("no error")
	}
	for _, line := range *ran {
		if strings.Contains(line, "install ") {
			t.Errorf("ran %q", line)
		}
	}
}

func TestSomebodyElsesPolicyStays(t *testing.T) {
	t.Parallel()
	a, _ := fake(t, func(string) (string, error) { return "", nil })
	path := filepath.Join(a.root, "usr/sbin/policy-rc.d")
	if err := os.WriteFile(path, []byte("theirs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := a.installRedis(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "theirs" {
		t.Errorf("policy-rc.d = %q, %v", got, err)
	}
}

func TestPlainUsersAndOtherSystemsInstallNothing(t *testing.T) {
	t.Parallel()
	user, userRan := fake(t, nil)
	user.euid = 1000
	other, otherRan := fake(t, nil)
	other.look = func(string) (string, error) { return "", errors.New("not found") }
	for _, a := range []*apt{user, other} {
		if err := a.installRedis(t.Context()); !errors.Is(err, errNoApt) {
			t.Errorf("redis: %v", err)
		}
		if err := a.installPostgres(t.Context()); !errors.Is(err, errNoApt) {
			t.Errorf("postgres: %v", err)
		}
	}
	if len(*userRan)+len(*otherRan) > 0 {
		t.Errorf("ran %v %v", *userRan, *otherRan)
	}
}
