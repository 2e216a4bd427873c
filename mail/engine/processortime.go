package engine

import (
	"runtime"
	"time"
)

// processorTime begins to measure the processor time of the calling goroutine, which keeps its
// thread until it calls stop. Time in which it waits, for other goroutines or programs too, is not
// part of it.
func processorTime() (stop func() time.Duration) {
	runtime.LockOSThread()
	began := threadTime()
	return func() time.Duration {
		defer runtime.UnlockOSThread()
		return threadTime() - began
	}
}

var processStart = time.Now()
