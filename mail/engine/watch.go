package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/panics"
	"outreach/mail"
)

// Bounds of a watcher: how long it keeps its connection, and how long a mailbox whose server cannot
// be watched is only polled.
const (
	watchLength = 25 * time.Minute
	watchRetry  = 30 * time.Minute
)

// watchers hold IDLE connections. They only make mailboxes due for reading: without a watcher a
// mailbox is read at its next interval.
type watchers struct {
	most    int
	woken   chan struct{}
	running sync.WaitGroup

	mu     sync.Mutex
	active map[uuid.UUID]struct{}
	unable map[uuid.UUID]time.Time // end of that time
}

func newWatchers(most int) *watchers {
	return &watchers{most: most, woken: make(chan struct{}, 1), active: map[uuid.UUID]struct{}{}, unable: map[uuid.UUID]time.Time{}}
}

func (w *watchers) wait() { w.running.Wait() }

// begin reserves a watcher for a mailbox. It returns false if the mailbox has one, none is free, or
// its server cannot be watched.
func (w *watchers) begin(id uuid.UUID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, there := w.active[id]
	if there || len(w.active) >= w.most || time.Now().Before(w.unable[id]) {
		return false
	}
	delete(w.unable, id)
	w.active[id] = struct{}{}
	return true
}

func (w *watchers) end(id uuid.UUID, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.active, id)
	if err != nil {
		w.unable[id] = time.Now().Add(watchRetry)
	}
}

func (w *watchers) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// watchFor watches a mailbox from the position where reading stopped, if a watcher is free. The
// watcher outlives the reading and ends when something arrives or the engine stops.
func (e *Engine) watchFor(ctx context.Context, box outreach.Mailbox, from mail.Position) {
	if e.Wake == nil || ctx.Err() != nil || !e.watch.begin(box.ID) {
		return
	}
	e.watch.running.Go(func() {
		err := panics.Catch(func() error {
			changed, err := mail.Wait(ctx, e.imap(box), from, watchLength)
			if changed && ctx.Err() == nil {
				err = e.Wake(ctx, box.Ref())
				e.watch.wake()
			}
			return err
		})
		if cut, ok := errors.AsType[*mail.ServerError](err); ok && box.Auth.UsesTokens() && cut.Kind == mail.KindConnect {
			err = nil // the session ended with its token: the next reading starts a new watcher
		}
		if !errors.Is(err, mail.ErrNoIdle) {
			e.warn(ctx, "watching a mailbox ended", err, of(box.Ref())...)
		}
		e.watch.end(box.ID, err)
	})
}
