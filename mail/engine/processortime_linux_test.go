package engine

import (
	"runtime"
	"testing"
	"time"
)

// A goroutine that waits uses no time of the processor, however long another one works.
func TestProcessorTime(t *testing.T) {
	t.Parallel()
	const work = 50 * time.Millisecond
	stop := processorTime()
	worked := make(chan int)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		sum := 0
		for began := threadTime(); threadTime()-began < work; {
			for i := range 10_000 {
				sum += i
			}
		}
		worked <- sum
	}()
	<-worked
	if used := stop(); used >= work {
		t.Errorf("waiting for a goroutine that worked for %s used %s", work, used)
	}
}
