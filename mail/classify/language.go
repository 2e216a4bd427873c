package classify

import "slices"

// smallWords are the words of tables/language.txt.
var smallWords = onceLexicon("language", "small")

// foreign is the number of small words of another language that show that a sentence is in
// that language.
const foreign = 2

// tongues counts the small words of a sentence by language.
type tongues map[string]int

// tonguesOf counts the small words of a prepared sentence. A word of several languages
// counts for each.
func tonguesOf(text string) tongues {
	t := tongues{}
	smallWords().each(text, func(m match) bool {
		t[m.language]++
		return true
	})
	return t
}

// speak reports whether the sentence may be in a language: it holds a small word of it, or
// no two of another one. Languages in other letters than Latin cannot be mistaken.
func (t tongues) speak(language string) bool {
	if !slices.Contains(latinLanguages, language) || t[language] > 0 {
		return true
	}
	for _, n := range t {
		if n >= foreign {
			return false
		}
	}
	return true
}

// latinLanguages are the languages of tables/language.txt.
var latinLanguages = []string{"en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "no", "fi", "cs", "hu", "ro", "tr"}
