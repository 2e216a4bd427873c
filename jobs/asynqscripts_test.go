package jobs

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
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
