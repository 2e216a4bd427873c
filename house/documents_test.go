package house

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var target = regexp.MustCompile(`(?m)^([a-z-]+):.*## .+$`)

// `make help` lists every target that a newcomer may want.
func TestMakeTargets(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, match := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		found[match[1]] = true
	}
	for _, name := range []string{
		"help", "run", "test", "test-full", "soak", "lint", "generate", "generate-check", "bench", "fuzz", "tools", "clean",
		"docker", "audit", "release",
	} {
		if !found[name] {
			t.Errorf("make help does not list %s", name)
		}
	}
	for _, command := range makeCommand.FindAllStringSubmatch(read(t, "README.md"), -1) {
		if !found[command[1]] {
			t.Errorf("README.md names make %s, which make help does not list", command[1])
		}
	}
}

var makeCommand = regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)")

// CI starts with what README tells a newcomer to run.
func TestContinuousIntegration(t *testing.T) {
	t.Parallel()
	script := read(t, ".ci/run")
	last := -1
	for _, step := range []string{"make test ", "make test-full\n", "make lint\n", "make generate-check\n"} {
		at := strings.Index(script, "section "+step)
		if at <= last {
			t.Errorf(".ci/run does not run %q, or not in order", strings.TrimSpace(step))
		}
		last = at
	}
	if !strings.Contains(read(t, "README.md"), "make test\n") {
		t.Error("README.md does not name make test")
	}
}

var link = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)

// Every link from a document to a file of the repository has a target.
func TestLinks(t *testing.T) {
	t.Parallel()
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".md") {
			return
		}
		folder, _ := split(name)
		for _, match := range link.FindAllStringSubmatch(read(t, name), -1) {
			if strings.Contains(match[1], "://") || strings.HasPrefix(match[1], "mailto:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Join(folder, match[1])))); err != nil {
				t.Errorf("%s links to %s: %v", name, match[1], err)
			}
		}
	})
}

// A decision record is one page with context, choice and consequences, and the index lists it.
func TestDecisions(t *testing.T) {
	t.Parallel()
	index := read(t, "docs/decisions/README.md")
	seen := 0
	walk(t, func(name string) {
		folder, file := split(name)
		if folder != "docs/decisions" || file == "README.md" {
			return
		}
		seen++
		text := read(t, name)
		for _, heading := range []string{"## Context\n", "## Choice\n", "## Consequences\n"} {
			if !strings.Contains(text, heading) {
				t.Errorf("%s has no heading %q", name, strings.TrimSpace(heading))
			}
		}
		if lines := strings.Count(text, "\n"); lines > 60 {
			t.Errorf("%s has %d lines, at most 60", name, lines)
		}
		if !strings.Contains(index, "("+file+")") {
			t.Errorf("docs/decisions/README.md does not list %s", file)
		}
	})
	if seen == 0 {
		t.Error("found no decision record")
	}
}
