// Package nearest finds the name that a person who mistyped one probably meant.
package nearest

import "github.com/agnivade/levenshtein"

// longest is how many bytes a text may have that is compared: the work grows with its length.
const longest = 100

// Name returns the name that is nearest to text, the first one of several. It reports whether there is one: at
// most two changed characters away, or one in three of a longer text, and not changed altogether.
func Name(names []string, text string) (name string, ok bool) {
	if len(text) > longest {
		return "", false
	}
	least := max(2, len(text)/3) + 1
	for _, candidate := range names {
		if distance := levenshtein.ComputeDistance(candidate, text); distance < min(least, len(candidate)) {
			name, least, ok = candidate, distance, true
		}
	}
	return name, ok
}
