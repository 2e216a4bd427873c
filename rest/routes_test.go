package rest

import (
	"maps"
	"slices"
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
		used = append(used, r.operation)
	}
	slices.Sort(used)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(Operations())), used); diff != "" {
		t.Error(diff)
	}
}
