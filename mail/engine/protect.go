package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"outreach"
)

// panicError is a panic that protect recovered.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// protect calls f and returns a panic in it as a *panicError, so that a bug that shows at one
// mailbox does not stop the others.
func protect(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value: value, stack: debug.Stack()}
		}
	}()
	return f()
}

// internalFailure is the last_error of a mailbox after a panic.
const internalFailure = "an internal error stopped the work on this mailbox; it will be tried again"

// panicked reports whether err is a panic, and logs it with its stack.
func (e *Engine) panicked(ctx context.Context, err error, ref outreach.MailboxRef) bool {
	broken, ok := errors.AsType[*panicError](err)
	if ok {
		e.Logger.LogAttrs(ctx, slog.LevelError, "panic while working on a mailbox",
			append(of(ref), slog.Any("error", broken), slog.String("stack", string(broken.stack)))...)
	}
	return ok
}

// firstError keeps the first error that is set.
type firstError struct {
	mu  sync.Mutex
	err error
}

func (f *firstError) set(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

func (f *firstError) get() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
