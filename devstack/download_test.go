package devstack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// file is an entry of a made-up npm package.
type file struct {
	name, content string
	kind          byte
}

var goodPackage = []file{
	{"package/package.json", "{}", tar.TypeReg},
	{"package/native/bin/postgres", "#!/bin/sh\necho 'postgres (PostgreSQL) 17.10'\n", tar.TypeReg},
	{"package/native/bin/initdb", "#!/bin/sh\n", tar.TypeReg},
	{"package/native/lib/libpq.so.5.17", "library", tar.TypeReg},
	{"package/native/pg-symlinks.json", `[{"source":"native/lib/libpq.so.5.17","target":"native/lib/libpq.so.5"}]`, tar.TypeReg},
}

func pack(t *testing.T, files []file) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Typeflag: f.kind, Mode: 0o644, Size: int64(len(f.content))}
		if f.kind == tar.TypeSymlink {
			header.Size, header.Linkname = 0, f.content
		}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if header.Size > 0 {
			if _, err := archive.Write([]byte(f.content)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// registry serves one package and counts how often it was asked for.
func registry(t *testing.T, content []byte) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /mirror/@embedded-postgres/test-cpu/-/test-cpu-"+packageVersion+".tgz", func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write(content)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/mirror/", asked
}

func fetchFrom(t *testing.T, url string, trusted []byte) fetchConfig {
	t.Helper()
	sum := sha512.Sum512(trusted)
	return fetchConfig{
		registry: url, cache: t.TempDir(), logger: slog.New(slog.DiscardHandler),
		pin: pin{name: "test-cpu", sha512: base64.StdEncoding.EncodeToString(sum[:])},
	}
}

func TestDownloadedPostgresIsUnpackedLinkedAndKept(t *testing.T) {
	t.Parallel()
	content := pack(t, goodPackage)
	url, asked := registry(t, content)
	config := fetchFrom(t, url, content)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			got, err := fetchPostgres(t.Context(), config)
			if err != nil || got.major != 17 {
				t.Errorf("fetched %+v, %v", got, err)
			}
		})
	}
	all.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("the registry was asked %d times, want 1", n)
	}
	linked, err := os.ReadFile(filepath.Join(config.home(), "native/lib/libpq.so.5"))
	if err != nil || string(linked) != "library" {
		t.Errorf("linked library = %q, %v", linked, err)
	}
	if left, _ := filepath.Glob(filepath.Join(config.cache, "unpack-*")); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
}

func TestDownloadIsRefused(t *testing.T) {
	t.Parallel()
	good := pack(t, goodPackage)
	outside := pack(t, append([]file{{"../../evil", "x", tar.TypeReg}}, goodPackage...))
	link := pack(t, append([]file{{"package/native", "/etc", tar.TypeSymlink}}, goodPackage...))
	leads := pack(t,
		append(goodPackage[:4:4], file{"package/native/pg-symlinks.json", `[{"source":"../../x","target":"native/y"}]`, tar.TypeReg}))
	for name, test := range map[string]struct {
		served, trusted []byte
		path, want      string
	}{
		"wrong checksum":    {append(good[:len(good):len(good)], 0), good, "", "damaged or was changed"},
		"cut short":         {good[:len(good)/2], good, "", "damaged or was changed"},
		"unknown package":   {good, good, "elsewhere/", "404"},
		"name that escapes": {outside, outside, "", "evil"},
		"symbolic link":     {link, link, "", "not a plain file"},
		"link that escapes": {leads, leads, "", "outside of the package"},
		"no archive":        {[]byte("<html>"), []byte("<html>"), "", "gzip"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _ := registry(t, test.served)
			config := fetchFrom(t, url+test.path, test.trusted)
			_, err := fetchPostgres(t.Context(), config)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error = %v, want it to say %q", err, test.want)
			}
			if _, err := os.Stat(config.home()); err == nil {
				t.Error("something was put in place")
			}
		})
	}
}

func TestDownloadErrorsHideThePassword(t *testing.T) {
	t.Parallel()
	url, _ := registry(t, nil)
	for _, address := range []string{strings.Replace(url, "//", "//me:hunter2@", 1), "http://me:hunter2@127.0.0.1:1/"} {
		_, err := fetchPostgres(t.Context(), fetchFrom(t, address, []byte("x")))
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("error = %v, want one without the password", err)
		}
	}
}

func TestEverySupportedSystemHasAPackage(t *testing.T) {
	t.Parallel()
	seen := map[pin]bool{}
	for _, system := range []string{"linux", "darwin"} {
		for _, arch := range []string{"amd64", "arm64"} {
			got, err := pinFor(system, arch)
			sum, decodeErr := base64.StdEncoding.DecodeString(got.sha512)
			if err != nil || decodeErr != nil || len(sum) != sha512.Size || seen[got] {
				t.Errorf("%s/%s: %+v, %v, %v", system, arch, got, err, decodeErr)
			}
			seen[got] = true
		}
	}
	if _, err := pinFor("plan9", "amd64"); err == nil {
		t.Error("plan9 has a package")
	}
}

func TestNPMRegistry(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env   map[string]string
		npmrc string
		want  string
	}{
		"environment first": {map[string]string{"npm_config_registry": "https://env.example/"},
			"registry=https://file.example/", "https://env.example/"},
		"upper case":       {map[string]string{"NPM_CONFIG_REGISTRY": "https://env.example/"}, "", "https://env.example/"},
		"file":             {nil, "audit=false\nregistry = \"https://file.example/npm\"\n", "https://file.example/npm"},
		"scope wins":       {nil, "registry=https://a.example/\n@embedded-postgres:registry=https://b.example/\n", "https://b.example/"},
		"variable in file": {map[string]string{"MIRROR": "m.example"}, "registry=https://${MIRROR}/\n", "https://m.example/"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, ".npmrc"), []byte(test.npmrc), 0o600); err != nil {
				t.Fatal(err)
			}
			got := NPMRegistry(func(name string) string {
				if name == "HOME" {
					return home
				}
				return test.env[name]
			})
			if got != test.want {
				t.Errorf("registry = %q, want %q", got, test.want)
			}
		})
	}
}
