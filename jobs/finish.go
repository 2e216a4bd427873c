package jobs

import (
	"context"
	"time"

	"outreach/jobs/queue"
)

// finishTimeout is how long a result waits for a database that does not answer. After it the
// attempt is repeated.
const finishTimeout = 45 * time.Second

// recorder is the part of a store that finish uses.
type recorder interface {
	FinishAttempts(ctx context.Context, results []queue.Result, pace queue.Pace) ([]queue.Recorded, error)
}

// finish records results, and tries again while the database is unavailable until ctx ends. A lost
// result means that the endpoint gets the attempt twice.
func finish(ctx context.Context, store recorder, results []queue.Result, pace queue.Pace) ([]queue.Recorded, error) {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		recorded, err := finishOnce(ctx, store, results, pace)
		if err == nil {
			return recorded, nil
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
		}
	}
}

func finishOnce(ctx context.Context, store recorder, results []queue.Result, pace queue.Pace) ([]queue.Recorded, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return store.FinishAttempts(ctx, results, pace)
}
