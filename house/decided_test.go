package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var decided = regexp.MustCompile("(?m)^\\| [^|]+ \\| `([^`]+)` \\| (?:`([^`]+)` )?\\|$")

// TestWhereRulesAreDecided checks that each file and each name of the table in
// docs/architecture.md exists.
func TestWhereRulesAreDecided(t *testing.T) {
	t.Parallel()
	_, table, found := strings.Cut(read(t, "docs/architecture.md"), "\n## Where a rule is decided\n")
	if !found {
		t.Fatal("docs/architecture.md does not say where rules are decided")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	rows := decided.FindAllStringSubmatch(table, -1)
	if want := strings.Count(table, "\n| ") - 1; len(rows) != want {
		t.Errorf("read %d rows of the table, want %d", len(rows), want)
	}
	for _, row := range rows {
		file, name := row[1], row[2]
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
			t.Errorf("the table names %s: %v", file, err)
			continue
		}
		declared := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|var |const |type )` + name + `\b`)
		if name != "" && !declared.MatchString(read(t, file)) {
			t.Errorf("%s does not declare %s", file, name)
		}
	}
}
