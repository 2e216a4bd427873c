//go:build soak && full

package main

import (
	"syscall"
	"testing"
)

// The long form of TestPrimaryDies: five primaries are killed and five hang, one after another.
func TestSoakPrimaryDies(t *testing.T) {
	for range 5 {
		primaryDies(t, syscall.SIGKILL, 100)
		primaryDies(t, syscall.SIGSTOP, 100)
	}
}
