package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"

	"outreach"
	"outreach/jobs/carry"
)

// The names that operators see on the dashboard.
const (
	Queue       = "webhooks"
	TypeDeliver = "webhook:deliver"
)

// maxRetry is how often asynq repeats a task whose attempt failed. The row
// counts attempts; this only makes each of them visible on the dashboard.
const maxRetry = outreach.MaxAttempts - 1

// taskTimeout is when asynq gives a task up. An attempt and its record are long
// over by then; the library's own default would be half an hour.
const taskTimeout = 2 * time.Minute

// errorInternal is recorded for an attempt that could not be made by our fault.
const errorInternal = "internal error"

// payload is what a task says. Workspace and host let a worker turn down what is
// over its cap without asking the database.
type payload struct {
	ID         uuid.UUID `json:"id"`
	Generation int       `json:"generation"`
	Workspace  uuid.UUID `json:"workspace"`
	Host       string    `json:"host"`
}

// newTask makes the task that carries a delivery. Its id holds the generation:
// Redis refuses an id as long as any task of that id exists, an archived one
// too, and a later generation must not be held up by that.
func newTask(h carry.Handed) (*asynq.Task, error) {
	body, err := json.Marshal(payload{ID: h.ID, Generation: h.Generation, Workspace: h.WorkspaceID, Host: h.Host})
	if err != nil {
		return nil, fmt.Errorf("encode task: %w", err)
	}
	return asynq.NewTask(TypeDeliver, body,
		asynq.Queue(Queue), asynq.MaxRetry(maxRetry), asynq.Timeout(taskTimeout),
		asynq.TaskID(h.ID.String()+":"+strconv.Itoa(h.Generation))), nil
}

func readTask(task *asynq.Task) (h carry.Handed, err error) {
	var p payload
	if err := json.Unmarshal(task.Payload(), &p); err != nil {
		return h, fmt.Errorf("decode task: %w", err)
	}
	return carry.Handed{ID: p.ID, Generation: p.Generation, WorkspaceID: p.Workspace, Host: p.Host}, nil
}

// failedAttempt makes asynq count a failure and repeat the task.
type failedAttempt struct{ words string }

func (e failedAttempt) Error() string { return e.words }

// notYet puts a task off without counting anything.
type notYet struct {
	wait time.Duration
	why  string
}

func (e notYet) Error() string { return e.why }

// isFailure keeps everything but a failed attempt out of asynq's count: too
// early, over a cap, an unreachable database, a lease of asynq's own that ended.
func isFailure(err error) bool {
	_, failed := errors.AsType[failedAttempt](err)
	return failed
}

// retryDelay gives asynq the time until the next attempt. It stores whole
// seconds, cutting the rest, so that a second more is never too early.
func retryDelay(delay time.Duration) asynq.RetryDelayFunc {
	return func(_ int, err error, _ *asynq.Task) time.Duration {
		if later, ok := errors.AsType[notYet](err); ok {
			return later.wait + time.Second
		}
		return delay + time.Second
	}
}

// deliverer attempts what tasks bring. It may be handed the same task twice.
type deliverer struct {
	post     Post
	pace     carry.Pace
	caps     *caps
	running  *running
	metrics  *Metrics
	log      *slog.Logger
	begins   *batch[carry.Handed, carry.Attempt]
	finishes *batch[carry.Result, carry.Recorded]
	returns  *batch[carry.Handed, struct{}]
	// attempts are waited for before the process ends, whatever asynq thinks of
	// their tasks by then.
	attempts sync.WaitGroup
}

// ProcessTask makes the attempt that the task stands for, if the row allows it.
//
// If the process dies in it, asynq returns the task a minute or so later and the
// scan hands the delivery out anew when lease or hold has ended, whichever comes
// first; the row lets only one of them begin.
func (d *deliverer) ProcessTask(ctx context.Context, task *asynq.Task) error {
	d.attempts.Add(1)
	defer d.attempts.Done()
	handed, err := readTask(task)
	if err != nil {
		d.log.ErrorContext(ctx, "task is not readable, dropped", slog.Any("error", err))
		return nil
	}
	leave, admitted := d.caps.enter(handed)
	if !admitted {
		d.metrics.turned(outcomeOverCap)
		return d.putBack(ctx, handed)
	}
	defer leave()
	attempt, err := d.begins.do(handed)
	if err != nil {
		d.log.DebugContext(ctx, "attempt cannot begin", slog.String("delivery", handed.ID.String()), slog.Any("error", err))
		return d.again(ctx, handed, notYet{wait: time.Second, why: "database not available"})
	}
	return d.follow(ctx, handed, attempt)
}

