package session_test

import (
	"strings"
	"testing"

	"outreach"
	"outreach/session"
)

func TestValidatePassword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, password, fault string }{
		{"a passphrase", "correct horse", ""},
		{"random", "u7#kQz!p2Lw9", ""},
		{"a long one", strings.Repeat("x1 y2 z3 ", 100), ""},
		{"letters of another script", "пароль для почты", ""},
		{"short", "elevenchars", "at least 12 characters"},
		{"characters, not bytes", "ééééééééééé", "at least 12 characters"},
		{"long", strings.Repeat("x", 1001), "at most 1000 characters"},
		{"one character", "aaaaaaaaaaaa", "at least 5 different characters"},
		{"two characters", "abababababab", "at least 5 different characters"},
		{"common", "qwertyuiopasdf", "too common"},
		{"common, with digits", "password1234", "too common"},
		{"common, with signs", "!!Password2024!!", "too common"},
		{"common, with digits for letters", "P4$$w0rd123456", "too common"},
		{"common, twice", "letmeinletmein", "too common"},
		{"a row of digits", "123456789012", "too common"},
		{"the alphabet", "abcdefghijkl", "too common"},
		{"a famous phrase", "correcthorsebatterystaple", "too common"},
		{"the own address", "Ann.Smith@x.test", "must not be made of your address"},
		{"the own name", "ann.smith1234", "must not be made of your address"},
		{"the own name and more", "ann.smith likes trains", ""},
	} {
		var faults outreach.Faults
		session.ValidatePassword(&faults, outreach.At("password"), c.password, "ann.smith@x.test")
		switch {
		case c.fault == "" && len(faults) > 0:
			t.Errorf("%s: refused: %s", c.name, faults[0].Detail)
		case c.fault != "" && (len(faults) != 1 || !strings.Contains(faults[0].Detail, c.fault)):
			t.Errorf("%s: %v, want %q", c.name, faults, c.fault)
		}
	}
}
