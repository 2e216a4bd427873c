package storage

import (
	"context"
	"fmt"
	"outreach"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// List describes one list of the service: what it selects and the pair that
// orders it, newest first, ties by id descending (docs/reference.md#lists).
type List[T any] struct {
	Reads  Columns[T] // with table alias
	Then   func(*T)   // computes what follows from the columns; may be nil
	From   string     // a table with its alias, and conditions that always hold
	At, ID string     // the ordering pair
	Key    func(*T) outreach.Key
}

// Select returns the statement of all rows but for what follows its conditions.
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

// CollectOne is Collect of a statement that returns one row; ErrNotFound when it
// returned none.
func (l *List[T]) CollectOne(rows pgx.Rows) (one T, err error) {
	found, err := l.Collect(rows, make([]T, 0, 1))
	if err != nil {
		return one, DomainError(err)
	}
	if len(found) == 0 {
		return one, outreach.ErrNotFound
	}
	return found[0], nil
}

// Filters collects the conditions of one request; each adds a constant fragment
// whose one ? stands for its value, so that every combination is one SQL text
// and the statement cache holds its plan.
type Filters struct {
	sql  strings.Builder
	args []any
}

// InWorkspace begins the conditions of one workspace.
func InWorkspace(workspace uuid.UUID) *Filters {
	return &Filters{args: []any{workspace}}
}

// Where adds fragment when value is given.
func Where[V any](f *Filters, fragment string, value *V) {
	if value != nil {
		f.add(fragment, *value)
	}
}

// whereAddress adds fragment when an address is given. No address holds a space:
// where one does, a + of it was not escaped in a query string.
func whereAddress(f *Filters, fragment string, email *string) {
	if email != nil {
		f.add(fragment, strings.ReplaceAll(outreach.FoldEmail(*email), " ", "+"))
	}
}

// always adds a fragment that takes no value.
func (f *Filters) always(fragment string) { f.sql.WriteString(" AND " + fragment) }

func (f *Filters) add(fragment string, value any) {
	f.args = append(f.args, value)
	f.sql.WriteString(" AND ")
	f.sql.WriteString(strings.Replace(fragment, "?", "$"+strconv.Itoa(len(f.args)), 1))
}

// statement writes the SQL of one page: one row more than asked for tells
// whether another page follows.
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

// run reads one page by a statement of one row more.
func (l *List[T]) run(ctx context.Context, q Querier, page outreach.Page, sql string, args []any) (outreach.Rows[T], error) {
	var out outreach.Rows[T]
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return out, DomainError(err)
	}
	out.Rows = make([]T, 0, page.Limit+1)
	if out.Rows, err = l.Collect(rows, out.Rows); err != nil {
		return out, DomainError(err)
	}
	if len(out.Rows) > page.Limit {
		out.Rows, out.More = out.Rows[:page.Limit], true
	}
	if n := len(out.Rows); n > 0 {
		out.Last = l.Key(&out.Rows[n-1])
	}
	return out, nil
}

// One reads the row of one id, ErrNotFound where the workspace has none.
func (l *List[T]) One(ctx context.Context, q Querier, workspace, id uuid.UUID) (T, error) {
	return l.OneLocked(ctx, q, workspace, id, "")
}

// OneLocked is One with the lock clause lock.
func (l *List[T]) OneLocked(ctx context.Context, q Querier, workspace, id uuid.UUID, lock string) (T, error) {
	rows, err := q.Query(ctx, l.Select()+" AND "+l.ID+" = $2"+lock, workspace, id)
	if err != nil {
		var none T
		return none, err
	}
	return l.CollectOne(rows)
}

// Many reads the rows of several ids of one workspace, in any order.
func (l *List[T]) Many(ctx context.Context, q Querier, workspace uuid.UUID, ids []uuid.UUID) ([]T, error) {
	rows, err := q.Query(ctx, l.Select()+" AND "+l.ID+" = ANY($2)", workspace, ids)
	if err != nil {
		return nil, err
	}
	return l.Collect(rows, make([]T, 0, len(ids)))
}
