package classify

import "strings"

// The words of tables/dates.txt for days on which their author answers, can be met or is somewhere. People name such days too.
var (
	saidBefore = onceLexicon("dates", "said before")
	saidAfter  = onceLexicon("dates", "said after")
)

// wordsNear reports whether a phrase is among the last words of a text, and nothing in its clause denies it.
func wordsNear(l *lexicon, text string) bool {
	text = strings.TrimRight(prepare(text), " ,:(")
	found := false
	l.each(text, func(m match) bool {
		clause := text[strings.LastIndexAny(text[:m.at], ",;:")+1 : m.at]
		denied := denies(lastWords(clause, 2), m.language) && !contains(untilBefore(), text[m.end:])
		found = !denied && len(strings.Fields(text[m.end:])) <= 5 && !insideSaid(text, m)
		return !found
	})
	return found
}

// insideSaid reports whether a phrase is part of a longer one that people too say of a day: "get back to you".
func insideSaid(text string, m match) (inside bool) {
	saidBefore().each(text, func(said match) bool {
		inside = said.at <= m.at && m.end <= said.end && said.end-said.at > m.end-m.at
		return !inside
	})
	return inside
}

// saidFollows reports whether the first words after a date are those of [said after].
func saidFollows(after string, words int, before string) bool {
	return wordsFollow(saidAfter(), afterWeekday(after), words, before+after)
}
