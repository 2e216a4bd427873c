//go:build soak

package engine_test

import (
	"fmt"
	"testing"
	"time"
)

// The long form of TestDeathByChance: 500 rounds in five worlds.
func TestDeathByChanceSoak(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			deathRounds(newWorld(t, time.Now().UTC(), time.Millisecond), 100, 1+seed)
		})
	}
}

// The long form of TestPreviewTestAndSentMailAgree: twenty times 1,000 templates and people.
func TestPreviewTestAndSentMailAgreeSoak(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			agreeAll(t, 1+seed)
		})
	}
}
