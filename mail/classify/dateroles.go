package classify

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The lists of tables/dates.txt that tell dates of others from those of the author.
var (
	anotherWords = onceLexicon("dates", "another")
	eventWords   = onceLexicon("dates", "event")
	formerWords  = onceLexicon("dates", "former")
	holidayWords = onceLexicon("dates", "holidays")
	fairWords    = onceLexicon("dates", "fair")
	movedWords   = onceLexicon("dates", "moved")
	shutWords    = onceLexicon("note", "shut")
	authorWords  = onceLexicon("note", "self")
)

// ownDates returns the dates that are about the absence of the author. A date goes with the one before it if no mark is
// between them: "the meeting of 19 March is put off to 2 April".
func ownDates(told string, found []candidate) (own []candidate) {
	other := -1 // where the last date of others ends
	for i, c := range found {
		before, _ := dateClause(told, c, nil)
		if contains(movedWords(), before) && contains(backBefore(), before) {
			last := !slices.ContainsFunc(found[i+1:], func(next candidate) bool { return sameClause(told, c.end, next.at) })
			if last { // the others are former days of return
				c.last, c.rank, c.named = false, backOn, c.day
				own = append(own, c)
			}
			continue
		}
		if c.ofOther(told, found) || sameClause(told, other, c.at) && !c.isReturn(told, found) {
			other = c.end
			continue
		}
		own = append(own, c)
	}
	return own
}

// sameClause reports whether no mark is between two dates.
func sameClause(told string, end, at int) bool {
	return end >= 0 && end <= at && !strings.ContainsAny(told[end:at], ".,;:!?\n。，")
}

// isReturn reports whether the words around a date are those of a return.
func (c candidate) isReturn(told string, found []candidate) bool {
	c.weigh(told, found)
	return c.rank == backOn
}

// ofOther reports whether the clause of a date is about a colleague, an event or a deadline, or a plan that was given up.
func (c candidate) ofOther(told string, found []candidate) bool {
	before, after := dateClause(told, c, found)
	if former, ok := formerWords().first(before); ok && !verbLast(former.language) && !inReturn(before, former) ||
		contains(formerWords(), after) || contains(holidayWords(), before) {
		return true
	}
	if other, ok := anotherWords().first(before); ok && !selfAfter(before[other.end:], other.language) {
		return true
	}
	fair, fairNamed := fairWords().first(before)
	event := fairNamed && !selfAfter(before, fair.language) || contains(eventWords(), before) || contains(eventWords(), after)
	if event && contains(shutWords(), before) {
		return false
	}
	if !event && !(hoursAfter.MatchString(after) && !c.first && !c.last) {
		return false
	}
	c.weigh(told, found)
	return c.rank != backOn && !absentIn(before+" "+after)
}

// inReturn reports whether a phrase is part of one for a return: "my return is planned for".
func inReturn(text string, m match) (inside bool) {
	backBefore().each(text, func(back match) bool {
		inside = back.at < m.at && m.end <= back.end
		return !inside
	})
	return inside
}

// hoursAfter matches the hours that follow a date: "from 10 to 12", "10-12".
var hoursAfter = regexp.MustCompile(
	`^[ ,]*(?:\p{L}{1,7} ){0,2}\d{1,2}(?:[:.h]\d\d)?(?: ?h| uhr| am| pm)?(?: ?- ?| \p{L}{1,4} )\d{1,2}\b`)

// verbLast reports whether the verb of a language is behind the date that it belongs to.
func verbLast(language string) bool { return language == "ja" || language == "ko" || language == "tr" }

// selfAfter reports whether a text names its author in a language: "ask my colleague until I am back".
func selfAfter(text, language string) (named bool) {
	authorWords().each(text, func(m match) bool {
		named = m.language == language && language != "ja" && language != "ko" // their words are not pronouns
		return !named
	})
	return named
}

// dateClause returns the prepared words before and after a date, inside its clause. Another date ends the clause. A comma
// next to a date, to a day of the week or to a single word does not.
func dateClause(told string, c candidate, found []candidate) (before, after string) {
	before, after = around(told, c.at, c.end)
	for _, other := range found {
		if gap := c.at - other.end; gap >= 0 && gap < len(before) && !(c.last && other.first) &&
			!onlyDates(before[len(before)-gap:]) {
			before = before[len(before)-gap:]
		}
		if gap := other.at - c.end; gap >= 0 && gap < len(after) {
			after = after[:gap]
		}
	}
	for end := len(before); end > 0; {
		end = strings.LastIndexAny(before[:end], dateClauseEnds)
		if end < 0 {
			break
		}
		_, size := utf8.DecodeRuneInString(before[end:])
		if piece := before[end+size:]; !onlyDates(piece) && (c.weekday || wordCount(prepare(piece)) > 1) {
			before = piece
			break
		}
	}
	for i := 0; i+1 < len(after); i++ {
		if after[i] == '.' && after[i+1] == ' ' && !endsAbbreviated(told[:c.end]+after[:i]) {
			after = after[:i]
		}
	}
	if c.first || c.last {
		after = "" // what follows a range is often the next sentence
	}
	for at := 0; at < len(after); {
		next := strings.IndexAny(after[at:], dateClauseEnds)
		if next < 0 {
			break
		}
		if at += next; !onlyDates(after[:at]) {
			after = after[:at]
			break
		}
		_, size := utf8.DecodeRuneInString(after[at:])
		at += size
	}
	return prepare(before), prepare(after)
}

// dateClauseEnds are the marks that end a clause.
const dateClauseEnds = ",;，、"

// onlyDates reports whether a text has no words but those of dates.
func onlyDates(text string) bool {
	for word := range strings.FieldsSeq(prepare(text)) {
		found, known := calendar().opens(word)
		short := utf8.RuneCountInString(word) <= 2 && !strings.ContainsFunc(word, ideographic)
		if !short && !strings.ContainsAny(word, "0123456789") && !(known && found.end == len(word)) {
			return false
		}
	}
	return true
}
