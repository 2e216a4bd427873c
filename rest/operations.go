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

// Operations returns the prepared operations by name. Each is a complete GraphQL document with the
// fragments that it uses. A file holds the operations of one resource; fragments may be in any file.
func Operations() map[string]string {
	operations, fragments := map[string]string{}, map[string]string{}
	for _, text := range operationTexts() {
		for _, d := range definitions(text) {
			if d.kind == "fragment" {
				fragments[d.name] = d.text
			} else {
				operations[d.name] = d.text
			}
		}
	}
	for name, text := range operations {
		operations[name] = withFragments(text, fragments)
	}
	return operations
}

// operationTexts returns the contents of the files by their paths.
func operationTexts() map[string]string {
	texts := map[string]string{}
	paths, _ := fs.Glob(operationFiles, "operations/*.graphql")
	for _, path := range paths {
		text, _ := operationFiles.ReadFile(path)
		texts[path] = string(text)
	}
	return texts
}

var (
	definitionStart = regexp.MustCompile(`(?m)^(query|mutation|fragment) (\w+)`)
	spread          = regexp.MustCompile(`\.\.\.(\w+)`)
)

// definition is an operation or a fragment of a file.
type definition struct{ kind, name, text string }

// definitions returns the definitions of a text. Each ends where the next one begins.
func definitions(text string) (found []definition) {
	starts := definitionStart.FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		found = append(found, definition{text[at[2]:at[3]], text[at[4]:at[5]], strings.TrimSpace(text[at[0]:end]) + "\n"})
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
	shown := map[string]map[string]bool{}
	for path, text := range operationTexts() {
		document, err := parser.ParseQuery(&ast.Source{Name: path, Input: text})
		if err != nil {
			return nil, fmt.Errorf("read operations: %w", err)
		}
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
	}
	return shown, nil
}
