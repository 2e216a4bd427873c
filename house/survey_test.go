package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the checkout; a test runs in the folder of its package.
const root = ".."

// read returns a file of the checkout, named from its root.
func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	return string(content)
}

// walk calls visit with every file that is ours, by its slash path from the
// root: no hidden folders, fixtures, node modules or other modules.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && (foreign(entry.Name()) || isModule(path)) {
				return filepath.SkipDir
			}
			return nil
		}
		visit(filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatalf("walk the checkout: %v", err)
	}
}

func foreign(folder string) bool {
	switch folder {
	case "node_modules", "testdata", "third_party", "tools", "bin":
		return true
	}
	return strings.HasPrefix(folder, ".")
}

// isModule reports whether a folder is a Go module of its own.
func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// goFiles lists our Go files, by folder.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	walk(t, func(name string) {
		if folder, file := split(name); strings.HasSuffix(file, ".go") {
			files[folder] = append(files[folder], file)
		}
	})
	return files
}

// split parts a slash path; the root is ".".
func split(name string) (folder, file string) {
	at := strings.LastIndexByte(name, '/')
	if at < 0 {
		return ".", name
	}
	return name[:at], name[at+1:]
}
