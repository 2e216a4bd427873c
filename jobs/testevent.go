package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/jobs/queue"
)

// testLease outlives the longest attempt and its record, so that it needs no
// renewal.
const testLease = 30 * time.Second

// Tester sends test events. All fields are required.
type Tester struct {
	Store  TestStore
	Post   Post
	Logger *slog.Logger
}

// Send creates a delivery of the test event and attempts it at once, in the caller's process and
// without Redis, also for a disabled subscription and for any kind of event. There is no retry.
// It returns the delivery as the log shows it: with the status that the endpoint returned, or the
// error.
//
// The attempt runs to its end even if ctx is cancelled, so that the log shows what the endpoint
// received. If the process dies before the delivery is written there is no test; if it dies later,
// a scan records the test as interrupted.
func (t Tester) Send(ctx context.Context, workspace, subscription uuid.UUID) (outreach.Delivery, error) {
	ctx = context.WithoutCancel(ctx)
	attempt, err := t.Store.StartTest(ctx, workspace, subscription, testLease)
	if err != nil {
		return outreach.Delivery{}, fmt.Errorf("start test: %w", err)
	}
	answer := recoverPanics(t.Logger, t.Post)(ctx, attempt)
	recording, cancel := context.WithTimeout(ctx, finishTimeout)
	defer cancel()
	if _, err := finish(recording, t.Store, []queue.Result{{AttemptKey: attempt.AttemptKey, Answer: answer}}, queue.Pace{}); err != nil {
		return outreach.Delivery{}, fmt.Errorf("record test: %w", err)
	}
	delivery, err := t.Store.Delivery(ctx, workspace, attempt.ID)
	if err != nil {
		return outreach.Delivery{}, fmt.Errorf("read test delivery: %w", err)
	}
	return delivery, nil
}
