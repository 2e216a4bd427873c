//go:build soak

package storage_test

import "testing"

// The long form of TestByChance.
func TestByChanceSoak(t *testing.T) { chances(t, 100, 400) }