func (d *deliverer) follow(ctx context.Context, handed carry.Handed, attempt carry.Attempt) error {
	switch {
	case attempt.Verdict == carry.Early:
		d.metrics.turned(outcomeEarly)
		return d.again(ctx, handed, notYet{wait: attempt.Wait, why: "too early"})
	case attempt.Verdict != carry.Begun:
		// Settled, carried by a later task, or being attempted: whoever holds it
		// now sees to it, and if that process is dead, the scan does.
		d.metrics.turned(outcomeStale)
		return nil
	case attempt.Err != nil:
		// Our fault, not the endpoint's: it costs no attempt and comes back when
		// the lease has ended.
		d.log.ErrorContext(ctx, "attempt cannot be made", slog.String("delivery", handed.ID.String()), slog.Any("error", attempt.Err))
		d.metrics.turned(outcomeUnable)
		return nil //nolint:nilerr // a retry by asynq would not help
	}
	return d.attempt(ctx, handed, attempt)
}

// attempt sends the request and records the answer before asynq hears of it.
//
// The process may die before the request (the endpoint saw nothing), after it,
// or before the record is committed: the attempt is repeated under its number.
// If it dies after the commit but before asynq is told, the task comes again and
// finds the delivery settled, or not due yet.
func (d *deliverer) attempt(ctx context.Context, handed carry.Handed, attempt carry.Attempt) error {
	d.running.add(attempt.Claim)
	defer d.running.remove(attempt.Claim)
	// A cancelled task must not cut an attempt off half way: nobody could tell
	// what the endpoint had seen.
	answer := d.metrics.timed(safely(d.log, d.post))(context.WithoutCancel(ctx), attempt)
	recorded, err := d.finishes.do(carry.Result{Claim: attempt.Claim, Answer: answer})
	if err != nil {
		d.log.ErrorContext(ctx, "attempt cannot be recorded and will be repeated", slog.String("delivery", handed.ID.String()), slog.Any("error", err))
		d.metrics.turned(outcomeUnrecorded)
		return nil
	}
	d.metrics.recorded(recorded, answer)
	if recorded.Lost || recorded.Status != outreach.DeliveryQueued {
		// A last failure is acknowledged too: it stands in the log of deliveries,
		// and needs no second record in Redis' archive.
		return nil
	}
	return d.again(ctx, handed, failedAttempt{words: *answer.Error})
}

// again has asynq bring the task back for the reason given. A task that has no
// retry left would be archived, even for a reason that is no failure; then the
// row goes back to the scan instead.
func (d *deliverer) again(ctx context.Context, handed carry.Handed, reason error) error {
	retried, _ := asynq.GetRetryCount(ctx)
	if most, ok := asynq.GetMaxRetry(ctx); ok && retried < most {
		return reason
	}
	return d.putBack(ctx, handed)
}

// putBack leaves the delivery to the next scan and acknowledges the task. Where
// even that cannot be written, the hold ends by itself.
func (d *deliverer) putBack(ctx context.Context, handed carry.Handed) error {
	if _, err := d.returns.do(handed); err != nil {
		d.log.DebugContext(ctx, "delivery cannot be given back, its hold must end", slog.String("delivery", handed.ID.String()), slog.Any("error", err))
	}
	return nil
}

// safely turns a panic into a failed attempt: a delivery that makes us stumble
// each time must still come to an end.
func safely(log *slog.Logger, post Post) Post {
	return func(ctx context.Context, attempt carry.Attempt) (answer carry.Answer) {
		defer func() {
			if p := recover(); p != nil {
				log.ErrorContext(ctx, "attempt panicked", slog.String("delivery", attempt.ID.String()), slog.Any("panic", p))
				words := errorInternal
				answer = carry.Answer{Error: &words}
			}
		}()
		return post(ctx, attempt)
	}
}
