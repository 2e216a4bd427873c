// Package page writes the objects of the schema, alone and in lists. What is bound
// here marshals itself: one walk over the selection, one append a field, instead of
// the dozen allocations that generated code spends on each, and the goroutine on
// each element. What it writes is byte for byte what the generated code writes; a
// test holds it to that. It also seals the cursors. It knows no SQL: what stands
// beside a row is fetched for the whole page at once through Neighbours.
package page

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// Neighbours fetches what is shown beside a row, by ids of one workspace and in any
// order; unknown ids are left out.
type Neighbours interface {
	Prospects(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]outreach.Prospect, error)
	Campaigns(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]outreach.Campaign, error)
	AttemptsOf(ctx context.Context, workspace uuid.UUID, deliveries []uuid.UUID) (map[uuid.UUID][]outreach.Attempt, error)
}

type neighboursKey struct{}

// WithNeighbours gives what is written under ctx its neighbours.
func WithNeighbours(ctx context.Context, near Neighbours) context.Context {
	return context.WithValue(ctx, neighboursKey{}, near)
}

// object says how the fields of one schema type are written from its Go type.
type object[T any] struct {
	name   string
	leaves map[string]func(dst []byte, row *T) []byte
	nested map[string]nested[T]
}

// nested prepares a field that is itself an object: given all rows of the page
// it returns what appends the value for the row at an index.
type nested[T any] func(p *writer, rows []T, field graphql.CollectedField) (func(dst []byte, i int) []byte, error)

// writer carries what one walk needs.
type writer struct {
	ctx context.Context
	op  *graphql.OperationContext
}

func newWriter(ctx context.Context) *writer {
	return &writer{ctx: ctx, op: graphql.GetOperationContext(ctx)}
}

// near is there under every operation that NewSchema runs.
func (p *writer) near() Neighbours { return p.ctx.Value(neighboursKey{}).(Neighbours) }

// one is a row that writes itself, as a field of the schema that is no list.
type one[T any] struct {
	object *object[T]
	rows   [1]T
}

func single[T any](o *object[T], row T) graphql.ContextMarshaler {
	return &one[T]{o, [1]T{row}}
}

// MarshalGQLContext writes the selected fields of the row. Nothing reaches w unless
// all of it could be made.
func (r *one[T]) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	p, dst := newWriter(ctx), append(room(w, rowSize), '{')
	for i, field := range p.collect(graphql.GetFieldContext(ctx).Field.Selections, r.object.name) {
		dst = appendKey(dst, i, field.Alias)
		if leaf, ok := r.object.leaves[field.Name]; ok {
			dst = leaf(dst, &r.rows[0])
			continue
		}
		write, err := r.object.field(p, r.rows[:], field)
		if err != nil {
			return err
		}
		dst = write(dst, 0)
	}
	_, err := w.Write(append(dst, '}'))
	return err
}

// write prints one connection. Nothing reaches w unless all of it could be made.
func write[T any](ctx context.Context, w io.Writer, o *object[T], rows []T, cursor *string) error {
	p, name := newWriter(ctx), o.name+"Connection"
	dst := append(room(w, 256+len(rows)*rowSize), '{')
	for i, field := range p.collect(graphql.GetFieldContext(ctx).Field.Selections, name) {
		dst = appendKey(dst, i, field.Alias)
		switch field.Name {
		case "nodes":
			var err error
			if dst, err = appendRows(p, dst, o, rows, field.Selections); err != nil {
				return err
			}
		case "nextCursor":
			dst = appendText(dst, cursor)
		default: // __typename: validation lets nothing else through
			dst = appendString(dst, name)
		}
	}
	_, err := w.Write(append(dst, '}'))
	return err
}

// rowSize is what a row takes, about.
const rowSize = 640

// room gives size bytes to append to: those of gqlgen's own buffer, where it is
// one, so that what is written into it is there already.
func room(w io.Writer, size int) []byte {
	if buffer, ok := w.(*bytes.Buffer); ok {
		buffer.Grow(size)
		return buffer.AvailableBuffer()
	}
	return make([]byte, 0, size)
}

func (p *writer) collect(selections ast.SelectionSet, name string) []graphql.CollectedField {
	return graphql.CollectFields(p.op, selections, []string{name})
}

// appendRows prints rows as a JSON array of the selected fields.
func appendRows[T any](p *writer, dst []byte, o *object[T], rows []T, selections ast.SelectionSet) ([]byte, error) {
	one, err := rowWriter(p, o, rows, selections)
	if err != nil {
		return dst, err
	}
	dst = append(dst, '[')
	for i := range rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, i)
	}
	return append(dst, ']'), nil
}

