package outreach_test

import (
	"testing"

	"outreach"
)

func TestValidateTimezone(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{
		"Europe/Paris":       true,
		"UTC":                true,
		"":                   false,
		" ":                  false,
		"Local":              false,
		"Mars/Olympus":       false,
		"../etc/passwd":      false,
		"+02:00":             false,
		"localtime":          false,
		"posixrules":         false,
		"posix/Europe/Paris": false,
		"right/UTC":          false,
	} {
		var faults outreach.Faults
		outreach.ValidateTimezone(&faults, outreach.At("timezone"), name)
		if (len(faults) == 0) != valid {
			t.Errorf("%q is valid: %v, want %v", name, !valid, valid)
		}
	}
}
