package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"outreach"
	"outreach/internal/panics"
)

// internalFailure is the last_error of a mailbox after a panic.
const internalFailure = "an internal error stopped the work on this mailbox; it will be tried again"

// panicked reports whether err is a panic, and logs it with its stack: a bug that shows at one
// mailbox does not stop the others.
func (e *Engine) panicked(ctx context.Context, err error, ref outreach.MailboxRef) bool {
	broken, ok := errors.AsType[*panics.Error](err)
	if ok {
		e.Logger.LogAttrs(ctx, slog.LevelError, "panic while working on a mailbox", append(of(ref), slog.Any("error", broken))...)
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
