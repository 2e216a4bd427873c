package classify

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// form is an expression over words of many languages. Such an expression is slow
// where nothing matches, which is nearly everywhere, so a form first looks for
// letters that any match must hold.
type form struct {
	*regexp.Regexp
	needles []string // of which every match holds one, in lower case; none when that is not known
}

// mustForm compiles an expression of the package; a mistake in it shows at once.
func mustForm(expr string) form {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return form{regexp.MustCompile(expr), findLetters(parsed).needles()}
}

// MatchString is that of the expression.
func (f form) MatchString(s string) bool { return f.mayMatch(s) && f.Regexp.MatchString(s) }

// mayMatch is false where no match can be. It does not know the long s and its
// like, which an expression takes for the letter of today.
func (f form) mayMatch(s string) bool {
	if len(f.needles) == 0 {
		return true
	}
	s = strings.ToLower(s)
	return slices.ContainsFunc(f.needles, func(needle string) bool { return strings.Contains(s, needle) })
}

// maxExact bounds the sets that letters are put together from.
const maxExact = 64

// letters is what is known of the matches of an expression, in lower case: either
// all of them, or strings of which every match holds one. Neither is known when
// both are nil.
type letters struct {
	exact, held []string
}

// needles gives strings of which every match holds one.
func (l letters) needles() []string {
	known := l.held
	if l.exact != nil {
		known = l.exact
	}
	if shortest(known) == 0 {
		return nil
	}
	return known
}

// shortest is the length of the shortest string, 0 when there is none.
func shortest(all []string) int {
	if len(all) == 0 {
		return 0
	}
	return len(slices.MinFunc(all, func(a, b string) int { return len(a) - len(b) }))
}

// findLetters walks through an expression from its leaves upwards.
func findLetters(re *syntax.Regexp) letters {
	switch re.Op {
	case syntax.OpLiteral:
		return letters{exact: []string{strings.ToLower(string(re.Rune))}}
	case syntax.OpCharClass:
		return lettersOfClass(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return letters{exact: []string{""}}
	case syntax.OpCapture:
		return findLetters(re.Sub[0])
	case syntax.OpQuest:
		if sub := findLetters(re.Sub[0]); sub.exact != nil {
			return letters{exact: append(sub.exact, "")}
		}
	case syntax.OpPlus:
		return letters{held: findLetters(re.Sub[0]).needles()}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return letters{held: findLetters(re.Sub[0]).needles()}
		}
	case syntax.OpConcat:
		return lettersInTurn(re.Sub)
	case syntax.OpAlternate:
		return lettersOfEither(re.Sub)
	}
	return letters{}
}

// lettersOfClass spells out a small class; ranges are pairs of its first and last
// characters.
func lettersOfClass(ranges []rune) letters {
	var exact []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if s := string(unicode.ToLower(r)); !slices.Contains(exact, s) {
				exact = append(exact, s)
			}
			if len(exact) > 10 {
				return letters{}
			}
		}
	}
	return letters{exact: exact}
}

// lettersInTurn joins what follows on each other as long as all of it is known,
// and keeps the longest of what cannot be joined.
func lettersInTurn(subs []*syntax.Regexp) letters {
	run, best, whole := []string{""}, []string(nil), true
	keep := func(known []string) {
		if shortest(known) > shortest(best) {
			best = known
		}
	}
	for _, sub := range subs {
		l := findLetters(sub)
		if l.exact != nil && len(run)*len(l.exact) <= maxExact {
			run = joined(run, l.exact)
			continue
		}
		whole = false
		keep(run)
		keep(l.needles())
		if run = []string{""}; l.exact != nil {
			run = l.exact
		}
	}
	if whole {
		return letters{exact: run}
	}
	keep(run)
	return letters{held: best}
}

func joined(before, after []string) []string {
	all := make([]string, 0, len(before)*len(after))
	for _, a := range before {
		for _, b := range after {
			all = append(all, a+b)
		}
	}
	return all
}

// lettersOfEither is known when every branch is.
func lettersOfEither(subs []*syntax.Regexp) letters {
	var exact, held []string
	whole := true
	for _, sub := range subs {
		l := findLetters(sub)
		exact, whole = append(exact, l.exact...), whole && l.exact != nil
		needles := l.needles()
		if needles == nil && l.exact == nil {
			return letters{}
		}
		held = append(held, needles...)
	}
	if whole {
		return letters{exact: exact}
	}
	if slices.ContainsFunc(subs, func(sub *syntax.Regexp) bool { return findLetters(sub).needles() == nil }) {
		return letters{}
	}
	return letters{held: held}
}
