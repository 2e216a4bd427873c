//go:build soak

package engine_test

import "testing"

// The long form of TestDeathByChance.
func TestDeathByChanceSoak(t *testing.T) { deathRounds(t, 200) }
