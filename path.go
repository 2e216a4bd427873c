package outreach

import (
	"slices"
	"strconv"
	"strings"
)

// Path leads to one value of a request: the names of fields in snake case and
// the indexes of list elements, outermost first. The empty path is the request
// itself; the path of a query parameter or header is its name.
type Path []string

// At returns the path with these names.
func At(names ...string) Path { return names }

// Join returns the path of a value below p.
func (p Path) Join(names ...string) Path { return slices.Concat(p, names) }

// Index returns the path of the element at index i, counted from 0, of the list at p.
func (p Path) Index(i int) Path { return p.Join(strconv.Itoa(i)) }

// Within reports whether p is outer or leads to a value inside it.
func (p Path) Within(outer Path) bool {
	return len(p) >= len(outer) && slices.Equal(p[:len(outer)], outer)
}

// Pointer returns p as a JSON pointer (RFC 6901); the empty path is "".
func (p Path) Pointer() string {
	var b strings.Builder
	for _, name := range p {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(name))
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// String returns p in the form for people, such as steps[0].subject.
func (p Path) String() string {
	var b strings.Builder
	for i, name := range p {
		switch _, err := strconv.Atoi(name); {
		case err == nil && i > 0:
			b.WriteString("[" + name + "]")
		case i > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}

// name returns the name of the value at p in messages: the last field of the path.
func (p Path) name() string {
	for _, name := range slices.Backward(p) {
		if _, err := strconv.Atoi(name); err != nil {
			return name
		}
	}
	return "value"
}
