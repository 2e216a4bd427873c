package scalar_test

import (
	"encoding/json"
	"math"
	"testing"

	"outreach/graph/scalar"
)

// What is printed by hand is what encoding/json prints.
func TestAppendObject(t *testing.T) {
	t.Parallel()
	for _, object := range []map[string]any{
		{}, {"b": "x", "a": 1.0, "c": true, "d": false}, {"a": "<&>", "é": "ü", "q": `"\`, "n": "\x00\n", "bad": "\xff"},
		{"a": 0.0, "z": math.Copysign(0, -1), "b": 1e15, "c": -1e15, "d": 999999999999999.0, "e": 1e21, "f": 1e-7, "g": 0.1,
			"h": -12.0, "i": 1e300},
		{"null": nil, "deep": map[string]any{"a": []any{1.0, "x"}}, "int": 3, "": ""},
	} {
		want, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if got := scalar.AppendObject(nil, object); string(got) != string(want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if got := scalar.AppendObject(nil, nil); string(got) != "{}" {
		t.Errorf("nil: %s", got)
	}
}
