//go:build soak

package storage_test

import (
	"slices"
	"testing"
	"time"

	"outreach"
)

// A million messages of one workspace, 50,000 of another, and a year. Words of every
// tenth, hundredth, thousandth … message, of all messages, of those of last spring, and of
// two halves that never meet. The first page of each search takes at most 100 ms. That of the halves,
// for which the index reads half a million entries of each, is empty and not the last; how long all
// its pages take is logged.
const fillForSearch = `
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
	subject, body_text, message_id, status, sent_at, words)
SELECT uuid_v7(), CASE WHEN n <= 1000000 THEN $1::uuid ELSE $2::uuid END, uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(),
	1, 1, 'p' || n || '@x.test', 'Subject', repeat('Some text of a usual step. ', 40), '<' || n || '>',
	'sent', $3::timestamptz - make_interval(secs => n % 1000000 * 31.5),
	' everywhere p' || n || ' x test ' || CASE WHEN n % 2 = 0 THEN 'even ' ELSE 'odd ' END
	|| CASE WHEN n % 10 = 0 THEN 'tenth ' ELSE '' END || CASE WHEN n % 100 = 0 THEN 'hundredth ' ELSE '' END
	|| CASE WHEN n % 1000 = 0 THEN 'thousandth ' ELSE '' END || CASE WHEN n % 10000 = 0 THEN 'tenthousandth ' ELSE '' END
	|| CASE WHEN n BETWEEN 600000 AND 700000 THEN 'spring ' ELSE '' END || CASE WHEN n = 999999 THEN 'oldest ' ELSE '' END
	|| (SELECT string_agg('w' || (n::bigint * 7919 + i * 104729) % 20011, ' ') FROM generate_series(1, 40) i) || ' '
FROM generate_series(1, 1050000) n`

func TestSearchSoak(t *testing.T) {
	s := newStage(t)
	other := s.room(t)
	began := time.Now()
	s.exec(fillForSearch, s.ws, other.ws, s.clock.Now())
	t.Logf("filled in %s", time.Since(began))
	s.exec("VACUUM ANALYZE messages")
	var size string
	must(t, s.sql.QueryRow(s.ctx, `
SELECT pg_size_pretty(pg_relation_size('messages_words')) || ' of ' || pg_size_pretty(pg_total_relation_size('messages'))`).Scan(&size))
	t.Logf("index %s", size)
	for _, search := range []string{"everywhere", "even", "odd even", "tenth", "hundredth", "thousandth",
		"tenthousandth", "spring", "oldest", "nothing", "w17", "w1700", "spring thousandth",
		"everywhere even tenth hundredth thousandth tenthousandth", "p999999", "everywhere nothing"} {
		words := got(outreach.ParseSearch(search))(t)
		var took []time.Duration
		var found int
		for range 7 {
			began := time.Now()
			found = len(got(s.ListMail(s.ctx, s.ws, words, outreach.Page{Limit: 50}))(t).Rows)
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		t.Logf("%-60s %2d rows, median %6.1f ms, slowest %6.1f ms", search, found, took[3].Seconds()*1000, took[6].Seconds()*1000)
		began, pages, all := time.Now(), 0, 0
		for page := (outreach.Page{Limit: 50}); found < 50; pages++ {
			rows := got(s.ListMail(s.ctx, s.ws, words, page))(t)
			if all += len(rows.Rows); !rows.More || all >= 50 {
				break
			}
			page.After = &rows.Last
		}
		if pages > 0 {
			t.Logf("%-60s %2d rows in %d further pages, %.1f ms together", search, all, pages, time.Since(began).Seconds()*1000)
		}
		if bound := 100 * time.Millisecond; took[3] > bound {
			t.Errorf("%q takes %s, more than %s", search, took[3], bound)
		}
	}
}
