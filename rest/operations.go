package rest

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

//go:embed operations/*.graphql
var operationFiles embed.FS

// fragmentsFile holds the fragments that several operations share.
const fragmentsFile = "fragments.graphql"

// Operations returns the prepared operations by name. Each is a complete GraphQL document with the
// fragments that it uses. A file holds the operations of one resource.
func Operations() map[string]string {
	fragments := definitions(fragmentStart, fragmentsFile)
	documents := map[string]string{}
	names, _ := fs.Glob(operationFiles, "operations/*.graphql")
	for _, path := range names {
		file := strings.TrimPrefix(path, "operations/")
		if file == fragmentsFile {
			continue
		}
		for name, text := range definitions(operationStart, file) {
			documents[name] = withFragments(text, fragments)
		}
	}
	return documents
}

var (
	operationStart = regexp.MustCompile(`(?m)^(?:query|mutation) (\w+)`)
	fragmentStart  = regexp.MustCompile(`(?m)^fragment (\w+)`)
	spread         = regexp.MustCompile(`\.\.\.(\w+)`)
)

// definitions returns the definitions of a file by their names. Each begins where
// start matches and ends where the next one begins.
func definitions(start *regexp.Regexp, file string) map[string]string {
	text, _ := operationFiles.ReadFile("operations/" + file)
	starts := start.FindAllSubmatchIndex(text, -1)
	found := map[string]string{}
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		found[string(text[at[2]:at[3]])] = strings.TrimSpace(string(text[at[0]:end])) + "\n"
	}
	return found
}

// withFragments appends each fragment that text spreads, directly or through
// another, once.
func withFragments(text string, fragments map[string]string) string {
	var have []string
	for at := 0; ; {
		found := spread.FindStringSubmatchIndex(text[at:])
		if found == nil {
			return text
		}
		name := text[at+found[2] : at+found[3]]
		at += found[1]
		if !slices.Contains(have, name) {
			have = append(have, name)
			text += "\n" + fragments[name]
		}
	}
}

// shownFields returns the fields of each type under their REST names, as the fragments select
// them. The secret of a subscription counts as one of the subscription's fields.
func shownFields() (map[string]map[string]bool, error) {
	text, _ := operationFiles.ReadFile("operations/" + fragmentsFile)
	document, err := parser.ParseQuery(&ast.Source{Name: fragmentsFile, Input: string(text)})
	if err != nil {
		return nil, fmt.Errorf("read fragments: %w", err)
	}
	shown := map[string]map[string]bool{}
	for _, fragment := range document.Fragments {
		name := strings.TrimSuffix(fragment.TypeCondition, "Secret")
		if shown[name] == nil {
			shown[name] = map[string]bool{}
		}
		for _, selection := range fragment.SelectionSet {
			if field, ok := selection.(*ast.Field); ok {
				shown[name][field.Alias] = true
			}
		}
	}
	return shown, nil
}
