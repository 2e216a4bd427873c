package session

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"outreach"
)

// The lengths of a chosen password, in characters.
const (
	MinPassword = 12
	MaxPassword = 1000
	// minDistinct is how many different characters a password needs.
	minDistinct = 5
	// minOwn is how many characters a password needs in addition to its user's address.
	minOwn = 8
)

//go:embed passwords.txt
var commonText string

// commonPasswords are the entries of passwords.txt.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	common := map[string]bool{}
	for line := range strings.Lines(commonText) {
		if entry := strings.TrimSpace(line); entry != "" && !strings.HasPrefix(entry, "#") {
			common[entry] = true
		}
	}
	return common
})

// ValidatePassword adds a fault for a new password that is too short or too long, common, made of
// few characters, or little more than the user's address.
func ValidatePassword(faults *outreach.Faults, path outreach.Path, password, email string) {
	name := strings.TrimPrefix(path.Pointer(), "/")
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		faults.Add(path, outreach.FieldInvalid, "%s must have at least %d characters.", name, MinPassword)
	case n > MaxPassword:
		faults.Add(path, outreach.FieldTooLong, "%s must have at most %d characters.", name, MaxPassword)
	case distinct(password) < minDistinct:
		faults.Add(path, outreach.FieldInvalid, "%s must have at least %d different characters.", name, minDistinct)
	case ownAddress(password, email):
		faults.Add(path, outreach.FieldInvalid, "%s must not be made of your address.", name)
	case common(password):
		faults.Add(path, outreach.FieldInvalid, "%s is too common. Choose one that others do not use.", name)
	}
}

func distinct(text string) int {
	seen := map[rune]bool{}
	for _, r := range text {
		seen[r] = true
	}
	return len(seen)
}

// ownAddress reports whether little is left of the password without the user's address, or the
// part of it before the @.
func ownAddress(password, email string) bool {
	plain, address := strings.ToLower(password), strings.ToLower(strings.TrimSpace(email))
	local, _, _ := strings.Cut(address, "@")
	for _, part := range []string{address, local} {
		if utf8.RuneCountInString(part) < 3 {
			continue
		}
		if rest := strings.ReplaceAll(plain, part, ""); rest != plain && utf8.RuneCountInString(rest) < minOwn {
			return true
		}
	}
	return false
}

// lookalikes replaces digits and signs that people write for letters.
var lookalikes = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// common reports whether a password is in the list, repeated, spelled with lookalikes, or with
// digits and signs around it.
func common(password string) bool {
	plain := strings.ToLower(password)
	for _, spelling := range []string{plain, lookalikes.Replace(plain)} {
		letters := strings.TrimFunc(spelling, func(r rune) bool { return !unicode.IsLetter(r) })
		for _, candidate := range []string{spelling, letters, strings.TrimFunc(letters, unicode.IsDigit), lookalikes.Replace(letters)} {
			if commonPasswords()[candidate] || commonPasswords()[unit(candidate)] {
				return true
			}
		}
	}
	return false
}

// unit returns the shortest text whose repetition is text.
func unit(text string) string {
	for n := 1; n <= len(text)/2; n++ {
		if len(text)%n == 0 && strings.Repeat(text[:n], len(text)/n) == text {
			return text[:n]
		}
	}
	return text
}