// rowWriter resolves the selection once for all rows and returns what appends
// the row at an index.
func rowWriter[T any](p *writer, o *object[T], rows []T, selections ast.SelectionSet) (func(dst []byte, i int) []byte, error) {
	fields := p.collect(selections, o.name)
	appends := make([]func(dst []byte, i int) []byte, len(fields))
	keys := make([][]byte, len(fields))
	for i, field := range fields {
		keys[i] = appendKey(nil, i, field.Alias)
		var err error
		if appends[i], err = o.field(p, rows, field); err != nil {
			return nil, err
		}
	}
	return func(dst []byte, i int) []byte {
		dst = append(dst, '{')
		for f := range appends {
			dst = appends[f](append(dst, keys[f]...), i)
		}
		return append(dst, '}')
	}, nil
}

func (o *object[T]) field(p *writer, rows []T, field graphql.CollectedField) (func(dst []byte, i int) []byte, error) {
	if leaf, ok := o.leaves[field.Name]; ok {
		return func(dst []byte, i int) []byte { return leaf(dst, &rows[i]) }, nil
	}
	if open, ok := o.nested[field.Name]; ok {
		return open(p, rows, field)
	}
	if field.Name == "__typename" {
		return func(dst []byte, _ int) []byte { return appendString(dst, o.name) }, nil
	}
	return nil, fmt.Errorf("%s has no field %s", o.name, field.Name)
}

// within is a field whose object lies in the row itself.
func within[T, U any](o *object[U], get func(*T) U) nested[T] {
	return func(p *writer, rows []T, field graphql.CollectedField) (func([]byte, int) []byte, error) {
		inner := make([]U, len(rows))
		for i := range rows {
			inner[i] = get(&rows[i])
		}
		return rowWriter(p, o, inner, field.Selections)
	}
}

// listWithin is a field whose list of objects lies in the row itself.
func listWithin[T, U any](o *object[U], get func(*T) []U) nested[T] {
	return func(p *writer, rows []T, field graphql.CollectedField) (func([]byte, int) []byte, error) {
		lists := make([][]U, len(rows))
		for i := range rows {
			lists[i] = get(&rows[i])
		}
		return listsWriter(p, o, lists, field.Selections)
	}
}

func listsWriter[U any](p *writer, o *object[U], lists [][]U, selections ast.SelectionSet) (func([]byte, int) []byte, error) {
	var flat []U
	starts := make([]int, len(lists)+1)
	for i, list := range lists {
		flat = append(flat, list...)
		starts[i+1] = len(flat)
	}
	one, err := rowWriter(p, o, flat, selections)
	if err != nil {
		return nil, err
	}
	return func(dst []byte, i int) []byte {
		dst = append(dst, '[')
		for at := starts[i]; at < starts[i+1]; at++ {
			if at > starts[i] {
				dst = append(dst, ',')
			}
			dst = one(dst, at)
		}
		return append(dst, ']')
	}, nil
}

// beside is a field whose object is another row, fetched for the whole page in
// one statement; null where there is none.
func beside[T, U any](o *object[U], id func(*T) *uuid.UUID, key func(*U) uuid.UUID,
	load func(p *writer, ids []uuid.UUID, rows []T) ([]U, error)) nested[T] {
	return func(p *writer, rows []T, field graphql.CollectedField) (func([]byte, int) []byte, error) {
		found, err := load(p, distinct(rows, id), rows)
		if err != nil {
			return nil, err
		}
		at := make(map[uuid.UUID]int, len(found))
		for i := range found {
			at[key(&found[i])] = i
		}
		one, err := rowWriter(p, o, found, field.Selections)
		if err != nil {
			return nil, err
		}
		return func(dst []byte, i int) []byte {
			if ref := id(&rows[i]); ref != nil {
				if j, ok := at[*ref]; ok {
					return one(dst, j)
				}
			}
			return append(dst, "null"...)
		}, nil
	}
}

func distinct[T any](rows []T, id func(*T) *uuid.UUID) []uuid.UUID {
	seen := make(map[uuid.UUID]struct{}, len(rows))
	ids := make([]uuid.UUID, 0, len(rows))
	for i := range rows {
		ref := id(&rows[i])
		if ref == nil {
			continue
		}
		if _, ok := seen[*ref]; !ok {
			seen[*ref] = struct{}{}
			ids = append(ids, *ref)
		}
	}
	return ids
}
