package storage

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// How many rows of the list a search reads before it uses the index, how many weeks it then reads
// first, and how many weeks back it goes.
const (
	searchNear  = 1000
	searchFirst = 4
	searchWeeks = 20 * 52
)

// words are the words that rows must have.
type words struct {
	like  []string // as patterns for the column words
	query []string // as an argument of mail_query
}

func searchFor(list []string) (w words) {
	for i, word := range list {
		if outreach.FindsLonger(list, i) {
			w.like, w.query = append(w.like, "% "+word+"%"), append(w.query, word+":*")
		} else {
			w.like, w.query = append(w.like, "% "+word+" %"), append(w.query, word)
		}
	}
	return w
}

// Search reads one page of the rows that have all words, in the order of the list. The table has a
// column words, and the index mail_words over it.
//
// It reads the newest rows first, which finds frequent words. Other words are looked up in the
// index week by week, so that a search reads only the weeks that it needs.
func (l *List[T]) Search(ctx context.Context, q Querier, f *Filters, page outreach.Page, search []string) (outreach.Rows[T], error) {
	return l.searchUntil(ctx, q, f, page, search, nil)
}

// searchUntil is Search in parts, the first of searchFirst weeks, each of the others twice as long as the
// one before. Once stop reports true it returns what it has. The page may then have fewer rows than its
// limit, More is true, and Last is where the next one begins. Without stop there is one part.
func (l *List[T]) searchUntil(ctx context.Context, q Querier, f *Filters, page outreach.Page, search []string,
	stop func() bool) (outreach.Rows[T], error) {
	var out outreach.Rows[T]
	w := searchFor(search)
	if !wasStopped(page) {
		sql, args := l.nearStatement(f, page, l.alias()+".words LIKE ALL(?)", w.like)
		out, err := l.run(ctx, q, page, sql, args)
		if err != nil || out.More {
			return out, err
		}
	}
	first, last, err := l.weeks(ctx, q, f.args[0], page)
	if err != nil || first < last {
		return out, err
	}
	last = max(last, first-searchWeeks+1)
	if stop == nil {
		sql, args := l.weeklyStatement(f, page, w, weeksBetween(first, last))
		return l.run(ctx, q, page, sql, args)
	}
	for size := searchFirst; ; size *= 2 {
		end := max(last, first-size+1)
		left := outreach.Page{Limit: page.Limit - len(out.Rows), After: page.After}
		sql, args := l.weeklyStatement(f, left, w, weeksBetween(first, end))
		part, err := l.run(ctx, q, left, sql, args)
		if err != nil {
			return part, err
		}
		out.Rows, out.More = append(out.Rows, part.Rows...), part.More
		if n := len(out.Rows); n > 0 {
			out.Last = l.Key(&out.Rows[n-1])
		}
		if part.More || end == last {
			return out, nil
		}
		if stop() {
			out.More, out.Last = true, stoppedAt(end)
			return out, nil
		}
		first = end - 1
	}
}

// stoppedAt is the key from which a search goes on that has read down to the start of a week. No row
// has it.
func stoppedAt(week int) outreach.Key {
	return outreach.Key{At: time.Unix(int64(week)*weekSeconds, 0).UTC()}
}

// wasStopped reports whether a page goes on after stoppedAt.
func wasStopped(page outreach.Page) bool { return page.After != nil && page.After.ID == uuid.Nil }

// weeksBetween returns the weeks from first back to last.
func weeksBetween(first, last int) []int {
	weeks := make([]int, 0, first-last+1)
	for week := first; week >= last; week-- {
		weeks = append(weeks, week)
	}
	return weeks
}

// condition writes the conditions of a page and returns the arguments.
func (l *List[T]) condition(sql *strings.Builder, f *Filters, page outreach.Page) []any {
	sql.WriteString(f.sql.String())
	if page.After == nil {
		return f.args
	}
	fmt.Fprintf(sql, " AND (%s, %s) < ($%d, $%d)", l.At, l.ID, len(f.args)+1, len(f.args)+2)
	return append(f.args[:len(f.args):len(f.args)], page.After.At, page.After.ID)
}

func (l *List[T]) alias() string {
	alias, _, _ := strings.Cut(l.ID, ".")
	return alias
}

