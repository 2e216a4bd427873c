package classify

import "sync"

// smallWords are the words of tables/language.txt.
var smallWords = onceLexicon("language", "small")

// foreign is the number of small words of another language that show that a sentence is in
// that language.
const foreign = 2

// languageCounts counts the small words of a sentence by language.
type languageCounts map[string]int

// countLanguages counts the small words of a prepared sentence. A word of several languages
// counts for each.
func countLanguages(text string) languageCounts {
	t := languageCounts{}
	smallWords().each(text, func(m match) bool {
		t[m.language]++
		return true
	})
	return t
}

// mayBeIn reports whether the sentence may be in a language: it has a small word of it, or fewer
// than two of any other language. Languages in other scripts than Latin are always possible.
func (t languageCounts) mayBeIn(language string) bool {
	if !latinLanguages()[language] || t[language] > 0 {
		return true
	}
	for _, n := range t {
		if n >= foreign {
			return false
		}
	}
	return true
}

// outnumbered reports whether a sentence has at least two small words more of another language. It
// is stricter than mayBeIn, because many small words belong to several languages.
func (t languageCounts) outnumbered(language string) bool {
	if !latinLanguages()[language] {
		return false
	}
	for _, n := range t {
		if n >= t[language]+foreign {
			return true
		}
	}
	return false
}

// latinLanguages returns the languages of tables/language.txt.
var latinLanguages = sync.OnceValue(func() map[string]bool {
	languages := map[string]bool{}
	for _, e := range readTable("language") {
		languages[e.language] = true
	}
	return languages
})
