package session

import (
	"runtime"
	"sync"
	"testing"
)

// Each password that is being checked takes 19 MiB, so that few are at once, however
// many wait.
func TestFewPasswordsAreCheckedAtOnce(t *testing.T) { //nolint:paralleltest // counts the checks of the process
	for range cap(passwordChecks) {
		passwordChecks <- struct{}{}
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range 3 * cap(passwordChecks) {
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
	for range cap(passwordChecks) {
		<-passwordChecks
	}
	all.Wait()
	if early != 0 || done != 3*cap(passwordChecks) {
		t.Errorf("%d passwords were checked too early, %d in all", early, done)
	}
}
