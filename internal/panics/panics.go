// Package panics turns panics into errors, so that a bug in one piece of work does not end the
// process.
package panics

import (
	"fmt"
	"runtime/debug"

	"outreach"
)

// Error is a panic that Catch recovered.
type Error struct {
	Value any
	Stack []byte
}

// Error returns what a log may hold of the panic (outreach.PanicText), and its stack.
func (e *Error) Error() string {
	return fmt.Sprintf("panic: %s\n%s", outreach.PanicText(e.Value), e.Stack)
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
