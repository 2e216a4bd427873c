package session

import (
	"runtime"
	"sync"
	"testing"
)

// Each password that is being checked takes 19 MiB, so that few are at once, however
// many wait.
func TestPasswordsTakeTurns(t *testing.T) { //nolint:paralleltest // counts the turns of the process
	for range cap(turns) {
		turns <- struct{}{}
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range 3 * cap(turns) {
		all.Go(func() {
			CheckPassword("none", "password")
			mu.Lock()
			defer mu.Unlock()
			done++
		})
	}
	for range 1000 {
		runtime.Gosched()
	}
	mu.Lock()
	early := done
	mu.Unlock()
	for range cap(turns) {
		<-turns
	}
	all.Wait()
	if early != 0 || done != 3*cap(turns) {
		t.Errorf("%d passwords were checked out of turn, %d in all", early, done)
	}
}
