package engine

import (
	"errors"
	"runtime"
	"syscall"
	"testing"
	"time"

	"outreach/internal/panics"
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

// Work at a low priority runs on a thread of its own, and the threads of others keep theirs.
func TestLowPriority(t *testing.T) {
	t.Parallel()
	priority := func() (nice int) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		raw, err := syscall.Getpriority(syscall.PRIO_PROCESS, syscall.Gettid())
		if err != nil {
			t.Error(err)
		}
		return 20 - raw // the system call returns 20 less the nice value
	}
	before, during := priority(), 0
	err := atLowPriority(func() error {
		during = priority()
		return errors.New("the result of the work")
	})
	if err == nil || err.Error() != "the result of the work" {
		t.Errorf("the work returned %v", err)
	}
	if during != max(before, previewPriority) {
		t.Errorf("the work ran at nice %d, want %d", during, previewPriority)
	}
	for range 100 {
		if after := priority(); after != before {
			t.Fatalf("after the work a thread runs at nice %d, want %d", after, before)
		}
	}
}

func TestLowPriorityReturnsPanics(t *testing.T) {
	t.Parallel()
	err := atLowPriority(func() error { panic("broken") })
	if broken, ok := errors.AsType[*panics.Error](err); !ok || broken.Value != "broken" {
		t.Errorf("a panic came back as %v", err)
	}
}
