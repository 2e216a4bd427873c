package jobs

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"outreach/devstack/testdb"
	"outreach/internal/sparselog"
	"outreach/internal/testkit"
)

// queueOf stands for Redis: a fetch takes one of so many tasks, or finds none.
type queueOf struct{ tasks, asked int }

func (q *queueOf) fetch(context.Context, redis.Cmder) error {
	q.asked++
	if q.tasks == 0 {
		return redis.Nil
	}
	q.tasks--
	return nil
}

func script() redis.Cmder { return redis.NewCmd(context.Background(), "evalsha", "digest") }

func TestFetchWaitsForATask(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wake, queue := newWakeUp(), &queueOf{}
		fetch := waitForTasks(wake).ProcessHook(queue.fetch)
		began := time.Now()
		go func() {
			time.Sleep(time.Millisecond)
			wake.wake() // another server takes that task
			time.Sleep(time.Millisecond)
			queue.tasks = 1
			wake.wake()
		}()
		if err := fetch(t.Context(), script()); err != nil || queue.asked != 3 {
			t.Errorf("asked %d times: %v", queue.asked, err)
		}
		if took := time.Since(began); took != 2*time.Millisecond {
			t.Errorf("it took %s, and not until the second ring", took)
		}
	})
}

func TestFetchLosesPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wake := newWakeUp()
		fetch := waitForTasks(wake).ProcessHook((&queueOf{}).fetch)
		began := time.Now()
		time.AfterFunc(fetchWait/2, wake.wake)
		if err := fetch(t.Context(), script()); !errors.Is(err, redis.Nil) {
			t.Errorf("found %v in an empty queue", err)
		}
		if took := time.Since(began); took != fetchWait {
			t.Errorf("it waited %s, rings or not", took)
		}
	})
}

func TestOtherCommandsDoNotWait(t *testing.T) {
	t.Parallel()
	get := waitForTasks(newWakeUp()).ProcessHook((&queueOf{}).fetch)
	if err := get(t.Context(), redis.NewStringCmd(t.Context(), "get", "key")); !errors.Is(err, redis.Nil) {
		t.Errorf("a missing key gives %v", err)
	}
}

// commandLog is a hook that remembers the commands of a client.
type commandLog struct {
	mu    sync.Mutex
	names map[string]bool
	empty map[string]bool // digests of scripts that answered with nothing
	runs  map[string]bool // digests of all scripts
}

// DialHook changes nothing.
func (l *commandLog) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook changes nothing.
func (l *commandLog) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook remembers a command and its outcome.
func (l *commandLog) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.names[cmd.Name()] = true
		if cmd.Name() == "evalsha" {
			digest := cmd.Args()[1].(string)
			l.runs[digest] = true
			l.empty[digest] = l.empty[digest] || errors.Is(err, redis.Nil)
		}
		return err
	}
}

// What asynqscripts.go relies on. When this test fails after an update of asynq,
// read how the new version enqueues, fetches and settles a task, and adapt that
// file, or remove it.
func TestAsynqScripts(t *testing.T) {
	t.Parallel()
	options, err := ParseRedis(testdb.Redis(t))
	if err != nil {
		t.Fatal(err)
	}
	client, err := connect(options)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	log := &commandLog{names: map[string]bool{}, empty: map[string]bool{}, runs: map[string]bool{}}
	client.AddHook(log)
	tasks := asynq.NewClientFromRedisClient(client)
	for range 3 {
		if _, err := tasks.Enqueue(asynq.NewTask("t", nil), asynq.Queue(Queue), asynq.MaxRetry(1)); err != nil {
			t.Fatal(err)
		}
	}
	var handled atomic.Int64
	server := asynq.NewServerFromRedisClient(client, asynq.Config{
		Concurrency: 1, Queues: map[string]int{Queue: 1}, TaskCheckInterval: fetchSleep,
		Logger: asynqLogger{log: silent, away: sparselog.New(silent)},
	})
	err = server.Start(asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
		if handled.Add(1) == 1 {
			return errors.New("fails once, and is retried later")
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	empty := func() (n int) {
		log.mu.Lock()
		defer log.mu.Unlock()
		for _, nothing := range log.empty {
			if nothing {
				n++
			}
		}
		return n
	}
	testkit.Eventually(t, "three tasks are handled and a fetch finds nothing", func() bool { return handled.Load() >= 3 && empty() > 0 })
	server.Shutdown()
	if n := empty(); n != 1 {
		t.Errorf("%d scripts answer with nothing, want the one that fetches", n)
	}
	for name := range log.names {
		if strings.Contains(name, "pop") || strings.Contains(name, "move") || strings.Contains(name, "push") || strings.HasPrefix(name, "x") {
			t.Errorf("asynq moves tasks by the command %s, want scripts alone", name)
		}
	}
	if len(log.runs) < 4 {
		t.Errorf("%d scripts are called by digest, want those that enqueue, fetch, settle and retry at least", len(log.runs))
	}
}
