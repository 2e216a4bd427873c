//go:build soak

package engine_test

import (
	"testing"
	"time"
)

// The long form of TestDeathByChance.
func TestDeathByChanceSoak(t *testing.T) {
	deathRounds(newWorld(t, time.Now().UTC(), time.Millisecond), 200)
}
