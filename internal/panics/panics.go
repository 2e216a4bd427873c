// Package panics turns panics into errors, so that a bug in one piece of work does not end the
// process.
package panics

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Error is a panic that Catch recovered.
type Error struct {
	Value any
	Stack []byte
}

// Error returns, for a log, the text of a panic of Go's runtime, or only the type of any other value,
// which may contain a secret. The stack follows.
func (e *Error) Error() string {
	text := fmt.Sprintf("%T", e.Value)
	if found, ok := e.Value.(runtime.Error); ok {
		text = found.Error()
	}
	return fmt.Sprintf("panic: %s\n%s", text, e.Stack)
}

// Catch calls f and returns its error, or an *Error if it panics.
func Catch(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Error{Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}
