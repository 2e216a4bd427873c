package main

import (
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// The garbage collector trades memory for CPU time: live data is tens of megabytes, so garbage may
// grow to four times as much before a collection. Near the memory limit collections run more
// often.
const (
	gcPercent    = 400
	memoryLimit  = 1 << 30 // without a smaller limit of the container
	limitPercent = 90      // of the container's limit: the rest is not Go's heap
)

// tuneMemory sets both, unless the runtime's own variables GOGC and GOMEMLIMIT are set.
func tuneMemory(vars map[string]string) {
	if vars["GOGC"] == "" {
		debug.SetGCPercent(gcPercent)
	}
	if vars["GOMEMLIMIT"] == "" {
		debug.SetMemoryLimit(softLimit(containerLimit(os.ReadFile)))
	}
}

// returnAfter is how long after its start a process returns the memory that only its start needed. By
// then the first ticks are over.
const returnAfter = 20 * time.Second

// returnStartMemory returns unused memory to the operating system once, unless stop is called before.
// With gcPercent, a process that has nothing to do would not collect the garbage of its start.
func returnStartMemory() (stop func() bool) {
	return time.AfterFunc(returnAfter, debug.FreeOSMemory).Stop
}

// softLimit returns the limit for the Go runtime in a container with the given limit in bytes; 0
// means no container.
func softLimit(container int64) int64 {
	if container == 0 {
		return memoryLimit
	}
	return min(memoryLimit, container/100*limitPercent)
}

// containerLimit returns the smallest memory limit of the control groups (cgroup v2, or v1) of
// this process; 0 if there is none.
func containerLimit(readFile func(string) ([]byte, error)) (limit int64) {
	for _, file := range limitFiles(readFile) {
		text, err := readFile(file)
		if err != nil {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // "max" is not a number
		if err == nil && n > 0 && n < 1<<50 && (limit == 0 || n < limit) {
			limit = n
		}
	}
	return limit
}

func limitFiles(readFile func(string) ([]byte, error)) []string {
	files := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	own, err := readFile("/proc/self/cgroup")
	if err != nil {
		return files
	}
	for line := range strings.Lines(string(own)) {
		group, isV2 := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for isV2 && group != "/" && group != "." && group != "" {
			files = append(files, "/sys/fs/cgroup"+path.Join("/", group, "memory.max"))
			group = path.Dir(group)
		}
	}
	return files
}
