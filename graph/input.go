package graph

import "github.com/99designs/gqlgen/graphql"

// set stores the value of an optional field if the input has it; null clears the field.
func set[T any](into *T, given graphql.Omittable[T]) {
	if value, ok := given.ValueOK(); ok {
		*into = value
	}
}

// setOr stores the value of a field with a default if the input has it; null restores the default.
func setOr[T any](into *T, given graphql.Omittable[*T], byDefault T) {
	value, ok := given.ValueOK()
	switch {
	case ok && value != nil:
		*into = *value
	case ok:
		*into = byDefault
	}
}

// on reports whether an optional flag is set.
func on(flag graphql.Omittable[*bool]) bool {
	value := flag.Value()
	return value != nil && *value
}