// nearStatement finds rows among the first of the list: those for which the condition has holds, whose
// one ? stands for the patterns of all words.
func (l *List[T]) nearStatement(f *Filters, page outreach.Page, has string, patterns []string) (string, []any) {
	var sql strings.Builder
	fmt.Fprintf(&sql, "SELECT %s FROM (SELECT * FROM %s", l.Reads.SQL, l.From)
	args := l.condition(&sql, f, page)
	n := len(args)
	fmt.Fprintf(&sql, " ORDER BY %s DESC, %s DESC LIMIT $%d) %s", l.At, l.ID, n+1, l.alias())
	fmt.Fprintf(&sql, " WHERE %s ORDER BY %s DESC, %s DESC LIMIT $%d", strings.Replace(has, "?", fmt.Sprintf("$%d", n+2), 1),
		l.At, l.ID, n+3)
	return sql.String(), append(args, searchNear, patterns, page.Limit+1)
}

// weeklyStatement finds rows by the index, week by week. The rows of a week are found before they
// are sorted; otherwise they would be read one by one along the list. Only their keys are sorted.
func (l *List[T]) weeklyStatement(f *Filters, page outreach.Page, w words, weeks []int) (string, []any) {
	var sql, inner strings.Builder
	args := l.condition(&inner, f, page)
	n, a := len(args), l.alias()
	fmt.Fprintf(&sql, "SELECT %s FROM (SELECT w.week FROM unnest($%d::int[]) w(week) ORDER BY w.week DESC) w CROSS "+
		"JOIN LATERAL (SELECT ", l.Reads.SQL, n+1)
	fmt.Fprintf(&sql, "%[1]s, %[2]s FROM (SELECT %[1]s, %[2]s FROM %[3]s%[4]s", l.At, l.ID, l.From, inner.String())
	fmt.Fprintf(&sql, " AND mail_words(%[1]s.workspace_id, %[2]s, %[1]s.words) @@ mail_query($1, w.week, $%[3]d) "+
		"OFFSET 0) %[1]s", a, l.At, n+2)
	fmt.Fprintf(&sql, " ORDER BY %s DESC, %s DESC LIMIT $%d) hit", l.At, l.ID, n+3)
	fmt.Fprintf(&sql, " CROSS JOIN LATERAL (SELECT * FROM %s AND %s = hit.id OFFSET 0) %s", l.From, l.ID, a)
	fmt.Fprintf(&sql, " ORDER BY w.week DESC, hit.%s DESC, hit.id DESC LIMIT $%d", strings.TrimPrefix(l.At, a+"."), n+3)
	return sql.String(), append(args, weeks, w.query, page.Limit+1)
}

// weeks returns the weeks in which the page may have rows, newest first.
func (l *List[T]) weeks(ctx context.Context, q Querier, workspace any, page outreach.Page) (first, last int, err error) {
	var newest, oldest *time.Time
	end := func(order string) string {
		return "(SELECT " + l.At + " FROM " + l.From + " ORDER BY " + l.At + order + ", " + l.ID + order + " LIMIT 1)"
	}
	err = q.QueryRow(ctx, "SELECT "+end(" DESC")+", "+end(""), workspace).Scan(&newest, &oldest)
	if err != nil || newest == nil || oldest == nil {
		return 0, 1, err
	}
	if page.After != nil && page.After.At.Before(*newest) {
		newest = &page.After.At
		if wasStopped(page) { // the week that begins then was read
			newest = new(newest.Add(-time.Microsecond))
		}
	}
	return mailWeek(*newest), mailWeek(*oldest), nil
}

// weekSeconds is the length of a week, in seconds.
const weekSeconds = 7 * 24 * 60 * 60

// mailWeek is the function mail_week of the schema.
func mailWeek(at time.Time) int { return int(at.Unix() / weekSeconds) }

// searchTime is how long a search of all mail goes on before it returns what it has found. The part
// that is being read then adds at most about as much.
const searchTime = 30 * time.Millisecond

// ListMail returns one page of all mail that has the words: replies, steps and answers, newest
// first. It returns after a bounded time: a page may have fewer rows than its limit, even none,
// although more follows.
func (db *DB) ListMail(ctx context.Context, workspace uuid.UUID, search []string,
	page outreach.Page) (outreach.Rows[outreach.FoundMail], error) {
	began := time.Now()
	return db.listMail(ctx, workspace, search, page, func() bool { return time.Since(began) > searchTime })
}

func (db *DB) listMail(ctx context.Context, workspace uuid.UUID, search []string, page outreach.Page,
	stop func() bool) (outreach.Rows[outreach.FoundMail], error) {
	var out outreach.Rows[outreach.FoundMail]
	replies, err := Replies.searchUntil(ctx, db.pool, InWorkspace(workspace), page, search, stop)
	if err != nil {
		return out, err
	}
	messages, err := Messages.searchUntil(ctx, db.pool, InWorkspace(workspace), page, search, stop)
	if err != nil {
		return out, err
	}
	return outreach.MergeMail(replies, messages, page.Limit, search), nil
}
