package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/hibiken/asynq"

	"outreach"
	"outreach/internal/groupcommit"
	"outreach/internal/lease"
	"outreach/internal/panics"
	"outreach/jobs/queue"
)

// The limits of a batch of rows that begin, finish or go back: what arrives within batchWait of
// the first row, at most batchSize. A batch that takes longer than batchSlow does not delay the
// next one.
const (
	batchSize = 256
	batchWait = 2 * time.Millisecond
	batchSlow = 50 * time.Millisecond
)

// errorInternal is recorded for an attempt that failed because of the service.
const errorInternal = "internal error"

// deliverer makes the attempts of tasks. It may get the same task twice.
type deliverer struct {
	post     Post
	caps     *caps
	leases   *lease.Keeper[queue.AttemptKey]
	metrics  *Metrics
	log      *slog.Logger
	begins   *groupcommit.Group[queue.Handed, queue.Attempt]
	finishes *groupcommit.Group[queue.Result, queue.Recorded]
	returns  *groupcommit.Group[queue.Handed, struct{}]
	// The process waits for attempts before it ends, whatever asynq has decided about their tasks.
	attempts sync.WaitGroup
}

func newDeliverer(config Config, all *capacity) *deliverer {
	store, log := config.Store, config.Logger
	pace := queue.Pace{RetryDelay: config.RetryDelay, HandoutTTL: config.handoutTTL()}
	return &deliverer{
		post: config.Post, metrics: config.Metrics, log: log,
		caps: newCaps(config.admission(config.Concurrency), func() queue.Admission { return config.admission(all.attempts()) }),
		leases: lease.NewKeeper(lease.Config[queue.AttemptKey]{
			What: "attempts", Every: config.LeaseTTL / 3, Logger: log,
			Renew: func(ctx context.Context, attempts []queue.AttemptKey) error {
				return store.RenewLeases(ctx, attempts, config.LeaseTTL)
			},
		}),
		begins: groupcommit.New(groupcommit.Config[queue.Handed, queue.Attempt]{
			Size: batchSize, Wait: batchWait, Parallel: 2, Slow: batchSlow, Timeout: config.LeaseTTL / 3,
			Run: func(ctx context.Context, tasks []queue.Handed) []groupcommit.Result[queue.Attempt] {
				attempts, err := store.BeginAttempts(ctx, tasks, config.LeaseTTL)
				if err != nil {
					log.WarnContext(ctx, "attempts cannot begin", slog.Int("tasks", len(tasks)), slog.Any("error", err))
				}
				return groupcommit.Results(len(tasks), attempts, err)
			},
		}),
		finishes: groupcommit.New(groupcommit.Config[queue.Result, queue.Recorded]{
			Size: batchSize, Wait: batchWait, Parallel: 2, Slow: batchSlow, Timeout: finishTimeout,
			Run: func(ctx context.Context, results []queue.Result) []groupcommit.Result[queue.Recorded] {
				recorded, err := finish(ctx, store, results, pace)
				return groupcommit.Results(len(results), recorded, err)
			},
		}),
		returns: groupcommit.New(groupcommit.Config[queue.Handed, struct{}]{
			Size: batchSize, Wait: batchWait, Timeout: 5 * time.Second,
			Run: func(ctx context.Context, tasks []queue.Handed) []groupcommit.Result[struct{}] {
				err := store.GiveBack(ctx, tasks)
				if err != nil {
					log.WarnContext(ctx, "deliveries cannot be given back until their hand-outs expire",
						slog.Int("tasks", len(tasks)), slog.Any("error", err))
				}
				return groupcommit.Results(len(tasks), make([]struct{}, len(tasks)), err)
			},
		}),
	}
}

// close waits for running attempts and records their results.
func (d *deliverer) close() {
	d.attempts.Wait()
	d.begins.Close()
	d.finishes.Close()
	d.returns.Close()
}

// ProcessTask makes the attempt of a task, if the row allows it.
//
// If the process dies in it, asynq returns the task about a minute later, and the scan hands the
// delivery out again when its lease or hand-out has ended. The row lets only the first of the two
// begin.
func (d *deliverer) ProcessTask(ctx context.Context, task *asynq.Task) error {
	d.attempts.Add(1)
	defer d.attempts.Done()
	if task.Type() != TypeDeliver {
		return newerTask{}
	}
	handed, err := readTask(task)
	if err != nil {
		d.log.ErrorContext(ctx, "task is not readable, dropped", slog.Any("error", err))
		return nil
	}
	retried, _ := asynq.GetRetryCount(ctx)
	leave, admitted := d.caps.enter(handed, retried > 0)
	if !admitted {
		d.metrics.count(outcomeOverCap)
		return d.putBack(ctx, handed)
	}
	defer leave()
	attempt, err := d.begins.Do(context.WithoutCancel(ctx), handed)
	if err != nil {
		d.log.DebugContext(ctx, "attempt cannot begin", slog.String("delivery", handed.ID.String()), slog.Any("error", err))
		return d.again(ctx, handed, notYet{wait: time.Second, reason: "database not available"})
	}
	return d.follow(ctx, handed, attempt)
}

