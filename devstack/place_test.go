package devstack

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stranger stands for an account that owns nothing here.
var stranger = &account{name: "stranger", uid: 54321, gid: 54321}

func TestAccountReachesWhatTheModesAllow(t *testing.T) {
	t.Parallel()
	open := folder(t)
	for mode, want := range map[os.FileMode]bool{0o700: false, 0o750: false, 0o755: true, 0o711: true, 0o744: false} {
		path := filepath.Join(open, mode.String(), "inner")
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Dir(path), mode); err != nil {
			t.Fatal(err)
		}
		if got := stranger.reaches(path); got != want {
			t.Errorf("below a folder of mode %o: reaches = %v, want %v", mode, got, want)
		}
		if !(*account)(nil).reaches(path) {
			t.Errorf("we ourselves are kept from a folder of mode %o", mode)
		}
	}
}

func TestDataMovesOutOfAFolderThatPostgresCannotEnter(t *testing.T) {
	t.Parallel()
	closed, base := t.TempDir(), filepath.Join(folder(t), "base")
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	place := func(dir string) string {
		home, err := dataHome(dir, stranger, []string{"/proc/nowhere", base})
		if err != nil {
			t.Fatal(err)
		}
		if !stranger.reaches(home) {
			t.Fatalf("%s is closed to the account", home)
		}
		return home
	}
	first := place(closed)
	if err := os.WriteFile(filepath.Join(first, "data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if again := place(closed); again != first {
		t.Errorf("the second start goes to %s, the first went to %s", again, first)
	}
	if _, err := os.Stat(filepath.Join(first, "data")); err != nil {
		t.Errorf("data is gone: %v", err)
	}
	// Deleting the folder deletes the data.
	if err := os.Remove(filepath.Join(closed, markerName)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(place(closed), "data")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("data of a deleted folder: %v", err)
	}
	if open := folder(t); place(open) != open {
		t.Error("an open folder was not used")
	}
}

func TestForeignFolderIsNotTrusted(t *testing.T) {
	t.Parallel()
	base := folder(t)
	loose := filepath.Join(base, "loose")
	if err := os.Mkdir(loose, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(loose, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(base, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"loose", "link"} {
		if err := ensureFolder(filepath.Join(base, name), nil); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestInstallationsMustBeNewEnoughAndComplete(t *testing.T) {
	t.Parallel()
	write := func(version string, names ...string) string {
		dir := folder(t)
		for _, name := range names {
			script := "#!/bin/sh\necho 'postgres (PostgreSQL) " + version + " (made up)'\n"
			if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	old, half := write("14.9", "postgres", "initdb"), write("16.2", "postgres")
	good, newer := write("15.1", "postgres", "initdb"), write("18beta1", "postgres", "initdb")
	found := installations(context.Background(), []string{"/nowhere", old, half, good, good, newer}, nil)
	if len(found) != 2 || found[0] != (installation{good, 15}) || found[1] != (installation{newer, 18}) {
		t.Fatalf("found %+v", found)
	}
	// Data of an earlier run decides.
	dir := t.TempDir()
	if got := preferKept(found, dir); got.major != 15 {
		t.Errorf("without data: %+v", got)
	}
	if err := os.Mkdir(filepath.Join(dir, "pg18"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := preferKept(found, dir); got.major != 18 {
		t.Errorf("with data of 18: %+v", got)
	}
}

func TestErrorNamesTheChoices(t *testing.T) {
	t.Parallel()
	for _, choice := range []string{"DATABASE_URL", "PGBIN", "make services", "registry"} {
		if !strings.Contains(ErrNoPostgres.Error(), choice) {
			t.Errorf("the error does not name %s", choice)
		}
	}
}
