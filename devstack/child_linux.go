package devstack

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// tieToParent has the kernel send the signal to the child when the thread that
// started it dies; the supervisor starts children from its main thread only.
func tieToParent(attr *syscall.SysProcAttr, signal syscall.Signal) {
	attr.Pdeathsig = signal
}

// commandLine returns the arguments of a running process, or "" if there is
// no such process.
func commandLine(pid int) string {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(string(raw), "\x00", " ")
}
