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

// list describes one list of the service: what it selects and the pair that
// orders it, newest first, ties by id descending (specification, 4.2).
type list[T any] struct {
	columns string // with table alias
	from    string // a table with its alias, and conditions that always hold
	at, id  string // the ordering pair
	scan    func(pgx.CollectableRow) (T, error)
	key     func(*T) outreach.Key
}

// filters collects the conditions of one request; each adds a constant fragment
// whose one ? stands for its value, so that every combination is one SQL text
// and the statement cache holds its plan.
type filters struct {
	sql  strings.Builder
	args []any
}

func inWorkspace(workspace uuid.UUID) *filters {
	return &filters{args: []any{workspace}}
}

// where adds fragment when value is given.
func where[V any](f *filters, fragment string, value *V) {
	if value != nil {
		f.add(fragment, *value)
	}
}

// whereAddress adds fragment when an address is given. No address holds a space:
// where one does, a + of it was not escaped in a query string.
func whereAddress(f *filters, fragment string, email *string) {
	if email != nil {
		f.add(fragment, strings.ReplaceAll(outreach.FoldEmail(*email), " ", "+"))
	}
}

func (f *filters) add(fragment string, value any) {
	f.args = append(f.args, value)
	f.sql.WriteString(" AND ")
	f.sql.WriteString(strings.Replace(fragment, "?", "$"+strconv.Itoa(len(f.args)), 1))
}

// statement writes the SQL of one page: one row more than asked for tells
// whether another page follows.
func (l *list[T]) statement(f *filters, page outreach.Page) (string, []any) {
	args := f.args
	var sql strings.Builder
	fmt.Fprintf(&sql, "SELECT %s FROM %s%s", l.columns, l.from, f.sql.String())
	if page.After != nil {
		fmt.Fprintf(&sql, " AND (%s, %s) < ($%d, $%d)", l.at, l.id, len(args)+1, len(args)+2)
		args = append(args, page.After.At, page.After.ID)
	}
	fmt.Fprintf(&sql, " ORDER BY %s DESC, %s DESC LIMIT $%d", l.at, l.id, len(args)+1)
	return sql.String(), append(args, page.Limit+1)
}

// fetch reads one page.
func (l *list[T]) fetch(ctx context.Context, q querier, f *filters, page outreach.Page) (outreach.Rows[T], error) {
	sql, args := l.statement(f, page)
	var out outreach.Rows[T]
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return out, domainError(err)
	}
	out.Rows = make([]T, 0, page.Limit+1)
	if out.Rows, err = pgx.AppendRows(out.Rows, rows, l.scan); err != nil {
		return out, domainError(err)
	}
	if len(out.Rows) > page.Limit {
		out.Rows, out.More = out.Rows[:page.Limit], true
	}
	if n := len(out.Rows); n > 0 {
		out.Last = l.key(&out.Rows[n-1])
	}
	return out, nil
}

// one reads the row of one id, ErrNotFound where the workspace has none.
func (l *list[T]) one(ctx context.Context, q querier, workspace, id uuid.UUID) (T, error) {
	return l.oneLocked(ctx, q, workspace, id, "")
}

func (l *list[T]) oneLocked(ctx context.Context, q querier, workspace, id uuid.UUID, lock string) (T, error) {
	rows, err := q.Query(ctx, "SELECT "+l.columns+" FROM "+l.from+" AND "+l.id+" = $2"+lock, workspace, id)
	if err != nil {
		var none T
		return none, err
	}
	row, err := pgx.CollectExactlyOneRow(rows, l.scan)
	return row, domainError(err)
}

// many reads the rows of several ids of one workspace, in any order.
func (l *list[T]) many(ctx context.Context, q querier, workspace uuid.UUID, ids []uuid.UUID) ([]T, error) {
	rows, err := q.Query(ctx, "SELECT "+l.columns+" FROM "+l.from+" AND "+l.id+" = ANY($2)", workspace, ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, l.scan)
}
