//go:build soak

package main

import "testing"

// The long form of TestKilledAtAnyPoint: worker and API die 25 times over.
func TestSoakKilledAtAnyPoint(t *testing.T) { killAtRandom(t, 25, 100) }
