package house

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A recipe of CONTRIBUTING names the files that every field of its kind stands in. A
// new field that one of them lacks fails here, and so does a recipe that got longer.
func TestRecipes(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		words  []string            // what each file must name
		absent map[string][]string // words that a file need not name
		most   int
	}{
		"Add a prospect field": {
			words:  inputFields(t, "ProspectInput"),
			absent: map[string][]string{"mail/engine/compose.go": {"timezone"}},
			most:   9,
		},
		"Add a campaign setting": {
			words:  inputFields(t, "CampaignInput"),
			absent: map[string][]string{newMigration: {"steps"}},
			most:   8,
		},
		"Add an event type": {
			words:  deliveredEvents(t),
			absent: map[string][]string{"storage/outbox/event.go": {"test"}, "subscription.go": {"test"}},
			most:   6,
		},
		"Add a list resource": {words: []string{"snippet"}, absent: map[string][]string{}, most: 10},
		"Add a filter to a list of prospects": {
			words:  []string{"status", "email", "campaignId", "companyId", "createdSince"},
			absent: map[string][]string{},
			most:   6,
		},
		"Add a field to a REST answer": {words: fragmentFields(t), most: 2},
		"Add a phrase":                 {most: 1},
	} {
		files := recipe(t, title)
		if len(files) == 0 || len(files) > c.most {
			t.Errorf("%q lists %d files, want 1 to %d", title, len(files), c.most)
		}
		for _, file := range files {
			if len(c.words) == 0 {
				continue
			}
			text := plain(textOf(t, file))
			for _, word := range c.words {
				if !strings.Contains(text, plain(word)) && !slices.Contains(c.absent[file], word) {
					t.Errorf("%q: %s does not name %s", title, file, word)
				}
			}
		}
	}
}

// newMigration is the file of a change of the schema in a recipe.
const newMigration = "storage/migrations/NNNNN_name.sql"

// textOf reads a file of a recipe; for a new migration all that there are.
func textOf(t *testing.T, file string) (text string) {
	t.Helper()
	if file != newMigration {
		return read(t, file)
	}
	migrations, err := filepath.Glob(filepath.Join(root, "storage/migrations/*.sql"))
	if err != nil || len(migrations) == 0 {
		t.Fatalf("there are no migrations, %v", err)
	}
	for _, name := range migrations {
		text += read(t, "storage/migrations/"+filepath.Base(name))
	}
	return text
}

// plain makes firstName, first_name and FirstName the same.
func plain(text string) string { return strings.ToLower(strings.ReplaceAll(text, "_", "")) }

var step = regexp.MustCompile("(?m)^[0-9]+\\. `([^`]+)`:")

// recipe returns the files of a recipe of CONTRIBUTING.
func recipe(t *testing.T, title string) (files []string) {
	t.Helper()
	_, text, found := strings.Cut(read(t, "CONTRIBUTING.md"), "\n### "+title+"\n")
	if !found {
		t.Fatalf("CONTRIBUTING has no recipe %q", title)
	}
	text, _, _ = strings.Cut(text, "\n### ")
	for _, line := range step.FindAllStringSubmatch(text, -1) {
		files = append(files, line[1])
	}
	return files
}

var fieldName = regexp.MustCompile(`(?m)^\s+([a-z]\w*):`)

// inputFields returns the fields of an input of the schema.
func inputFields(t *testing.T, input string) []string {
	t.Helper()
	_, text, found := strings.Cut(read(t, "schema.graphqls"), "\ninput "+input+" {")
	if !found {
		t.Fatalf("the schema has no input %s", input)
	}
	text, _, _ = strings.Cut(text, "\n}")
	return submatches(t, fieldName, text)
}

var eventName = regexp.MustCompile(`EventType = "(\w+)"`)

// deliveredEvents returns the types of events that webhooks deliver.
func deliveredEvents(t *testing.T) []string {
	t.Helper()
	text, _, _ := strings.Cut(read(t, "event.go"), "never delivered")
	return submatches(t, eventName, text)
}

var fragmentField = regexp.MustCompile(`(?m)^\s+([a-z]\w*)(?:: \w+)?$`)

// fragmentFields returns the fields of the answers of REST that stand on a line of
// their own.
func fragmentFields(t *testing.T) []string {
	t.Helper()
	return submatches(t, fragmentField, read(t, "rest/operations/fragments.graphql"))
}

func submatches(t *testing.T, of *regexp.Regexp, text string) (all []string) {
	t.Helper()
	for _, found := range of.FindAllStringSubmatch(text, -1) {
		all = append(all, found[1])
	}
	if len(all) < 3 {
		t.Fatalf("%s matches only %v", of, all)
	}
	return all
}
