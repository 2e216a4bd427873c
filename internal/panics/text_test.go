package panics_test

import (
	"errors"
	"testing"

	"outreach/internal/panics"
)

// The text of a panic shows only what Go's runtime found.
func TestText(t *testing.T) {
	t.Parallel()
	secrets := map[string]any{"password": "hunter2"}
	for want, broken := range map[string]func(){
		"runtime error: index out of range [3] with length 1":   func() { _ = make([]int, 1)[len("abc")] },
		"interface conversion: interface {} is string, not int": func() { _ = secrets["password"].(int) },
		"string":              func() { panic("hunter2") },
		"*errors.errorString": func() { panic(errors.New("hunter2")) },
	} {
		func() {
			defer func() {
				if got := panics.Text(recover()); got != want {
					t.Errorf("the text is %q, want %q", got, want)
				}
			}()
			broken()
		}()
	}
}
