package sandbox

import (
	"context"
	"sync"
	"time"
)

// personaWorkers is how many personas act at a time.
const personaWorkers = 8

// personaTries is how often a persona tries a link that does not answer, one Delay apart. In
// `outreach dev` the mail server starts before the links work.
const personaTries = 60

// task is what a persona does after it got a message.
type task struct {
	Received
	tries int
	due   time.Time
}

// agenda is a queue of tasks. Each is due a fixed delay after it was added, so they become due in
// the order of arrival.
type agenda struct {
	delay time.Duration
	added chan struct{} // wakes one caller of take, which wakes the next

	mu    sync.Mutex
	tasks []task
}

func newAgenda(delay time.Duration) *agenda {
	return &agenda{delay: delay, added: make(chan struct{}, 1)}
}

func (a *agenda) add(t task) {
	t.due = time.Now().Add(a.delay)
	a.mu.Lock()
	a.tasks = append(a.tasks, t)
	a.mu.Unlock()
	a.signal()
}

func (a *agenda) signal() {
	select {
	case a.added <- struct{}{}:
	default:
	}
}

// take waits for the next task and until it is due. It returns false when ctx is done.
func (a *agenda) take(ctx context.Context) (task, bool) {
	for {
		if t, ok := a.pop(); ok {
			return t, a.wait(ctx, t)
		}
		select {
		case <-ctx.Done():
			return task{}, false
		case <-a.added:
		}
	}
}

func (a *agenda) pop() (task, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.tasks) == 0 {
		return task{}, false
	}
	t := a.tasks[0]
	a.tasks = a.tasks[1:]
	if len(a.tasks) > 0 {
		a.signal()
	}
	return t, true
}

func (a *agenda) wait(ctx context.Context, t task) bool {
	timer := time.NewTimer(time.Until(t.due))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
