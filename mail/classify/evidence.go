package classify

import (
	"cmp"
	"fmt"
	"slices"
)

// The weights of evidence. A message is automatic when the evidence for a program
// reaches enough and that for a person does not reach personal.
const (
	decisive = 6 // a header of RFC 3834 or its like; a sentence that only programs write
	strong   = 5
	asking   = 4
	likely   = 3
	hinting  = 2
	slight   = 1

	unsaid = 3 // a sentence without known words

	enough       = 3
	personal     = 3
	despiteProof = 4 // words of a person that outweigh a header
)

// clue is one piece of evidence for a program or for a person.
type clue struct {
	weight int
	words  string // what was found, for the reason
}

// weighed holds the evidence for a program and for a person.
type weighed struct {
	program, person []clue
	hints           []clue // for a program, beside words only
	header          bool   // a header or the subject says that it is automatic
	proof           int    // the weight of that
	bulk            bool   // the header says no more than that it is not personal mail
	unasked         bool   // it is a mail to subscribers, which answers nothing
	away            bool   // the subject is that of an absence note
	instant         bool   // it came faster than a person can type it
	alone           bool   // and it answers our only message, so it cannot have been written before
	quick           bool   // an answer to our only message that came within a minute
	returns         bool   // it says when its author is back
	directs         bool   // it names an address, a telephone number or a page
	read            *reader
	best            *candidate // the date of return of a short text
	unknown         int        // sentences without known words
	beside          int        // those without a date, also short ones
}

func sumOf(list []clue) (sum int) {
	for _, e := range list {
		sum += e.weight
	}
	return sum
}

// heaviest returns the words of the strongest clue.
func heaviest(list []clue) string {
	return slices.MaxFunc(list, func(a, b clue) int { return cmp.Compare(a.weight, b.weight) }).words
}

// verdict decides, and returns the reason. Words of a person outweigh every header unless many more
// words are those of a program, because missing a person's reply is worse than taking a program's for
// one. Hints count only together with words of a program, and one hint does not outweigh a sentence
// that says something else, because people also answer fast and from service addresses. The time of an answer
// is more than a hint where no person can type it so fast: it decides if nothing speaks for a person. Within a
// minute any word of a program, or where to turn, is enough, if nothing speaks for a person.
func (w weighed) verdict() (automatic bool, reason string) {
	program, person := sumOf(w.program), sumOf(w.person)
	if person > 0 && !w.header { // the time alone decides against no evidence for a person
		w.alone = false
	}
	words := program - w.proof
	despite := despiteProof
	switch {
	case w.alone && w.header:
		despite *= 3
	case w.unasked:
		despite *= 2
	}
	hints := sumOf(w.hints)
	if program < hinting && !w.alone && (program == 0 && !w.directs || !w.instant && !w.quick) {
		hints = 0
	}
	said := program // what is weighed against sentences that say something else
	if len(w.hints) > 1 || w.instant {
		said += hints
	}
	if w.returns && person == 0 {
		said++
	}
	program += hints
	switch {
	case w.returns && person == 0 && w.beside == 0 && !w.unasked:
		return true, "it says no more than when its author is back"
	case program < enough:
		return false, "written by a person"
	case person >= despite && words < person+enough, person >= personal && !w.header:
		return false, fmt.Sprintf("written by a person: %s (weight %d), although %s (weight %d)", heaviest(w.person),
			person, heaviest(slices.Concat(w.program, w.hints)), program)
	case !w.header && (!w.quick || person > 0) && unsaid*w.unknown+person >= said:
		return false, fmt.Sprintf("written by a person: it says more than %s", heaviest(slices.Concat(w.program, w.hints)))
	}
	return true, fmt.Sprintf("%s (weight %d)", heaviest(slices.Concat(w.program, w.hints)), program)
}
