package outreach

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The limits of the words of one mail and of one search.
const (
	MaxSearchLength = 200 // characters
	MaxSearchWords  = 10
	maxMailWords    = 1000
	maxWordLength   = 40 // characters; the rest of a word is left out
	maxWordsText    = 256 << 10
)

// shortestPrefix is the length in characters from which the last word of a search also finds longer
// words that begin with it. Shorter prefixes match too many rows.
const shortestPrefix = 3

// FindsLonger reports whether word n of a search also finds longer words that begin with it.
// ui/src/logic/foundWords.ts marks words by the same rule; testdata/foundwords.json has the cases of both.
func FindsLonger(words []string, n int) bool {
	return n == len(words)-1 && utf8.RuneCountInString(words[n]) >= shortestPrefix
}

// SearchWords returns the distinct words of texts without accents and in lower case,
// each between two spaces: " anna keller ". A word is a run of letters and digits; in
// Chinese and Japanese each character is one. Only the first 1,000 words count.
func SearchWords(texts ...string) string {
	var all strings.Builder
	seen := make(map[string]struct{}, 64)
	for _, text := range texts {
		if len(text) > maxWordsText {
			text = text[:maxWordsText]
		}
		for _, word := range wordsOf(text) {
			if _, known := seen[word]; known || len(seen) == maxMailWords {
				continue
			}
			seen[word] = struct{}{}
			all.WriteByte(' ')
			all.WriteString(word)
		}
	}
	if all.Len() > 0 {
		all.WriteByte(' ')
	}
	return all.String()
}

// ParseSearch returns the words of a search. It returns an error if there are none, more than
// MaxSearchWords, or more than MaxSearchLength characters.
func ParseSearch(text string) ([]string, error) {
	words := wordsOf(text)
	switch {
	case strings.ContainsRune(text, 0):
		return nil, badSearch("search must not contain a NUL character.")
	case utf8.RuneCountInString(text) > MaxSearchLength:
		return nil, badSearch("search must have at most %d characters.", MaxSearchLength)
	case len(words) == 0:
		return nil, badSearch("search must contain a letter or a digit.")
	case len(words) > MaxSearchWords:
		return nil, badSearch("search must have at most %d words.", MaxSearchWords)
	}
	return words, nil
}

func badSearch(format string, args ...any) error {
	err := Errorf(CodeInvalidParameter, format, args...)
	err.Fields = Faults{{Path: At("search"), Code: FieldInvalid, Detail: err.Message}}
	return err
}

// wordsOf returns the words of a text in their order.
func wordsOf(text string) (words []string) {
	var word strings.Builder
	length := 0
	end := func() {
		if length > 0 {
			words = append(words, word.String())
		}
		word.Reset()
		length = 0
	}
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end()
			words = append(words, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if length < maxWordLength {
				writeFolded(&word, unicode.ToLower(r))
				length++
			}
		case unicode.Is(unicode.Mn, r): // an accent
		default:
			end()
		}
	}
	end()
	return words
}

// writeFolded writes a letter without its accent, unless the accented letter does not decompose.
func writeFolded(word *strings.Builder, r rune) {
	switch r {
	case 'ß':
		word.WriteString("ss")
	case 'æ':
		word.WriteString("ae")
	case 'œ':
		word.WriteString("oe")
	case 'ø':
		word.WriteByte('o')
	case 'ł':
		word.WriteByte('l')
	case 'đ', 'ð':
		word.WriteByte('d')
	case 'ı':
		word.WriteByte('i')
	default:
		word.WriteRune(r)
	}
}
