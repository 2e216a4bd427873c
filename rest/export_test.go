package rest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"
)

// NewWithList is New with one list more, so that the rules of lists can be tried
// on an unexpected one.
func NewWithList(config Config, path, operation, document string) (http.Handler, error) {
	operations := maps.Clone(Operations())
	operations[operation] = document
	return newAPI(config, append(slices.Clone(routes), route{"GET", path, operation, pageOfList}), operations)
}

// Lists returns the paths of all lists that have pages.
func Lists() (paths []string) {
	for _, r := range routes {
		if r.shape.paged {
			paths = append(paths, r.path)
		}
	}
	return paths
}

// Call is a route as tests enumerate them: with its query parameters and the
// members of its body that hold ids of other rows (JSON pointers, - for any
// element).
type Call struct {
	Method, Path string
	Found        bool // a single resource with an ETag
	IDParameters []string
	IDPointers   []string
}

// Calls returns all routes.
func Calls(schema *ast.Schema) (calls []Call) {
	table, err := newTable(schema, routes, Operations())
	if err != nil {
		panic(err)
	}
	for _, r := range routes {
		e := table[r.path][r.method]
		c := Call{Method: r.method, Path: r.path, Found: r.shape.etag}
		for name, kind := range e.filters {
			if kind.Name() == "UUID" {
				c.IDParameters = append(c.IDParameters, name)
			}
		}
		if e.input != nil {
			c.IDPointers = idPointers(schema, e.input, "")
		}
		slices.Sort(c.IDParameters)
		calls = append(calls, c)
	}
	return calls
}

func idPointers(schema *ast.Schema, kind *ast.Type, at string) (pointers []string) {
	if kind.Elem != nil {
		return idPointers(schema, kind.Elem, at+"/-")
	}
	if kind.NamedType == "UUID" {
		return []string{at}
	}
	for _, field := range schema.Types[kind.NamedType].Fields {
		pointers = append(pointers, idPointers(schema, field.Type, at+"/"+snake(field.Name))...)
	}
	return pointers
}

// snake spells a name of the schema as REST does.
func snake(name string) string {
	var out strings.Builder
	for _, c := range name {
		if unicode.IsUpper(c) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(c))
	}
	return out.String()
}
