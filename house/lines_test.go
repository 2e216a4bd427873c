package house

import (
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// longest is the most columns of a line that people write. Aim for 120.
const longest = 140

// TestLineLength leaves out generated code, and data with one entry per line.
func TestLineLength(t *testing.T) {
	t.Parallel()
	kinds := []string{
		".css", ".go", ".gotpl", ".graphql", ".graphqls", ".html", ".js", ".mjs", ".sql", ".ts", ".tsx", ".yaml", ".yml",
	}
	seen := 0
	walk(t, func(name string) {
		if !slices.Contains(kinds, path.Ext(name)) || generated(name) {
			return
		}
		seen++
		for i, line := range strings.Split(read(t, name), "\n") {
			if columns := utf8.RuneCountInString(line); columns > longest {
				t.Errorf("%s:%d has %d columns, at most %d", name, i+1, columns, longest)
			}
		}
	})
	if seen < 500 {
		t.Errorf("looked at %d files, want all hand-written ones", seen)
	}
}

// generated reports whether a tool writes a file.
func generated(name string) bool {
	for _, folder := range []string{"graph/exec/", "ui/dist/", "ui/src/gql/"} {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}
