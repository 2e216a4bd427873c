//go:build full && soak

package main

import "testing"

// The long form of TestRollingRestart: every process is restarted ten times.
func TestSoakRollingRestart(t *testing.T) { rollingRestart(t, 10) }
