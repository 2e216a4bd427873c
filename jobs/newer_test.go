package jobs

import (
	"net/http"
	"testing"
	"time"

	"github.com/hibiken/asynq"
)

// A task of a type that a newer program has added stays in the queue: it is neither done,
// nor dropped, nor counted as failed, and deliveries go on beside it.
func TestTaskOfNewerType(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	config := s.settings()
	client, inspector := asynq.NewClient(config.Redis), asynq.NewInspector(config.Redis)
	t.Cleanup(func() { client.Close(); inspector.Close() })
	_, err := client.Enqueue(asynq.NewTask("webhook:digest", []byte(`{"id":"of another form"}`)),
		asynq.Queue(Queue), asynq.TaskID("digest"), asynq.MaxRetry(1))
	s.must(err)
	s.run(config)
	s.queue(s.subscription(s.hook.on("in", status(http.StatusOK))), 3)
	s.eventually("it was left to others", func() bool {
		task, err := inspector.GetTaskInfo(Queue, "digest")
		s.must(err)
		return task.State == asynq.TaskStateRetry && s.count(`SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 3
	})
	task, err := inspector.GetTaskInfo(Queue, "digest")
	s.must(err)
	if task.Retried != 0 || task.LastErr != newerTask.Error(newerTask{}) || task.NextProcessAt.Before(time.Now()) {
		t.Errorf("the task is %+v", task)
	}
	s.must(inspector.ArchiveTask(Queue, "digest"))
	if n, err := clearArchive(inspector, Queue, time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("%d archived tasks deleted, %v", n, err)
	}
}
