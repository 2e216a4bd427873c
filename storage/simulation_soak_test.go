//go:build soak

package storage_test

import "testing"

// The long form of TestSimulatedClaims and TestSimulatedRule: 1,000 installations.
func TestSimulatedSoak(t *testing.T) {
	t.Run("claims", func(t *testing.T) {
		t.Parallel()
		simulateTwins(t, 10_000, 10_190, wideSize)
		simulateTwins(t, 10_190, 10_200, worldSize{boxes: 20, campaigns: 10, people: 500, events: 120})
	})
	t.Run("rule", func(t *testing.T) {
		t.Parallel()
		simulateRules(t, 20_000, 20_780, worldSize{boxes: 20, campaigns: 10, people: 1000, events: 120})
		simulateRules(t, 20_780, 20_800, worldSize{boxes: 20, campaigns: 10, people: 100_000, events: 200})
	})
}
