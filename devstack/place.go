package devstack

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// socketLimit is the greatest length of a Unix socket path, in bytes; macOS allows 103 and Linux
// 107.
const socketLimit = 100

// makeRunFolder creates a new folder with a short, unguessable name for the
// sockets of one supervisor. The account must be able to pass through it.
func makeRunFolder(who *account) (string, error) {
	for _, base := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		// Room for "/outreach-" and ten digits, "/pg" and the longest socket name.
		if len(base)+45 > socketLimit || !who.reaches(base) {
			continue
		}
		run, err := os.MkdirTemp(base, "outreach-")
		if err != nil {
			continue
		}
		return run, openTo(run, who)
	}
	return "", errors.New("no temporary folder is both writable and short enough for a socket")
}

// openTo lets the account pass through a folder that we still own.
func openTo(path string, who *account) error {
	if who == nil {
		return nil
	}
	if err := os.Chmod(path, 0o711); err != nil {
		return fmt.Errorf("open folder to %s: %w", who.name, err)
	}
	return nil
}

// dataHome returns the folder for the data of dir: dir itself if the account can reach it.
// Otherwise (root, with a checkout below a private folder such as /root) it is a folder in one of
// the bases, which a marker file in dir names.
func dataHome(dir string, who *account, bases []string) (string, error) {
	if who.reaches(dir) {
		return dir, nil
	}
	base, err := firstFolder(bases, who)
	if err != nil {
		return "", fmt.Errorf("find a data folder that %s may enter: %w", who.name, err)
	}
	return elsewhere(dir, filepath.Join(base, shortHash(dir)), who)
}

// elsewhere prepares the folder that replaces dir. If it exists but dir does not point to it, dir
// was deleted, so elsewhere deletes the old data too.
func elsewhere(dir, home string, who *account) (string, error) {
	if keptElsewhere(dir) == home {
		return home, ensureFolder(home, who)
	}
	if err := os.RemoveAll(home); err != nil {
		return "", fmt.Errorf("clear data of a deleted folder: %w", err)
	}
	if err := ensureFolder(home, who); err != nil {
		return "", err
	}
	return home, os.WriteFile(filepath.Join(dir, markerName), []byte(home), 0o600)
}

// markerName is the file in dir that names the folder that replaces it.
const markerName = "data-folder"

// keptElsewhere returns the folder that dir points to, or "".
func keptElsewhere(dir string) string {
	known, err := os.ReadFile(filepath.Join(dir, markerName))
	if err != nil {
		return ""
	}
	return string(known)
}

// firstFolder creates and returns the first folder that only we can write to and that the account
// may enter.
func firstFolder(candidates []string, who *account) (string, error) {
	var failures []error
	for _, path := range candidates {
		err := ensureFolder(path, who)
		if err == nil && who.reaches(path) {
			return path, nil
		}
		if err == nil {
			err = fmt.Errorf("%s is closed to %s", path, who.name)
		}
		failures = append(failures, err)
	}
	return "", errors.Join(failures...)
}

// ensureFolder creates the folder, or checks that the existing one is a real folder that belongs to
// us and that no other user can write to, because in /tmp another user may have created it.
func ensureFolder(path string, who *account) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at folder: %w", err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is not a folder that only we can write to", path)
	}
	return openTo(path, who)
}

// cacheFolder returns the folder for downloads that outlive a run: the user's
// cache if Postgres' account may enter it, else a folder it may enter.
func cacheFolder(who *account) (string, error) {
	var candidates []string
	if home, err := os.UserCacheDir(); err == nil {
		candidates = append(candidates, filepath.Join(home, "outreach"))
	}
	if who != nil {
		candidates = append(candidates, "/var/cache/outreach", "/var/tmp/outreach-root")
	}
	candidates = append(candidates, filepath.Join(os.TempDir(), "outreach-"+strconv.Itoa(os.Geteuid())))
	return firstFolder(candidates, who)
}

// SharedFolder returns the folder named name in the user's cache (or, where
// that cannot be written, in a temporary folder of the user's own): the place
// for a server that all test processes of one user share.
func SharedFolder(name string) (string, error) {
	cache, err := cacheFolder(nil)
	if err != nil {
		return "", fmt.Errorf("find a cache folder: %w", err)
	}
	return filepath.Join(cache, name), nil
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
