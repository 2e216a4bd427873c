package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// A server of asynq that finds its queue empty sleeps, whatever comes meanwhile,
// and one that looked again at once would keep Redis busy for nothing. So its
// sleep is short, and a fetch that finds nothing waits instead: for the doorbell,
// or for so long, within which tasks of other processes and retries are found.
const (
	fetchSleep    = 10 * time.Millisecond
	fetchPatience = 500 * time.Millisecond
)

// doorbell tells those who wait for tasks that there may be some.
type doorbell struct {
	mu   sync.Mutex
	next chan struct{} // closed by the next ring
}

func newDoorbell() *doorbell { return &doorbell{next: make(chan struct{})} }

func (b *doorbell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.next)
	b.next = make(chan struct{})
}

// listen gives what the next ring closes.
func (b *doorbell) listen() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.next
}

// patient is a hook that has fetches wait for tasks. Of asynq's scripts only the
// one that fetches a task answers with nothing.
func patient(door *doorbell) aroundScripts {
	return func(ctx context.Context, script redis.Cmder, next redis.ProcessHook) error {
		var patience <-chan time.Time
		for {
			rung := door.listen()
			err := next(ctx, script)
			if !errors.Is(err, redis.Nil) {
				return err
			}
			if patience == nil {
				patience = time.After(fetchPatience)
			}
			select {
			case <-rung:
			case <-patience:
				return err
			case <-ctx.Done():
				return err
			}
		}
	}
}
