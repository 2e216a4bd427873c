package storage

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// List describes one list: its columns and the pair that orders it, newest first, ties by id
// descending (docs/reference.md#lists).
type List[T any] struct {
	Reads  Columns[T] // with table alias
	Then   func(*T)   // computes fields from the columns; may be nil
	From   string     // a table with its alias, and fixed conditions
	At, ID string     // the pair that orders the list
	Key    func(*T) outreach.Key
}

// Select returns the statement of all rows, without conditions.
func (l *List[T]) Select() string {
	return "SELECT " + l.Reads.SQL + " FROM " + l.From
}

// Collect appends the rows of a statement that begins with Select to list.
func (l *List[T]) Collect(rows pgx.Rows, list []T) ([]T, error) {
	known := len(list)
	list, err := l.Reads.Collect(rows, list)
	for i := range list[known:] {
		if l.Then != nil {
			l.Then(&list[known+i])
		}
	}
	return list, err
}

// collectOne is Collect for a statement that returns at most one row. It returns ErrNotFound if
// there is none.
func (l *List[T]) collectOne(rows pgx.Rows) (one T, err error) {
	found, err := l.Collect(rows, make([]T, 0, 1))
	if err != nil {
		return one, DomainError(err)
	}
	if len(found) == 0 {
		return one, outreach.ErrNotFound
	}
	return found[0], nil
}

// Filters collects the conditions of one request. Each adds a constant fragment whose one ? stands
// for its value, so that every combination is one SQL text and the statement cache holds its plan.
type Filters struct {
	sql  strings.Builder
	args []any
}

// InWorkspace returns the conditions that select one workspace.
func InWorkspace(workspace uuid.UUID) *Filters {
	return &Filters{args: []any{workspace}}
}

// Where adds fragment if value is set.
func Where[V any](f *Filters, fragment string, value *V) {
	if value != nil {
		f.add(fragment, *value)
	}
}

// whereAddress adds fragment if an address is set. A space in it was a + that was not escaped in a
// query string.
func whereAddress(f *Filters, fragment string, email *string) {
	if email != nil {
		f.add(fragment, strings.ReplaceAll(outreach.CanonicalEmail(*email), " ", "+"))
	}
}

// always adds a fragment without a value.
func (f *Filters) always(fragment string) { f.sql.WriteString(" AND " + fragment) }

func (f *Filters) add(fragment string, value any) {
	f.args = append(f.args, value)
	f.sql.WriteString(" AND ")
	f.sql.WriteString(strings.Replace(fragment, "?", "$"+strconv.Itoa(len(f.args)), 1))
}

// narrows reports whether there is a condition besides the workspace.
func (f *Filters) narrows() bool { return f.sql.Len() > 0 }

// statement returns the SQL of one page. It reads one row more than asked for, which tells whether
// another page follows.
func (l *List[T]) statement(f *Filters, page outreach.Page) (string, []any) {
	var sql strings.Builder
	sql.WriteString(l.Select())
	args := l.condition(&sql, f, page)
	fmt.Fprintf(&sql, " ORDER BY %s DESC, %s DESC LIMIT $%d", l.At, l.ID, len(args)+1)
	return sql.String(), append(args, page.Limit+1)
}

// Fetch reads one page.
func (l *List[T]) Fetch(ctx context.Context, q Querier, f *Filters, page outreach.Page) (outreach.Rows[T], error) {
	sql, args := l.statement(f, page)
	return l.run(ctx, q, page, sql, args)
}

// run reads one page with a statement that returns one row more.
func (l *List[T]) run(ctx context.Context, q Querier, page outreach.Page, sql string, args []any) (outreach.Rows[T], error) {
	var out outreach.Rows[T]
	rows, err := q.Query(ctx, sql, args...)
	if err == nil {
		out.Rows, err = l.Collect(rows, make([]T, 0, page.Limit+1))
	}
	if err != nil {
		table, _, _ := strings.Cut(l.From, " ")
		return out, fmt.Errorf("list %s: %w", table, DomainError(err))
	}
	if len(out.Rows) > page.Limit {
		out.Rows, out.More = out.Rows[:page.Limit], true
	}
	if n := len(out.Rows); n > 0 {
		out.Last = l.Key(&out.Rows[n-1])
	}
	return out, nil
}

// One reads the row of one id. It returns ErrNotFound if the workspace has none.
func (l *List[T]) One(ctx context.Context, q Querier, workspace, id uuid.UUID) (T, error) {
	return l.OneLocked(ctx, q, workspace, id, "")
}

// OneLocked is One with a lock clause.
func (l *List[T]) OneLocked(ctx context.Context, q Querier, workspace, id uuid.UUID, lock string) (T, error) {
	rows, err := q.Query(ctx, l.Select()+" AND "+l.ID+" = $2"+lock, workspace, id)
	if err != nil {
		var none T
		return none, err
	}
	return l.collectOne(rows)
}

// Many reads the rows of several ids of one workspace, in any order.
func (l *List[T]) Many(ctx context.Context, q Querier, workspace uuid.UUID, ids []uuid.UUID) ([]T, error) {
	rows, err := q.Query(ctx, l.Select()+" AND "+l.ID+" = ANY($2)", workspace, ids)
	if err != nil {
		return nil, err
	}
	return l.Collect(rows, make([]T, 0, len(ids)))
}

// Query runs a statement that begins with Select and returns its rows.
func (l *List[T]) Query(ctx context.Context, q Querier, sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return l.Collect(rows, nil)
}
