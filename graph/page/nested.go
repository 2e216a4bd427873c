package page

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
)

// Embedded is a field whose object is part of the row.
func Embedded[T, U any](o *Object[U], get func(*T) U) Nested[T] {
	return func(w *walk, rows []T, field graphql.CollectedField) (appender, error) {
		inner := make([]U, len(rows))
		for i := range rows {
			inner[i] = get(&rows[i])
		}
		return o.rows(w, inner, field.Selections)
	}
}

// EmbeddedOptional is a field whose object is part of the row or null.
func EmbeddedOptional[T, U any](o *Object[U], get func(*T) *U) Nested[T] {
	return Related(o, func(_ context.Context, rows []T) ([]*U, error) {
		inner := make([]*U, len(rows))
		for i := range rows {
			inner[i] = get(&rows[i])
		}
		return inner, nil
	})
}

// EmbeddedList is a field whose list of objects is part of the row.
func EmbeddedList[T, U any](o *Object[U], get func(*T) []U) Nested[T] {
	return func(w *walk, rows []T, field graphql.CollectedField) (appender, error) {
		lists := make([][]U, len(rows))
		for i := range rows {
			lists[i] = get(&rows[i])
		}
		return writeLists(w, o, lists, field)
	}
}

// Related is a field whose object is another row. load fetches it for all rows of the page and
// returns nil for a row that has none. Rows may share one pointer.
func Related[T, U any](o *Object[U], load func(ctx context.Context, rows []T) ([]*U, error)) Nested[T] {
	return func(w *walk, rows []T, field graphql.CollectedField) (appender, error) {
		found, err := load(w.ctx, rows)
		if err != nil {
			return nil, err
		}
		if len(found) != len(rows) {
			return nil, fmt.Errorf("%d values of %s for %d rows", len(found), field.Name, len(rows))
		}
		var distinct []U
		place := make(map[*U]int, len(found))
		for _, row := range found {
			if _, seen := place[row]; row != nil && !seen {
				place[row] = len(distinct)
				distinct = append(distinct, *row)
			}
		}
		write, err := o.rows(w, distinct, field.Selections)
		if err != nil {
			return nil, err
		}
		return func(dst []byte, i int) []byte {
			if found[i] == nil {
				return AppendNull(dst)
			}
			return write(dst, place[found[i]])
		}, nil
	}
}

// RelatedList is a field whose objects are other rows. load fetches them for all rows
// of the page.
func RelatedList[T, U any](o *Object[U], load func(ctx context.Context, rows []T) ([][]U, error)) Nested[T] {
	return func(w *walk, rows []T, field graphql.CollectedField) (appender, error) {
		lists, err := load(w.ctx, rows)
		if err != nil {
			return nil, err
		}
		if len(lists) != len(rows) {
			return nil, fmt.Errorf("%d lists of %s for %d rows", len(lists), field.Name, len(rows))
		}
		return writeLists(w, o, lists, field)
	}
}

// writeLists reads the selection once for the objects of all lists.
func writeLists[U any](w *walk, o *Object[U], lists [][]U, field graphql.CollectedField) (appender, error) {
	var all []U
	starts := make([]int, len(lists)+1)
	for i, list := range lists {
		all = append(all, list...)
		starts[i+1] = len(all)
	}
	write, err := o.rows(w, all, field.Selections)
	if err != nil {
		return nil, err
	}
	return func(dst []byte, i int) []byte { return appendRange(dst, write, starts[i], starts[i+1]) }, nil
}
