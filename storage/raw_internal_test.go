package storage

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// What the short way reads is what encoding/json reads.
func FuzzFlatObject(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"a": 1}`, `{"a": "x, y", "b": true, "c": false, "d": -1.5}`,
		`{"a": "q\"q"}`, `{"a": null}`, `{"a": {"b": 1}}`, `{"a": 1, }`, `{"a": 1,"b": 2}`,
		`{"a": 01}`, `{"a": .5}`, `{"a": 1e400}`, `{"a": "}", "b": "\u0000"}`, `{"a": tru}`, `{"é": "ü"}`, `{"a": -}`,
		`{"a": 9007199254740993}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want map[string]any
		if !utf8.ValidString(text) || json.Unmarshal([]byte(text), &want) != nil {
			return // Postgres prints JSON only, in UTF-8
		}
		got, ok := flatObject([]byte(text))
		if diff := cmp.Diff(want, got); ok && diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
	})
}

func TestFlatObjectTakesWhatIsCommon(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]map[string]any{
		`{}`:                       {},
		`{"seats": 12}`:            {"seats": 12.0},
		`{"a": "x, y", "b": true}`: {"a": "x, y", "b": true},
	} {
		got, ok := flatObject([]byte(text))
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: %v\n%s", text, ok, diff)
		}
	}
}
