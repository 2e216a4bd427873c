package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Packages are named for what they do, and say in their first sentence what they
// are. What they must not know is read by people.
func TestPackages(t *testing.T) {
	t.Parallel()
	for folder, files := range goFiles(t) {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			var documented, shipped, generated bool
			for _, name := range files {
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				file := parse(t, folder, name)
				shipped = true
				generated = generated || ast.IsGenerated(file)
				documented = documented || file.Doc != nil
				if vague(file.Name.Name) {
					t.Errorf("%s/%s: package %s is named for nothing that it does", folder, name, file.Name.Name)
				}
			}
			if shipped && !documented && !generated {
				t.Errorf("no file in %s has a package comment", folder)
			}
		})
	}
}

func vague(name string) bool {
	return slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "model", "models", "manager", "base", "misc"}, name)
}

func parse(t *testing.T, folder, name string) *ast.File {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(folder), name)
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatalf("parse %s: %v", path, err)
	}
	return file
}

// graph/exec is gqlgen's output and nothing else, so that `make generate` may
// throw it away.
func TestGeneratedRoom(t *testing.T) {
	t.Parallel()
	files := goFiles(t)["graph/exec"]
	if len(files) == 0 {
		t.Fatal("graph/exec is empty")
	}
	for _, name := range files {
		if !ast.IsGenerated(parse(t, "graph/exec", name)) {
			t.Errorf("graph/exec/%s is written by hand", name)
		}
	}
}

// A file that people wrote stays below 600 lines; beyond that it is two files.
func TestFileLength(t *testing.T) {
	t.Parallel()
	const most = 600
	for folder, files := range goFiles(t) {
		for _, name := range files {
			if ast.IsGenerated(parse(t, folder, name)) {
				continue
			}
			if lines := strings.Count(read(t, folder+"/"+name), "\n"); lines > most {
				t.Errorf("%s/%s has %d lines, at most %d", folder, name, lines, most)
			}
		}
	}
}
