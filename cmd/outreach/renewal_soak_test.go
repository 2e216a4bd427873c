//go:build soak

package main

import "testing"

// The long form of TestKilledWhileRenewing: fifty kills with each kind of provider.
func TestSoakKilledWhileRenewing(t *testing.T) {
	t.Run("former token stays valid", func(t *testing.T) { t.Parallel(); killWhileRenewing(t, 50, false) })
	t.Run("former token ends", func(t *testing.T) { t.Parallel(); killWhileRenewing(t, 50, true) })
}
