package outreach

import (
	"strings"
	"unicode/utf8"
)

// MaxText is how many characters a short text may have, such as a name or a note.
const MaxText = 500

// ValidateText adds a fault if text has a NUL character, which Postgres cannot
// store, or more than limit characters. Nil is valid.
func ValidateText(faults *Faults, path Path, text *string, limit int) {
	if text == nil {
		return
	}
	if strings.ContainsRune(*text, 0) {
		faults.Add(path, FieldInvalid, "%s must not contain a NUL character.", path.name())
	}
	if utf8.RuneCountInString(*text) > limit {
		faults.Add(path, FieldTooLong, "%s must have at most %d characters.", path.name(), limit)
	}
}

// FoldText returns text on one line in lower case, the form in which names and quotes are compared.
func FoldText(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// validateRange adds a fault if value is outside low to high.
func validateRange(faults *Faults, path Path, value, low, high int) {
	if value < low || value > high {
		faults.Add(path, FieldInvalid, "%s must be between %d and %d.", path.name(), low, high)
	}
}

// require adds a fault if text is empty.
func require(faults *Faults, path Path, text string) {
	if text == "" {
		faults.Add(path, FieldRequired, "%s is required.", path.name())
	}
}

// trimmed returns text without surrounding space, nil if nothing is left.
func trimmed(text *string) *string {
	if text == nil {
		return nil
	}
	t := strings.TrimSpace(*text)
	if t == "" {
		return nil
	}
	return &t
}
