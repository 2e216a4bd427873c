package devstack

import (
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The Postgres that is downloaded if none is installed, and the checksums of its packages from the
// npm registry (`npm view … dist.integrity`).
const packageVersion = "17.10.0-beta.17"

const publicRegistry = "https://registry.npmjs.org/"

// downloadLimit bounds a package; the largest is about 24 MB.
const downloadLimit = 200 << 20

// pin names a package and its sha512 in base64.
type pin struct{ name, sha512 string }

// pinFor returns the package for a system. Those for Linux need glibc.
func pinFor(system, arch string) (pin, error) {
	switch system + "/" + arch {
	case "linux/amd64":
		return pin{"linux-x64", "hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg=="}, nil
	case "linux/arm64":
		return pin{"linux-arm64", "mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig=="}, nil
	case "darwin/amd64":
		return pin{"darwin-x64", "gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg=="}, nil
	case "darwin/arm64":
		return pin{"darwin-arm64", "E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ=="}, nil
	}
	return pin{}, fmt.Errorf("there is no Postgres to download for %s/%s", system, arch)
}

// fetchConfig configures a download. Zero values of pin and cache mean those of this machine.
type fetchConfig struct {
	who      *account
	registry string
	logger   *slog.Logger
	pin      pin
	cache    string
}

func (c fetchConfig) complete() (fetchConfig, error) {
	var err error
	if c.pin == (pin{}) {
		if c.pin, err = pinFor(runtime.GOOS, runtime.GOARCH); err != nil {
			return c, err
		}
	}
	if c.cache == "" {
		if c.cache, err = cacheFolder(c.who); err != nil {
			return c, fmt.Errorf("find a cache folder: %w", err)
		}
	}
	c.registry = cmp.Or(c.registry, publicRegistry)
	return c, nil
}

// home is the folder of the unpacked package. Its name identifies the content.
func (c fetchConfig) home() string {
	return filepath.Join(c.cache, "postgres-"+packageVersion+"-"+c.pin.name+"-"+shortHash(c.pin.sha512))
}

func (c fetchConfig) programs() string { return filepath.Join(c.home(), "native", "bin") }

func (c fetchConfig) address() string {
	return strings.TrimSuffix(c.registry, "/") + "/@embedded-postgres/" + c.pin.name + "/-/" + c.pin.name + "-" + packageVersion + ".tgz"
}

func cachedPostgres(ctx context.Context, who *account) (installation, error) {
	c, err := fetchConfig{who: who}.complete()
	if err != nil {
		return installation{}, err
	}
	return inspect(ctx, c.programs(), who)
}

// fetchPostgres returns the downloaded Postgres and downloads it if the cache does not have it.
// Processes that need it at the same time wait for one download.
func fetchPostgres(ctx context.Context, config fetchConfig) (installation, error) {
	c, err := config.complete()
	if err != nil {
		return installation{}, err
	}
	lock, err := waitLock(ctx, filepath.Join(c.cache, "download.lock"))
	if err != nil {
		return installation{}, err
	}
	defer func() { _ = lock.Close() }()
	if _, err := os.Stat(c.programs()); err != nil {
		if err := c.download(ctx); err != nil {
			return installation{}, err
		}
	}
	return inspect(ctx, c.programs(), c.who)
}

// download fetches into a temporary folder beside the final place. If the process dies before the
// rename, the next download removes the rest, and a half unpacked folder is never used.
func (c fetchConfig) download(ctx context.Context) error {
	began := time.Now()
	c.logger.InfoContext(ctx, "no postgres is installed; downloading a private copy", slog.String("url", redact(c.address())))
	leftovers, _ := filepath.Glob(filepath.Join(c.cache, "unpack-*"))
	for _, leftover := range leftovers {
		_ = os.RemoveAll(leftover)
	}
	work, err := os.MkdirTemp(c.cache, "unpack-")
	if err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := c.fetchInto(ctx, work); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(work, "package"), c.home()); err != nil {
		return fmt.Errorf("put postgres in its place: %w", err)
	}
	c.logger.InfoContext(ctx, "downloaded postgres", slog.Duration("took", time.Since(began)))
	return nil
}

// fetchInto saves the package, verifies all of it, and only then unpacks it.
func (c fetchConfig) fetchInto(ctx context.Context, work string) error {
	saved := filepath.Join(work, "package.tgz")
	if err := c.save(ctx, saved); err != nil {
		return fmt.Errorf("download %s: %w", redact(c.address()), err)
	}
	if err := unpack(saved, work); err != nil {
		return fmt.Errorf("unpack postgres: %w", err)
	}
	return linkLibraries(filepath.Join(work, "package"))
}

func (c fetchConfig) save(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address(), nil)
	if err != nil {
		return errors.New("the registry's address is not a URL")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // without the address, which may hold a password
		}
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the registry answered %s", response.Status)
	}
	return c.verify(response.Body, path)
}

// verify copies the body to the file and compares its checksum with the pin.
func (c fetchConfig) verify(body io.Reader, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	defer func() { _ = file.Close() }()
	sum := sha512.New()
	if _, err := io.Copy(io.MultiWriter(file, sum), io.LimitReader(body, downloadLimit)); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	if got := base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != c.pin.sha512 {
		return fmt.Errorf("sha512 is %s, expected %s: the download is damaged or was changed", got, c.pin.sha512)
	}
	return file.Close()
}

func redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(unreadable address)"
	}
	return u.Redacted()
}
