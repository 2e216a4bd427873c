package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"

	"outreach"
	"outreach/jobs/queue"
)

// TypeDeliver is the type of tasks on the dashboard.
const TypeDeliver = "webhook:deliver"

// maxRetry is how often asynq repeats a task whose attempt failed. The row counts attempts; this
// shows each of them on the dashboard.
const maxRetry = outreach.MaxAttempts - 1

// taskTimeout is when asynq gives up a task. An attempt and its record have ended long before; the
// library's default would be half an hour.
const taskTimeout = 2 * time.Minute

// payload is the body of a task. With workspace and host a worker can refuse a task over its limit
// without a database query.
type payload struct {
	ID         uuid.UUID `json:"id"`
	Generation int       `json:"generation"`
	Workspace  uuid.UUID `json:"workspace"`
	Host       string    `json:"host"`
}

// newTask returns the task of a delivery. Its id contains the generation: Redis refuses an id
// while any task with that id exists, even an archived one, and that must not block a later
// generation.
func newTask(h queue.Handed, queue string) (*asynq.Task, error) {
	body, err := json.Marshal(payload{ID: h.ID, Generation: h.Generation, Workspace: h.WorkspaceID, Host: h.Host})
	if err != nil {
		return nil, fmt.Errorf("encode task: %w", err)
	}
	return asynq.NewTask(TypeDeliver, body,
		asynq.Queue(queue), asynq.MaxRetry(maxRetry), asynq.Timeout(taskTimeout),
		asynq.TaskID(h.ID.String()+":"+strconv.Itoa(h.Generation))), nil
}

func readTask(task *asynq.Task) (h queue.Handed, err error) {
	var p payload
	if err := json.Unmarshal(task.Payload(), &p); err != nil {
		return h, fmt.Errorf("decode task: %w", err)
	}
	return queue.Handed{ID: p.ID, Generation: p.Generation, WorkspaceID: p.Workspace, Host: p.Host}, nil
}

// failedAttempt makes asynq count a failure and repeat the task.
type failedAttempt struct{ reason string }

func (e failedAttempt) Error() string { return e.reason }

// notYet delays a task without counting an attempt.
type notYet struct {
	wait   time.Duration
	reason string
}

func (e notYet) Error() string { return e.reason }

// newerTaskWait is the time until a worker gets a task of another type again.
const newerTaskWait = 15 * time.Second

// newerTask postpones a task of a type that this program does not know. A newer program has made
// it, and the workers of that program run it. No attempt is counted, so the task stays in the queue
// until one of them gets it.
type newerTask struct{}

func (newerTask) Error() string { return "a task of a newer outreach, left to its workers" }

// isFailure reports whether asynq counts err. Only failed attempts count, not tasks that are too
// early, are over a cap, or cannot reach the database.
func isFailure(err error) bool {
	_, failed := errors.AsType[failedAttempt](err)
	return failed
}

// retryDelay returns the time until the next attempt. asynq cuts it to whole seconds, so one
// second is added to make it never too early.
func retryDelay(delay time.Duration) asynq.RetryDelayFunc {
	return func(_ int, err error, _ *asynq.Task) time.Duration {
		if later, ok := errors.AsType[notYet](err); ok {
			return later.wait + time.Second
		}
		if _, ok := errors.AsType[newerTask](err); ok {
			return newerTaskWait
		}
		return delay + time.Second
	}
}
