package rest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"outreach"
)

// endpoint is a route with the facts from its operation: the variables of the operation are the
// parameters and the body of the call.
type endpoint struct {
	route
	filters map[string]*ast.Type // query parameters other than limit and cursor
	input   *ast.Type            // of the body; nil if the call takes none
}

func newEndpoint(schema *ast.Schema, r route, document string) (*endpoint, error) {
	if r.shape.file {
		return &endpoint{route: r}, nil
	}
	query, errs := gqlparser.LoadQueryWithRules(schema, document, rules.NewDefaultRules())
	if len(errs) > 0 {
		return nil, fmt.Errorf("read operation %q: %w", r.operation, errs)
	}
	e := &endpoint{route: r, filters: map[string]*ast.Type{}}
	for _, variable := range query.Operations[0].VariableDefinitions {
		switch name := variable.Variable; name {
		case "id", "limit", "cursor":
		case "input":
			e.input = variable.Type
		default:
			e.filters[name] = variable.Type
		}
	}
	return e, nil
}

// table finds endpoints by path, then by method.
type table map[string]map[string]*endpoint

func newTable(schema *ast.Schema, routes []route, operations map[string]string) (table, error) {
	t := table{}
	for _, r := range routes {
		e, err := newEndpoint(schema, r, operations[r.operation])
		if err != nil {
			return nil, err
		}
		if t[r.path] == nil {
			t[r.path] = map[string]*endpoint{}
		}
		t[r.path][r.method] = e
	}
	return t, nil
}

// match returns the endpoint of a request and the ids in its path. If the path has
// only other methods, it returns an error and sets Allow in header.
func (t table) match(method, path string, header http.Header) (e *endpoint, ids pathIDs, err error) {
	path, underBase := strings.CutPrefix(path, Base)
	methods, ids, known := t.lookUp(path)
	if !underBase || !known {
		return nil, ids, outreach.Errorf(outreach.CodeNotFound, "There is nothing at this path.")
	}
	if method == http.MethodHead {
		method = http.MethodGet
	}
	e, ok := methods[method]
	if !ok {
		header.Set("Allow", allow(methods))
		return nil, ids, outreach.Errorf(outreach.CodeMethodNotAllowed, "This path takes %s.", allow(methods))
	}
	return e, ids, nil
}

// resource adds the id of a path to the variables of its operation. An id that is not a UUID is
// not found, like any unknown id.
func (e *endpoint) resource(id string, variables map[string]any) error {
	if !strings.Contains(e.path, "{id}") {
		return nil
	}
	canonical, ok := parseUUID(id)
	if !ok {
		return outreach.Errorf(outreach.CodeNotFound, "%s", outreach.NotUUID("id"))
	}
	variables["id"] = canonical
	return nil
}

// lookUp returns the methods of a path: the path itself, else with its ids.
func (t table) lookUp(path string) (methods map[string]*endpoint, ids pathIDs, known bool) {
	if methods, known = t[path]; known {
		return methods, ids, true
	}
	template, ids := templateOf(path)
	methods, known = t[template]
	return methods, ids, known && ids.resource != ""
}

func allow(methods map[string]*endpoint) string {
	names := slices.Collect(maps.Keys(methods))
	if methods[http.MethodGet] != nil {
		names = append(names, http.MethodHead)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// parseUUID reads the 36 characters of a UUID (RFC 9562) and returns them in lower case.
func parseUUID(s string) (string, bool) {
	if len(s) != 36 {
		return "", false
	}
	id, err := uuid.Parse(s)
	return id.String(), err == nil
}
