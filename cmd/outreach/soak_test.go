//go:build soak

package main

import (
	"testing"
	"time"
)

// The long form of TestKilledAtAnyPoint: worker and API die 25 times over.
func TestSoakKilledAtAnyPoint(t *testing.T) { killAtRandom(t, 25, 100) }

// The long form of TestHonestTenantBesideChaos: an hour.
func TestSoakHonestTenantBesideChaos(t *testing.T) {
	besideChaos(t, chaosRounds{length: time.Hour, interval: 10 * time.Second})
}

// The long form of TestLimitsWithFourWorkersKilled.
func TestSoakLimitsWithFourWorkersKilled(t *testing.T) { limitsKilled(t, 150) }
