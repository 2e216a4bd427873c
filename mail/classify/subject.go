package classify

import (
	"fmt"
	"regexp"
)

// weighSubject adds the evidence in a subject; answers tells that the message is an answer to another.
func (w *weighed) weighSubject(subject string, answers bool) {
	if found, ok := programSubject().opens(subject); ok {
		w.header = true
		w.proof += decisive
		w.program = append(w.program,
			clue{decisive, fmt.Sprintf("its subject is that of an automatic reply: %q", shown(prepare(subject), found))})
		return
	}
	if found := caseNumber.FindString(subject); found != "" && !marksReply(subject) {
		w.program = append(w.program, clue{hinting, fmt.Sprintf("its subject holds a number: %q", found)})
	}
	if _, ok := awaySubject().opens(subject); ok {
		w.away = true
		w.program = append(w.program, clue{likely, "its subject is that of an absence note"})
		return
	}
	for _, tag := range noteTag.FindAllStringSubmatch(subject, 3) {
		if found, ok := awaySubject().opens(tag[1]); ok && found.end == len(prepare(tag[1])) {
			w.away = true
			w.program = append(w.program, clue{likely, "its subject names an absence: " + tag[1]})
			return
		}
	}
	if marksReply(subject) {
		return
	}
	if answers {
		w.hints = append(w.hints, clue{slight, "it answers under a subject without \"Re:\""})
	}
	if words, ok := saysProgram(prepare(subject)); ok {
		w.program = append(w.program, clue{hinting, fmt.Sprintf("its subject says what programs say: %q", words)})
	}
}

// noteTag is a part of a subject in brackets or after a dash.
var noteTag = regexp.MustCompile(`(?:[(\[（【]|\s[-–—]\s*)([^()\[\]（）【】]{2,60}?)\s*(?:[)\]）】]|$)`)

// saysProgram returns the words in a prepared subject with which programs tell of an absence, a
// departure or a receipt.
func saysProgram(subject string) (words string, ok bool) {
	for _, m := range noteWords().longest(subject) {
		if programClues[m.list].weight >= hinting {
			return subject[m.at:m.end], true
		}
	}
	for _, c := range notesIn(subject) {
		if programClues[c.list].weight >= hinting && c.weight >= hinting {
			return c.words, true
		}
	}
	return "", false
}
