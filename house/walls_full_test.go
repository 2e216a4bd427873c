//go:build full

package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// anyRoom means that the room may import every sibling.
const anyRoom = "*"

// doors lists the siblings that a room may import. A room that is not listed here
// may import the vocabulary only. It is written apart from .golangci.yml so
// that the two must agree.
var doors = map[string][]string{
	"storage/outbox":     {"storage", "jobs/queue"},
	"storage/sending":    {"storage", "storage/outbox", "internal/groupcommit"},
	"storage/inbound":    {"storage", "storage/outbox", "storage/sending", "tracking/hit"},
	"storage/distribute": {"storage"},
	"storage/stores":     {"storage", "storage/outbox", "storage/sending", "storage/inbound"},
	"graph":              {"graph/exec", "graph/page", "graph/scalar", "session", "internal/panics", "internal/share"},
	"graph/exec":         {"graph/page", "graph/scalar"},
	"graph/exec/stock":   {"graph/exec", "graph/page", "graph/scalar"},
	"graph/page":         {"graph/exec", "graph/scalar"},
	"graph/scalar":       {"graph/exec", "graph/page"},
	"jobs":               {"jobs/queue", "internal/groupcommit", "internal/lease", "internal/panics", "internal/sparselog"},
	"mail": {"mail/classify", "mail/discover", "mail/dnscheck", "mail/engine", "mail/realtest",
		"mail/resolve", "internal/lease", "internal/nearest", "internal/netguard", "internal/panics", "internal/share"},
	"mail/classify": {"mail", "mail/discover", "mail/dnscheck", "mail/engine", "mail/realtest", "mail/resolve",
		"internal/lease", "internal/nearest", "internal/netguard", "internal/panics", "internal/share"},
	"mail/discover": {"mail", "mail/classify", "mail/dnscheck", "mail/engine", "mail/realtest", "mail/resolve",
		"internal/lease", "internal/nearest", "internal/netguard", "internal/panics", "internal/share"},
	"mail/dnscheck": {"mail", "mail/classify", "mail/discover", "mail/engine", "mail/realtest", "mail/resolve",
		"internal/lease", "internal/nearest", "internal/netguard", "internal/panics", "internal/share"},
	"mail/engine": {"mail", "mail/classify", "mail/discover", "mail/dnscheck", "mail/realtest", "mail/resolve",
		"internal/lease", "internal/nearest", "internal/netguard", "internal/panics", "internal/share"},
	"mail/realtest": {"mail", "mail/classify", "mail/discover", "mail/dnscheck", "mail/engine", "mail/resolve",
		"internal/lease", "internal/nearest", "internal/netguard", "internal/panics", "internal/share"},
	"mail/resolve": {"mail", "mail/classify", "mail/discover", "mail/dnscheck", "mail/engine", "mail/realtest",
		"internal/lease", "internal/nearest", "internal/netguard", "internal/panics", "internal/share"},
	"rest":                {"internal/nearest", "internal/panics"},
	"webhook":             {"internal/netguard"},
	"oauth":               {"internal/plainpage"},
	"tracking":            {"tracking/hit", "internal/groupcommit", "internal/plainpage"},
	"bench/data":          {"storage"},
	"bench/generate":      {"bench/data", "storage"},
	"devstack/install":    {"devstack"},
	"devstack/testdb":     {"devstack", "internal/testkit"},
	"internal/demo":       {"mail/classify", "storage/sending", "storage/stores", "tracking/hit"},
	"internal/graphstore": {"graph", "storage", "storage/outbox", "storage/sending", "storage/inbound", "storage/stores"},
	"cmd/outreach":        {anyRoom},
	"rest/resttest":       {anyRoom},
}

// closed are the rooms that do not even know the vocabulary.
var closed = []string{"graph/generate", "devstack", "devstack/install", "devstack/testdb", "internal/groupcommit",
	"internal/lease", "internal/live", "internal/nearest", "internal/netguard", "internal/panics", "internal/plainpage", "internal/rate",
	"internal/share", "internal/sparselog", "internal/testkit", "internal/testkit/chaos", "ui", "house"}

