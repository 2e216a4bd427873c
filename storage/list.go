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
// orders it, newest first, ties by id descending (specification, 4.2).
type List[T any] struct {
	Columns string // with table alias
	From    string // a table with its alias, and conditions that always hold
	At, ID  string // the ordering pair
	Scan    func(pgx.CollectableRow) (T, error)
	Key     func(*T) outreach.Key
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
	args := f.args
	var sql strings.Builder
	fmt.Fprintf(&sql, "SELECT %s FROM %s%s", l.Columns, l.From, f.sql.String())
	if page.After != nil {
		fmt.Fprintf(&sql, " AND (%s, %s) < ($%d, $%d)", l.At, l.ID, len(args)+1, len(args)+2)
		args = append(args, page.After.At, page.After.ID)
	}
	fmt.Fprintf(&sql, " ORDER BY %s DESC, %s DESC LIMIT $%d", l.At, l.ID, len(args)+1)
	return sql.String(), append(args, page.Limit+1)
}

// Fetch reads one page.
func (l *List[T]) Fetch(ctx context.Context, q Querier, f *Filters, page outreach.Page) (outreach.Rows[T], error) {
	sql, args := l.statement(f, page)
	var out outreach.Rows[T]
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return out, DomainError(err)
	}
	out.Rows = make([]T, 0, page.Limit+1)
	if out.Rows, err = pgx.AppendRows(out.Rows, rows, l.Scan); err != nil {
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
	rows, err := q.Query(ctx, "SELECT "+l.Columns+" FROM "+l.From+" AND "+l.ID+" = $2"+lock, workspace, id)
	if err != nil {
		var none T
		return none, err
	}
	row, err := pgx.CollectExactlyOneRow(rows, l.Scan)
	return row, DomainError(err)
}

// Many reads the rows of several ids of one workspace, in any order.
func (l *List[T]) Many(ctx context.Context, q Querier, workspace uuid.UUID, ids []uuid.UUID) ([]T, error) {
	rows, err := q.Query(ctx, "SELECT "+l.Columns+" FROM "+l.From+" AND "+l.ID+" = ANY($2)", workspace, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, l.Scan)
}
