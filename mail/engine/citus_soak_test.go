//go:build full && soak

package engine_test

import "testing"

// The long form of TestLedgerOnCitus: 200 processes die.
func TestLedgerOnCitusSoak(t *testing.T) { testLedgerOnCitus(t, 200) }
