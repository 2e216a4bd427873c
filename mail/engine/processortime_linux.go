package engine

import (
	"syscall"
	"time"
)

// previewPriority is the nice value of threads that render previews: beside a busy thread of the
// usual priority such a thread gets about a tenth of a processor.
const previewPriority = 10

// lowerPriority lowers the priority of the current thread for good: a process without special rights
// cannot raise it again. Where the system refuses it, previews are only bounded by their time.
func lowerPriority() {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), previewPriority)
}

// threadTime returns the processor time of the current thread (getrusage), or the time of the
// process where the system does not measure threads.
func threadTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &usage); err != nil {
		return time.Since(processStart)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
