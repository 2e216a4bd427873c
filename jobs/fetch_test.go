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
		door, queue := newDoorbell(), &queueOf{}
		fetch := patient(door).ProcessHook(queue.fetch)
		began := time.Now()
		go func() {
			time.Sleep(time.Millisecond)
			door.ring() // somebody else takes that task
			time.Sleep(time.Millisecond)
			queue.tasks = 1
			door.ring()
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
		door := newDoorbell()
		fetch := patient(door).ProcessHook((&queueOf{}).fetch)
		began := time.Now()
		time.AfterFunc(fetchPatience/2, door.ring)
		if err := fetch(t.Context(), script()); !errors.Is(err, redis.Nil) {
			t.Errorf("found %v in an empty queue", err)
		}
		if took := time.Since(began); took != fetchPatience {
			t.Errorf("it waited %s, rings or not", took)
		}
	})
}

func TestOtherCommandsDoNotWait(t *testing.T) {
	t.Parallel()
	get := patient(newDoorbell()).ProcessHook((&queueOf{}).fetch)
	if err := get(t.Context(), redis.NewStringCmd(t.Context(), "get", "key")); !errors.Is(err, redis.Nil) {
		t.Errorf("a missing key gives %v", err)
	}
}
