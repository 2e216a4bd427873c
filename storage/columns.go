package storage

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Column is one column that statements read: its SQL expression and the variable that
// takes its value.
type Column struct {
	SQL string
	To  any // pointer
}

// Columns are the columns that statements read of one aggregate. Each column is declared once, with
// its expression and its target, so that no code counts positions (docs/decisions/0014-columns.md).
// The zero value reads nothing; use NewColumns.
type Columns[T any] struct {
	// SQL is the list for SELECT or RETURNING.
	SQL   string
	of    func(*T) []Column
	raw   bool // rawRow.read knows the types of all targets
	texts int  // number of nullable texts
}

// NewColumns returns the columns that of declares for one T. of must return the same expressions
// for every T.
func NewColumns[T any](of func(*T) []Column) Columns[T] {
	columns := of(new(T))
	c := Columns[T]{of: of, raw: true}
	expressions := make([]string, len(columns))
	for i, column := range columns {
		expressions[i] = column.SQL
		known, text := rawTarget(column.To)
		c.raw = c.raw && known
		if text {
			c.texts++
		}
	}
	c.SQL = strings.Join(expressions, ", ")
	return c
}

// Of returns the columns for one T, for statements that read more than those.
func (c *Columns[T]) Of(one *T) []Column { return c.of(one) }

// Collect appends the rows of a statement that selected c.SQL and nothing else to list.
func (c *Columns[T]) Collect(rows pgx.Rows, list []T) ([]T, error) {
	err := c.Each(rows, func(one *T) { list = append(list, *one) })
	return list, err
}

// Each calls visit with every row of a statement that selected c.SQL and nothing else. All calls
// share one variable.
func (c *Columns[T]) Each(rows pgx.Rows, visit func(*T)) error {
	defer rows.Close()
	var one, empty T
	columns := c.of(&one)
	targets := make([]any, len(columns))
	for i, column := range columns {
		targets[i] = column.To
	}
	for rows.Next() {
		one = empty // a row must not write to a map or slice of the row before
		var err error
		if c.raw && rawColumns(rows) {
			err = newRawRow(rows, c.texts).read(targets)
		} else {
			err = rows.Scan(targets...)
		}
		if err != nil {
			return err
		}
		visit(&one)
	}
	return rows.Err()
}

// Query runs a statement that selects c.SQL and returns its rows.
func (c *Columns[T]) Query(ctx context.Context, q Querier, sql string, args ...any) (list []T, err error) {
	err = c.QueryEach(ctx, q, func(one *T) { list = append(list, *one) }, sql, args...)
	return list, err
}

// QueryEach runs a statement that selects c.SQL and calls visit with every row, as Each does.
func (c *Columns[T]) QueryEach(ctx context.Context, q Querier, visit func(*T), sql string, args ...any) error {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	return c.Each(rows, visit)
}

// QueryOne runs a statement that selects c.SQL and returns its first row, or pgx.ErrNoRows.
func (c *Columns[T]) QueryOne(ctx context.Context, q Querier, sql string, args ...any) (one T, err error) {
	all, err := c.Query(ctx, q, sql, args...)
	if err == nil && len(all) == 0 {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return one, err
	}
	return all[0], nil
}

// rawTarget reports whether rawRow.read knows the type of a target, and whether the target is a
// nullable text.
func rawTarget(to any) (known, text bool) {
	switch to.(type) {
	case *uuid.UUID, **uuid.UUID, *string, *time.Time, **time.Time, *map[string]any, *outreach.ProspectStatus:
		return true, false
	case **string, **outreach.Interest:
		return true, true
	}
	return false, false
}

// read reads all columns of the row in order.
func (r *rawRow) read(targets []any) error {
	for _, target := range targets {
		switch to := target.(type) {
		case *uuid.UUID:
			*to = r.id()
		case **uuid.UUID:
			*to = r.maybeID()
		case *string:
			*to = r.string()
		case **string:
			*to = r.text()
		case *time.Time:
			*to = r.instant()
		case **time.Time:
			*to = r.maybeInstant()
		case *map[string]any:
			*to = r.object()
		case *outreach.ProspectStatus:
			*to = outreach.ProspectStatus(r.string())
		case **outreach.Interest:
			*to = (*outreach.Interest)(r.text())
		}
	}
	return r.err
}
