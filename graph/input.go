package graph

import "github.com/99designs/gqlgen/graphql"

// set stores what an input gives for a field that may be absent; null clears it.
func set[T any](into *T, given graphql.Omittable[T]) {
	if value, ok := given.ValueOK(); ok {
		*into = value
	}
}

// setOr stores what an input gives for a field that always has a value; null
// brings the default back.
func setOr[T any](into *T, given graphql.Omittable[*T], byDefault T) {
	value, ok := given.ValueOK()
	switch {
	case ok && value != nil:
		*into = *value
	case ok:
		*into = byDefault
	}
}

// on reads a flag that is off unless it is set.
func on(flag graphql.Omittable[*bool]) bool {
	value := flag.Value()
	return value != nil && *value
}
