package mail

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// words is what one expression uses.
type words struct {
	variables []variable
	fallback  bool
	lexemes   int
	rewritten string // the expression with the meaning that Render documents
}

// variable is one use of a variable: the names that lead to its value, and the
// text by which a person knows it.
type variable struct {
	path []string
	text string
	line int // in the source of the field, from 1
}

// lexeme splits an expression the way the engine does: strings, ranges,
// properties, names (a colon behind one makes it a filter with arguments or a
// keyword), numbers, comparisons, and single characters.
var lexeme = regexp.MustCompile(`"[^"]*"|'[^']*'|\.\.|\.[A-Za-z_][\w-]*\??|[A-Za-z_][\w-]*\??:?|-?\d+(?:\.\d+)?|[<>=!]=|\S`)

var reserved = map[string]bool{
	"true": true, "false": true, "nil": true, "null": true, "and": true, "or": true,
	"contains": true, "in": true, "empty": true, "blank": true,
}

var (
	errRange = errors.New("ranges are not available here")
	errIndex = errors.New("only a quoted name may stand in square brackets")
)

// scanExpression lists the variables and checks the filters of one expression.
func scanExpression(source string) (words, error) {
	places := lexeme.FindAllStringIndex(source, -1)
	lexemes := make([]string, len(places))
	for i, at := range places {
		lexemes[i] = source[at[0]:at[1]]
	}
	w := words{lexemes: len(lexemes), rewritten: source}
	for i := 0; i < len(lexemes); i++ {
		word := lexemes[i]
		switch {
		case word == "..":
			return w, errRange
		case word == ";":
			return w, errors.New("unexpected ;")
		case word == "|":
			if i++; i == len(lexemes) {
				return w, errors.New("a filter is missing behind |")
			}
			name := strings.TrimSuffix(lexemes[i], ":")
			if _, ok := filters[name]; !ok {
				return w, fmt.Errorf("the filter %q is not available here", name)
			}
			w.fallback = w.fallback || name == "default"
		case word == "[":
			if i+2 >= len(lexemes) || !quoted(lexemes[i+1]) || lexemes[i+2] != "]" {
				return w, errIndex
			}
			i += 2
		case isName(word) && !reserved[word]:
			used := operandFrom(lexemes, i)
			w.variables = append(w.variables, variableOf(lexemes[i:used]))
			i = used - 1
		}
	}
	w.rewritten = rewrite(source, places, lexemes)
	return w, nil
}

func quoted(word string) bool { return len(word) >= 2 && (word[0] == '"' || word[0] == '\'') }

func isName(word string) bool {
	c := word[0]
	return (c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') && !strings.HasSuffix(word, ":")
}

// isProperty reports whether a lexeme is .name; a quoted name in brackets is three.
func isProperty(word string) bool { return len(word) > 1 && word[0] == '.' && word != ".." }

// operandFrom returns the index behind a value or variable that begins at i, with
// the properties of it.
func operandFrom(lexemes []string, i int) int {
	for i++; i < len(lexemes); {
		switch {
		case isProperty(lexemes[i]):
			i++
		case lexemes[i] == "[" && i+2 < len(lexemes) && quoted(lexemes[i+1]) && lexemes[i+2] == "]":
			i += 3
		default:
			return i
		}
	}
	return i
}

// variableOf reads x.y and x["y"].
func variableOf(lexemes []string) variable {
	v := variable{path: []string{lexemes[0]}, text: lexemes[0]}
	for i := 1; i < len(lexemes); i++ {
		if isProperty(lexemes[i]) {
			v.path, v.text = append(v.path, lexemes[i][1:]), v.text+lexemes[i]
			continue
		}
		key := lexemes[i+1][1 : len(lexemes[i+1])-1]
		v.path = append(v.path, key)
		if plainName.MatchString(key) {
			v.text += "." + key
		} else {
			v.text += `["` + key + `"]`
		}
		i += 2
	}
	return v
}

var plainName = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)

// rewrite defines the meaning of missing values in comparisons. A missing value is nil to the
// engine, for which nil == "" is false, nil >= nil is true. So a blank text that is compared
// becomes nil, and a >= b, where a is missing, becomes false.
func rewrite(source string, places [][]int, lexemes []string) string {
	if !strings.ContainsAny(source, `"'<>`) {
		return source
	}
	var out strings.Builder
	end := 0 // of what is written
	argument := []bool{false}
	for i, word := range lexemes {
		if places[i][0] < end {
			continue // it stands in a comparison that is written already
		}
		top := len(argument) - 1
		switch {
		case word == "(":
			argument = append(argument, false)
		case word == ")" && top > 0:
			argument = argument[:top]
		case word == "|":
			argument[top] = true
		case word == "and" || word == "or":
			argument[top] = false
		case quoted(word) && !argument[top] && blank(word[1:len(word)-1]) && (i == 0 || lexemes[i-1] != "["):
			out.WriteString(source[end:places[i][0]] + "nil")
			end = places[i][1]
		case (word == ">=" || word == "<=") && i > 0 && i+1 < len(lexemes):
			// The rest of the comparison follows; only that the value is there is
			// put before it.
			first := operandBefore(lexemes, i)
			last := operandFrom(lexemes, i+1)
			left, right := source[places[first][0]:places[i-1][1]], source[places[i+1][0]:places[last-1][1]]
			if !simple(lexemes[first:i]) || !simple(lexemes[i+1:last]) || places[first][0] < end {
				continue
			}
			out.WriteString(source[end:places[first][0]])
			fmt.Fprintf(&out, "(%s %s %s or %s == %s and %s != nil)", left, word[:1], right, left, right, left)
			end = places[last-1][1]
		}
	}
	out.WriteString(source[end:])
	return out.String()
}

// operandBefore returns the index at which the value or variable before i begins.
func operandBefore(lexemes []string, i int) int {
	for i--; i > 0; {
		switch {
		case isProperty(lexemes[i]):
			i--
		case lexemes[i] == "]" && i >= 3:
			i -= 3
		default:
			return i
		}
	}
	return i
}

// simple reports whether an operand is a variable or a value, and no bracket.
func simple(operand []string) bool {
	word := operand[0]
	number := word[0] == '-' && len(word) > 1 || word[0] >= '0' && word[0] <= '9'
	return isName(word) || number || quoted(word)
}
