package outreach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

func TestMergeCustomFields(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, patch, want map[string]any }{
		"adds":      {map[string]any{"a": 1}, map[string]any{"b": 2}, map[string]any{"a": 1, "b": 2}},
		"replaces":  {map[string]any{"a": 1}, map[string]any{"a": "x"}, map[string]any{"a": "x"}},
		"removes":   {map[string]any{"a": 1, "b": 2}, map[string]any{"a": nil, "c": nil}, map[string]any{"b": 2}},
		"an empty":  {map[string]any{"a": 1}, map[string]any{}, map[string]any{"a": 1}},
		"null":      {map[string]any{"a": 1}, nil, map[string]any{}},
		"from none": {nil, map[string]any{"a": 1}, map[string]any{"a": 1}},
	} {
		p := outreach.Prospect{CustomFields: c.before}
		p.MergeCustomFields(c.patch)
		if diff := cmp.Diff(c.want, p.CustomFields); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
