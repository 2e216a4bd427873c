package engine

import (
	"syscall"
	"time"
)

// threadTime returns the processor time of the current thread (getrusage), or the time of the
// process where the system does not measure threads.
func threadTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &usage); err != nil {
		return time.Since(processStart)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
