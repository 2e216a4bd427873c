// Package page is the runtime of the tables in graph/exec, which write the objects of the schema,
// alone and in lists. A table says how each field of a row is appended. The runtime reads the
// selection once per page and appends; a test compares its bytes with those of gqlgen's own
// generated code. The package also seals cursors. It must not know SQL or HTTP.
package page

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Object is the table of one schema type: how its fields are written from the Go type.
type Object[T any] struct {
	Name   string
	Leaves map[string]Leaf[T]
	Nested map[string]Nested[T]
}

// Leaf appends the JSON of one field of a row.
type Leaf[T any] func(dst []byte, row *T) []byte

// Nested prepares a field that is an object or a list of objects. It gets all rows of the page and
// returns the appender of the field.
type Nested[T any] func(w *walk, rows []T, field graphql.CollectedField) (appender, error)

// appender appends a value of the row at index i.
type appender func(dst []byte, i int) []byte

// walk is the state of writing one field of an operation.
type walk struct {
	ctx context.Context
	op  *graphql.OperationContext
}

func newWalk(ctx context.Context) *walk {
	return &walk{ctx: ctx, op: graphql.GetOperationContext(ctx)}
}

func (w *walk) collect(selections ast.SelectionSet, typeName string) []graphql.CollectedField {
	return graphql.CollectFields(w.op, selections, []string{typeName})
}

// One returns a marshaler of a single row.
func One[T any](o *Object[T], row T) graphql.ContextMarshaler {
	return &one[T]{object: o, rows: [1]T{row}}
}

type one[T any] struct {
	object *Object[T]
	rows   [1]T
}

// MarshalGQLContext writes the selected fields of the row. If one of them fails,
// nothing is written.
func (m *one[T]) MarshalGQLContext(ctx context.Context, out io.Writer) error {
	w, dst := newWalk(ctx), append(buffer(out, rowSize), '{')
	for i, field := range w.collect(graphql.GetFieldContext(ctx).Field.Selections, m.object.Name) {
		dst = appendKey(dst, i, field.Alias)
		if leaf, ok := m.object.Leaves[field.Name]; ok {
			dst = leaf(dst, &m.rows[0])
			continue
		}
		write, err := m.object.field(w, m.rows[:], field)
		if err != nil {
			return err
		}
		dst = write(dst, 0)
	}
	_, err := out.Write(append(dst, '}'))
	return err
}

// List returns a marshaler of a page of rows: {nodes, nextCursor}.
func List[T any](o *Object[T], rows []T, nextCursor *string) graphql.ContextMarshaler {
	return &list[T]{object: o, rows: rows, nextCursor: nextCursor}
}

type list[T any] struct {
	object     *Object[T]
	rows       []T
	nextCursor *string
}

// MarshalGQLContext writes the selected fields of the page. If one of them fails,
// nothing is written.
func (m *list[T]) MarshalGQLContext(ctx context.Context, out io.Writer) error {
	w, name := newWalk(ctx), m.object.Name+"Connection"
	dst := append(buffer(out, 256+len(m.rows)*rowSize), '{')
	for i, field := range w.collect(graphql.GetFieldContext(ctx).Field.Selections, name) {
		dst = appendKey(dst, i, field.Alias)
		switch field.Name {
		case "nodes":
			write, err := m.object.rows(w, m.rows, field.Selections)
			if err != nil {
				return err
			}
			dst = appendRange(dst, write, 0, len(m.rows))
		case "nextCursor":
			dst = appendText(dst, m.nextCursor)
		default: // __typename: validation allows nothing else
			dst = AppendString(dst, name)
		}
	}
	_, err := out.Write(append(dst, '}'))
	return err
}

// rowSize is the usual size of a row in bytes.
const rowSize = 640

// buffer returns room to append size bytes. If out is gqlgen's own buffer, it returns the free
// part of it, so that writing copies nothing.
func buffer(out io.Writer, size int) []byte {
	if free, ok := out.(*bytes.Buffer); ok {
		free.Grow(size)
		return free.AvailableBuffer()
	}
	return make([]byte, 0, size)
}

// rows reads a selection once and returns the appender of the rows.
func (o *Object[T]) rows(w *walk, rows []T, selections ast.SelectionSet) (appender, error) {
	fields := w.collect(selections, o.Name)
	values := make([]appender, len(fields))
	keys := make([][]byte, len(fields))
	for i, field := range fields {
		keys[i] = appendKey(nil, i, field.Alias)
		var err error
		if values[i], err = o.field(w, rows, field); err != nil {
			return nil, err
		}
	}
	return func(dst []byte, i int) []byte {
		dst = append(dst, '{')
		for f := range values {
			dst = values[f](append(dst, keys[f]...), i)
		}
		return append(dst, '}')
	}, nil
}

func (o *Object[T]) field(w *walk, rows []T, field graphql.CollectedField) (appender, error) {
	if leaf, ok := o.Leaves[field.Name]; ok {
		return func(dst []byte, i int) []byte { return leaf(dst, &rows[i]) }, nil
	}
	if nested, ok := o.Nested[field.Name]; ok {
		return nested(w, rows, field)
	}
	if field.Name == "__typename" {
		return func(dst []byte, _ int) []byte { return AppendString(dst, o.Name) }, nil
	}
	return nil, fmt.Errorf("%s has no field %s", o.Name, field.Name)
}
