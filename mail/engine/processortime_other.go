//go:build !linux

package engine

import "time"

// threadTime returns the time of the process: what a thread has used is not known here.
func threadTime() time.Duration { return time.Since(processStart) }
