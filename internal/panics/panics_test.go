package panics_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"outreach/internal/panics"
)

// The error of a panic names the place, and shows no text but that of Go's runtime.
func TestCatch(t *testing.T) {
	t.Parallel()
	for _, want := range []error{nil, io.EOF} {
		if got := panics.Catch(func() error { return want }); !errors.Is(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	for want, broken := range map[string]func() error{
		"panic: string\n": breakDown,
		"panic: runtime error: index out of range [3] with length 1\n": func() error { return make([]error, 1)[len("abc")] },
	} {
		err, ok := errors.AsType[*panics.Error](panics.Catch(broken))
		if !ok {
			t.Fatalf("%q was not returned", want)
		}
		if text := err.Error(); !strings.HasPrefix(text, want) || !strings.Contains(text, "panics_test.go") || strings.Contains(text, "hunter2") {
			t.Errorf("got %q, want %q and the stack", text, want)
		}
	}
}

func breakDown() error { panic("hunter2") }
