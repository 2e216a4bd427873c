package jobs

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/jobs/queue"
)

// Handouts is the part of the store that a scan uses.
type Handouts interface {
	HandOut(ctx context.Context, a queue.Admission) (queue.Handout, error)
	GiveBack(ctx context.Context, tasks []queue.Handed) error
	SettleTests(ctx context.Context) (int, error)
}

// Ledger begins attempts and records and counts their results.
type Ledger interface {
	BeginAttempts(ctx context.Context, tasks []queue.Handed, ttl time.Duration) ([]queue.Attempt, error)
	RenewLeases(ctx context.Context, attempts []queue.AttemptKey, ttl time.Duration) error
	FinishAttempts(ctx context.Context, results []queue.Result, pace queue.Pace) ([]queue.Recorded, error)
}

// Workers lists the processes that deliver and how many attempts each makes at once.
type Workers interface {
	// RegisterWorker adds or renews a process that makes up to attempts at once, for ttl, and returns the
	// attempts that all live processes make at once.
	RegisterWorker(ctx context.Context, id string, attempts int, ttl time.Duration) (total int, err error)
	RemoveWorker(ctx context.Context, id string) error
}

// Leases decides which of several processes does work that only one may do.
type Leases interface {
	AcquireLease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error)
	ReleaseLease(ctx context.Context, name, holder string) error
}

// Cleaner deletes old deliveries.
type Cleaner interface {
	Retention(ctx context.Context, olderThan time.Duration) (int, error)
}

// Store is the store of a process that runs deliveries.
type Store interface {
	Handouts
	Ledger
	Leases
	Workers
	Cleaner
}

// TestStore is the store of test events.
type TestStore interface {
	StartTest(ctx context.Context, workspace, subscription uuid.UUID, ttl time.Duration) (queue.Attempt, error)
	FinishAttempts(ctx context.Context, results []queue.Result, pace queue.Pace) ([]queue.Recorded, error)
	Delivery(ctx context.Context, workspace, id uuid.UUID) (outreach.Delivery, error)
}

// Post makes one attempt: it sends the request and waits at most ten seconds for the status line.
// Failures are reported in its answer.
type Post func(ctx context.Context, attempt queue.Attempt) queue.Answer
