package rest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

func TestEveryOperationFitsTheSchema(t *testing.T) {
	t.Parallel()
	for name, document := range Operations() {
		query, errs := gqlparser.LoadQueryWithRules(theSchema(), document, rules.NewDefaultRules())
		if len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		} else if query.Operations[0].Name != name {
			t.Errorf("the operation in %s.graphql is named %s", name, query.Operations[0].Name)
		}
	}
}

func TestEveryRouteHasItsOperationAndEveryOperationItsRoute(t *testing.T) {
	t.Parallel()
	var used []string
	for _, r := range routes {
		if !r.shape.file {
			used = append(used, r.operation)
		}
	}
	slices.Sort(used)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(Operations())), used); diff != "" {
		t.Error(diff)
	}
}

func TestRouteOfEveryPath(t *testing.T) {
	t.Parallel()
	for _, r := range routes {
		if want, got := Base+r.path, Route(Base+strings.NewReplacer("{id}", anID, "{attachment_id}", "1").Replace(r.path)); got != want {
			t.Errorf("%s is %q", want, got)
		}
	}
	for path, want := range map[string]string{
		"/api/v1/openapi.json": "/api/v1/openapi.json", "/api/v1/prospects/x": "/api/v1/prospects/{id}",
		"/api/v1/prospects/bulk": "/api/v1/prospects/bulk",
		"/api/v1/people":         "", "/api/v1/prospects/": "/api/v1/prospects/{id}", "/api/v1/prospects/x/y": "",
		"/api/v1/replies/x/attachments/": "/api/v1/replies/{id}/attachments/{attachment_id}", "/api/v1/replies/x/y/z": "",
		"/api/v1": "", "/api/v1/": "", "/prospects": "", "prospects": "", "": "",
	} {
		if got := Route(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
