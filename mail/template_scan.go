package mail

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// words is what one expression uses.
type words struct {
	names    []string
	fallback bool
}

// lexeme splits an expression the way the engine does: strings, ranges,
// properties, names (a colon behind one makes it a filter with arguments or a
// keyword), numbers, and single characters.
var lexeme = regexp.MustCompile(`"[^"]*"|'[^']*'|\.\.|\.[A-Za-z_][\w-]*\??|[A-Za-z_][\w-]*\??:?|-?\d+(?:\.\d+)?|\S`)

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
	var w words
	lexemes := lexeme.FindAllString(source, -1)
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
		case isName(word) && !reserved[word]:
			path, used := pathFrom(lexemes[i:])
			w.names = append(w.names, path)
			i += used - 1
		}
	}
	return w, nil
}

func quoted(word string) bool { return len(word) >= 2 && (word[0] == '"' || word[0] == '\'') }

func isName(word string) bool {
	c := word[0]
	return (c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') && !strings.HasSuffix(word, ":")
}

// pathFrom reads a variable with its properties, x.y or x["y"], and says how
// many lexemes it took.
func pathFrom(lexemes []string) (path string, used int) {
	var out strings.Builder
	out.WriteString(lexemes[0])
	used = 1
	for used < len(lexemes) {
		switch next := lexemes[used]; {
		case len(next) > 1 && next[0] == '.' && next != "..":
			out.WriteString(next)
			used++
		case next == "[" && used+2 < len(lexemes) && quoted(lexemes[used+1]) && lexemes[used+2] == "]":
			key := lexemes[used+1]
			out.WriteString("." + key[1:len(key)-1])
			used += 3
		default:
			return out.String(), used
		}
	}
	return out.String(), used
}
