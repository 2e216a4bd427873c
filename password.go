package outreach

import "unicode/utf8"

// The length of a password, in characters.
const (
	MinPassword = 12
	MaxPassword = 1000
)

// ValidatePassword adds a fault if a new password is too short or too long.
func ValidatePassword(faults *Faults, path Path, password string) {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		faults.Add(path, FieldInvalid, "%s must have at least %d characters.", path.name(), MinPassword)
	case n > MaxPassword:
		faults.Add(path, FieldTooLong, "%s must have at most %d characters.", path.name(), MaxPassword)
	}
}
