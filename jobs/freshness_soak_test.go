//go:build soak

package jobs

import (
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// An hour at the default intervals, five events a second at random instants, and
// two processes of which one is replaced every ten minutes: by turns one that may
// end its work, one that is killed.
// OUTREACH_SOAK_HOUR=10m makes the hour shorter.
func TestSoakFreshness(t *testing.T) {
	s := newStage(t)
	length := soakHour(t)
	sub := s.subscription(s.hook.on("ok", status(http.StatusOK)))
	workers := []*exec.Cmd{s.processAs(workerOrder{Concurrency: 512}), s.processAs(workerOrder{Concurrency: 512})}
	n, replaced, began := 0, 0, time.Now()
	for ; time.Since(began) < length; n++ {
		if time.Since(began) > time.Duration(replaced+1)*10*time.Minute {
			s.replace(workers, replaced%2 == 0)
			replaced++
		}
		time.Sleep(randomly(200 * time.Millisecond))
		s.queue(sub, 1)
	}
	s.eventuallyWithin(5*time.Minute, "all are settled", s.isSettled)
	t.Logf("in %s, %d workers replaced", length, replaced)
	s.firstTries(sub).judge(t, n)
}

func soakHour(t *testing.T) time.Duration {
	text := os.Getenv("OUTREACH_SOAK_HOUR")
	if text == "" {
		return time.Hour
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return length
}

// replace starts a process in the place of one that is killed, or asked to end.
func (s *stage) replace(workers []*exec.Cmd, gently bool) {
	victim := rand.IntN(len(workers))
	if gently {
		s.must(workers[victim].Process.Signal(syscall.SIGTERM))
	} else {
		kill(workers[victim])
	}
	workers[victim] = s.processAs(workerOrder{Concurrency: 512})
}
