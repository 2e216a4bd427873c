//go:build unix && !linux

package devstack

import (
	"os/exec"
	"strconv"
	"syscall"
)

// tieToParent does nothing here: these kernels have no parent-death signal. A
// server that outlives a killed supervisor is stopped by the next one.
func tieToParent(*syscall.SysProcAttr, syscall.Signal) {}

// commandLine returns the arguments of a running process, or "" if there is
// no such process.
func commandLine(pid int) string {
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return string(out)
}
