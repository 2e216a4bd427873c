//go:build !linux

package engine

import "time"

// lowerPriority does nothing: elsewhere a process has one priority.
func lowerPriority() {}

// threadTime returns the time of the process: what a thread has used is not known here.
func threadTime() time.Duration { return time.Since(processStart) }
