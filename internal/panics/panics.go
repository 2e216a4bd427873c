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

// Error returns Text of the panic, and its stack.
func (e *Error) Error() string { return fmt.Sprintf("panic: %s\n%s", Text(e.Value), e.Stack) }

// Text returns what a log may hold of the value of a recovered panic: the text of an error of Go's
// runtime, which names numbers and types, else the type of the value alone. Any other text may hold a
// secret that the code was given. The stack, which shows no texts, says where it was.
func Text(value any) string {
	if broken, ok := value.(runtime.Error); ok {
		return broken.Error()
	}
	return fmt.Sprintf("%T", value)
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