// holders maps a technology to the packages in which, and below which, it may be used. What is kept
// from single rooms only stands in barred.
var holders = map[string][]string{
	"github.com/jackc/pgx/v5":                     {"storage", "devstack", "bench"},
	"github.com/pressly/goose/v3":                 {"storage", "devstack", "bench"},
	"database/sql":                                {"storage", "devstack", "bench"},
	"github.com/hibiken/asynq":                    {"jobs", "cmd"},
	"github.com/redis/go-redis/v9":                {"jobs", "internal/live", "internal/rate", "devstack", "cmd"},
	"github.com/go-redis/redis_rate/v10":          {"jobs", "internal/live", "internal/rate", "devstack", "cmd"},
	"github.com/99designs/gqlgen/graphql":         {"graph", "cmd"},
	"github.com/vikstrous/dataloadgen":            {"graph", "cmd"},
	"net/smtp":                                    {"mail", "sandbox"},
	"github.com/emersion/go-smtp":                 {"mail", "sandbox"},
	"github.com/wneessen/go-mail":                 {"mail", "sandbox"},
	"github.com/jhillyerd/enmime/v2":              {"mail", "sandbox"},
	"github.com/osteele/liquid":                   {"mail"},
	"github.com/miekg/dns":                        {"mail/resolve", "sandbox"},
	"blitiri.com.ar/go/spf":                       {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"github.com/caarlos0/env/v11":                 {"cmd"},
	"testing":                                     {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"github.com/getkin/kin-openapi/openapi3":      {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"github.com/google/go-cmp/cmp":                {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"github.com/stripe/stripe-go/v82/webhook":     {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"github.com/compose-spec/compose-go/v2/types": {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"log":                             nil,
	"io/ioutil":                       nil,
	"math/rand":                       nil,
	"github.com/pkg/errors":           nil,
	"github.com/doyensec/safeurl":     nil,
	"outreach/devstack/testdb":        {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"outreach/internal/testkit":       {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"outreach/internal/testkit/chaos": {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"outreach/rest/resttest":          {"devstack/testdb", "internal/testkit", "rest/resttest"},
	"outreach/graph/exec/stock":       {"devstack/testdb", "internal/testkit", "rest/resttest"},
}

// barred lists what else single packages must not use.
var barred = map[string][]string{
	".": {"database/sql", "encoding/json", "net/http", "net/smtp", "os", "log/slog", "golang.org/x/crypto/argon2",
		"github.com/gorilla/websocket"},
	"storage": {"net/http"}, "storage/outbox": {"net/http"}, "storage/sending": {"net/http"},
	"storage/inbound": {"net/http"}, "storage/stores": {"net/http"}, "storage/distribute": {"net/http"},
	"graph/exec":       {"net/http"},
	"graph/exec/stock": {"net/http"},
	"graph/page":       {"net/http"},
	"graph/scalar":     {"net/http"},
	"jobs/queue":       {"net/http"},
	"tracking/hit":     {"net/http"},
	"mail":             {"net/http"}, "mail/classify": {"net/http"}, "mail/engine": {"net/http"},
	"mail/realtest": {"net/http"}, "mail/discover": {"net/http"}, "mail/dnscheck": {"net/http"}, "mail/resolve": {"net/http"},
}

// common is what most rooms may hold; barred makes the exceptions.
var common = []string{
	"encoding/json", "net/http", "os", "log/slog", "math/rand/v2", "github.com/google/uuid",
	"golang.org/x/crypto/argon2", "github.com/gorilla/websocket",
}

// Every room of the checkout is built anew in a folder of its own, importing all
// siblings and all technologies at once. What the linter refuses is what the
// tables above forbid, no more and no less; and each rule refused something.
func TestWallsHold(t *testing.T) {
	t.Parallel()
	rooms := rooms(t)
	fired := make(chan string, 1<<16)
	t.Run("rooms", func(t *testing.T) {
		for _, room := range rooms {
			t.Run(room, func(t *testing.T) {
				t.Parallel()
				tree := t.TempDir()
				imports := plant(t, tree, room, rooms)
				refused := map[string]bool{}
				for _, finding := range lint(t, tree, "depguard") {
					match := refusal.FindStringSubmatch(finding.Text)
					if match == nil {
						t.Fatalf("the linter says %q", finding.Text)
					}
					refused[match[1]] = true
					fired <- match[2]
				}
				if diff := cmp.Diff(forbidden(room, imports), slices.Sorted(maps.Keys(refused))); diff != "" {
					t.Errorf("imports that %s may not have (-table +linter):\n%s", room, diff)
				}
			})
		}
	})
	close(fired)
	seen := map[string]bool{}
	for rule := range fired {
		seen[rule] = true
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(readLint(t).Linters.Settings.Depguard.Rules)), slices.Sorted(maps.Keys(seen))); diff != "" {
		t.Errorf("rules that refused something (-all +seen):\n%s", diff)
	}
}

var refusal = regexp.MustCompile(`^import '(.+)' is not allowed from list '([a-z-]+)'`)

// rooms are the folders that hold code that ships, the root first.
func rooms(t *testing.T) []string {
	t.Helper()
	var found []string
	for folder, files := range goFiles(t) {
		if slices.ContainsFunc(files, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
			found = append(found, folder)
		}
	}
	slices.Sort(found)
	return found
}

// forbidden lists, of the imports, those that the tables keep from the room.
func forbidden(room string, imports []string) []string {
	var list []string
	for _, name := range imports {
		if !mayImport(room, name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func mayImport(room, name string) bool {
	if slices.Contains(barred[room], name) {
		return false
	}
	if holding, limited := holders[name]; limited && !within(holding, room) {
		return false
	}
	sibling, ours := strings.CutPrefix(name, "outreach/")
	switch {
	case name == "outreach":
		return !slices.Contains(closed, room)
	case ours:
		return slices.Contains(doors[room], anyRoom) || slices.Contains(doors[room], sibling)
	}
	return true
}

func within(folders []string, room string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return room == folder || strings.HasPrefix(room, folder+"/") })
}

// plant writes a tree with the lint configuration of the checkout, a stub for
// every import and one room that imports them all.
func plant(t *testing.T, tree, room string, rooms []string) []string {
	t.Helper()
	imports := slices.Sorted(maps.Keys(holders))
	imports = append(imports, common...)
	for _, other := range rooms {
		name := "outreach/" + other
		if other == "." {
			name = "outreach"
		}
		if other == room || program(other) || slices.Contains(imports, name) {
			continue // a program cannot be imported
		}
		imports = append(imports, name)
	}
	imports = slices.DeleteFunc(imports, func(name string) bool { return name == "outreach/"+room })
	write(t, tree, ".golangci.yml", read(t, ".golangci.yml"))
	write(t, tree, "go.mod", stubs(t, tree, imports))
	write(t, tree, filepath.Join(room, "planted.go"), planted(room, imports))
	return imports
}

// stubs makes every import that is not of the standard library resolvable
// without a network and returns the go.mod that leads to them.
func stubs(t *testing.T, tree string, imports []string) string {
	t.Helper()
	module := "module outreach\n\ngo 1.26.0\n"
	for i, name := range imports {
		first, _, _ := strings.Cut(name, "/")
		switch {
		case first == "outreach":
			write(t, tree, filepath.Join(".", strings.TrimPrefix(name, "outreach"), "stub.go"),
				"// Package stub is empty.\npackage "+packageName(name)+"\n")
		case strings.Contains(first, "."):
			place := fmt.Sprintf("stubs/s%d", i)
			version := "v0.0.0"
			if major := regexp.MustCompile(`/v(\d+)$`).FindStringSubmatch(name); major != nil {
				version = "v" + major[1] + ".0.0"
			}
			module += fmt.Sprintf("\nrequire %s %s\n\nreplace %s => ./%s\n", name, version, name, place)
			write(t, tree, place+"/go.mod", "module "+name+"\n\ngo 1.26.0\n")
			write(t, tree, place+"/stub.go", "// Package stub is empty.\npackage stub\n")
		}
	}
	return module
}

// program reports whether a folder holds a program.
func program(room string) bool {
	return strings.HasPrefix(room, "cmd/") || slices.Contains([]string{"devstack/install", "bench/generate", "graph/generate"}, room)
}

func packageName(path string) string { return filepath.Base(path) }

func planted(room string, imports []string) string {
	name := packageName(room)
	switch {
	case room == ".":
		name = "outreach"
	case program(room):
		name = "main"
	}
	var source strings.Builder
	fmt.Fprintf(&source, "// Package %s imports what it must not.\npackage %s\n\nimport (\n", name, name)
	for _, one := range imports {
		fmt.Fprintf(&source, "\t_ %q\n", one)
	}
	source.WriteString(")\n")
	if name == "main" {
		source.WriteString("\nfunc main() {}\n")
	}
	return source.String()
}

func write(t *testing.T, tree, name, content string) {
	t.Helper()
	path := filepath.Join(tree, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatalf("make folder: %v", err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatalf("write %s: %v", name, err)
	}
}

// finding is what the linter has to say about one place.
type finding struct {
	FromLinter string
	Text       string
	Pos        struct {
		Filename string
		Line     int
	}
}

// lint runs the linter that `make lint` builds over the tree, limited to the
// linters named.
func lint(t *testing.T, tree, only string) []finding {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(root, ".cache", "golangci-lint"))
	if err != nil {
		t.Fatalf("find the linter: %v", err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("the linter is not built; `make test-full` and `make lint` build it: %v", err)
	}
	command := exec.CommandContext(t.Context(), program, "run", "--allow-parallel-runners", "--show-stats=false",
		"--output.json.path=stdout", "--enable-only="+only, "./...")
	command.Dir = tree
	// A cache of its own: the shared one knows packages of equal names.
	command.Env = append(command.Environ(), "GOLANGCI_LINT_CACHE="+t.TempDir(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 { // 1: there are findings
			t.Fatalf("run the linter: %v\n%s%s", err, stderr.String(), stdout.String())
		}
	}
	var report struct{ Issues []finding }
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("read what the linter says: %v\n%s", err, stdout.String())
	}
	return report.Issues
}

// calls are forbidden words, each marked where it is refused.
var calls = map[string]string{
	"storage/planted.go": `// Package storage does what it must not.
package storage

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

// Planted breaks the rules.
func Planted() {
	fmt.Println(os.Getenv("HOME")) // refused
	_, _ = os.LookupEnv("HOME")    // refused
	_ = os.Environ()               // refused
	_ = os.ExpandEnv("$HOME")      // refused
	_ = os.Setenv("A", "b")        // refused
	_ = os.Unsetenv("A")           // refused
	time.Sleep(time.Second)        // refused
	_, _ = http.Get("")            // refused
	_, _ = http.Head("")           // refused
	_ = http.DefaultClient         // refused
	_ = http.DefaultTransport      // refused
	_ = http.ProxyFromEnvironment  // refused
	fmt.Printf("%d", 1)            // refused
	fmt.Print(1)                   // refused
	_ = fmt.Sprint(1)
	_ = http.NewServeMux()
	_ = time.After(time.Second)
	_ = os.TempDir()
}
`,
	"storage/planted_test.go": `package storage

import (
	"os"
	"testing"
	"time"
)

func TestPlanted(t *testing.T) {
	_ = os.Getenv("HOME")
	time.Sleep(time.Millisecond)
	t.Skip("later")        // refused
	t.Skipf("later %d", 1) // refused
	t.SkipNow()            // refused
}

func BenchmarkPlanted(b *testing.B) {
	b.Skip("later") // refused
}
`,
	"cmd/outreach/main.go": `// Command outreach reads the environment, as it may.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	fmt.Println(os.Environ())
	time.Sleep(time.Second) // refused
}
`,
}

// The words that no room may say are refused where they stand, and nowhere else.
func TestForbiddenCalls(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	write(t, tree, ".golangci.yml", read(t, ".golangci.yml"))
	write(t, tree, "go.mod", "module outreach\n\ngo 1.26.0\n")
	var want, got []string
	for name, source := range calls {
		write(t, tree, name, source)
		for number, line := range strings.Split(source, "\n") {
			if strings.HasSuffix(line, "// refused") {
				want = append(want, fmt.Sprintf("%s:%d", name, number+1))
			}
		}
	}
	for _, finding := range lint(t, tree, "forbidigo") {
		if place := fmt.Sprintf("%s:%d", filepath.ToSlash(finding.Pos.Filename), finding.Pos.Line); !slices.Contains(got, place) {
			got = append(got, place)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refused lines (-want +got):\n%s", diff)
	}
}