func (d *deliverer) follow(ctx context.Context, handed queue.Handed, attempt queue.Attempt) error {
	switch {
	case attempt.Verdict == queue.Early:
		d.metrics.count(outcomeEarly)
		return d.again(ctx, handed, notYet{wait: attempt.Wait, reason: "too early"})
	case attempt.Verdict != queue.Begun:
		// It is settled, belongs to a later task, or is being attempted. In the last two cases the
		// other task continues, or the scan if that process dies.
		d.metrics.count(outcomeStale)
		return nil
	case attempt.Err != nil:
		// The service failed, not the endpoint: no attempt is counted, and the delivery comes back
		// when the lease has ended.
		d.log.ErrorContext(ctx, "attempt cannot be made", slog.String("delivery", handed.ID.String()), slog.Any("error", attempt.Err))
		d.metrics.count(outcomeUnable)
		return nil //nolint:nilerr // a retry by asynq would not help
	}
	return d.attempt(ctx, handed, attempt)
}

// attempt sends the request and records the answer before it returns to asynq.
//
// If the process dies before the request, the endpoint saw nothing. If it dies after the request
// and before the record is committed, the attempt is repeated under its number. If it dies after
// the commit but before asynq knows, the task comes again and finds the delivery settled, or not
// due yet.
func (d *deliverer) attempt(ctx context.Context, handed queue.Handed, attempt queue.Attempt) error {
	d.leases.Add(attempt.AttemptKey)
	defer d.leases.Remove(attempt.AttemptKey)
	// Cancelling a task must not interrupt an attempt: it would be unknown what the endpoint
	// received.
	ctx = context.WithoutCancel(ctx)
	answer := d.metrics.timed(recoverPanics(d.log, d.post))(ctx, attempt)
	recorded, err := d.finishes.Do(ctx, queue.Result{AttemptKey: attempt.AttemptKey, Answer: answer})
	if err != nil {
		d.log.ErrorContext(ctx, "attempt cannot be recorded and will be repeated",
			slog.String("delivery", handed.ID.String()), slog.Any("error", err))
		d.metrics.count(outcomeUnrecorded)
		return nil
	}
	d.metrics.recorded(recorded, answer)
	if recorded.Lost || recorded.Status != outreach.DeliveryQueued {
		// A last failure is acknowledged too: the log of deliveries shows it, and it needs no
		// second record in asynq's archive.
		return nil
	}
	return d.again(ctx, handed, failedAttempt{reason: *answer.Error})
}

// again makes asynq repeat the task for the given reason. asynq archives a task without retries
// left, even if the reason is not a failure; in that case the row goes back to the scan instead.
func (d *deliverer) again(ctx context.Context, handed queue.Handed, reason error) error {
	retried, _ := asynq.GetRetryCount(ctx)
	if most, ok := asynq.GetMaxRetry(ctx); ok && retried < most {
		return reason
	}
	return d.putBack(ctx, handed)
}

// putBack returns the delivery to the next scan and acknowledges the task. If that cannot be
// written, the hand-out ends by itself.
func (d *deliverer) putBack(ctx context.Context, handed queue.Handed) error {
	if _, err := d.returns.Do(context.WithoutCancel(ctx), handed); err != nil {
		d.log.DebugContext(ctx, "delivery cannot be given back until its hand-out expires",
			slog.String("delivery", handed.ID.String()), slog.Any("error", err))
	}
	return nil
}

// recoverPanics turns a panic into a failed attempt: a delivery that always panics must still
// terminate.
func recoverPanics(log *slog.Logger, post Post) Post {
	return func(ctx context.Context, attempt queue.Attempt) (answer queue.Answer) {
		err := panics.Catch(func() error { answer = post(ctx, attempt); return nil })
		if err != nil {
			log.ErrorContext(ctx, "attempt panicked", slog.String("delivery", attempt.ID.String()), slog.Any("error", err))
			return queue.Answer{Error: new(errorInternal)}
		}
		return answer
	}
}
